"""The tiles of SIX as one drawing that is as large as the board, with what lies wrong marked."""

import re
from collections.abc import Sequence
from html import escape
from math import cos, pi, sin, sqrt

from firmware.web.api_state import WrongState
from firmware.web.table_state import TilesState

RADIUS = 10.0
"""Of a tile from its middle to a corner; a little less is drawn, so that edges show."""
ROOM = 14.0
WIDE, HIGH = 150.0, 110.0
"""The drawing is never smaller: a few tiles are no larger than many."""
CELL = re.compile(r"cell:(-?\d+),(-?\d+)")
HEXAGON = " ".join(f"{9.2 * sin(n * pi / 3):.1f},{9.2 * cos(n * pi / 3):.1f}" for n in range(6))


def board(lying: TilesState, wrong: Sequence[WrongState]) -> str:
    """Rows of the axial coordinates run across, as the referee counts them."""
    amiss = [(int(cell[1]), int(cell[2]), w.piece) for w in wrong if (cell := CELL.fullmatch(w.zone))]
    shown = [(t.q, t.r, f"tile {t.colour}{' litter' if t.litter else ''}") for t in lying.tiles]
    shown += [(q, r, f"tile wrong {piece}") for q, r, piece in amiss]
    places = [middle(q, r) for q, r, _ in shown]
    across, down = [x for x, _ in places] or [0.0], [y for _, y in places] or [0.0]
    (left, wide), (top, high) = span(across, WIDE), span(down, HIGH)
    tiles = "".join(
        f'<polygon class="{escape(kind)}" data-key="{q},{r}" points="{HEXAGON}" '
        f'transform="translate({x:.1f} {y:.1f})"/>'
        for (q, r, kind), (x, y) in zip(shown, places, strict=True)
    )
    box = f"{left:.1f} {top:.1f} {wide:.1f} {high:.1f}"
    left_over = "".join(
        f'<li class="{escape(colour)}{" turn" if colour == lying.turn else ""}" data-key="{escape(colour)}">'
        f'<svg viewBox="-10 -10 20 20" aria-hidden="true"><polygon class="tile {escape(colour)}" points="{HEXAGON}"/>'
        f"</svg><b>{count}</b></li>"
        for colour, count in lying.left.items()
    )
    return (
        f'<svg class="board" data-key="board" viewBox="{box}" aria-hidden="true">{tiles}</svg>'
        f'<ul class="left" data-key="left">{left_over}</ul>'
    )


def span(places: Sequence[float], least: float) -> tuple[float, float]:
    """Where the drawing begins and how long it is, with what lies there in the middle."""
    size = max(max(places) - min(places) + 2 * ROOM, least)
    return (min(places) + max(places) - size) / 2, size


def middle(q: int, r: int) -> tuple[float, float]:
    return RADIUS * sqrt(3) * (q + r / 2), RADIUS * 1.5 * r
