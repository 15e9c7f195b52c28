"""Where the four piles are on a table of a given size, side by side or one under another, and tables that show them."""

from functools import lru_cache

from engine.games.the_game.match_options import BELOW, BESIDE
from engine.games.the_game.state import PILES, State
from engine.plan import Plan, divide_area, require_area
from engine.table import Area, Layout, Piece, Table

LEAST_AREA_MM = (600, 450)


@lru_cache(maxsize=8)
def plan(width: int, height: int, arrangement: str = BESIDE) -> Plan:
    """Four columns or four rows; the last fifth is for the deck, which no rule needs to see."""
    width, height = width or LEAST_AREA_MM[0], height or LEAST_AREA_MM[1]
    require_area(width, height, LEAST_AREA_MM)
    if arrangement == BELOW:
        return Plan(width, height, divide_area(PILES, Area(0, 0, width * 4 / 5, height), 1, 4))
    return Plan(width, height, divide_area(PILES, Area(0, height / 8, width * 4 / 5, height * 7 / 8), 4, 1))


def place(state: State, layout: Layout) -> Table:
    """The tops in the middle of their piles."""
    zones = plan(*state.size, state.arrangement).zones
    tops = ((zones[name], held[-1]) for name, held in layout.zones.items() if held)
    seen = (Piece(top, (at.left + at.right) / 2, (at.top + at.bottom) / 2) for at, top in tops)
    return Table(frozenset(seen), tuple(zones[name] for name in sorted(layout.hidden)))
