"""From millimetres to the four piles, where mostly the tops are visible, and the piles by the record."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping

from engine.games.the_game.pile_orders import PileSight, is_legal_order
from engine.games.the_game.pile_reading import read_orders
from engine.games.the_game.rules import may_lay
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, PILES, START_CARDS, State
from engine.games.the_game.table_plan import plan
from engine.table import BACK, Cover, Gap, Layout, Placement, Table, group_by_zone

CARD_NAMES = tuple(map(str, range(101)))
START_COPIES = 2
"""There are two of each start card; with a third one in sight, one that covers a pile is from another deck."""


def layout(state: State) -> Layout:
    return Layout({name: _names(pile) for name, pile in zip(PILES, state.piles, strict=True) if pile})


def _names(pile: Iterable[int]) -> tuple[str, ...]:
    return tuple([CARD_NAMES[card] for card in pile])


def arrange(state: State, table: Table) -> Layout:
    """Below a seen top lies what the record has, and on a hidden pile all of it.

    So a hidden pile does not prevent a verdict on another pile: nothing on it can make a card right elsewhere. Of the
    piles whose order must be asked for, the second and later ones stay as recorded until the first is answered.
    """
    held, hidden = group_by_zone(plan(*state.size, state.arrangement).zones, table)
    copies = Counter(seen.piece for seen in table.seen)
    zones: dict[str, tuple[str, ...]] = {}
    doubted: dict[str, tuple[tuple[str, ...], ...]] = {}
    for pile, name in enumerate(PILES):
        pieces = [seen.piece for seen in held.get(name, ())]
        others = {seen.piece for other, lies in held.items() if other != name for seen in lies}
        possible = _read_pile(state, pile, pieces, others, copies, table.covers, hidden=name in hidden)
        lies = possible[0] if len(possible) == 1 else _names(state.piles[pile])
        if len(possible) > 1:
            doubted[name] = tuple(possible)
        if lies:
            zones[name] = lies
    first = next(
        (name for name, orders in doubted.items() if may_be_wrong(state, name, orders)), next(iter(doubted), "")
    )
    return Layout(zones, hidden, {first: doubted[first]} if doubted else {})


def may_be_wrong(state: State, name: str, orders: Iterable[tuple[str, ...]]) -> bool:
    """Is one of these orders of a pile not legal?"""
    pile = PILES.index(name)
    return not all(is_legal_order(pile, state.piles[pile], tuple(map(parse_number, order))) for order in orders)


def _read_pile(
    state: State,
    pile: int,
    pieces: list[str],
    others: Container[str],
    copies: Mapping[str, int],
    covers: Iterable[Cover],
    *,
    hidden: bool,
) -> list[tuple[str, ...]]:
    """What lies on this pile; several orders if it cannot be told. ``others`` are the pieces on the other piles, and
    ``copies`` counts all pieces on the table.
    """
    held, start = _names(state.piles[pile]), CARD_NAMES[START_CARDS[pile]]
    known = _drop_elsewhere(held, pieces, others)
    new = [piece for piece in dict.fromkeys(pieces) if piece not in known and piece != start]
    new = [piece for piece in new if not _came_with_its_pile(state, piece, new)]
    new += _list_doubles(known, start, pieces, copies, covers)
    if not new:
        shown = _count_shown(known, pieces, covers)
        if not hidden and shown < len(known) and start in pieces and copies[start] > START_COPIES:
            return [(*known, start)]
        return [known if hidden else known[:shown]]
    numbers = {piece: parse_number(piece) for piece in pieces if piece != start or start in new}
    if any(not LOWEST_CARD <= numbers[piece] <= HIGHEST_CARD or state.is_laid(numbers[piece]) for piece in new):
        legal = [piece for piece in new if may_lay(state, pile, numbers[piece])]
        if BACK in new and known and known[-1] not in pieces:  # the top was turned over
            known = known[:-1]
        return [(*known, *legal, *(piece for piece in new if piece not in legal))]
    fresh = tuple(sorted(numbers[piece] for piece in new))
    over = {(numbers[upper], numbers[lower]) for upper, lower in covers if {upper, lower} <= numbers.keys()}
    said = {(upper, lower) for upper, lower in state.said if upper in fresh or lower in fresh}
    if state.bare[pile] in fresh and state.piles[pile]:  # nothing unseen lies under it, so it lies on the top
        said.add((state.bare[pile], state.top(pile)))
    said -= {pair[::-1] for pair in over}
    sight = PileSight(
        pile,
        fresh,
        frozenset(card for card in (*numbers.values(), *(upper for upper, _ in said)) if card not in fresh),
        frozenset(over | said),
        hidden,
        lifted=bool(held) and held[-1] not in pieces and held[-1] not in others,
    )
    orders = [_names(order) for order in read_orders(state, sight)]
    return [_drop_elsewhere(orders[0], pieces, others)] if len(orders) == 1 else orders


def _drop_elsewhere(order: tuple[str, ...], pieces: Container[str], others: Container[str]) -> tuple[str, ...]:
    """The cards that do not lie on another pile: no number is there twice, so one in sight there was carried there."""
    return tuple([piece for piece in order if piece in pieces or piece not in others])


def _came_with_its_pile(state: State, piece: str, new: Container[str]) -> bool:
    """Is this a start card under cards of its pile, which lie where another pile should be?"""
    number = parse_number(piece)
    return any(
        start == number and any(CARD_NAMES[card] in new for card in held)
        for start, held in zip(START_CARDS, state.piles, strict=True)
    )


def _list_doubles(
    known: tuple[str, ...], start: str, pieces: list[str], copies: Mapping[str, int], covers: Iterable[Cover]
) -> list[str]:
    """Cards of the record that lie on their pile a second time: two are in sight, or one lies on a higher one.

    The two uppermost may have changed places, and where several lie on one higher card, that one was moved under them.
    """
    twice = [piece for piece in known if pieces.count(piece) > 1]
    lies_on_pile = any(upper == start and lower in pieces and lower in known for upper, lower in covers)
    third = start in pieces and copies[start] > START_COPIES and pieces.count(start) > 1
    at = {piece: known.index(piece) for piece in pieces if piece in known}
    pairs = [(upper, lower) for upper, lower in covers if upper in at and lower in at]
    astray = [(upper, lower) for upper, lower in pairs if at[upper] < at[lower] and upper not in twice]
    uppermost = {upper for upper, _ in astray}.difference(lower for _, lower in pairs)
    moved_under = len({lower for _, lower in astray}) == 1 < len({upper for upper, _ in astray})
    above = [] if moved_under else sorted(upper for upper in uppermost if at[upper] < len(known) - 2)
    return [*twice, *above, *([start] if start in pieces and (lies_on_pile or third) else ())]


def _count_shown(known: tuple[str, ...], pieces: list[str], covers: Iterable[Cover]) -> int:
    """How many recorded cards lie here, up to the highest that shows and is not under one that it should cover."""
    at = {piece: known.index(piece) + 1 for piece in pieces if piece in known}
    for upper, lower in covers:
        if at.get(upper, 0) < at.get(lower, 0) and upper in at:
            del at[lower]
    return max(at.values(), default=0)


def list_removable(state: State, gap: Gap) -> frozenset[Placement]:
    """The cards of a lifted pile under its top, which come and go with it, and those of this turn while an unseen card
    is searched. Where lower cards are in sight, each card that lay on them is missed.
    """
    found: set[Placement] = set()
    for name, pile, fresh in zip(PILES, state.piles, state.fresh, strict=True):
        if state.owed and fresh:
            found.update((CARD_NAMES[card], name) for card in pile)
        elif name not in gap.seen.zones:
            found.update((CARD_NAMES[card], name) for card in pile[:-1])
    return frozenset(found)


def parse_number(piece: str) -> int:
    """The number of a card; 0 for any other piece."""
    return int(piece) if len(piece) < 5 and piece.isascii() and piece.isdecimal() and piece[0] != "0" else 0
