"""How many special cards each player is dealt, and how many a hand still holds."""

from engine.games.nimmt.cards import SPECIAL_CARDS

ROUND_1_SPECIALS = 3
"""Specials that each player is dealt for the first round (A-2)."""
ROUND_2_MOST = 3
"""The most that each player is dealt for the second round (A-6)."""


def share_specials(players: int, held: int) -> tuple[int, int]:
    """Specials free to deal, and how many each player gets (A-6)."""
    available = SPECIAL_CARDS - held
    return available, min(ROUND_2_MOST, available // players)


def count_specials_held(dealt: int, played: int) -> int:
    """Specials in a hand: public arithmetic, which an exchange does not change (A-5)."""
    return dealt - played
