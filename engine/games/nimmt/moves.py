"""Everything that can happen in 6 nimmt!, seen by the camera or told with a button: the same classes either way."""

from dataclasses import dataclass

from engine.notation import Said

# fmt: off


@dataclass(frozen=True, slots=True)
class Spread(Said):
    """The open draft begins: these cards lie face up."""
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pick(Said):
    """These cards went to as many players, in turn. Who took them is 0 as seen, or told for a single card."""
    player: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal(Said):
    """The first cards of the rows."""
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choose(Said):
    """A card lies face down at this player's seat."""
    player: int


@dataclass(frozen=True, slots=True)
class Reveal(Said):
    """A card is turned up. Player 0 where seats are off: it is about to be laid, by whom is asked at a take."""
    player: int
    card: int


@dataclass(frozen=True, slots=True)
class Special(Said):
    """A special card is played in its owner's slot."""
    player: int
    kind: str


@dataclass(frozen=True, slots=True)
class Handback(Said):
    """Declared: the special just played goes back to the hand, unused."""
    player: int


@dataclass(frozen=True, slots=True)
class Mark(Said):
    """A special card goes to a row, where it stays."""
    kind: str
    row: int


@dataclass(frozen=True, slots=True)
class Shift(Said):
    """Move: a card lying in a row goes to another row."""
    card: int
    row: int


@dataclass(frozen=True, slots=True)
class Swap(Said):
    """Replace: the revealed card went back to the hand, this one is played."""
    card: int


@dataclass(frozen=True, slots=True)
class Lay(Said):
    """The card whose slot it is goes to this row."""
    card: int
    row: int


@dataclass(frozen=True, slots=True)
class Take(Said):
    """The row is taken. Its cards lie there until they are seen gone."""
    row: int


@dataclass(frozen=True, slots=True)
class Who(Said):
    """Declared, where seats are off: this player has the oldest take that nobody has owned up to."""
    player: int


@dataclass(frozen=True, slots=True)
class Tidy(Said):
    """What the rules had already removed from this zone is seen gone."""
    zone: str


@dataclass(frozen=True, slots=True)
class Sweep(Said):
    """The whole table was cleared for a new round."""


@dataclass(frozen=True, slots=True)
class Negpos(Said):
    """Declared: this card of the taken row counts negative and cancels those."""
    card: int
    cancel: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exchange(Said):
    """Declared: who took a row changed one special card for another."""
    player: int


@dataclass(frozen=True, slots=True)
class Hands(Said):
    """Half-time is over: the new hands are dealt."""


@dataclass(frozen=True, slots=True)
class Next(Said):
    """Declared: the scores are confirmed, a new round begins."""


@dataclass(frozen=True, slots=True)
class Leave(Said):
    """Declared: this player goes; his pile and total stay as they are."""
    player: int


@dataclass(frozen=True, slots=True)
class Join(Said):
    """Declared between rounds: somebody joins at this seat."""
    seat: int


@dataclass(frozen=True, slots=True)
class Sit(Said):
    """Declared: this player sits at that seat from now on; who sat there changes with him."""
    player: int
    seat: int


@dataclass(frozen=True, slots=True)
class Stray(Said):
    """A piece lies where nothing of the kind can be. Never legal."""
    piece: str
    zone: str


Move = (
    Spread | Pick | Deal | Choose | Reveal | Special | Handback | Mark | Shift | Swap | Lay | Take | Who | Tidy | Sweep
    | Negpos | Exchange | Hands | Next | Leave | Join | Sit | Stray
)
MOVES: tuple[type[Move], ...] = (
    Spread, Pick, Deal, Choose, Reveal, Special, Handback, Mark, Shift, Swap, Lay, Take, Who, Tidy, Sweep,
    Negpos, Exchange, Hands, Next, Leave, Join, Sit, Stray,
)
SAID: tuple[type[Move], ...] = (Handback, Who, Negpos, Exchange, Hands, Next, Leave, Join, Sit)
"""Moves that only a person can tell."""
