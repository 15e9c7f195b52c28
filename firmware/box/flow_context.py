"""What every flow of the box knows: time, people, decks, the measured table, faults, and games that can be resumed."""

from dataclasses import dataclass, field
from typing import Any

from engine.log import Log
from engine.text import Text
from firmware.box.events import BoxFacts, PageStatus
from firmware.journal.operation_types import Names, Started
from vision.live.fault_sources import FaultSource


@dataclass(frozen=True, slots=True)
class Stopped:
    """A game that was begun and not ended: after a pause or a power cut."""

    id: int
    names: Names
    log: Log[Any, Any]
    paused: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """``area`` is the table between the markers in mm, None until it was measured.

    ``game`` is the number of the running game in the journal, ``people`` are all names that were ever used,
    ``names_by_seat`` are the names before the players of a game changed places,
    ``language`` is the one chosen on the box, empty before that.
    ``picture`` is the game in which all players agreed that phones may see the table, ``missing`` is how many games a
    copy of the journal has that the journal itself has lost.
    """

    now: float = 0.0
    game: int = 0
    names: Names = field(default_factory=dict)
    people: tuple[str, ...] = ()
    names_by_seat: Names = field(default_factory=dict)
    last: Started | None = None
    stopped: tuple[Stopped, ...] = ()
    decks: frozenset[str] = frozenset()
    area: tuple[int, int] | None = None
    faults: tuple[tuple[FaultSource, Text], ...] = ()
    page: PageStatus | None = None
    facts: BoxFacts | None = None
    picture: int | None = None
    language: str = ""
    missing: int = 0
