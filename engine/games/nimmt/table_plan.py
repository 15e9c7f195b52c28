"""Where rows, seats and the special deck are on a table of a given size, and a table that shows a layout."""

from functools import lru_cache

from engine.games.nimmt.match_options import Rules
from engine.plan import Plan, divide_area, require_area
from engine.table import Area, Layout, Piece, Table

CARD_MM = (57, 87)
SMALL, LARGE, WIDE = (594, 420), (700, 460), (841, 594)
SEATS, SIDES = 10, 8
"""The largest number of seats, and of those at the sides of a table with specials."""


def least_area(rules: Rules) -> tuple[int, int]:
    if rules.anniversary or (rules.variant == "professional" and rules.players > 5):
        return WIDE
    if rules.variant == "professional" or rules.players > 6 or max(rules.spots, default=0) > 6:
        return LARGE
    return SMALL


@lru_cache(maxsize=32)
def plan(rules: Rules) -> Plan:
    """Rows to the left and seats to the right; specials want seats in columns on both sides."""
    least = least_area(rules)
    width, height = rules.width or least[0], rules.height or least[1]
    require_area(width, height, least)
    zones: dict[str, Area] = {}
    if rules.anniversary:
        side, low = width * 0.243, height * 0.808
        rows = Area(side, 0, width - side, height)
        zones |= divide_area(_names("seat", 1, 4), Area(0, 0, side, low), 1, 4)
        zones |= divide_area(_names("seat", 5, SIDES), Area(width - side, 0, width, low), 1, 4)
        zones |= {"stock": Area(0, low, side, height), "discard": Area(width - side, low, width, height)}
    elif rules.seats == "off":
        rows = Area(0, 0, width, height)
    else:
        roomy = width >= LARGE[0] and height >= LARGE[1]
        columns, spots = (3, SEATS) if roomy else (2, 6)
        rows = Area(0, 0, width * (0.571 if roomy else 0.673), height)
        seats = Area(rows.right, 0, width, height)
        zones |= divide_area(_names("seat", 1, spots), seats, columns, -(-spots // columns), down_first=False)
    count = 5 if rules.anniversary else 4
    return Plan(width, height, zones | divide_area(_names("row", 1, count), rows, 1, count))


def has_seat(rules: Rules, seat: int) -> bool:
    """Does any table have this seat? A recorded move must not depend on the size of the table."""
    return 1 <= seat <= (SIDES if rules.anniversary else SEATS)


def _names(kind: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"{kind}:{n}" for n in range(first, last + 1))


def place(rules: Rules, layout: Layout) -> Table:
    """Cards side by side in their zones, overlapped where they must be; specials to the right of numbers."""
    zones = plan(rules).zones
    whole = Area(0, 0, plan(rules).width, plan(rules).height)
    held: dict[str, tuple[str, ...]] = {}
    for zone, pieces in sorted(layout.zones.items(), key=lambda item: item[0].startswith(("mark", "special"))):
        at = zone.replace("mark", "row").replace("special", "seat")
        held[at] = (*held.get(at, ()), *pieces)
    seen: set[Piece] = set()
    for zone, pieces in held.items():
        area = zones.get(zone, whole)
        lines = _lines(area, pieces) if zone == "spread" else (pieces,)
        high = (area.bottom - area.top) / len(lines)
        for n, line in enumerate(lines):
            step = min(CARD_MM[0] + 4.0, (area.right - area.left - CARD_MM[0]) / max(1, len(line) - 1))
            y = area.top + high * (n + 0.5)
            seen |= {Piece(p, area.left + CARD_MM[0] / 2 + step * i, y) for i, p in enumerate(line)}
    return Table(frozenset(seen), tuple(a for z in sorted(layout.hidden) if (a := zones.get(z))))


def _lines(area: Area, pieces: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    lines = min(int((area.bottom - area.top) // CARD_MM[1]), -(-len(pieces) // 10))
    each = -(-len(pieces) // lines) or 1
    return tuple(pieces[i : i + each] for i in range(0, len(pieces), each))
