"""How many special cards each player is dealt, how many a hand still holds, and how many of a kind are out."""

from collections.abc import Sequence

from engine.games.nimmt.cards import SPECIAL_CARDS, STANDING_KINDS
from engine.games.nimmt.state import SpecialCards, State

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


def deal_specials(specials: SpecialCards, playing: Sequence[bool]) -> SpecialCards:
    """Deal for the second round: from the deck; when that runs out the discard is shuffled into a new one (A-6)."""
    available, each = share_specials(sum(playing), sum(specials.held))
    held = tuple(n + each * plays for n, plays in zip(specials.held, playing, strict=True))
    dealt, deck = each * sum(playing), available - len(specials.discard)
    if dealt <= deck:
        return SpecialCards(held, deck - dealt, specials.discard)
    return SpecialCards(held, available - dealt)


def count_out(state: State, kind: str) -> int:
    """How many of this kind stand on the table or were discarded since the discard was last shuffled (A-93)."""
    slot, specials = state.slot, state.specials
    discard = specials.discard if specials else ()
    standing = sum(kind in mark for mark in state.marks)
    spent = slot is not None and slot.used and (slot.restarts is not None or kind in STANDING_KINDS)
    playing = slot is not None and slot.special == kind and not spent
    return discard.count(kind) + standing + playing
