"""What a change of the table suggests: the move of The Game that explains it."""

from collections.abc import Iterable, Iterator

from engine.games.the_game.moves import Beside, Move, Play, Shift, Under
from engine.games.the_game.pile_orders import MOST_ORDERED, find_difference, is_legal_order
from engine.games.the_game.rules import find_misfit, may_lay
from engine.games.the_game.state import PILES, START_CARDS, State
from engine.games.the_game.zones import CARD_NAMES, parse_number
from engine.table import Gap

Pieces = tuple[str, ...]


def read(state: State, gap: Gap) -> Iterator[Move]:
    """One card that may be laid; if none may, the next one of each pile, to be refused.

    What cannot be told of a pile comes after all else.
    """
    wrong: list[Move] = []
    veiled: list[Move] = []
    unsure = ""
    for zone in dict.fromkeys(zone for _, zone in gap.extra):
        if zone in gap.seen.orders:
            unsure = zone
            continue
        move, legal = _find_next(state, gap, zone, gap.seen.zones[zone])
        if legal:
            yield move
            return
        (veiled if zone in gap.seen.hidden else wrong).append(move)  # under a hand the top may be lifted
    if unsure and not wrong:
        yield from _tell_apart(state, gap, unsure)
    else:
        yield from wrong or veiled


def _tell_apart(state: State, gap: Gap, zone: str) -> Iterable[Move]:
    """The next card of each order. Or the question for two cards, if too many are new, or if some orders are legal only
    with unseen cards.
    """
    pile, orders = PILES.index(zone), gap.seen.orders[zone]
    held, known = state.piles[pile], _names(state, zone)
    cards = [tuple(map(parse_number, order)) for order in orders]
    new = len(orders[0]) - len(gap.seen.zones.get(zone, ()))
    if new > MOST_ORDERED or not all(is_legal_order(pile, held, order) for order in cards):
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
    pile, known = PILES.index(zone), _names(state, zone)
    misfit: Under | None = None
    below, rest = START_CARDS[pile], list(order)
    while rest:
        piece = rest.pop(0)
        card = parse_number(piece)
        if piece in known:
            below = card
            continue
        above = next((parse_number(higher) for higher in rest if higher in known), 0)
        if above:
            under = Under(card, above, zone)
            if find_misfit(state, pile, below, card, above, most=max(0, state.owed - 1)) is None:
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
