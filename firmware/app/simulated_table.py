"""The simulated table as the table to play at: it lives, and people sit at it who do what the box asks."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.log import Log
from engine.options import get_number
from engine.table import Area
from engine.text import Text
from firmware.app.restore import restore_session
from firmware.app.table_sources import SessionStart
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.journal import Journal
from firmware.journal.operation_types import Started
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion, Observer
from firmware.runtime.inbox import Inbox
from firmware.simulation.people.people import MistakeRate, People
from firmware.simulation.session import name_players
from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table_camera import TableCamera
from firmware.simulation.table_pace import TablePace
from firmware.web.extra_page import ExtraPage
from hw.camera import Camera
from vision.live.perception import Perception
from vision.render.incremental_rendering import SceneRenderer

SIZES = ("width", "height")
TABLE_MM = (841, 594)
"""Width and height of the simulated table: every game and variant has room on it."""


class SimulatedTable:
    """A game that has just begun at a simulated table, and everything that can be done to it while it runs.

    ``table`` are the pieces, lamp and arms, ``people`` those who play, ``pace`` how fast time runs. With
    ``acts`` the camera ends after so many acts of the people; else it never ends.
    """

    def __init__(
        self, log: Log[Any, Any], seed: int, *, acts: int | None = None, mistakes: MistakeRate = "some"
    ) -> None:
        self.title = f"Oxeye · {log.game.name} at a simulated table · seed {seed}"
        width, height = (max(get_number(log.options, name), mm) for name, mm in zip(SIZES, TABLE_MM, strict=True))
        log = Log(log.game, {**log.options, "width": width, "height": height})
        self.table = PhysicalTable(log.game.name, Area(0, 0, width, height), seed=seed)
        self.pace = TablePace()
        self.people = People(self.table, seed=seed, mistakes=mistakes, end_act=self._end_act)
        self._log = log
        self._renderer = SceneRenderer(seed)
        self._acts = acts
        self._camera: TableCamera | None = None

    @property
    def observers(self) -> tuple[Observer, ...]:
        return (self.people.watch,)

    def open_perception(self, folder: Path, notices: list[Text]) -> Perception:
        return Perception(self._renderer.render(self.table.empty_scene()))

    def start_session(self, journal: Journal, perception: Perception, notices: list[Text]) -> SessionStart:
        known, damages = restore_session(journal, time.time())
        notices += damages
        started = Started(self._log.game.name, self._log.options, name_players(self._log))
        known = replace(known, names=started.names, last=started, area=perception.area)
        return SessionStart(Box(known, (Home(), play_from(self._log))), started)

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        """The people sit down: they act before each frame."""

        def act(at: float) -> None:
            for event in self.people.step(companion.view, companion.box.known.names, at):
                inbox.put(event)

        self.pace.follow(clock)
        self.people.attend(lambda: companion.box.known.game)
        self.people.join_match(companion.box.known.game, Started(self._log.game.name, self._log.options))
        self._camera = TableCamera(
            self.table,
            draw=lambda scene: self._renderer.render(scene, noise="fresh"),
            allow=clock.allow,
            before_frame=act,
            pace=self.pace,
            start=clock(),
        )
        return self._camera

    def _end_act(self) -> None:
        self.pace.end_act()
        if self._acts is None:
            return
        self._acts -= 1
        if self._acts <= 0 and self._camera is not None:
            self._camera.end()

    def open_page(self, inbox: Inbox, clock: ScaledClock, language: str) -> ExtraPage | None:
        return None
