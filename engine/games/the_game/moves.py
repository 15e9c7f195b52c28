"""The moves of The Game, seen by the camera or entered by a person."""

from dataclasses import dataclass

from engine.notation import Notated


@dataclass(frozen=True, slots=True)
class Play(Notated):
    """A card is laid on a pile."""

    card: int
    pile: str


@dataclass(frozen=True, slots=True)
class Shift(Notated):
    """A card that was already laid is carried to another pile: never allowed."""

    card: int
    pile: str


@dataclass(frozen=True, slots=True)
class Under(Notated):
    """A card lies unseen directly under ``top``: a card of the record, or one that just came to lie there."""

    card: int
    top: int
    pile: str


@dataclass(frozen=True, slots=True)
class Beside(Notated):
    """Which of these two cards in sight lies higher cannot be told: this is never assumed, always asked."""

    card: int
    top: int
    pile: str


@dataclass(frozen=True, slots=True)
class Over(Notated):
    """A player says that one card of a pile lies higher than another one."""

    upper: int
    lower: int
    pile: str


@dataclass(frozen=True, slots=True)
class Bare(Notated):
    """Nothing unseen lies under ``top``."""

    top: int
    pile: str


@dataclass(frozen=True, slots=True)
class Done(Notated):
    """The player ends the turn and says how many cards were laid."""

    player: int
    cards: int


@dataclass(frozen=True, slots=True)
class Cannot(Notated):
    """The player cannot reach the minimum: the game ends."""

    player: int


@dataclass(frozen=True, slots=True)
class Verify(Notated):
    """The hand that could not play, shown after the end."""

    hand: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resume(Notated):
    """Stopped early, and the team plays on."""


@dataclass(frozen=True, slots=True)
class Leave(Notated):
    """A player leaves; that hand is out of play."""

    player: int


Move = Play | Shift | Under | Beside | Over | Bare | Done | Cannot | Verify | Resume | Leave
MOVES: tuple[type[Move], ...] = (Play, Shift, Under, Beside, Over, Bare, Done, Cannot, Verify, Resume, Leave)
