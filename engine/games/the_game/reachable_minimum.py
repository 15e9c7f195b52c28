"""Could a shown hand have reached the minimum? Every order on every pile, tricks included."""

from collections.abc import Iterable
from functools import lru_cache

from engine.games.the_game.rules import count_needed, fits
from engine.games.the_game.state import State

Step = tuple[int, int]
"""A card and the number of its pile, from 0."""


def find_missed_play(state: State) -> tuple[Step, ...] | None:
    """What the shown hand could still have laid, if the game stopped although it could go on."""
    if not (state.stopped and state.shown):
        return None
    return find_way(tuple(map(state.top, range(4))), frozenset(state.shown), count_needed(state))


@lru_cache(maxsize=64)
def find_way(tops: tuple[int, ...], hand: frozenset[int], need: int) -> tuple[Step, ...] | None:
    """Cards and piles that reach the minimum, or none if no way does."""
    if need == 0:
        return ()
    for step in list_steps(tops, hand):
        card, pile = step
        rest = find_way((*tops[:pile], card, *tops[pile + 1 :]), hand - {card}, need - 1)
        if rest is not None:
            return (step, *rest)
    return None


def list_steps(tops: tuple[int, ...], hand: Iterable[int]) -> Iterable[Step]:
    return ((card, pile) for card in sorted(hand) for pile, top in enumerate(tops) if fits(pile, top, card))
