"""Two cards placed on one pile of The Game between two frames: legal, but the lower one was never visible."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.games.the_game.state import State
from engine.log import Log
from engine.table import Layout
from firmware.simulation.mistakes.mistake import Mistake, add_pieces, wrong_table

PILES = ("up:1", "up:2", "down:1", "down:2")


@dataclass(frozen=True, slots=True)
class HiddenPair:
    """The ``lower`` card was never visible: the box asks for the card under the ``upper`` one.

    Players answer by lifting the upper card (``lifted``) or with a button (``entry``).
    Both lead to ``after``.
    """

    mistake: Mistake
    lower: int
    upper: int
    pile: str
    lifted: Layout
    entry: str
    after: Layout


def top_card(state: State, pile: str) -> int:
    return (*((1,) if pile.startswith("up") else (100,)), *laid_cards(state, pile))[-1]


def laid_cards(state: State, pile: str) -> tuple[int, ...]:
    return state.piles[PILES.index(pile)]


def list_unlaid_cards(state: State) -> tuple[int, ...]:
    """Cards that are on no pile yet (G-1)."""
    lying = {card for pile in PILES for card in laid_cards(state, pile)}
    return tuple(card for card in range(2, 100) if card not in lying)


def is_legal(pile: str, below: int, card: int) -> bool:
    """G-5, G-6 and G-8, as in the printed rules."""
    if pile.startswith("up"):
        return card > below or below - card == 10
    return card < below or card - below == 10


def is_explained_by_unseen_cards(state: State, pile: str, card: int) -> bool:
    """Would cards that were laid unseen, one on the other, make this one legal? All were still in hands."""
    tops = {top_card(state, pile)}
    free = [other for other in list_unlaid_cards(state) if other != card]
    for _ in range(sum(state.hands[player - 1] for player in state.playing) - 1):
        tops |= {other for other in free if any(is_legal(pile, top, other) for top in tops)}
        if any(is_legal(pile, top, card) for top in tops):
            return True
    return False


def list_pairs(log: Log[Any, Any], rng: random.Random, hands: Mapping[int, Sequence[int]]) -> Iterator[HiddenPair]:
    """At most one pair for each pile: the upper card does not fit the old top, so a card must be between them."""
    state, now = log.state, log.game.layout(log.state)
    if state.hand < 2 or state.stopped:
        return
    mine = tuple(hands.get(state.turn, ())) or list_unlaid_cards(state)
    for pile in rng.sample(PILES, len(PILES)):
        on = top_card(state, pile)
        uppers = [card for card in mine if not is_legal(pile, on, card)]
        lowers = (card for card in rng.sample(mine, len(mine)) if is_legal(pile, on, card))
        ways = ((lower, upper) for lower in lowers for upper in uppers if is_legal(pile, lower, upper))
        lower, upper = next(ways, (0, 0))
        if not lower:
            continue
        after = add_pieces(now, pile, str(lower), str(upper))
        ruling = "G-8" if abs(upper - on) in (9, 11) else "G-5" if pile.startswith("up") else "G-6"
        mistake = wrong_table("hidden card under a top", after, by=ruling, why="wrong_direction", soft=True)
        said = f"under {lower} {upper} {pile}"
        yield HiddenPair(mistake, lower, upper, pile, add_pieces(now, pile, str(lower)), said, after)
