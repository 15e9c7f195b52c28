"""Groups of tiles on a table that looks like black tiles: what may be table is not told."""

import math

import cv2
import numpy as np
import pytest

from vision.tiles.colour_masks import ColourMasks, Mask
from vision.tiles.groups import group_tiles
from vision.tiles.hex_grid import HexGrid
from vision.tiles.table_light import GAIN_STEP_PX
from vision.tiles.tile_rims import RimView

PITCH = 60.0
GRID = HexGrid(200.0, 150.0, PITCH, 0.0)
BLACK, RED, LAST = [(0, 0), (-1, 1), (-1, 0)], [(1, 0), (0, 1)], (2, 0)


def fill_hexagon(plane: Mask, cell: tuple[int, int]) -> None:
    x, y = GRID.find_centre(cell)
    at = np.radians(30 + 60 * np.arange(6))
    corners = np.stack([np.cos(at), np.sin(at)], 1) * PITCH * 0.99 / math.sqrt(3) + [x, y]
    cv2.fillPoly(plane, [np.round(corners).astype(np.int32)], 1)


@pytest.mark.parametrize(
    ("seen_px", "mute_table", "told"),
    [
        pytest.param(60, True, True, id="a whole tile is told on a table that looks like tiles"),
        pytest.param(20, False, True, id="a lamp mirrored in a tile leaves a third of it, on a table that is seen"),
        pytest.param(20, True, False, id="on a table that looks like tiles the rest may be table: a finger lies there"),
    ],
)
def test_less_than_half_a_tile_is_told_only_where_the_table_is_seen(seen_px: int, mute_table: bool, told: bool) -> None:
    red, black, place, around = (np.zeros((400, 500), np.uint8) for _ in range(4))
    for plane, cells in ((red, RED), (black, BLACK), (place, [LAST])):
        for cell in cells:
            fill_hexagon(plane, cell)
    x, y = GRID.find_centre(LAST)
    left = round(x - PITCH / 2)
    black[:, left : left + seen_px] |= place[:, left : left + seen_px]
    cv2.circle(around, (round(x), round(y)), round(0.85 * PITCH), 1, -1)
    mute = (around if mute_table else place) & (1 - (red | black))
    found = group_tiles(ColourMasks(red, black, mute, np.zeros_like(red), np.zeros_like(red)), PITCH, 6.0)
    spots = [spot for group in found.groups for spot in group.spots.values()]
    assert any(math.dist(spot, (x, y)) < PITCH / 3 for spot in spots) == told
    assert all(any(math.dist(spot, GRID.find_centre(cell)) < PITCH / 3 for spot in spots) for cell in (*BLACK, *RED))


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        pytest.param(90, True, id="the shadow of a tile is lighter than it: the tile has its whole rim, and is told"),
        pytest.param(34, False, id="a finger as dark as the tile leaves it no rim: the tile is doubtful"),
        pytest.param(None, False, id="where no rims can be seen, what adjoins a tile makes it doubtful"),
    ],
)
def test_what_is_black_beside_a_black_tile_makes_it_doubtful_unless_its_rim_is_seen(
    beside: int | None, told: bool
) -> None:
    red, black, nothing = (np.zeros((400, 500), np.uint8) for _ in range(3))
    for plane, cells in ((red, [*RED, (1, 1), (2, -1)]), (black, [*BLACK, LAST])):
        for cell in cells:
            fill_hexagon(plane, cell)
    x, y = (round(at) for at in GRID.find_centre(LAST))
    strip = np.zeros_like(black)
    cv2.rectangle(strip, (x + 30, y - 14), (x + 56, y + 14), 1, -1)
    rng = np.random.default_rng(3)
    empty = np.clip(170 + rng.normal(0, 1.5, (400, 500, 3)), 0, 255).astype(np.uint8)
    now = empty.copy()
    now[strip > 0] = 90 if beside is None else beside
    now[red > 0], now[black > 0] = (45, 40, 150), (34, 34, 34)
    view = RimView(now, empty, np.zeros((-(-400 // GAIN_STEP_PX), -(-500 // GAIN_STEP_PX), 3), np.float32))
    masks = ColourMasks(red, black | strip, nothing, nothing.copy(), nothing.copy())
    found = group_tiles(masks, PITCH, 6.0, None if beside is None else view)
    spots = [spot for group in found.groups for spot in group.spots.values()]
    assert any(math.dist(spot, (x, y)) < PITCH / 3 for spot in spots) == told
    assert any(math.dist(spot, GRID.find_centre((0, 0))) < PITCH / 3 for spot in spots)
