"""A turn of The Game: each move is checked by the rules and carried out, up to the next player's turn."""

from dataclasses import replace
from typing import TypeVar

from engine.game import Illegal, Unfinished
from engine.games.the_game.match_end import is_over
from engine.games.the_game.match_options import STANDARD
from engine.games.the_game.moves import (
    Bare,
    Beside,
    Cannot,
    Done,
    Leave,
    Move,
    Over,
    Play,
    Resume,
    Shift,
    Under,
    Verify,
)
from engine.games.the_game.reachable_minimum import find_missed_play
from engine.games.the_game.rules import (
    check_fresh_card,
    count_drawn,
    count_minimum,
    count_most_unseen,
    count_needed,
    find_misfit,
    find_ruling,
    fits,
    list_hidden_steps,
    list_swappable_tops,
    may_hide_cards,
    may_lay,
)
from engine.games.the_game.state import NO_CARDS, PILES, START_CARDS, State, find_pile, parse_pile

T = TypeVar("T")


def play_move(state: State, move: Move) -> State:
    if _comes_too_late(state, move):
        raise Illegal("G-16", "out_of_order", "game_is_over")
    match move:
        case Play(card, pile):
            return _play(state, card, parse_pile(pile))
        case Under(card, top, pile):
            return _under(state, card, top, parse_pile(pile))
        case Beside(card, top, pile):
            raise Unfinished("G-3", "out_of_order", "which_on_top", card=card, top=top, zone=pile)
        case Over(upper, lower, pile):
            return _over(state, upper, lower, parse_pile(pile))
        case Bare(top, pile):
            return _bare(state, top, parse_pile(pile))
        case Done(player, cards):
            return _done(state, player, cards)
        case Cannot(player):
            _must_be_his_turn(state, player)
            if count_needed(state) == 0:
                raise Illegal("G-16", "min_already_met", "only_end_turn")
            return replace(state, stopped=True, shown=(), claimed=0)
        case Leave(player):
            return _leave(state, player)
        case Verify(hand):
            return _verify(state, hand)
        case Resume():
            if not find_missed_play(state):
                raise Illegal("G-18", "out_of_order", "nothing_to_resume")
            return replace(state, stopped=False, shown=())
        case Shift(card, pile):
            raise Illegal("G-24", "already_seen", "card_stays", card=card, zone=find_pile(state, card) or pile)


def _comes_too_late(state: State, move: Move) -> bool:
    match move:
        case Verify() | Resume() | Shift():
            return False
        case Done():  # after the very last card the turn may still be ended
            return state.stopped
        case Play() | Under() | Beside() | Over() | Bare() | Cannot() | Leave():
            return is_over(state)


def _play(state: State, card: int, pile: int) -> State:
    if card in START_CARDS:
        raise Illegal("G-10", "not_in_deck", "start_card_astray", card=card)
    check_fresh_card(state, card)
    top = state.top(pile)
    if fits(pile, top, card):
        return _lay(state, card, pile)
    if state.bare[pile] != card and may_hide_cards(state, pile, card):
        maybe = list_hidden_steps(state, pile, card)
        raise Unfinished(
            find_ruling(pile, top, card), "wrong_direction", "show_card_under", card=card, zone=PILES[pile], maybe=maybe
        )
    raise Illegal(find_ruling(pile, top, card), "wrong_direction", "take_back", card=card, top=top, zone=PILES[pile])


def _lay(state: State, card: int, pile: int) -> State:
    if state.hand == 0:  # the last card of the hand is laid, so this one is the next player's (G-25)
        state = _pass_on(state)
    return replace(
        state,
        piles=_put(state.piles, pile, (*state.piles[pile], card)),
        fresh=_put(state.fresh, pile, state.fresh[pile] + 1),
        hands=_put(state.hands, state.turn - 1, state.hand - 1),
        bare=_put(state.bare, pile, 0),
        drew=(0, 0),
    )


