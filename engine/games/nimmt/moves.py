"""The moves of 6 nimmt!; a move has the same class whether the camera saw it or a person entered it."""

from dataclasses import dataclass

from engine.notation import Notated

# fmt: off


@dataclass(frozen=True, slots=True)
class Spread(Notated):
    """The open draft begins: these cards lie face up."""
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pick(Notated):
    """These cards went to as many players in turn. The player is 0 as seen, or named for a single card."""
    player: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal(Notated):
    """The first cards of the rows."""
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choose(Notated):
    """A card lies face down at this player's seat."""
    player: int


@dataclass(frozen=True, slots=True)
class Reveal(Notated):
    """A card is turned up. Player 0 where seats are off: the owner is asked for only at a take."""
    player: int
    card: int


@dataclass(frozen=True, slots=True)
class Special(Notated):
    """A special card is played in its owner's slot."""
    player: int
    kind: str


@dataclass(frozen=True, slots=True)
class Handback(Notated):
    """Declared: the special just played goes back to the hand, unused."""
    player: int


@dataclass(frozen=True, slots=True)
class Mark(Notated):
    """A special card goes to a row, where it stays."""
    kind: str
    row: int


@dataclass(frozen=True, slots=True)
class Shift(Notated):
    """Move: a card lying in a row goes to another row."""
    card: int
    row: int


@dataclass(frozen=True, slots=True)
class Swap(Notated):
    """Replace: the revealed card went back to the hand, this one is played."""
    card: int


@dataclass(frozen=True, slots=True)
class Lay(Notated):
    """The card whose slot it is goes to this row."""
    card: int
    row: int


@dataclass(frozen=True, slots=True)
class Take(Notated):
    """The row is taken. Its cards lie there until they are seen gone."""
    row: int


@dataclass(frozen=True, slots=True)
class Who(Notated):
    """Declared, where seats are off: the oldest take without an owner is this player's."""
    player: int


@dataclass(frozen=True, slots=True)
class Tidy(Notated):
    """What the rules had removed from this zone is gone from the table."""
    zone: str


@dataclass(frozen=True, slots=True)
class Sweep(Notated):
    """The whole table was cleared for a new round."""


@dataclass(frozen=True, slots=True)
class Negpos(Notated):
    """Declared: this card of the taken row counts negative and cancels those."""
    card: int
    cancel: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replaced(Notated):
    """Declared: this player has replaced a card that was not seen by this one."""
    player: int
    card: int


@dataclass(frozen=True, slots=True)
class Later(Notated):
    """Declared: these cards at seats are of the next turn, and those of this one were laid unseen."""
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exchange(Notated):
    """Declared: the player who took a row exchanged a special card."""
    player: int


@dataclass(frozen=True, slots=True)
class Shuffle(Notated):
    """Declared: the discard of the special cards was shuffled into the deck."""


@dataclass(frozen=True, slots=True)
class Hands(Notated):
    """Half-time is over: the new hands are dealt."""


@dataclass(frozen=True, slots=True)
class Next(Notated):
    """Declared: the scores are confirmed, a new round begins."""


@dataclass(frozen=True, slots=True)
class Leave(Notated):
    """Declared: this player leaves; pile and total stay as they are."""
    player: int


@dataclass(frozen=True, slots=True)
class Join(Notated):
    """Declared between rounds: a new player joins at this seat."""
    seat: int


@dataclass(frozen=True, slots=True)
class Sit(Notated):
    """Declared: this player sits at that seat from now on; a player who sat there gets the other seat."""
    player: int
    seat: int


@dataclass(frozen=True, slots=True)
class Stray(Notated):
    """A piece at a place where it cannot be. Never legal."""
    piece: str
    zone: str


@dataclass(frozen=True, slots=True)
class Belated(Notated):
    """A card in a wrong row, found when all players show the next ones. Never legal: it stays there (R-4)."""
    card: int
    row: int


@dataclass(frozen=True, slots=True)
class Unseen(Notated):
    """A hidden zone that decides what the table means. Never legal: it is waited for."""
    zone: str


@dataclass(frozen=True, slots=True)
class Held(Notated):
    """A piece laid before the negative card was named. Never legal: it is read afterwards."""
    piece: str


@dataclass(frozen=True, slots=True)
class Undecided(Notated):
    """New cards of which any may have been laid first. Never legal: it is asked."""
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Early(Notated):
    """A piece laid although players may still have to show a card: they are asked. Never legal."""
    piece: str


@dataclass(frozen=True, slots=True)
class Ahead(Notated):
    """A card laid unseen, unless the cards shown are of the next turn. Never legal: it is asked."""
    card: int
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Untold(Notated):
    """A card that began this row, which was taken with a card that was not seen. Never legal: it is asked."""
    card: int
    row: int


@dataclass(frozen=True, slots=True)
class Whose(Notated):
    """A card laid before it was seen at a seat, by one of several players. Never legal: it is asked."""
    card: int


@dataclass(frozen=True, slots=True)
class Renewed(Notated):
    """A special where one of its kind was just removed, perhaps a new one. Never legal: it is asked.

    The card is that of the slot in which it was played, 0 for an earlier one of the turn.
    """
    kind: str
    row: int
    card: int


@dataclass(frozen=True, slots=True)
class Unreplaced(Notated):
    """A Replace, or a card, at a place where it belongs if Replace brought the card. Never legal: it is asked."""
    piece: str
    card: int


@dataclass(frozen=True, slots=True)
class Unnamed(Notated):
    """A player's card that was laid and is gone, but was not seen. Never legal: it is asked."""
    player: int


@dataclass(frozen=True, slots=True)
class Unreturned(Notated):
    """A player's card that Replace has sent home before it was seen. Never legal: it is asked."""
    player: int


@dataclass(frozen=True, slots=True)
class Unplaced(Notated):
    """A Block that was laid at one of these rows with this card and removed again. Never legal: it is asked."""
    card: int
    rows: tuple[int, ...]


Move = (
    Spread | Pick | Deal | Choose | Reveal | Special | Handback | Mark | Shift | Swap | Lay | Take | Who | Tidy | Sweep
    | Negpos | Replaced | Later | Exchange | Shuffle | Hands | Next | Leave | Join | Sit | Stray | Belated
    | Unseen | Held | Undecided | Early | Ahead | Untold | Whose | Renewed | Unreplaced | Unnamed | Unreturned
    | Unplaced
)
MOVES: tuple[type[Move], ...] = (
    Spread, Pick, Deal, Choose, Reveal, Special, Handback, Mark, Shift, Swap, Lay, Take, Who, Tidy, Sweep,
    Negpos, Replaced, Later, Exchange, Shuffle, Hands, Next, Leave, Join, Sit, Stray, Belated, Unseen, Held, Undecided,
    Early, Ahead, Untold, Whose, Renewed, Unreplaced, Unnamed, Unreturned, Unplaced,
)
DECLARED_MOVES: tuple[type[Move], ...] = (
    Handback, Who, Negpos, Replaced, Later, Exchange, Shuffle, Hands, Next, Leave, Join, Sit,
)
"""Moves that the camera cannot see, so a person enters them."""
