"""The row a card belongs in, and whole turns on bare rows: the only source of the placement rules."""

from bisect import bisect as count_lower
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engine.game import Illegal
from engine.games.nimmt.cards import DECK, HEADS

# ``count_lower(ends, card)`` counts the row ends, ascending, that are lower than the card (N-9): the last of them
# is the end it goes behind (N-10), and with none of them the card is low (N-14).

FULL_ROW = 5
SEATS = 16
"""A held card is one number: card times SEATS plus its player."""

Rows = tuple[tuple[int, ...], ...]
Choose = Callable[[int, int, Sequence[Sequence[int]], Sequence[int]], int]
"""Player, low card, the rows, lowest end first, and their heads -> index of the row to take."""

_heads = HEADS.__getitem__
_deck = frozenset(DECK)


def row_limit(marks: frozenset[str]) -> int:
    """How many cards a row holds with these specials at it: a Seven makes room for one more (A-31)."""
    return FULL_ROW + ("seven" in marks)


def find_row(ends: Sequence[tuple[int, int]], card: int) -> int | None:
    """The row a card belongs in, of (end, row) pairs in any order; None if the card is low."""
    ordered = sorted(ends)
    below = count_lower([end for end, _ in ordered], card)
    return ordered[below - 1][1] if below else None


class RowTake(NamedTuple):
    """A taken row: the player, its place (from 0) and its cards."""

    player: int
    place: int
    cards: tuple[int, ...]


class Round(NamedTuple):
    """A round of the base game with open hands, for lookahead: every play is checked, a round is never changed.

    ``rows`` go by their ``ends``, lowest first, ``worth`` are their heads and ``places`` says where each is on
    the table; ``takes`` are those of the turns just played. Players count from 0.
    """

    rows: Rows
    ends: tuple[int, ...]
    worth: tuple[int, ...]
    places: tuple[int, ...]
    held: frozenset[int]
    scores: tuple[int, ...]
    takes: tuple[RowTake, ...] = ()

    @classmethod
    def deal(cls, starts: Sequence[int], hands: Sequence[Sequence[int]]) -> "Round":
        ends = sorted(starts)
        numbers = {*ends}.union(*hands)
        if len(numbers) != len(ends) + sum(map(len, hands)):
            raise Illegal("N-8", "duplicate_card", "dealt_twice")
        if not numbers <= _deck:
            raise Illegal("N-8", "not_in_deck", "dealt_strange")
        held = frozenset([card * SEATS + player for player, hand in enumerate(hands) for card in hand])
        rows, worth = tuple([(card,) for card in ends]), tuple(map(_heads, ends))
        return cls(rows, tuple(ends), worth, tuple(map(starts.index, ends)), held, (0,) * len(hands))

    @property
    def table(self) -> Rows:
        """The rows in the order of their places."""
        return tuple(row for _, row in sorted(zip(self.places, self.rows, strict=True)))

    def turn(self, cards: Sequence[int], choose: Choose) -> "Round":
        """One card of each player at once, laid lowest first (N-7)."""
        return self.play((cards,), choose)

    def play(self, turns: Iterable[Sequence[int]], choose: Choose) -> "Round":
        """One turn after the other, all checked before the first card is laid."""
        old_rows, old_ends, old_worth, places, held, old_scores, _ = self
        plays: list[int] = []
        for cards in turns:
            if len(cards) != len(old_scores):
                raise Illegal("N-5", "not_in_drafted_hand", "one_card_each")
            plays += sorted([card * SEATS + player for player, card in enumerate(cards)])
        left = held.difference(plays)
        if len(held) - len(left) != len(plays):
            raise Illegal("N-5", "not_in_drafted_hand", "one_card_each")
        rows, ends, worth, scores = [*old_rows], [*old_ends], [*old_worth], [*old_scores]
        takes: list[RowTake] = []
        heads = HEADS
        for play in plays:
            card = play // SEATS
            at = count_lower(ends, card) - 1
            row = rows[at]
            if at >= 0 and len(row) < FULL_ROW:
                rows[at] = (*row, card)
                ends[at] = card
                worth[at] += heads[card]
                continue
            player = play % SEATS
            if at < 0:
                at = choose(player, card, rows, worth)
                if not 0 <= at < len(rows):
                    raise Illegal("N-15", "wrong_row", "no_such_row", row=at + 1)
                row = rows[at]
            scores[player] += worth[at]
            takes.append(RowTake(player, places[at], row))
            if card < ends[0]:  # a low card: its row is now the one with the lowest end
                places = (places[at], *places[:at], *places[at + 1 :])
                del rows[at], ends[at], worth[at]
                rows.insert(0, (card,))
                ends.insert(0, card)
                worth.insert(0, heads[card])
            else:
                rows[at], ends[at], worth[at] = (card,), card, heads[card]
        return Round(tuple(rows), tuple(ends), tuple(worth), places, left, tuple(scores), tuple(takes))
