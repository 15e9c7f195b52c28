"""What may be done to a journal, as values: written twice it is there once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

How = Literal["finished", "given up"]
Names = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Played:
    """The head of one game. ``options`` in words (``players=3 variant=base``), names of those players who have one.

    The one game that runs has neither ``ended`` nor ``how``; one that was put away has a ``how`` and no end.
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
    """One accepted entry in notation, who told it (seen, button, web or cli) and when."""

    game: int
    number: int
    entry: str
    told: str
    at: float


@dataclass(frozen=True, slots=True)
class Ended:
    game: int
    how: How
    at: float


@dataclass(frozen=True, slots=True)
class Paused:
    game: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game goes on; another that ran is stopped."""

    game: int


@dataclass(frozen=True, slots=True)
class Reopened:
    """A match that has ended is not over after all: it waits to be taken up."""

    game: int


@dataclass(frozen=True, slots=True)
class Renamed:
    game: int
    names: Names


@dataclass(frozen=True, slots=True)
class Quarantined:
    """From this row on a game is set aside, so that it can go on from what is good."""

    game: int
    first: int
    at: float


@dataclass(frozen=True, slots=True)
class DeckVerified:
    deck: str
    at: float


Operation = Played | EntryRow | Ended | Paused | Resumed | Reopened | Renamed | Quarantined | DeckVerified
"""What is to be written. Written twice it is there once: nobody knows what became of a commit that failed."""
