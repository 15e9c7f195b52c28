"""The four piles on the table: their zones, what the camera sees of them, and the move that a change suggests."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, permutations

from engine.games.the_game.moves import Move, Play, Shift, Under
from engine.games.the_game.state import PILES, START_CARDS, State, fits
from engine.plan import Plan, divide_area, require_area
from engine.table import Area, Gap, Layout, Piece, Table, group_by_zone

LEAST_AREA_MM = (600, 450)
CARD_NAMES = tuple(map(str, range(101)))


@lru_cache(maxsize=8)
def plan(width: int, height: int) -> Plan:
    """Four columns, piles side by side; the last fifth is for the deck, which no rule needs to see."""
    width, height = width or LEAST_AREA_MM[0], height or LEAST_AREA_MM[1]
    require_area(width, height, LEAST_AREA_MM)
    return Plan(width, height, divide_area(PILES, Area(0, height / 8, width * 4 / 5, height * 7 / 8), 4, 1))


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


def parse_number(piece: str) -> int:
    """The number of a card; 0 for any other piece."""
    return int(piece) if len(piece) < 5 and piece.isascii() and piece.isdecimal() and piece[0] != "0" else 0


def place(state: State, layout: Layout) -> Table:
    """The tops in the middle of their piles."""
    zones = plan(*state.size).zones
    tops = ((zones[name], held[-1]) for name, held in layout.zones.items() if held)
    seen = (Piece(top, (at.left + at.right) / 2, (at.top + at.bottom) / 2) for at, top in tops)
    return Table(frozenset(seen), tuple(zones[name] for name in sorted(layout.hidden)))


def read(state: State, gap: Gap) -> Iterator[Move]:
    """One card that may be laid; if none may, all of them, to be refused."""
    wrong: list[Move] = []
    veiled: list[Move] = []
    for piece, zone in gap.extra:
        card, lost = parse_number(piece), gap.missing_in(zone)
        if lost:
            yield Under(card, parse_number(lost[0]), zone)
            return
        if state.takes(PILES.index(zone), card):
            yield Play(card, zone)
            return
        side = veiled if zone in gap.seen.hidden else wrong  # under a hand the top may be lifted
        side.append(Shift(card, zone) if _moved(state, gap, card) else Play(card, zone))
    yield from wrong or veiled


def _moved(state: State, gap: Gap, card: int) -> bool:
    """Is this the last card of another pile, and gone from there? Deeper ones, and one showing twice, are misread."""
    for name, pile in zip(PILES, state.piles, strict=True):
        if pile and pile[-1] == card:
            return name in gap.seen.hidden or gap.seen.zones.get(name, ())[-1:] != (CARD_NAMES[card],)
    return False
