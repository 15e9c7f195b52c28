"""The state of a match of 6 nimmt!: everything that is public and cannot be computed from the rest."""

from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter, call
from typing import Any, Literal, TypeVar

from engine.games.nimmt.cards import count_heads
from engine.games.nimmt.match_options import Rules
from engine.games.nimmt.rows import Rows, find_row, row_limit
from engine.table import Placement

T = TypeVar("T")

ROWS = range(1, 6)
NOTHING: frozenset[str] = frozenset()
CLEAR = (NOTHING,) * 5
EMPTY: Rows = ((),) * 5


Phase = Literal["draft", "deal", "choose", "lay", "half", "over", "end"]
"""The open draft; the first cards of the rows; cards chosen and shown; cards laid; half-time; a round over; the end."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The part of a turn in which one card is laid (N-7). Without seats the player is not known.

    ``special`` is played with the card and ``used`` once it is carried out; ``restarts`` is the row that the card
    begins again after a take, ``emptied`` the row that a Move emptied.
    """

    player: int | None
    card: int
    special: str | None = None
    used: bool = False
    restarts: int | None = None
    emptied: int | None = None

    @property
    def start(self) -> int | None:
        """The row that this card begins, if it begins one."""
        return self.restarts or self.emptied

    def waits_for(self, special: str) -> bool:
        """Is this the special of the slot, and not carried out yet?"""
        return self.special == special and not self.used


@dataclass(frozen=True, slots=True)
class Draft:
    """The open draft of a round: the cards that lie open, the cards each player may have, and how many are picked."""

    picks: tuple[frozenset[int], ...]
    spread: tuple[int, ...] = ()
    picked: int = 0


@dataclass(frozen=True, slots=True)
class SpecialCards:
    """Special cards by number: in each hand and in the stock; those in the discard by kind, in order."""

    held: tuple[int, ...]
    stock: int
    discard: tuple[str, ...] = ()

    def discarded(self, *kinds: str) -> "SpecialCards":
        return SpecialCards(self.held, self.stock, (*self.discard, *kinds))


