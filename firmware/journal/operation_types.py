"""What may be done to the journal, as values: the box returns them as effects and the journal writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.options import Options

Names = Mapping[int, str]
"""Player number -> name."""
How = Literal["finished", "given up"]


@dataclass(frozen=True, slots=True)
class Started:
    """A game as it was begun: its options and the names of its players."""

    game: str
    options: Options
    names: Names = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BeginGame:
    """A new game; one that still runs is stopped and can be resumed."""

    started: Started


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """A game that does not run goes on, even one that had ended; one that runs now is stopped."""

    id: int


@dataclass(frozen=True, slots=True)
class WriteEntries:
    """Entries of the game in notation, and their source: seen, button, web or cli. All are written or none."""

    entries: tuple[str, ...]
    told: str


@dataclass(frozen=True, slots=True)
class PauseGame:
    """The game stops until it is resumed, whatever is played in between."""


@dataclass(frozen=True, slots=True)
class EndGame:
    how: How


@dataclass(frozen=True, slots=True)
class ReopenGame:
    """A match that had ended is not over after a correction: it waits to be resumed; the game that runs goes on."""


@dataclass(frozen=True, slots=True)
class RenamePlayers:
    names: Names


@dataclass(frozen=True, slots=True)
class QuarantineRows:
    """From row ``first`` on the game is damaged: these rows are kept apart, so that it can go on from what is good."""

    first: int


@dataclass(frozen=True, slots=True)
class VerifyDeck:
    """Every sticker of this deck was found on its card."""

    deck: str


Operation = (
    BeginGame
    | ResumeGame
    | WriteEntries
    | PauseGame
    | EndGame
    | ReopenGame
    | RenamePlayers
    | QuarantineRows
    | VerifyDeck
)
