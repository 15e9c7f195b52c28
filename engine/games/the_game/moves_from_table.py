"""What a change of the table suggests: the move of The Game that explains it."""

from collections.abc import Iterable, Iterator

from engine.game import Doubtful
from engine.games.the_game.moves import Beside, Move, Over, Play, Shift, Under
from engine.games.the_game.pile_orders import MOST_ORDERED, find_difference
from engine.games.the_game.rules import (
    count_most_unseen,
    find_misfit,
    list_swappable_tops,
    may_hide_cards,
    may_lay,
)
from engine.games.the_game.state import PILES, START_CARDS, State
from engine.games.the_game.zones import CARD_NAMES, may_be_wrong, parse_number
from engine.table import Gap

Pieces = tuple[str, ...]
MOST_TOLD = 6
"""More orders than this are told apart by two cards at a time: a screen has no room for them, nor a look the time."""


def read(state: State, gap: Gap) -> Iterator[Move | Doubtful[Move]]:
    """One card that may be laid; if none may, the next one of each pile, to be refused.

    What must be asked before it is known whether a card is wrong comes first, and other questions about a pile last.
    """
    yield from _doubt_tricks(state, gap)
    wrong: list[Move] = []
    veiled: list[Move] = []
    asked: list[Move] = []
    unsure = ""
    for zone in dict.fromkeys(zone for _, zone in gap.extra):
        if zone in gap.seen.orders:
            unsure = zone
            continue
        move, legal = _find_next(state, gap, zone, gap.seen.zones[zone])
        if legal:
            yield move
            return
        if zone in gap.seen.hidden:  # under a hand the top may be lifted
            veiled.append(move)
        else:
            (asked if _is_question(state, move) else wrong).append(move)
    if unsure and (not wrong or may_be_wrong(state, unsure, gap.seen.orders[unsure])):
        yield from _tell_apart(state, gap, unsure)
    else:
        yield from asked or wrong or veiled


def _doubt_tricks(state: State, gap: Gap) -> Iterator[Doubtful[Move]]:
    """The top is gone, and the card under it is in sight. That one may have been lifted before, and the other one under
    it have looked like a trick on it.
    """
    for pile, name in enumerate(PILES):
        upper, lower = list_swappable_tops(state, pile) or (0, 0)
        if upper and gap.missing_in(name) == (CARD_NAMES[upper],):
            yield Doubtful((Over(lower, upper, name),))


def _is_question(state: State, move: Move) -> bool:
    """May unseen cards under this card make it legal?"""
    if not isinstance(move, Play):
        return False
    pile = PILES.index(move.pile)
    return state.bare[pile] != move.card and may_hide_cards(state, pile, move.card)


def _tell_apart(state: State, gap: Gap, zone: str) -> Iterable[Move]:
    """The next card of each order. Or the question for two cards, if too many are new, or if some orders are legal only
    with unseen cards.
    """
    orders, known = gap.seen.orders[zone], _names(state, zone)
    cards = [tuple(map(parse_number, order)) for order in orders]
    new = len(orders[0]) - len(gap.seen.zones.get(zone, ()))
    if new > MOST_ORDERED or len(orders) > MOST_TOLD or may_be_wrong(state, zone, orders):
        return [Beside(*find_difference(*cards[:2]), zone)]
    before = gap.seen.zones.get(zone, ())
    return dict.fromkeys(
        _find_next(state, gap, zone, order)[0] for order in orders if _is_on_the_way(before, known, order)
    )


def _is_on_the_way(before: Pieces, now: Pieces, order: Pieces) -> bool:
    """Do the pieces lie in this order now, and have those on the ones ``before`` been laid from the lowest on?"""
    laid = order[order.index(before[-1]) + 1 :] if before else order
    return tuple(piece for piece in order if piece in now) == now and laid[: len({*laid} & {*now})] == tuple(
        piece for piece in laid if piece in now
    )


def _find_next(state: State, gap: Gap, zone: str, order: Iterable[str]) -> tuple[Play | Shift | Under, bool]:
    """The move that brings the next card of this order to the pile, and whether it is legal."""
    pile, known = PILES.index(zone), list(_names(state, zone))
    misfit: Under | None = None
    below, rest = START_CARDS[pile], list(order)
    while rest:
        piece = rest.pop(0)
        card = parse_number(piece)
        if piece in known:
            known.remove(piece)  # a second one is another card
            below = card
            continue
        above = next((parse_number(higher) for higher in rest if higher in known), 0)
        if above:
            under = Under(card, above, zone)
            if find_misfit(state, pile, below, card, above, most=count_most_unseen(state)) is None:
                return under, True
            misfit = misfit or under
        elif misfit is None:
            legal = may_lay(state, pile, card)
            return (Play(card, zone) if legal or not _moved(state, gap, card) else Shift(card, zone)), legal
    assert misfit is not None
    return misfit, False


def _names(state: State, zone: str) -> tuple[str, ...]:
    return tuple(CARD_NAMES[card] for card in state.piles[PILES.index(zone)])


def _moved(state: State, gap: Gap, card: int) -> bool:
    """Is this the last card of another pile, and gone from there? Deeper ones, and one showing twice, are misread."""
    for name, pile in zip(PILES, state.piles, strict=True):
        if pile and pile[-1] == card:
            return name in gap.seen.hidden or gap.seen.zones.get(name, ())[-1:] != (CARD_NAMES[card],)
    return False