def _under(state: State, card: int, top: int, pile: int) -> State:
    check_fresh_card(state, card)
    held = state.piles[pile]
    if top in held:
        at = held.index(top)
    else:
        check_fresh_card(state, top)
        at = len(held)
    below = held[at - 1] if at else START_CARDS[pile]
    # under a card that was asked about another one may be in sight: it is read next
    between = at == len(held) and not may_lay(state, pile, top)
    this_turn = at >= len(held) - state.fresh[pile]
    most = max(between, count_most_unseen(state) if this_turn else state.owed - 1)
    if this_turn and (top, card) in state.said:  # then unseen cards may lie between them
        most = max(most, state.hand - 1)
    if misfit := find_misfit(state, pile, below, card, top, most=most):
        raise Illegal(find_ruling(pile, *misfit), "wrong_direction", "lies_not_under", card=card, top=top)
    if at == len(held) and may_lay(state, pile, top):  # that card was not asked about, and lies nowhere
        raise Illegal("G-3", "out_of_order", "lies_not_there", card=top)
    if at == len(held):  # the top is laid at the next step of reading
        return _believe(_lay(state, card, pile), top, card)
    after = replace(state, piles=_put(state.piles, pile, (*held[:at], card, *held[at:])), drew=(0, 0))
    if this_turn and state.hand:
        fresh = _put(state.fresh, pile, state.fresh[pile] + 1)
        unseen = next(n for n in range(most + 1) if find_misfit(state, pile, below, card, top, most=n) is None)
        claimed = max(state.claimed, state.laid + 1 + unseen) if state.claimed or unseen else 0
        hands = _put(state.hands, state.turn - 1, state.hand - 1)
        after = replace(after, fresh=fresh, claimed=claimed, hands=hands)
        return _believe(after, top, card) if claimed else after
    if state.deck:  # an earlier turn: the player who laid it also drew for it
        return after
    *others, running = _round(state)
    return replace(after, hands=charge_hands(state.hands, (*reversed(others), running), 1))


def charge_hands(hands: tuple[int, ...], players: tuple[int, ...], cards: int) -> tuple[int, ...]:
    """Hands after these players gave this many cards; each gives all it can before the next does."""
    for player in players:
        given = min(cards, hands[player - 1])
        hands, cards = _put(hands, player - 1, hands[player - 1] - given), cards - given
    return hands


def _bare(state: State, top: int, pile: int) -> State:
    if not may_hide_cards(state, pile, top):
        raise Illegal("G-10", "out_of_order", "nothing_asked")
    return replace(state, bare=_put(state.bare, pile, top))


def _over(state: State, upper: int, lower: int, pile: int) -> State:
    held = state.piles[pile]
    for card in (upper, lower):
        if card not in held:
            check_fresh_card(state, card)
    if (lower, upper) == list_swappable_tops(state, pile):  # a card under a lifted top had been read as a trick on it
        return replace(state, piles=_put(state.piles, pile, (*held[:-2], lower, upper)))
    if upper == lower or {upper, lower} <= {*held}:
        raise Illegal("G-10", "out_of_order", "nothing_asked")
    return _believe(state, upper, lower)


def _believe(state: State, upper: int, lower: int) -> State:
    others = (pair for pair in state.said if {*pair} != {upper, lower})
    return replace(state, said=(*others, (upper, lower)))


def _must_be_his_turn(state: State, player: int) -> None:
    if player != state.turn:
        raise Illegal("G-4", "not_your_turn", "turn_of_player", player=state.turn)


def _done(state: State, player: int, cards: int) -> State:
    _must_be_his_turn(state, player)
    if cards < state.laid:
        raise Illegal("G-12", "out_of_order", "more_were_seen", n=state.laid)
    if cards > state.laid + state.hand:
        raise Illegal("G-21", "out_of_order", "more_than_hand", n=state.laid + state.hand)
    minimum = count_minimum(state)
    if cards < minimum:
        paragraph = "G-14" if state.deck == 0 else "G-11" if state.level == STANDARD else "G-22"
        raise Illegal(paragraph, "min_not_met", "lay_cards", n=minimum - cards)
    if cards > state.laid:
        return replace(state, claimed=cards)
    return _pass_on(state)


def _pass_on(state: State) -> State:
    """Draw, and the next player who has cards."""
    drawn = count_drawn(state)
    after = replace(state, hands=_put(state.hands, state.turn - 1, state.hand + drawn), drew=(state.turn, drawn))
    return _next(after)


def _next(state: State) -> State:
    turn = next((p for p in _round(state) if state.hands[p - 1]), state.turn)
    return replace(state, turn=turn, fresh=NO_CARDS, claimed=0, bare=NO_CARDS, said=())


def _round(state: State) -> tuple[int, ...]:
    """The players after this turn in order, ending with the player of the turn."""
    later = [p for p in state.playing if p > state.turn]
    return (*later, *(p for p in state.playing if p <= state.turn))


def _leave(state: State, player: int) -> State:
    if player not in state.playing:
        raise Illegal("N-30", "out_of_order", "not_at_table", player=player)
    after = replace(state, gone=tuple(sorted((*state.gone, player))), drew=(0, 0))
    return _next(after) if player == state.turn else after


def _verify(state: State, hand: tuple[int, ...]) -> State:
    if not state.stopped:
        raise Illegal("G-18", "out_of_order", "verify_after_end")
    for card in hand:
        check_fresh_card(state, card)
    if len(set(hand)) < len(hand):
        raise Illegal("G-10", "duplicate_card", "card_twice", card=next(c for c in hand if hand.count(c) > 1))
    if len(hand) != state.hand:
        raise Illegal("G-18", "out_of_order", "show_whole_hand", n=state.hand)
    return replace(state, shown=tuple(sorted(hand)))


def _put(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*row[:at], value, *row[at + 1 :])
