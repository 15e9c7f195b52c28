"""Who took which row: people know it, and see on the score pads whether the box does."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from engine.games.nimmt.cards import HEADS
from firmware.simulation.table.physical_table import PhysicalTable


class RowTakers:
    """The takes of this round, the oldest first."""

    def __init__(self, table: PhysicalTable) -> None:
        self._table = table
        self._takes: list[tuple[int, tuple[str, ...]]] = []

    def note(self, player: int, cards: Sequence[str]) -> None:
        """The player took a row of these cards."""
        self._takes.append((player, tuple(cards)))

    def undo_after(self, count: int) -> list[str]:
        """The cards of all takes but the oldest ``count``: they are undone."""
        undone = [card for _, cards in self._takes[count:] for card in cards]
        del self._takes[count:]
        return undone

    def drop(self, card: str) -> None:
        """This card lies in a row again: the take is undone."""
        self._takes = [(player, cards) for player, cards in self._takes if card not in cards]

    def forget(self) -> None:
        """A new round begins."""
        self._takes.clear()

    def list_takes(self) -> list[tuple[int, int]]:
        """Player and heads of each take whose cards are still in the pile."""
        piles = {player: frozenset(self._table.pile(player)) for player, _ in self._takes}
        kept = [(player, cards) for player, cards in self._takes if piles[player].issuperset(cards)]
        return [(player, sum(HEADS[int(card)] for card in cards)) for player, cards in kept]

    def find_next(self, heads: Mapping[int, int], asked: int) -> int | None:
        """Who took the oldest row, of so many heads as are asked for, that the box does not know.

        ``heads`` are those on the pads; where they fit no number of takes, it is the latest take of so many heads.
        """
        takes, known = self.list_takes(), self._count_known(heads)
        if known is not None and known < len(takes) and takes[known][1] == asked:
            return takes[known][0]
        return next((player for player, taken in reversed(takes) if taken == asked), None)

    def find_wrong(self, heads: Mapping[int, int]) -> bool:
        """Does the box give a take to another player?"""
        known = self._count_known(heads)
        if known is None:
            return False
        own = dict.fromkeys(heads, 0)
        for player, taken in self.list_takes()[:known]:
            own[player] = own.get(player, 0) + taken
        return own != heads

    def name_known(self, heads: Mapping[int, int]) -> list[tuple[int, int]]:
        """The takes that have a player on the pads, the latest first."""
        return self.list_takes()[: self._count_known(heads) or 0][::-1]

    def _count_known(self, heads: Mapping[int, int]) -> int | None:
        """How many takes are on the pads; None if the heads of no number of takes are."""
        sums = [0, *accumulate(taken for _, taken in self.list_takes())]
        total = sum(heads.values())
        return sums.index(total) if total in sums else None
