"""The tables to play at: the real one before a camera, and a simulated one with people at it."""

import random
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from engine.log import Log
from engine.text import Text, say
from firmware.app.restore import restore_session
from firmware.box.context import Context
from firmware.box.events import Told
from firmware.box.flows.home import Home
from firmware.box.flows.playing import playing
from firmware.box.stack import Box
from firmware.journal.journal import Journal
from firmware.journal.operations import Names, Started
from firmware.machine import empty_table
from firmware.machine.config import Optics
from firmware.machine.empty_table import EmptyTableError
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox
from firmware.simulation.camera import SimCamera
from firmware.simulation.players import NAMES
from firmware.simulation.table import SimTable, caught_up
from hw.camera import Camera, NoCamera, open_camera
from hw.frame import Picture
from vision.live.perception import Perception
from vision.live.watcher import ReloadPicture
from vision.render.scene_renderer import SceneRenderer

MISTAKES = 0.1
"""One card in ten is laid wrongly: nobody would watch for long otherwise."""


@dataclass(frozen=True, slots=True)
class SessionStart:
    """The box as it begins, and what it plays already."""

    box: Box
    started: Started | None = None


class TableSource(Protocol):
    title: str

    def eyes(self, folder: Path, notices: list[Text]) -> Perception:
        """``folder`` holds the picture of the empty table; what is wrong with that goes to the notices."""
        ...

    def start(self, journal: Journal, eyes: Perception, notices: list[Text]) -> SessionStart: ...

    def camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        """Opened anew after every loss."""
        ...


class RealTable:
    """``first`` is a camera that is open already."""

    def __init__(self, name: str, first: Camera | None = None, optics: Optics | None = None) -> None:
        self._optics = optics or Optics()
        self.title = f"Oxeye · camera {name}"
        self._name = name
        self._first = first

    def eyes(self, folder: Path, notices: list[Text]) -> Perception:
        def again() -> Picture:
            picture = empty_table.load(folder)
            if picture is None:
                raise EmptyTableError(say("empty_none"))
            return picture

        def keep(picture: Picture) -> ReloadPicture | None:
            try:
                empty_table.save(folder, picture)
            except EmptyTableError as why:
                notices.append(why.text)
                return None
            return again

        empty = None
        try:
            empty = empty_table.load(folder)
        except EmptyTableError as why:
            notices.append(why.text)
        optics = self._optics
        return Perception(empty, sticker_mm=optics.sticker_mm, marker_mm=optics.marker_mm, kept=keep, again=again)

    def start(self, journal: Journal, eyes: Perception, notices: list[Text]) -> SessionStart:
        known, damages = restore_session(journal, time.time())
        notices += damages
        return SessionStart(Box(replace(known, area=eyes.area), (Home(),)))

    def camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        first, self._first = self._first, None
        return first or open_camera(self._name, clock=clock, mains_hz=self._optics.mains_hz)


class SafeTable(RealTable):
    """A table that nobody looks at: everything goes by hand, and the screen says why."""

    def __init__(self) -> None:
        super().__init__("off, in safe mode")

    def camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        raise NoCamera(say("safe_mode"))


class SimulatedTable:
    """A game that has just begun, and people who play it with their hands and with the buttons."""

    def __init__(self, log: Log[Any, Any], seed: int, *, acts: int | None = None) -> None:
        self.title = f"Oxeye · {log.game.name} at a simulated table · seed {seed}"
        self._log = log
        self._acts = acts
        self._table = SimTable(log, random.Random(seed), mistakes=MISTAKES)
        self._renderer = SceneRenderer(seed)
        view = log.game.view(log.state)
        self._names: Names = {pad.player: NAMES[pad.player] for pad in view.pads if pad.player in NAMES}

    def eyes(self, folder: Path, notices: list[Text]) -> Perception:
        return Perception(self._renderer.render(self._table.empty))

    def start(self, journal: Journal, eyes: Perception, notices: list[Text]) -> SessionStart:
        started = Started(self._log.game.name, self._log.options, self._names)
        known = Context(names=self._names, last=started, area=eyes.area)
        return SessionStart(Box(known, (Home(), playing(self._log))), started)

    def camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        def seen(table: SimTable) -> bool:
            return companion.log is None or caught_up(companion.log, table.lies())

        def told(words: str) -> None:
            inbox.put(Told(words, "button", clock()))

        draw = partial(self._renderer.render, noise="fresh")
        return SimCamera(
            self._table, told=told, seen=seen, passing=clock.allow, acts=self._acts, draw=draw, start=clock()
        )
