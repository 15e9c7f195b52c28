"""From millimetres to the four piles, where mostly the tops are visible, and the piles by the record."""

from collections import Counter
from collections.abc import Container, Iterable

from engine.games.the_game.pile_orders import PileSight
from engine.games.the_game.pile_reading import read_orders
from engine.games.the_game.rules import may_lay
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, NO_CARDS, PILES, START_CARDS, State
from engine.games.the_game.table_plan import plan
from engine.table import BACK, Cover, Layout, Placement, Table, group_by_zone

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
    held, hidden = group_by_zone(plan(*state.size).zones, table)
    copies = Counter(seen.piece for seen in table.seen)
    zones: dict[str, tuple[str, ...]] = {}
    orders: dict[str, tuple[tuple[str, ...], ...]] = {}
    for pile, name in enumerate(PILES):
        pieces = [seen.piece for seen in held.get(name, ())]
        others = {seen.piece for other, lies in held.items() if other != name for seen in lies}
        possible = _read_pile(state, pile, pieces, others, table.covers, hidden=name in hidden)
        lies = possible[0] if len(possible) == 1 else _names(state.piles[pile])
        start = CARD_NAMES[START_CARDS[pile]]
        if state.piles[pile] and not lies and start in pieces and copies[start] > START_COPIES:
            lies = (*_names(state.piles[pile]), start)
        if len(possible) > 1 and not orders:
            orders[name] = tuple(possible)
        if lies:
            zones[name] = lies
    return Layout(zones, hidden, orders)


def _read_pile(
    state: State, pile: int, pieces: list[str], others: Container[str], covers: Iterable[Cover], *, hidden: bool
) -> list[tuple[str, ...]]:
    """What lies on this pile; several orders if it cannot be told. ``others`` are the pieces on the other piles."""
    known, start = _names(state.piles[pile]), CARD_NAMES[START_CARDS[pile]]
    new = [piece for piece in dict.fromkeys(pieces) if piece not in known and piece != start]
    if not new:
        return [known if hidden else known[: _count_shown(known, pieces, covers)]]
    numbers = {piece: parse_number(piece) for piece in pieces if piece != start}
    if any(not LOWEST_CARD <= numbers[piece] <= HIGHEST_CARD or state.is_laid(numbers[piece]) for piece in new):
        legal = [piece for piece in new if may_lay(state, pile, numbers[piece])]
        below = tuple(piece for piece in known if piece in pieces or piece not in others)
        if BACK in new and below and below[-1] not in pieces:  # the top was turned over
            below = below[:-1]
        return [(*below, *legal, *(piece for piece in new if piece not in legal))]
    fresh = tuple(sorted(numbers[piece] for piece in new))
    over = {(numbers[upper], numbers[lower]) for upper, lower in covers if {upper, lower} <= numbers.keys()}
    said = {(upper, lower) for upper, lower in state.said if upper in fresh or lower in fresh} - {p[::-1] for p in over}
    sight = PileSight(
        pile,
        fresh,
        frozenset(card for card in (*numbers.values(), *(upper for upper, _ in said)) if card not in fresh),
        frozenset(over | said),
        hidden,
    )
    return [_names(order) for order in read_orders(state, sight)]


def _count_shown(known: tuple[str, ...], pieces: list[str], covers: Iterable[Cover]) -> int:
    """How many recorded cards lie here, up to the highest that shows and is not under one that it should cover."""
    at = {piece: known.index(piece) + 1 for piece in pieces if piece in known}
    for upper, lower in covers:
        if at.get(upper, 0) < at.get(lower, 0) and upper in at:
            del at[lower]
    return max(at.values(), default=0)


def list_removable(state: State) -> frozenset[Placement]:
    """The cards under a top, which come and go with it, and those of this turn while an unseen card is searched."""
    loose = state.fresh if state.owed else NO_CARDS
    held = zip(PILES, state.piles, loose, strict=True)
    return frozenset((CARD_NAMES[card], name) for name, pile, n in held for card in (pile if n else pile[:-1]))


def parse_number(piece: str) -> int:
    """The number of a card; 0 for any other piece."""
    return int(piece) if len(piece) < 5 and piece.isascii() and piece.isdecimal() and piece[0] != "0" else 0
