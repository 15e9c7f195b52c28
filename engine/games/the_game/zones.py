"""From millimetres to the four piles, where only the tops are visible, and the piles by the record."""

from collections.abc import Iterable
from itertools import pairwise, permutations

from engine.games.the_game.rules import fits
from engine.games.the_game.state import NO_CARDS, PILES, START_CARDS, State
from engine.games.the_game.table_plan import plan
from engine.table import Layout, Placement, Table, group_by_zone

CARD_NAMES = tuple(map(str, range(101)))


def layout(state: State) -> Layout:
    return Layout({name: _names(pile) for name, pile in zip(PILES, state.piles, strict=True) if pile})


def _names(pile: Iterable[int]) -> tuple[str, ...]:
    return tuple([CARD_NAMES[card] for card in pile])


def arrange(state: State, table: Table) -> Layout:
    """Only tops are visible: below a seen top lies what the record has, and on a hidden pile all of it.

    So a hidden pile does not prevent a verdict on another pile: nothing on it can make a card right elsewhere.
    """
    held, hidden = group_by_zone(plan(*state.size).zones, table)
    zones: dict[str, tuple[str, ...]] = {}
    for pile, name in enumerate(PILES):
        lies = _lies(state, pile, [seen.piece for seen in held.get(name, ())], name in hidden)
        if lies:
            zones[name] = lies
    return Layout(zones, hidden)


def _lies(state: State, pile: int, pieces: list[str], hidden: bool) -> tuple[str, ...]:
    known = _names(state.piles[pile])
    new = [piece for piece in dict.fromkeys(pieces) if piece not in known and piece != CARD_NAMES[START_CARDS[pile]]]
    if new:
        lifted = _lifted(state, pile, parse_number(new[0])) if len(new) == 1 and not hidden else len(known)
        return (*known[:lifted], *_in_order(state, pile, new))
    if hidden:
        return known
    shown = [known.index(piece) + 1 for piece in pieces if piece in known]
    return known[: max(shown, default=0)]


def _lifted(state: State, pile: int, card: int) -> int:
    """How much of the pile lies below this card. A top counts as lifted only while an unseen card is being searched."""
    held = state.piles[pile]
    if state.owed:
        for at in range(len(held) - 1, len(held) - 1 - state.fresh[pile], -1):
            below = held[at - 1] if at else START_CARDS[pile]
            if fits(pile, below, card) and fits(pile, card, held[at]):
                return at
    return len(held)


def _in_order(state: State, pile: int, new: list[str]) -> tuple[str, ...]:
    """Several new cards visible at once, in an order that the rules allow, if there is one."""
    if 1 < len(new) <= 3:
        for order in permutations(new):
            if all(fits(pile, a, b) for a, b in pairwise((state.top(pile), *map(parse_number, order)))):
                return order
    return tuple(new)


def list_removable(state: State) -> frozenset[Placement]:
    """The cards under a top, which come and go with it, and those of this turn while an unseen card is searched."""
    loose = state.fresh if state.owed else NO_CARDS
    held = zip(PILES, state.piles, loose, strict=True)
    return frozenset((CARD_NAMES[card], name) for name, pile, n in held for card in (pile if n else pile[:-1]))


def parse_number(piece: str) -> int:
    """The number of a card; 0 for any other piece."""
    return int(piece) if len(piece) < 5 and piece.isascii() and piece.isdecimal() and piece[0] != "0" else 0
