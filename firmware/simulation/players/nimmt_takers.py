"""Who took which row: people know it, and see on the score pads whether the box does."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations

from engine.games.nimmt.cards import HEADS
from firmware.simulation.table.physical_table import PhysicalTable


class RowTakers:
    """The takes of this round, the oldest first."""

    def __init__(self, table: PhysicalTable) -> None:
        self._table = table
        self._takes: list[tuple[int, tuple[str, ...]]] = []
        self._given: dict[str, int] = {}

    def note(self, player: int, cards: Sequence[str]) -> None:
        """The player took a row of these cards."""
        self._takes.append((player, tuple(cards)))

    def give(self, player: int, card: str) -> None:
        """The card came to the pile of this player because the record has it there, not by a take."""
        self._given[card] = player

    def note_adopted(self, player: int, cards: Sequence[str]) -> None:
        """The record has the cards of this take in that pile already: no question asks for their taker."""
        if (player, tuple(cards)) in self._takes:
            self._takes.remove((player, tuple(cards)))
            for card in cards:
                self.give(player, card)

    def undo_after(self, count: int) -> list[tuple[int, tuple[str, ...]]]:
        """Player and cards of all takes but the oldest ``count``: they are undone."""
        undone = self._takes[count:]
        del self._takes[count:]
        return undone

    def drop(self, card: str) -> None:
        """This card lies in a row again: the take is undone."""
        self._takes = [(player, cards) for player, cards in self._takes if card not in cards]

    def __contains__(self, card: str) -> bool:
        return any(card in cards for _, cards in self._takes)

    def forget(self) -> None:
        """A new round begins."""
        self._takes.clear()
        self._given.clear()

    def list_takes(self) -> list[tuple[int, int]]:
        """Player and heads of each take whose cards are still in the pile."""
        piles = {player: frozenset(self._table.pile(player)) for player, _ in self._takes}
        kept = [(player, cards) for player, cards in self._takes if piles[player].issuperset(cards)]
        return [(player, sum(HEADS[int(card)] for card in cards)) for player, cards in kept]

    def find_next(self, heads: Mapping[int, int], asked: int) -> int | None:
        """The player of the oldest take that the box has not recorded, if its heads are the number that is asked for.

        ``heads`` are those on the pads. If they agree with no series of takes, the latest take with that number counts.
        """
        takes, known = self.list_takes(), self._count_known(heads)
        heads = self._deduct_given(heads)
        if known is not None and known < len(takes) and takes[known][1] == asked:
            return takes[known][0]
        if (unknown := self._list_unknown(heads)) is not None:
            return next((player for player, taken in unknown if taken == asked), None)
        return next((player for player, taken in reversed(takes) if taken == asked), None)

    def _list_unknown(self, heads: Mapping[int, int]) -> list[tuple[int, int]] | None:
        """The takes that are not on the pads, the oldest first; None if those of a player do not make their heads."""
        unknown = list(self.list_takes())
        for player, amount in heads.items():
            own = [take for take in unknown if take[0] == player]
            some = (these for n in range(len(own) + 1) for these in combinations(own, n))
            known = next((these for these in some if sum(taken for _, taken in these) == amount), None)
            if known is None:
                return None
            for take in known:
                unknown.remove(take)
        return unknown

    def find_wrong(self, heads: Mapping[int, int]) -> bool:
        """Does the box give a take to another player?"""
        return self._count_known(heads) is not None and self._list_unknown(self._deduct_given(heads)) is None

    def name_known(self, heads: Mapping[int, int]) -> list[tuple[int, int]]:
        """The takes that have a player on the pads, the latest first."""
        return self.list_takes()[: self._count_known(heads) or 0][::-1]

    def _count_known(self, heads: Mapping[int, int]) -> int | None:
        """How many takes are on the pads; None if the heads of no number of takes are."""
        sums = [0, *accumulate(taken for _, taken in self.list_takes())]
        total = sum(self._deduct_given(heads).values())
        return sums.index(total) if total in sums else None

    def _deduct_given(self, heads: Mapping[int, int]) -> dict[int, int]:
        """The heads on the pads that are from takes."""
        rest = dict(heads)
        for card, player in self._given.items():
            if player in rest and card in self._table.pile(player):
                rest[player] -= HEADS[int(card)]
        return rest
