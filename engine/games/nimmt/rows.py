"""Where a card belongs among the rows, and whole turns played on bare rows: the one source of the placement rules."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engine.game import Illegal
from engine.games.nimmt.cards import DECK, HEADS

FULL = 5
SHUT = len(DECK) + 1
"""Stands for the end of a row that takes no card: blocked, or not there."""

Rows = tuple[tuple[int, ...], ...]
Choose = Callable[[int, int, Sequence[Sequence[int]]], int]
"""Player, low card and the rows as they lie -> index of the row he takes."""


def home(ends: Sequence[int], card: int) -> int:
    """The row with the highest end below the card (N-9, N-10), or -1 if the card is low (N-14)."""
    best, at = 0, -1
    for index, end in enumerate(ends):
        if best < end < card:
            best, at = end, index
    return at


class Take(NamedTuple):
    """A row taken: whose, which (from 0), and the cards of it."""

    player: int
    row: int
    cards: tuple[int, ...]


class Round(NamedTuple):
    """A round of the base game with open hands, for playing ahead: immutable from turn to turn.

    ``held`` are (card, player) pairs, ``scores`` the bull heads taken so far, players count from 0.
    """

    rows: Rows
    held: frozenset[tuple[int, int]]
    scores: tuple[int, ...]
    takes: tuple[Take, ...] = ()

    @classmethod
    def deal(cls, rows: Iterable[int], hands: Sequence[Sequence[int]]) -> "Round":
        starts = tuple((card,) for card in rows)
        held = frozenset((card, player) for player, hand in enumerate(hands) for card in hand)
        numbers = {card for card, _ in held}.union(*starts)
        if len(numbers) != len(starts) + sum(map(len, hands)):
            raise Illegal("N-8", "duplicate_card", "dealt_twice")
        if numbers and not (min(numbers) >= DECK[0] and max(numbers) <= DECK[-1]):
            raise Illegal("N-8", "not_in_deck", "dealt_strange")
        return cls(starts, held, (0,) * len(hands))

    def turn(self, plays: Iterable[tuple[int, int]], choose: Choose) -> "Round":
        """Everybody's (card, player) at once, laid lowest first (N-7)."""
        chosen = sorted(plays)
        held = self.held.difference(chosen)
        if len(held) + len(self.scores) != len(self.held) or len({p for _, p in chosen}) != len(self.scores):
            raise Illegal("N-5", "not_in_drafted_hand", "one_card_each")
        rows = [*map(list, self.rows)]
        ends = [row[-1] for row in rows]
        scores = [*self.scores]
        takes = [*self.takes]
        for card, player in chosen:
            at = home(ends, card)
            if at < 0:
                at = choose(player, card, rows)
            elif len(rows[at]) < FULL:
                rows[at].append(card)
                ends[at] = card
                continue
            taken = rows[at]
            takes.append(Take(player, at, tuple(taken)))
            for gone in taken:
                scores[player] += HEADS[gone]
            rows[at] = [card]
            ends[at] = card
        return Round(tuple(map(tuple, rows)), held, tuple(scores), tuple(takes))
