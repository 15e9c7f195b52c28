"""What can happen in a game of SIX, each in one line of notation."""

from dataclasses import dataclass

from engine.notation import Notated


@dataclass(frozen=True, slots=True)
class Start(Notated):
    """Red lies at 0,0 and black at 1,0: millimetres, tenths of a degree, and a tenth of a millimetre for the pitch."""

    x: int
    y: int
    angle: int
    pitch: int


@dataclass(frozen=True, slots=True)
class Slide(Notated):
    """The whole group was pushed or measured again: the position of cell 0,0 now."""

    x: int
    y: int
    angle: int
    pitch: int


@dataclass(frozen=True, slots=True)
class Lay(Notated):
    """Phase 1: a tile from the hand."""

    colour: str
    q: int
    r: int


@dataclass(frozen=True, slots=True)
class Move(Notated):
    """Phase 2: a tile lifted at one cell and laid at another. Lifting alone commits nothing."""

    q: int
    r: int
    to_q: int
    to_r: int


@dataclass(frozen=True, slots=True)
class Lift(Notated):
    """Phase 2: this tile is in the air. Never a legal move, but it gets a hint about the next step."""

    q: int
    r: int


@dataclass(frozen=True, slots=True)
class Keep(Notated):
    """With this tile in the air two groups are largest: the one with that cell stays. Entered before laying."""

    q: int
    r: int
    keep_q: int
    keep_r: int


@dataclass(frozen=True, slots=True)
class Lose(Notated):
    """The tile was laid against both: the group with this cell goes. Seen or declared."""

    q: int
    r: int


@dataclass(frozen=True, slots=True)
class Clear(Notated):
    """The tiles that had to leave are gone from the table."""


@dataclass(frozen=True, slots=True)
class Askew(Notated):
    """A tile lies off the lattice, or two in one cell. Never legal."""

    colour: str


@dataclass(frozen=True, slots=True)
class Veiled(Notated):
    """A hidden tile may have been laid, or may not have been removed. Never legal."""


@dataclass(frozen=True, slots=True)
class Away(Notated):
    """Phase 1: a tile of this colour is not at its cell, and may be one of those that came. Never legal."""

    colour: str


@dataclass(frozen=True, slots=True)
class Severed(Notated):
    """Phase 2: after several plies so many tiles may be cut off that still lie there. Never legal."""

    tiles: int


@dataclass(frozen=True, slots=True)
class Gone(Notated):
    """Phase 2: the number of tiles that may have left the game during several unseen plies. Never a legal move."""

    tiles: int


@dataclass(frozen=True, slots=True)
class Over(Notated):
    """Phase 2: several plies may have ended the game with the tiles as they lie. Never legal."""


@dataclass(frozen=True, slots=True)
class Pass(Notated):
    """The player to act passes. Never legal."""


@dataclass(frozen=True, slots=True)
class Draw(Notated):
    """Both players agreed to a draw."""


@dataclass(frozen=True, slots=True)
class Regroup(Notated):
    """Phase 2: several plies, by ways that the table no longer shows. These are the cells of red and of black now, as
    q and r in turn.
    """

    red: tuple[int, ...]
    black: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Next(Notated):
    """Phase 2: players say who is next. After several plies between two looks the table does not show it."""

    colour: str


@dataclass(frozen=True, slots=True)
class Rematch(Notated):
    """Another game with the same tiles; the loser starts."""


Act = (
    Start | Slide | Lay | Move | Lift | Keep | Lose | Clear
    | Askew | Veiled | Away | Severed | Gone | Over | Pass | Draw | Regroup | Next | Rematch
)  # fmt: skip
ACTS: tuple[type[Act], ...] = (
    Start, Slide, Lay, Move, Lift, Keep, Lose, Clear, Askew, Veiled, Away, Severed, Gone, Over, Pass, Draw, Regroup,
    Next, Rematch,
)  # fmt: skip
