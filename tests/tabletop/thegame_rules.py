"""The Game by the rulebook, written apart from the engine: what fits on a pile, minimum, draw and end."""

from collections.abc import Iterator, Sequence
from itertools import permutations

PILES = ("up:1", "up:2", "down:1", "down:2")
DECK = range(2, 100)
TRICK = 10


def first_card(pile: str) -> int:
    return 1 if pile.startswith("up") else 100


def fits(card: int, top: int, pile: str) -> bool:
    """G-5, G-6 and the backwards trick G-8; G-10: no number outside the deck."""
    if card not in DECK:
        return False
    if pile.startswith("up"):
        return card > top or card == top - TRICK
    return card < top or card == top + TRICK


def run_fits(cards: Sequence[int], top: int, pile: str) -> bool:
    """Each card of a run fits on the one before it (G-7)."""
    for card in cards:
        if not fits(card, top, pile):
            return False
        top = card
    return True


def legal_orders(cards: Sequence[int], top: int, pile: str) -> Iterator[tuple[int, ...]]:
    """Every order in which these cards may have come onto the pile, with none in between."""
    return (order for order in permutations(sorted(cards)) if run_fits(order, top, pile))


def may_follow(card: int, top: int, pile: str, unseen: int) -> bool:
    """Can this card come onto that one with at most so many unseen cards between them?"""
    if fits(card, top, pile):
        return True
    return unseen > 0 and any(may_follow(card, low, pile, unseen - 1) for low in DECK if fits(low, top, pile))


def is_part(some: Sequence[int], whole: Sequence[int]) -> bool:
    """Are these cards in the whole pile, in the same order?"""
    rest = iter(whole)
    return all(card in rest for card in some)


def hand_size(players: int, level: str) -> int:
    """G-2, and one less with step 2 of the experts (G-22)."""
    return {1: 8, 2: 7}.get(players, 6) - (level == "expert_small_hand")


def least_cards(deck: int, level: str) -> int:
    """G-11, G-14 and G-22: fixed when the turn begins."""
    if not deck:
        return 1
    return 2 if level == "standard" else 3


def can_reach(hand: frozenset[int], tops: tuple[int, ...], need: int) -> bool:
    """G-18: can this many cards be laid, in any order, on any pile, tricks included?"""
    if need <= 0:
        return True
    for at, pile in enumerate(PILES):
        for card in hand:
            if fits(card, tops[at], pile) and can_reach(hand - {card}, (*tops[:at], card, *tops[at + 1 :]), need - 1):
                return True
    return False


def grade(left: int) -> str:
    """G-20."""
    return "beaten" if left == 0 else "excellent" if left < 10 else "ended"
