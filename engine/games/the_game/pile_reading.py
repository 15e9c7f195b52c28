"""A pile with new cards in sight as one order if that is certain, else as the orders that a player must tell apart."""

from dataclasses import replace

from engine.games.the_game.pile_orders import (
    MOST_ORDERED,
    Order,
    PileSight,
    list_orders,
    list_orders_with_unseen,
    list_places,
    list_proven_under,
    list_spaced_orders,
    order_by_covers,
    order_by_unseen_cards,
)
from engine.games.the_game.rules import MOST_UNCLAIMED, may_hide_cards
from engine.games.the_game.state import State

MOST_UNSEEN = 1
"""An order that is legal only with more unseen cards among those in sight is not asked for. In 3,000 simulated games
with every fifth pile untidy, it was never the true one where another order was legal with the cards in sight."""
MOST_UNSEEN_UNDER = 2
"""A card that sticks out from under recorded ones may have been covered before it was seen, and so may others by it."""


def read_orders(state: State, sight: PileSight) -> list[Order]:
    """The recorded and the new cards of a pile from the lowest to the top; several orders if it cannot be told.

    Under a hand nothing is asked: the pile stays as recorded.
    """
    held = state.piles[sight.pile]
    owed = _list_owed(state, sight) if state.owed and held and not sight.hidden else []
    if len(owed) > 1 or (owed and held[-1] == owed[0][-1] and held[-1] not in sight.old):
        return owed
    if len(sight.fresh) > MOST_ORDERED:
        possible = [(*held, *order) for order in order_by_covers(sight)]
        return [held] if sight.hidden and len(possible) > 1 else possible
    orders = sorted({*list_orders(state, sight), *owed})
    if orders:
        doubted = _list_doubted(state, sight, orders)
        return [held] if sight.hidden and len(doubted) > 1 else doubted
    if _may_lie_under_lifted_top(state, sight):
        laid = order_by_unseen_cards(state, sight)
        possible = [(*held, *laid), (*held[:-1], *laid, held[-1])]
        return [order for order in possible if sight.allows(order)] or possible
    under = list_proven_under(state, sight)
    left = replace(sight, fresh=tuple(card for card in sight.fresh if card not in under))
    lies = list(held)
    for card in sorted(under) if not (sight.hidden or state.owed) else ():
        if not list_places(state, sight, card, held, 0, MOST_UNSEEN_UNDER):
            lies.insert(_find_cover(sight, lies, card), card)
    return [(*lies, *order_by_unseen_cards(state, left))]


def _may_lie_under_lifted_top(state: State, sight: PileSight) -> bool:
    """Is there a legal order under a top of this turn that may be lifted, of cards that are wrong on it?"""
    top = state.top(sight.pile)
    if not (sight.lifted and state.hand and state.fresh[sight.pile]) or sight.hidden:
        return False
    if any(may_hide_cards(state, sight.pile, card) for card in sight.fresh):
        return False
    told = any((top, card) in state.said for card in sight.fresh)  # then the unseen ones are in the hand, too
    most = max(MOST_UNSEEN, state.owed, state.hand - len(sight.fresh) if told else 0)
    orders = list_orders_with_unseen(state, sight, _count_old(state, sight.pile), most)
    return any(order[-1] == top for order in orders)


def _find_cover(sight: PileSight, order: list[int], card: int) -> int:
    """Where this card is pushed under the lowest card that is seen on it."""
    return min((order.index(upper) for upper, lower in sight.covers if lower == card and upper in order), default=0)


def _list_doubted(state: State, sight: PileSight, orders: list[Order]) -> list[Order]:
    """The legal orders with all that could be true instead; one if it is certain.

    A wrong card may lie beside its pile, too, and look as if it stuck out. And with an unseen card between them, cards
    in sight may lie in another order.
    """
    held, most = state.piles[sight.pile], state.owed - 1 if state.owed else MOST_UNSEEN
    under = [card for card in sight.fresh if all(_is_under(held, card, order) for order in orders)]
    proven = under if state.owed else list_proven_under(state, sight)
    for card in under:
        if card not in proven:
            return [orders[0], _raise_onto(orders[0], card, held[-1])]
    if len(orders) > 1:
        tops = list_spaced_orders(state, sight, sight.fresh, MOST_UNSEEN)
        spaced = [order for order in ((*held, *top) for top in tops) if order not in orders and sight.allows(order)]
        return [*orders, *spaced[:1]]
    for card in under:
        rest = tuple(other for other in orders[0] if other != card)
        old = _count_old(state, sight.pile) if state.owed else 0
        more = bool(state.owed) and not _shows_under_top(sight, orders[0])  # than were claimed may be unseen
        places = [order for order in list_places(state, sight, card, rest, old, most + more) if order != orders[0]]
        if places:
            return [orders[0], places[0]]
    top = tuple(card for card in orders[0] if card in sight.fresh and card not in under)
    spaced = [order for order in list_spaced_orders(state, sight, top, MOST_UNSEEN) if order != top]
    return [orders[0], (*(card for card in orders[0] if card not in top), *spaced[0])] if spaced else orders


def _is_under(held: Order, card: int, order: Order) -> bool:
    return bool(held) and order.index(card) < order.index(held[-1])


def _raise_onto(order: Order, card: int, top: int) -> Order:
    """The order with this card right on that one."""
    rest = [other for other in order if other != card]
    rest.insert(rest.index(top) + 1, card)
    return tuple(rest)


def _count_old(state: State, pile: int) -> int:
    """How many cards lay on this pile before the turn."""
    return len(state.piles[pile]) - state.fresh[pile]


def _list_owed(state: State, sight: PileSight) -> list[Order]:
    """The orders of the cards of this turn while unseen ones are owed.

    People lift the top to show what is under it, so new cards may lie under it or on it. If more are owed than are
    shown, others may lie beside those.
    """
    if len(sight.fresh) > MOST_ORDERED:
        return []
    most, old = max(0, state.owed - len(sight.fresh)), _count_old(state, sight.pile)
    orders = list_orders_with_unseen(state, sight, old, most)
    if orders and not _may_claim_be_too_small(state, sight, orders):
        return orders
    more = list_orders_with_unseen(state, sight, old, min(most + MOST_UNCLAIMED, state.hand - len(sight.fresh)))
    if orders or len(more) != 1:
        return more
    wrong = (_raise_onto(more[0], card, state.top(sight.pile)) for card in sight.fresh)
    return [*more, *(order for order in wrong if order not in more and sight.allows(order))]


def _may_claim_be_too_small(state: State, sight: PileSight, orders: list[Order]) -> bool:
    """Were more cards shown or named than are owed? Or more than the top lifted, by each of these orders, or a card
    that was found under the top: then this one may lie under that or on it, with others that were not claimed.
    """
    named = {card for pair in state.said for card in pair if not state.is_laid(card)}
    found = {lower for upper, lower in state.said if {upper, lower} <= {*state.piles[sight.pile]}}
    if len(named.union(sight.fresh)) > state.owed or not all(map(sight.shows, found)):
        return True
    return not any(_shows_under_top(sight, order) for order in orders)


def _shows_under_top(sight: PileSight, order: Order) -> bool:
    """Is all of this order in sight that lies on a fresh card, but for a top that was lifted?"""
    lowest = min(order.index(card) for card in sight.fresh)
    return all(sight.shows(card) for card in order[lowest:-1])
