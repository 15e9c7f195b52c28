"""The rules of The Game: which card fits on a pile, how many a turn asks for, and how many are held and drawn."""

from functools import lru_cache

from engine.game import Illegal
from engine.games.the_game.match_options import SMALL_HAND, STANDARD
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, START_CARDS, Piles, State, laid_in

BACKWARD_STEP = 10
"""The only step against the direction of a pile (G-8)."""
HAND_SIZES = {1: 8, 2: 7}
"""Cards in a hand by the number of players (G-2)."""
USUAL_HAND_SIZE = 6
STANDARD_MINIMUM, EXPERT_MINIMUM, LAST_MINIMUM = 2, 3, 1
"""Cards that a turn asks for: at the standard level (G-11), at the others (G-22), and with an empty deck (G-14)."""

MOST_UNCLAIMED = 1
"""The most cards that a player may have forgotten to count, mostly one that a trick has covered."""


def hand_size(players: int, level: str) -> int:
    return HAND_SIZES.get(players, USUAL_HAND_SIZE) - (level == SMALL_HAND)


def fits(pile: int, top: int, card: int) -> bool:
    """Onward by any step, or backward by exactly ``BACKWARD_STEP``."""
    if pile < 2:
        return card > top or card == top - BACKWARD_STEP
    return card < top or card == top + BACKWARD_STEP


def may_lay(state: State, pile: int, card: int) -> bool:
    """May this card be laid on this pile now?"""
    return LOWEST_CARD <= card <= HIGHEST_CARD and not state.is_laid(card) and fits(pile, state.top(pile), card)


def list_hidden_steps(state: State, pile: int, card: int) -> tuple[int, ...]:
    """Cards of which each could be hidden under this one and make it legal."""
    if state.in_hands < 2:
        return ()
    back = -BACKWARD_STEP if pile < 2 else BACKWARD_STEP
    maybe = {state.top(pile) + back, card - back} - {card}
    return tuple(sorted(c for c in maybe if may_lay(state, pile, c) and fits(pile, c, card)))


def count_unseen_cards(
    state: State, pile: int, lower: int, upper: int, *, besides: tuple[int, ...] = (), most: int | None = None
) -> int | None:
    """The fewest cards that may lie unseen between these two so that every step is legal; none if no cards can.

    Unseen cards come from the hands, as the upper card does, unless ``most`` is given. Those that lie ``besides`` are
    seen.
    """
    if fits(pile, lower, upper):
        return 0
    left = _list_left(state.piles, mirrored=pile >= 2)
    low, high = _mirror(pile, lower), _mirror(pile, upper)
    for card in (upper, *besides):
        left &= ~(1 << _mirror(pile, card))
    tops = 1 << low  # a bit for each card that may lie on top after so many unseen ones
    for unseen in range((max(0, state.in_hands - 1) if most is None else most) + 1):
        lowest = (tops & -tops).bit_length() - 1
        if lowest < high or tops >> (high + BACKWARD_STEP) & 1:
            return unseen
        more = tops | (left & ((tops >> BACKWARD_STEP) | -(2 << lowest)))
        if more == tops:
            return None
        tops = more
    return None


def count_most_unseen(state: State) -> int:
    """How many unseen cards may lie beside one that is shown after more were claimed than were seen."""
    return max(0, state.owed - 1) + MOST_UNCLAIMED if state.claimed else 0


def may_hide_cards(state: State, pile: int, card: int) -> bool:
    """Could this card, which does not fit on the top, lie there because of unseen cards between them?"""
    if not LOWEST_CARD <= card <= HIGHEST_CARD or state.is_laid(card) or fits(pile, state.top(pile), card):
        return False
    return count_unseen_cards(state, pile, state.top(pile), card) is not None


def list_swappable_tops(state: State, pile: int) -> tuple[int, ...]:
    """The top and the card under it, if both came in this turn and may as well have been laid the other way round."""
    if state.fresh[pile] < 2:
        return ()
    *below, lower, upper = START_CARDS[pile], *state.piles[pile]
    return (upper, lower) if fits(pile, below[-1], upper) and fits(pile, upper, lower) else ()


def find_misfit(state: State, pile: int, lower: int, card: int, upper: int, *, most: int) -> tuple[int, int] | None:
    """The step that is not legal if this card lies between the other two, with as many unseen cards beside it."""
    for low, high in ((lower, card), (card, upper)):
        unseen = count_unseen_cards(state, pile, low, high, besides=(card, upper), most=most)
        if unseen is None:
            return low, high
        most -= unseen
    return None


def _mirror(pile: int, card: int) -> int:
    """The card on a pile that goes up on which the same steps are legal."""
    return card if pile < 2 else LOWEST_CARD + HIGHEST_CARD - card


@lru_cache(maxsize=256)
def _list_left(piles: Piles, *, mirrored: bool) -> int:
    """A bit for each card that lies on no pile."""
    bits = 0
    for card in range(LOWEST_CARD, HIGHEST_CARD + 1):
        if card not in laid_in(piles):
            bits |= 1 << (LOWEST_CARD + HIGHEST_CARD - card if mirrored else card)
    return bits


def check_fresh_card(state: State, card: int) -> None:
    """A card of the deck that does not lie on the table yet; any other card is a reading error."""
    if not card:
        raise Illegal("G-10", "not_in_deck", "card_without_number")
    if not LOWEST_CARD <= card <= HIGHEST_CARD:
        raise Illegal("G-10", "not_in_deck", "no_such_card", card=card)
    if state.is_laid(card):
        raise Illegal("G-10", "already_seen", "already_laid", card=card)


def find_ruling(pile: int, top: int, card: int) -> str:
    """The ruling that a step breaks; missing the backwards trick by one has its own paragraph."""
    back = top - card if pile < 2 else card - top
    return "G-8" if back in (BACKWARD_STEP - 1, BACKWARD_STEP + 1) else "G-5" if pile < 2 else "G-6"


def count_minimum(state: State) -> int:
    """How many cards this turn asks for; never more than the player had."""
    wanted = LAST_MINIMUM if state.deck == 0 else STANDARD_MINIMUM if state.level == STANDARD else EXPERT_MINIMUM
    return min(wanted, max(1, state.hand + state.laid))


def count_needed(state: State) -> int:
    """How many cards the player still has to lay in this turn."""
    return max(0, count_minimum(state) - state.laid)


def count_drawn(state: State) -> int:
    """How many cards are drawn if the turn ends now."""
    return min(state.laid, state.deck)
