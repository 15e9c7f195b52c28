"""The rows of the journal: the head of each game, its entries, and changes that are still to be written."""

from dataclasses import dataclass

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

    @property
    def runs(self) -> bool:
        return self.ended is None and self.how is None


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One accepted entry in notation, its source (seen, button, web or cli) and its time."""

    game: int
    number: int
    entry: str
    told: str
    at: float


@dataclass(frozen=True, slots=True)
class Change:
    """An operation on rows that exist: on which game, and when."""

    operation: ResumeGame | PauseGame | EndGame | ReopenGame | RenamePlayers | QuarantineRows | VerifyDeck
    game: int
    at: float


Row = Played | EntryRow | Change
"""What is to be written. Writing is idempotent: after a failed commit it is unknown what is on disk."""
