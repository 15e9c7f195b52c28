"""The rules of The Game: which card fits on a pile, how many a turn asks for, and how many are held and drawn."""

from engine.game import Illegal
from engine.games.the_game.match_options import SMALL_HAND, STANDARD
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, State

BACKWARD_STEP = 10
"""The only step against the direction of a pile (G-8)."""
HAND_SIZES = {1: 8, 2: 7}
"""Cards in a hand by the number of players (G-2)."""
USUAL_HAND_SIZE = 6
STANDARD_MINIMUM, EXPERT_MINIMUM, LAST_MINIMUM = 2, 3, 1
"""Cards that a turn asks for: at the standard level (G-11), at the others (G-22), and with an empty deck (G-14)."""


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


def check_fresh_card(state: State, card: int) -> None:
    """A card of the deck that does not lie on the table yet; any other card is a reading error."""
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
