"""The 104 number cards with their bull heads, and the seven kinds of special card."""

from collections.abc import Iterable
from functools import lru_cache

DECK = range(1, 105)
COPIES_OF_A_SPECIAL = 4
SPECIAL_KINDS = ("fifth", "seven", "insert", "replace", "move", "block", "negpos")
SPECIAL_CARDS = COPIES_OF_A_SPECIAL * len(SPECIAL_KINDS)
STANDING_KINDS = frozenset({"fifth", "seven", "block"})
"""Specials that stay at a row until a take or the round's end; the others are spent at once (A-10)."""


def _heads(card: int) -> int:
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    return 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


HEADS = (0, *map(_heads, DECK))
"""Bull heads by number (N-20)."""


def count_heads(cards: Iterable[int]) -> int:
    return sum(HEADS[card] for card in cards)


@lru_cache(maxsize=512)
def is_number_card(piece: str) -> bool:
    return piece.isascii() and piece.isdigit() and len(piece) < 10


def find_kind(piece: str) -> str:
    """``block`` for ``block.3``; empty for a piece that is no special card."""
    kind = piece.partition(".")[0]
    return kind if kind in SPECIAL_KINDS else ""