@dataclass(frozen=True, slots=True)
class State:
    """Players and rows count from 1; tuples by player have one entry for each, players who left included.

    ``dealt`` is the number of players in this round. ``lying`` is what lies on the table beside the rows and the
    cards at seats: specials, and cards that the rules removed but that are still seen. ``shown`` is each player's
    revealed card, ``chosen`` names the players with a card face down, ``laid`` are the cards laid in this turn
    where seats are off. ``laid_early`` are players and their cards of this turn that were adopted into the rows
    before all had shown one.

    ``plain`` are the player, the card and the row of the last slot, if its card was laid there without a special.
    ``taker`` may still exchange a special (A-90), and so may the ``earlier`` takers of the turn (A-92); ``owed`` is
    the taken row of which Neg=Pos must name a card;
    ``unowned`` are takes without a player, where seats are off. ``aside`` are cancelled cards, ``credit`` the heads
    still to be subtracted (A-83), ``entered`` counts the number cards that came into rows this round. ``brought`` is
    the total a player started with: 0, or what a late joiner was given (N-30).

    ``draft`` and ``specials`` are there in the variants that have them.
    """

    rules: Rules
    seats: tuple[int, ...]
    phase: Phase = "deal"
    round: int = 1
    dealt: int = 0
    turns: int = 0
    rows: Rows = EMPTY
    marks: tuple[frozenset[str], ...] = CLEAR
    lying: tuple[Placement, ...] = ()
    shown: tuple[int | None, ...] = ()
    chosen: frozenset[int] = frozenset()
    laid: tuple[int, ...] = ()
    laid_early: tuple[tuple[int, int], ...] = ()
    slot: Slot | None = None
    plain: tuple[int, int, int] | None = None
    taker: int | None = None
    earlier: tuple[int, ...] = ()
    owed: tuple[int, ...] = ()
    unowned: Rows = ()
    piles: Rows = ()
    aside: tuple[int, ...] = ()
    credit: tuple[int, ...] = ()
    entered: int = 0
    pads: tuple[tuple[int, ...], ...] = ()
    brought: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()
    draft: Draft | None = None
    specials: SpecialCards | None = None

    def players(self) -> tuple[int, ...]:
        """The players who have not left."""
        numbers = tuple(range(1, len(self.seats) + 1))
        return tuple(p for p in numbers if p not in self.gone) if self.gone else numbers

    @property
    def deck(self) -> range:
        """The numbers in play this round (P-2)."""
        return self.rules.deck(self.dealt)

    @property
    def actor(self) -> int | None:
        """The player whose slot it is, also while a Neg=Pos of it is still to be named."""
        return self.slot.player if self.slot else self.taker if self.owed else None

    @property
    def spread(self) -> tuple[int, ...]:
        """The cards of the draft that lie open."""
        return self.draft.spread if self.draft else ()

    @property
    def picked(self) -> int:
        """How many cards were drafted in this round."""
        return self.draft.picked if self.draft else 0

    def specials_of(self, player: int) -> int:
        """How many specials this player holds."""
        return self.specials.held[player - 1] if self.specials else 0

    def may_exchange(self) -> tuple[int, ...]:
        """The players whose take still gives them an exchange, the earliest take first (A-92)."""
        return (*self.earlier, *((self.taker,) if self.taker else ()))

    def all_shown(self) -> bool:
        return self.rules.seats == "on" and not self.list_unshown()

    def list_unshown(self) -> tuple[int, ...]:
        """The players who show no card, and have laid none early."""
        laid = {player for player, _ in self.laid_early} if self.laid_early else ()
        return tuple(p for p in self.players() if not self.shown[p - 1] and p not in laid)

    def __hash__(self) -> int:
        """Of what differs between the states of one round: equal states have it in common too."""
        card = self.slot and self.slot.card
        return hash((self.rows, self.shown, card, self.lying, self.chosen, self.taker))

    def change(self, **changes: Any) -> "State":
        """The state with other values of these fields: ``dataclasses.replace`` takes four times as long."""
        values = list(_READ(self))
        for name, value in changes.items():
            values[_PLACES[name]] = value
        after = object.__new__(State)
        any(map(call, _WRITES, repeat(after), values))  # each returns None
        return after

    def order(self) -> tuple[tuple[int, int], ...]:
        """Players and the cards they still have to lay, lowest card first (N-7)."""
        waiting = sorted((card, player) for player, card in enumerate(self.shown, 1) if card)
        return tuple((player, card) for card, player in waiting)

    def player_at(self, seat: int) -> int | None:
        return next((p for p in self.players() if self.seats[p - 1] == seat), None)

    def row(self, number: int) -> tuple[int, ...]:
        return self.rows[number - 1]

    def blocked(self, row: int) -> bool:
        return "block" in self.marks[row - 1]

    def room(self, row: int) -> int:
        return row_limit(self.marks[row - 1]) - len(self.row(row))

    def five_rows(self) -> bool:
        return any("fifth" in mark for mark in self.marks)

    def open_rows(self) -> tuple[int, ...]:
        """Rows that may be taken: there, and not blocked (A-12)."""
        return tuple(
            r for r, row, marks in zip(ROWS, self.rows, self.marks, strict=True) if row and "block" not in marks
        )

    def may_be_lifted(self, row: int) -> bool:
        """Without seats: may the card that takes this row still be in a hand?

        Only the first card of a turn can be low. A later one takes a full row, or one of four cards that another card
        has filled unseen.
        """
        rest = len(self.players()) - len(self.laid)
        return not self.laid or self.room(row) < min(rest, 2)

    def home(self, card: int) -> int | None:
        """The row this card belongs in, None if it is low."""
        return find_row([(self.rows[r - 1][-1], r) for r in self.open_rows()], card)

    def numbers(self) -> frozenset[int]:
        """Every number that was seen open in this round."""
        return frozenset(self.aside).union(*self.rows, *self.piles, *self.unowned, filter(None, self.shown))

    def has_seen(self, card: int) -> bool:
        """Is this one of ``numbers``?"""
        for rows in (self.rows, self.piles, self.unowned):
            for row in rows:
                if card in row:
                    return True
        return card in self.shown or card in self.aside

    def pile_heads(self, player: int) -> int:
        return count_heads(self.piles[player - 1]) - self.credit[player - 1]

    def totals(self) -> tuple[int, ...]:
        return tuple(b + sum(pad) for b, pad in zip(self.brought, self.pads, strict=True))


_READ = attrgetter(*State.__slots__)
_PLACES = {name: place for place, name in enumerate(State.__slots__)}
_WRITES = [vars(State)[name].__set__ for name in State.__slots__]


def replace_item(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    """The tuple with its ``number``-th item, from 1, replaced."""
    return (*items[: number - 1], item, *items[number:])


def sort_placements(*placements: Placement) -> tuple[Placement, ...]:
    """Placements in one order, so that equal tables are equal states."""
    return tuple(sorted(placements))
