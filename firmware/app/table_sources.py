"""The table to play at: its perception, its camera and the game that is restored; with a camera or without one."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from engine.text import Text, say
from firmware.app.restore import restore_session
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.journal.journal import Journal
from firmware.journal.operation_types import Started
from firmware.machine import empty_table
from firmware.machine.config import Optics
from firmware.machine.empty_table import EmptyTableError
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion, Observer
from firmware.runtime.inbox import Inbox
from firmware.web.extra_page import ExtraPage
from hw.camera import Camera, NoCamera, open_camera
from hw.frame import Picture
from vision.live.empty_table import ReloadPicture
from vision.live.perception import Perception


@dataclass(frozen=True, slots=True)
class SessionStart:
    """The box at its start, and the game that it plays already, if any."""

    box: Box
    started: Started | None = None


class TableSource(Protocol):
    title: str

    @property
    def observers(self) -> tuple[Observer, ...]:
        """What beside the screens must see every event of the box."""
        ...

    def open_perception(self, folder: Path, notices: list[Text]) -> Perception:
        """``folder`` holds the picture of the empty table; its errors go to ``notices``."""
        ...

    def start_session(self, journal: Journal, perception: Perception, notices: list[Text]) -> SessionStart: ...

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        """Called again after every loss of the camera."""
        ...

    def open_page(self, inbox: Inbox, clock: ScaledClock, language: str) -> ExtraPage | None:
        """A page of this table, beside that for phones; ``language`` is that of the small screen."""
        ...


class RealTable:
    """A table under a camera; ``first`` is a camera that is open already."""

    observers: tuple[Observer, ...] = ()

    def __init__(self, name: str, first: Camera | None = None, optics: Optics | None = None) -> None:
        self._optics = optics or Optics()
        self.title = f"Oxeye · camera {name}"
        self._name = name
        self._first = first

    def open_perception(self, folder: Path, notices: list[Text]) -> Perception:
        def again() -> Picture:
            picture = empty_table.load_empty_table(folder)
            if picture is None:
                raise EmptyTableError(say("empty_none"))
            return picture

        def keep(picture: Picture) -> ReloadPicture | None:
            try:
                empty_table.save_empty_table(folder, picture)
            except EmptyTableError as why:
                notices.append(why.text)
                return None
            return again

        empty = None
        try:
            empty = empty_table.load_empty_table(folder)
        except EmptyTableError as why:
            notices.append(why.text)
        optics = self._optics
        return Perception(empty, sticker_mm=optics.sticker_mm, marker_mm=optics.marker_mm, on_empty=keep, reload=again)

    def start_session(self, journal: Journal, perception: Perception, notices: list[Text]) -> SessionStart:
        known, damages = restore_session(journal, time.time())
        notices += damages
        return SessionStart(Box(replace(known, area=perception.area), (Home(),)))

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        first, self._first = self._first, None
        return first or open_camera(self._name, clock=clock, mains_hz=self._optics.mains_hz)

    def open_page(self, inbox: Inbox, clock: ScaledClock, language: str) -> ExtraPage | None:
        return None


class SafeTable(RealTable):
    """A table without a camera: every move is entered by hand, and the screen says why."""

    def __init__(self) -> None:
        super().__init__("off, in safe mode")

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        raise NoCamera(say("safe_mode"))
