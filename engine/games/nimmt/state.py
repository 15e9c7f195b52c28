"""A match of 6 nimmt! as it stands: everything public, nothing derived."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from engine.games.nimmt.cards import KINDS, STANDING, heads
from engine.games.nimmt.rows import FULL, Rows, home
from engine.games.nimmt.rules import Rules
from engine.table import Placement

T = TypeVar("T")

ROWS = range(1, 6)
NOTHING: frozenset[str] = frozenset()
CLEAR = (NOTHING,) * 5
EMPTY: Rows = ((),) * 5


@dataclass(frozen=True, slots=True)
class Due:
    """The one legal act of a slot (R-3): a row to lay at, a row to take first, or the rows to choose from."""

    player: int
    card: int
    row: int = 0
    take: bool = False
    choices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """Players and rows count from 1; tuples by player are one entry each, leavers included.

    ``phase`` is draft, deal, choose, lay, half, over (a round) or end (the match). ``shown`` holds each
    player's revealed card or 0, ``card`` and ``due`` the slot that is on. ``lying`` is what lies on the table
    beside rows and seats: specials, and cards that the rules removed but no hand has yet.
    """

    rules: Rules
    seats: tuple[int, ...]
    phase: str = "deal"
    round: int = 1
    dealt: int = 0
    """How many players were dealt to in this round."""
    turns: int = 0
    rows: Rows = EMPTY
    marks: tuple[frozenset[str], ...] = CLEAR
    lying: tuple[Placement, ...] = ()
    shown: tuple[int, ...] = ()
    chosen: frozenset[int] = frozenset()
    due: int = 0
    card: int = 0
    laid: tuple[int, ...] = ()
    """Where seats are off: the cards laid in this turn."""
    special: str = ""
    used: bool = False
    taking: int = 0
    """The row being restarted."""
    emptied: int = 0
    """The row that a Move emptied."""
    owed: tuple[int, ...] = ()
    """The taken row that waits for Neg=Pos to be named."""
    took: int = 0
    """Who may still exchange a special."""
    unowned: tuple[tuple[int, ...], ...] = ()
    """Takes that nobody has owned up to, where seats are off."""
    piles: Rows = ()
    aside: tuple[int, ...] = ()
    credit: tuple[int, ...] = ()
    entered: int = 0
    """Number cards that came into rows this round."""
    pads: tuple[tuple[int, ...], ...] = ()
    brought: tuple[int, ...] = ()
    """The total each player started with: 0, or what a late joiner was given (N-30)."""
    gone: frozenset[int] = frozenset()
    spread: tuple[int, ...] = ()
    picks: tuple[frozenset[int], ...] = ()
    picked: int = 0
    held: tuple[int, ...] = ()
    stock: int = 0
    discard: tuple[str, ...] = ()

    def players(self) -> Iterator[int]:
        """Who plays on."""
        return (p for p in range(1, len(self.seats) + 1) if p not in self.gone)

    @property
    def deck(self) -> range:
        """The numbers in play this round (P-2)."""
        return self.rules.deck(self.dealt)

    def all_shown(self) -> bool:
        return self.rules.seats == "on" and all(self.shown[p - 1] for p in self.players())

    def order(self) -> tuple[int, ...]:
        """The players whose cards wait to be laid, lowest card first (N-7)."""
        return tuple(player for _, player in sorted((card, p) for p, card in enumerate(self.shown, 1) if card))

    def player_at(self, seat: int) -> int:
        return next((p for p in self.players() if self.seats[p - 1] == seat), 0)

    def row(self, number: int) -> tuple[int, ...]:
        return self.rows[number - 1]

    def blocked(self, row: int) -> bool:
        return "block" in self.marks[row - 1]

    def room(self, row: int) -> int:
        return FULL + ("seven" in self.marks[row - 1]) - len(self.row(row))

    def five_rows(self) -> bool:
        return any("fifth" in mark for mark in self.marks)

    def open_rows(self) -> tuple[int, ...]:
        """Rows that may be taken: there, and not blocked (A-12)."""
        return tuple(r for r in ROWS if self.row(r) and not self.blocked(r))

    def home(self, card: int) -> int:
        """The row this card belongs in, 0 if it is low."""
        return home([(self.row(r)[-1], r) for r in self.open_rows()], card)

    def expected(self) -> Due | None:
        """What the rules want of the card whose slot it is; None when no slot is on."""
        if self.phase != "lay" or not self.card:
            return None
        if start := self.taking or self.emptied:
            return Due(self.due, self.card, start)
        if self.special == "fifth":
            return Due(self.due, self.card, next(r for r in ROWS if not self.row(r)))
        if self.special == "insert":
            inside = tuple(r for r in self.open_rows() if self.card < self.row(r)[-1])
            return Due(self.due, self.card, choices=inside)
        row = self.home(self.card)
        if row:
            return Due(self.due, self.card, row, take=self.room(row) < 1 and self.special != "seven")
        return Due(self.due, self.card, choices=self.open_rows(), take=True)

    def numbers(self) -> frozenset[int]:
        """Every number that lies, or lay, open this round."""
        taken = (*self.aside, *(c for pile in (*self.piles, *self.unowned) for c in pile))
        return frozenset((*(c for row in self.rows for c in row), *taken, *filter(None, self.shown)))

    def pile_heads(self, player: int) -> int:
        return heads(self.piles[player - 1]) - self.credit[player - 1]

    def totals(self) -> tuple[int, ...]:
        return tuple(b + sum(pad) for b, pad in zip(self.brought, self.pads, strict=True))

    def in_force(self, piece: str, zone: str) -> bool:
        """Is this special still meant to lie there, so not to be tidied away?"""
        if piece not in KINDS:
            return False
        if self.due and piece == self.special:
            at_seat = f"special:{self.seats[self.due - 1]}"
            carried = piece in STANDING and (piece, at_seat) not in self.lying  # to the row it is meant for
            return zone == at_seat or (carried and zone.startswith("mark:")) or self._stands(piece, zone)
        return self._stands(piece, zone)

    def _stands(self, piece: str, zone: str) -> bool:
        """By the rules, whether carried to its row yet or not."""
        if any(piece in mark and zone == f"mark:{r}" for r, mark in zip(ROWS, self.marks, strict=True)):
            return True
        return piece in STANDING and zone.startswith("special:") and self._uncarried(piece)

    def _uncarried(self, piece: str) -> bool:
        """Does it stand at a row by the rules while it still lies at a seat?"""
        return any(piece in mark and (piece, f"mark:{r}") not in self.lying
                   for r, mark in zip(ROWS, self.marks, strict=True))  # fmt: skip


def put(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    """The tuple with its ``number``-th item, from 1, replaced."""
    return (*items[: number - 1], item, *items[number:])


def litter(*placements: Placement) -> tuple[Placement, ...]:
    """In one order, whichever came first, so that equal tables are equal states."""
    return tuple(sorted(placements))
