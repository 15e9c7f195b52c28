"""The audit of R-6: whether the piles that are shown agree with the record, and whether a card is missing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.games.nimmt.state import State


@dataclass(frozen=True, slots=True)
class Audit:
    """Cards by player: ``missing`` are in the record but were not shown, ``extra`` the other way round."""

    missing: Mapping[int, tuple[int, ...]]
    extra: Mapping[int, tuple[int, ...]]

    @property
    def agrees(self) -> bool:
        return not self.missing and not self.extra


def audit_piles(state: State, shown: Mapping[int, Iterable[int]]) -> Audit:
    """Compare the piles shown to the camera with the record; only the named players are checked."""
    missing: dict[int, tuple[int, ...]] = {}
    extra: dict[int, tuple[int, ...]] = {}
    for player, cards in shown.items():
        ledger, seen = set(state.piles[player - 1]), set(cards)
        if ledger - seen:
            missing[player] = tuple(sorted(ledger - seen))
        if seen - ledger:
            extra[player] = tuple(sorted(seen - ledger))
    return Audit(missing, extra)


def count_expected_cards(players: int, turns: int) -> int:
    """Number cards in rows, in bull piles and set aside together (R-6)."""
    return 4 + players * turns


def is_count_right(in_rows: int, in_piles: int, players: int, turns: int, aside: int = 0) -> bool:
    """Do rows, piles and cancelled cards together hold four cards, and one for each player and turn?"""
    return in_rows + in_piles + aside == count_expected_cards(players, turns)


def is_complete(state: State) -> bool:
    """Is every number card that came into a row this round still in a row, a pile, or set aside?"""
    lie = sum(map(len, (*state.rows, *state.piles, *state.unowned, state.aside)))
    return lie == state.entered
