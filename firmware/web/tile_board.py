"""Geometry of the drawing of a SIX board: the hexagons, their places and the area that is shown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt

from firmware.box.table_state import TilesState
from firmware.web.api_state import WrongState

RADIUS = 10.0
"""From the middle of a cell to a corner, in units of the drawing."""
DRAWN_RADIUS = 9.2
"""Of a tile: a little less than its cell, so that edges show."""
MARGIN = 14.0
MIN_WIDTH, MIN_HEIGHT = 150.0, 110.0
"""The drawing is never smaller, so that a few tiles are drawn no larger than many."""
CELL = re.compile(r"cell:(-?\d+),(-?\d+)")
HEXAGON = " ".join(f"{DRAWN_RADIUS * sin(n * pi / 3):.1f},{DRAWN_RADIUS * cos(n * pi / 3):.1f}" for n in range(6))
"""Corners of a tile round its own middle, as an SVG polygon has them."""


@dataclass(frozen=True, slots=True)
class BoardTile:
    """``kind`` is the CSS class: the colour, and whether the tile is misplaced or still to be removed."""

    kind: str
    q: int
    r: int
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class TileBoard:
    hexagon: str
    view_box: str
    tiles: tuple[BoardTile, ...]


def tile_board(table: TilesState, wrong: Sequence[WrongState]) -> TileBoard:
    """Rows of the axial coordinates run across, as the referee counts them; misplaced tiles are drawn last."""
    tiles = [(t.q, t.r, f"tile {t.colour}{' litter' if t.litter else ''}") for t in table.tiles]
    tiles += [(int(cell[1]), int(cell[2]), f"tile wrong {w.piece}") for w in wrong if (cell := CELL.fullmatch(w.zone))]
    middles = [middle(q, r) for q, r, _ in tiles]
    left, width = extent([x for x, _ in middles] or [0.0], MIN_WIDTH)
    top, height = extent([y for _, y in middles] or [0.0], MIN_HEIGHT)
    return TileBoard(
        HEXAGON,
        f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}",
        tuple(
            BoardTile(kind, q, r, f"{x:.1f}", f"{y:.1f}") for (q, r, kind), (x, y) in zip(tiles, middles, strict=True)
        ),
    )


def extent(middles: Sequence[float], least: float) -> tuple[float, float]:
    """Start and length of the drawing along one axis, with the tiles centred."""
    size = max(max(middles) - min(middles) + 2 * MARGIN, least)
    return (min(middles) + max(middles) - size) / 2, size


def middle(q: int, r: int) -> tuple[float, float]:
    return RADIUS * sqrt(3) * (q + r / 2), RADIUS * 1.5 * r
