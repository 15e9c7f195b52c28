"""The simulated table as the table to play at: it lives, and people sit at it who do what the box asks."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.log import Log
from engine.options import get_number
from engine.table import Area
from engine.text import Text
from firmware.app.restore import restore_session
from firmware.app.table_sources import SessionStart
from firmware.box.events import Pressed
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.journal import Journal
from firmware.journal.operation_types import Started, WriteEntries
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion, Observer
from firmware.runtime.inbox import Inbox
from firmware.simulation.people.people import MistakeRate, People
from firmware.simulation.scenarios import Scenario, lay_scenario
from firmware.simulation.session import name_players
from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table_camera import TableCamera
from firmware.simulation.table_pace import TablePace
from firmware.web.extra_page import ExtraPage
from firmware.web.table_handlers import SimulatedTablePage
from firmware.web.table_link import SimulatedSeat, TableLink
from hw.button_presses import Button, Press, PressKind
from hw.camera import Camera
from vision.live.perception import Perception
from vision.render.incremental_rendering import SceneRenderer

RESTART_PRESS = Press(Button.OK, PressKind.RESTART)
LAMP_AFTER_S = 6.0
"""Seconds after which the lamp of a scenario goes on: first one sees the table as it is."""
SIZES = ("width", "height")
TABLE_MM = (841, 594)
"""Width and height of the simulated table: every game and variant has room on it."""


class SimulatedTable:
    """A game that has just begun at a simulated table, and everything that can be done to it while it runs.

    ``table`` are the pieces, lamp and arms, ``people`` those who play, ``pace`` how fast time runs. With
    ``acts`` the camera ends after so many acts of the people; else it never ends. ``scenario`` is the one that was set
    up, if any.

    ``awaits_person``: the first seat of a scenario is kept for a person, who needs a page to play.

    The table stays when the box starts again: then the box knows only what its journal holds. ``page_everywhere``:
    the page of the table is open to the whole network.
    """

    def __init__(
        self,
        log: Log[Any, Any],
        seed: int,
        *,
        acts: int | None = None,
        mistakes: MistakeRate = "some",
        scenario: Scenario | None = None,
        page_everywhere: bool = False,
        awaits_person: bool = True,
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
        self.scenario = scenario
        self._next: Log[Any, Any] | None = self._log if scenario is None else scenario.record(self.table.area)
        self._lamp_waits = False
        self._lamp_at: float | None = None
        self._begun: Started | None = None
        self._restart: Callable[[], None] = lambda: None
        self._page_everywhere = page_everywhere
        self._awaits_person = awaits_person

    @property
    def observers(self) -> tuple[Observer, ...]:
        return (self.people.watch,)

    def open_perception(self, folder: Path, notices: list[Text]) -> Perception:
        return Perception(self._renderer.render(self.table.empty_scene()))

    def start_session(self, journal: Journal, perception: Perception, notices: list[Text]) -> SessionStart:
        known, damages = restore_session(journal, time.time())
        notices += damages
        known = replace(known, area=perception.area)
        log, self._next, self._begun = self._next, None, None
        if log is None:
            return SessionStart(Box(known, (Home(),)))
        self._begun = started = Started(log.game.name, log.options, name_players(log))
        known = replace(known, names=started.names, last=started)
        if not log.moves:
            return SessionStart(Box(known, (Home(), play_from(log))), started)
        game = journal.begin(started, time.time())
        journal.apply(WriteEntries(tuple(map(str, log.moves)), "seen"), game, time.time())
        return SessionStart(Box(replace(known, game=game), (Home(), play_from(log))))

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        """The people sit down: they act before each frame."""

        def act(at: float) -> None:
            self._switch_lamp(at)
            for event in self.people.step(companion.view, companion.box.known.names, at):
                inbox.put(event)

        self.pace.follow(clock)
        self.people.attend(lambda: companion.box.known.game)
        begun, self._begun = self._begun, None
        if begun is not None:
            self.people.join_match(companion.box.known.game, begun)
            self._lay_scenario()
        self._restart = lambda: inbox.put(Pressed(RESTART_PRESS, clock()))
        self._camera = TableCamera(
            self.table,
            draw=lambda scene: self._renderer.render(scene, noise="fresh"),
            allow=clock.allow,
            before_frame=act,
            pace=self.pace,
            start=clock(),
        )
        return self._camera

    def begin_scenario(self, scenario: Scenario) -> None:
        """Set this scenario up: the box starts again with its record."""
        self.scenario, self._next = scenario, scenario.record(self.table.area)
        self._restart()

    def cut_power(self) -> None:
        """The box starts again and knows what its journal holds; the table stays as it is."""
        self._restart()

    def _lay_scenario(self) -> None:
        """The player to whom the scenario belongs is a person, who may still be on the way to the page."""
        if self.scenario is not None:
            self.people.leave_to_human(frozenset({1} if self._awaits_person else ()))
            lay_scenario(self.table, self.scenario)
            self.table.set_lamp("daylight")
            self._lamp_waits = self.scenario.effect == "lamp"
            self._lamp_at = None

    def _switch_lamp(self, at: float) -> None:
        """The lamp of a scenario goes on a while after the first frame."""
        if not self._lamp_waits:
            return
        if self._lamp_at is None:
            self._lamp_at = at + LAMP_AFTER_S
        elif at >= self._lamp_at:
            self._lamp_waits = False
            self.table.set_lamp("warm")

    def _end_act(self) -> None:
        self.pace.end_act()
        if self._acts is None:
            return
        self._acts -= 1
        if self._acts <= 0 and self._camera is not None:
            self._camera.end()

    def open_page(self, inbox: Inbox, clock: ScaledClock, language: str) -> ExtraPage | None:
        link = TableLink(SimulatedSeat(self), inbox, clock, language)
        return SimulatedTablePage(link, everywhere=self._page_everywhere)
