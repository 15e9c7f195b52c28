"""In which orders the cards in sight on a pile may lie: by the rules, by the record, and by which covers which."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from engine.games.the_game.rules import BACKWARD_STEP, count_unseen_cards, find_misfit, fits
from engine.games.the_game.state import CARDS, START_CARDS, State

Order = tuple[int, ...]
"""Cards from the lowest to the top."""
Run = tuple[int, ...]
"""Fresh cards that lie directly on each other."""
NO_WAY = CARDS
"""Instead of a number of unseen cards, where no unseen cards would make a card legal."""
MOST_LISTED = 7
"""Of orders with unseen cards no more are listed: a screen cannot offer as many, so two cards are asked about."""
MOST_ORDERED = 3
"""More fresh cards have too many orders to compare: players tell the order of two at a time."""


@dataclass(frozen=True, slots=True)
class PileSight:
    """What shows on a pile: ``fresh`` are the cards that the record does not have, ``old`` are those that it has.

    ``covers`` are pairs of these, the upper one first. On a ``hidden`` pile more may lie than is seen. The top by the
    record was ``lifted`` if it is in sight nowhere: or the fresh cards cover it.
    """

    pile: int
    fresh: Order
    old: frozenset[int]
    covers: frozenset[tuple[int, int]]
    hidden: bool
    lifted: bool = False

    def shows(self, card: int) -> bool:
        return card in self.old or card in self.fresh

    def allows(self, order: Order) -> bool:
        """Does each card lie above those that it is seen to cover?"""
        return all(
            order.index(upper) > order.index(lower) for upper, lower in self.covers if upper in order and lower in order
        )


def list_orders(state: State, sight: PileSight) -> list[Order]:
    """All legal orders of the recorded cards with the fresh ones on them or among them.

    The top of a pile is in sight, unless it is hidden. But once a player claimed more cards than were seen, the top of
    this turn may be lifted to show what is under it: that may be a trick on the top.
    """
    held = state.piles[sight.pile]
    gaps = [_list_runs(sight.pile, lower, upper, sight.fresh) for lower, upper in _list_steps(sight.pile, held)]
    orders = [_insert(held, runs) for runs in _choose_runs(gaps, frozenset(sight.fresh))]
    orders = [order for order in orders if sight.allows(order)]
    shown = [order for order in orders if sight.shows(order[-1])]
    may_be_lifted = sight.lifted and state.claimed and state.fresh[sight.pile]
    return orders if sight.hidden or (shown and may_be_lifted) else shown


def list_orders_with_unseen(state: State, sight: PileSight, old: int, most: int) -> list[Order]:
    """The orders of the fresh cards above the ``old`` ones, with up to so many unseen ones among them."""
    held = state.piles[sight.pile]
    orders: list[Order] = []
    todo = [(held[:old], most)]
    while todo and len(orders) < MOST_LISTED:
        order, left = todo.pop()
        if len(order) == len(held) + len(sight.fresh):
            orders.append(order)
            continue
        lower = order[-1] if order else START_CARDS[sight.pile]
        at = len(order) - sum(card in order for card in sight.fresh)
        for card in (*held[at : at + 1], *(card for card in sight.fresh if card not in order)):
            recorded = lower not in sight.fresh and card not in sight.fresh
            unseen: int | None = 0
            if not recorded:
                unseen = count_unseen_cards(state, sight.pile, lower, card, besides=sight.fresh, most=left)
            if unseen is not None and sight.allows((*order, card)):
                todo.append(((*order, card), left - unseen))
    return orders


def list_proven_under(state: State, sight: PileSight) -> frozenset[int]:
    """The fresh cards that are seen to lie under a recorded one, or under one that does."""
    above = {*state.piles[sight.pile]}
    while more := {lower for upper, lower in sight.covers if upper in above and lower not in above}:
        above |= more
    return frozenset(above.intersection(sight.fresh))


def list_places(state: State, sight: PileSight, card: int, order: Order, old: int, most: int) -> list[Order]:
    """Where this card may lie in the order under its top, above the ``old`` ones, with so many unseen ones by it."""
    below = (START_CARDS[sight.pile], *order)
    places = []
    for at in range(old, len(order)):
        place = (*order[:at], card, *order[at:])
        misfit = find_misfit(state, sight.pile, below[at], card, order[at], most=most)
        if misfit is None and sight.allows(place):
            places.append(place)
    return places


def list_spaced_orders(state: State, sight: PileSight, fresh: Order, most: int) -> list[Order]:
    """In which orders these cards may lie on the recorded ones, with so many unseen cards among them."""
    if not 1 < len(fresh) <= MOST_ORDERED:
        return [fresh]
    return [
        order
        for order in permutations(fresh)
        if sight.allows(order) and _count_unseen(state, sight.pile, order) <= most
    ]


def order_by_unseen_cards(state: State, sight: PileSight) -> Order:
    """The fresh cards, on top of the recorded ones, in the order that takes the fewest unseen cards between them."""
    orders = [order for order in permutations(sight.fresh) if sight.allows(order)]
    return min(orders, key=lambda order: _count_unseen(state, sight.pile, order), default=sight.fresh)


def order_by_covers(sight: PileSight) -> list[Order]:
    """The fresh cards as they cover each other; two orders if that does not tell for two of them."""
    left = sorted(sight.fresh, reverse=sight.pile >= 2)
    order: list[int] = []
    while left:
        lowest = next((card for card in left if not any((card, other) in sight.covers for other in left)), left[0])
        left.remove(lowest)
        order.append(lowest)
    for at, (lower, upper) in enumerate(pairwise(order)):
        if (upper, lower) not in sight.covers:
            return [tuple(order), (*order[:at], upper, lower, *order[at + 2 :])]
    return [tuple(order)]


def is_legal_order(pile: int, held: Order, order: Order) -> bool:
    """Is each step legal that the recorded cards do not have already?"""
    known = {START_CARDS[pile], *held}
    steps = pairwise((START_CARDS[pile], *order))
    return all(fits(pile, lower, upper) for lower, upper in steps if lower not in known or upper not in known)


def find_difference(one: Order, other: Order) -> tuple[int, int]:
    """Two cards that lie the other way round in two orders of the same cards, in the order of the first."""
    places = {card: at for at, card in enumerate(other)}
    first = next(at for at, card in enumerate(one) if card != other[at])
    return next(
        (lower, upper)
        for at, lower in enumerate(one[first:], first + 1)
        for upper in reversed(one[at:])
        if places[lower] > places[upper]
    )


def _count_unseen(state: State, pile: int, order: Order) -> int:
    total, top = 0, state.top(pile)
    for card in order:
        unseen = count_unseen_cards(state, pile, top, card, besides=order)
        total, top = total + (NO_WAY if unseen is None else unseen), card
    return total


def _list_steps(pile: int, held: Order) -> Iterator[tuple[int, int | None]]:
    """Each recorded card with the one above it; none lies above the top."""
    return zip((START_CARDS[pile], *held), (*held, None), strict=True)


def _list_runs(pile: int, lower: int, upper: int | None, fresh: Order) -> list[Run]:
    """The fresh cards that may lie directly on each other between these two."""
    found: list[Run] = []
    todo: list[Run] = [(card,) for card in fresh if fits(pile, lower, card)]
    while todo:
        run = todo.pop()
        if upper is None or fits(pile, run[-1], upper):
            found.append(run)
        left = len(fresh) - len(run)
        if left and (upper is None or _may_come_back(pile, run[-1], upper, left)):
            todo += ((*run, card) for card in fresh if card not in run and fits(pile, run[-1], card))
    return found


def _may_come_back(pile: int, card: int, upper: int, steps: int) -> bool:
    """Is this card beyond the upper one by no more than so many backward steps undo, and the one onto it?"""
    beyond = card - upper if pile < 2 else upper - card
    return beyond <= BACKWARD_STEP * (steps + 1)


def _choose_runs(gaps: Sequence[Sequence[Run]], fresh: frozenset[int], start: int = 0) -> Iterator[dict[int, Run]]:
    """Runs, by their gap, that together have each fresh card once."""
    if not fresh:
        yield {}
        return
    for gap in range(start, len(gaps)):
        for run in gaps[gap]:
            if fresh.issuperset(run):
                for others in _choose_runs(gaps, fresh.difference(run), gap + 1):
                    yield {gap: run, **others}


def _insert(held: Order, runs: dict[int, Run]) -> Order:
    order: list[int] = []
    for gap in range(len(held) + 1):
        order += runs.get(gap, ())
        order += held[gap : gap + 1]
    return tuple(order)
