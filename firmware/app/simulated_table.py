"""The simulated table as the table to play at: a match with players who use their hands and the buttons."""

from pathlib import Path
from typing import Any

from engine.log import Log
from engine.text import Text
from firmware.app.table_sources import SessionStart
from firmware.box.events import parse_told
from firmware.journal.journal import Journal
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox
from firmware.simulation.session import SimulatedSession
from firmware.web.extra_page import ExtraPage
from hw.camera import Camera
from vision.live.perception import Perception


class SimulatedTable:
    """A game that has just begun at a simulated table, with players who use their hands and the buttons."""

    def __init__(self, log: Log[Any, Any], seed: int, *, acts: int | None = None) -> None:
        self.title = f"Oxeye · {log.game.name} at a simulated table · seed {seed}"
        self._session = SimulatedSession.for_match(log, seed)
        self._acts = acts

    def open_perception(self, folder: Path, notices: list[Text]) -> Perception:
        return self._session.start.perception

    def start_session(self, journal: Journal, perception: Perception, notices: list[Text]) -> SessionStart:
        return SessionStart(self._session.start.box, self._session.start.started)

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        def tell(words: str) -> None:
            inbox.put(parse_told(words, "button", clock()))

        return self._session.open_camera(companion, tell, allow=clock.allow, acts=self._acts, start=clock())

    def open_page(self, inbox: Inbox, clock: ScaledClock, language: str) -> ExtraPage | None:
        return None
