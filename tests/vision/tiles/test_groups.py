"""Groups of tiles on a table that looks like black tiles: what may be table is not told."""

import math

import cv2
import numpy as np
import pytest

from vision.tiles.colour_masks import ColourMasks, Mask
from vision.tiles.groups import group_tiles
from vision.tiles.hex_grid import HexGrid

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
