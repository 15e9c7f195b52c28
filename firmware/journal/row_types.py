"""The rows of the journal: the head of each game, its entries, and changes that are still to be written."""

from dataclasses import dataclass
from typing import Literal

from firmware.journal.operation_types import (
    EndGame,
    Names,
    PauseGame,
    QuarantineRows,
    RenamePlayers,
    ReopenGame,
    ResumeGame,
    VerifyDeck,
)

HeadDamage = Literal["", "start", "state"]
"""What of the head of a game differs from its checksum: what it was begun with, or its end, people and length."""


@dataclass(frozen=True, slots=True)
class Played:
    """The head of one game. ``options`` in words (``players=3 variant=base``), names of those players who have one.

    The one game that runs has neither ``ended`` nor ``how``; a paused or stopped one has a ``how`` and no end.
    ``token`` tells the game apart when its row is written a second time.
    """

    id: int
    token: str
    name: str
    options: str
    names: Names
    began: float
    ended: float | None = None
    how: str | None = None
    damage: HeadDamage = ""

    @property
    def runs(self) -> bool:
        return self.ended is None and self.how is None


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One accepted entry in notation, its source (seen, button, web or cli) and its time.

    ``intact``: its checksum is right, or the file has none.
    """

    game: int
    number: int
    entry: str
    told: str
    at: float
    intact: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """An operation on rows that exist: on which game, and when."""

    operation: ResumeGame | PauseGame | EndGame | ReopenGame | RenamePlayers | QuarantineRows | VerifyDeck
    game: int
    at: float


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game with all its rows, as a copy of the journal has it."""

    played: Played
    entries: tuple[EntryRow, ...]


Row = Played | EntryRow | Change | RecordedGame
"""What is to be written. Writing is idempotent: after a failed commit it is unknown what is on disk."""
