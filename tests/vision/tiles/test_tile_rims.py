"""Which hexagons have a rim: painted tiles do, the inside of a shadow or of a sleeve does not."""

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.axial import Cell, list_neighbours
from vision.tiles.hex_grid import HexGrid
from vision.tiles.table_light import GAIN_STEP_PX
from vision.tiles.tile_rims import RimView, find_rimless

Picture = NDArray[np.uint8]
HIGH, WIDE, PITCH = 400, 500, 58.0
GRID = HexGrid(250.0, 200.0, PITCH, 7.0)
RING = {cell: GRID.find_centre(cell) for cell in [(0, 0), *list_neighbours((0, 0))]}
GREY, WOOD = (150, 150, 150), (90, 130, 165)
RED, BLACK, CLOTH = (40, 40, 150), (32, 30, 30), (70, 50, 40)


def paint_table(colour: tuple[int, int, int], *, grain: float = 0.0) -> Picture:
    rng = np.random.default_rng(5)
    texture = cv2.GaussianBlur(rng.normal(0, 1, (HIGH, WIDE)), (0, 0), 2.0)
    plane = np.array(colour) * (1 + grain * texture / texture.std())[..., None]
    return np.asarray(np.clip(plane, 0, 255), np.uint8)


def paint_tile(
    picture: Picture, cell: Cell, colour: tuple[int, int, int], *, turn: float = 0.0, shift: float = 0.0
) -> None:
    x, y = GRID.find_centre(cell)
    way = np.radians(GRID.angle + turn + 30 + 60 * np.arange(6))
    corners = np.stack([np.cos(way), np.sin(way)], 1) * PITCH * 0.97 / math.sqrt(3) + [x + shift, y]
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def view(picture: Picture, empty: Picture) -> RimView:
    noise = np.random.default_rng(6).normal(0, 1.5, picture.shape)
    noised = np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255), np.uint8)
    gain = np.zeros((HIGH // GAIN_STEP_PX + 1, WIDE // GAIN_STEP_PX + 1, 3), np.float32)
    return RimView(noised, empty, gain)


def darken(picture: Picture, left: float, *, soft: float, half: float = 90.0) -> Picture:
    """A band of shadow across the picture, in which this share of the levels is left."""
    y = np.arange(HIGH)[:, None] - 200.0
    depth = 1 / (1 + np.exp((np.abs(y) - half) / soft))
    return np.asarray(picture * (1 - (1 - left) * depth[..., None]), np.uint8)


@pytest.mark.parametrize("table", [GREY, WOOD], ids=["grey", "wood"])
@pytest.mark.parametrize(("turn", "shift"), [(0, 0), (3, 0), (0, 2), (-3, -2)])
@pytest.mark.parametrize("colours", [(RED, RED), (BLACK, BLACK), (RED, BLACK)], ids=["red", "black", "both"])
def test_a_tile_has_a_rim_whatever_touches_it(
    table: tuple[int, int, int], turn: float, shift: float, colours: tuple[tuple[int, int, int], ...]
) -> None:
    empty = paint_table(table, grain=0.06)
    now = empty.copy()
    for i, cell in enumerate(RING):
        paint_tile(now, cell, colours[i % 2], turn=turn, shift=shift)
    assert find_rimless(RING, GRID, view(now, empty)) == frozenset()


@pytest.mark.parametrize("grain", [0.0, 0.06, 0.2])
@pytest.mark.parametrize("soft", [2.0, 8.0, 25.0], ids=["hard", "half", "soft"])
@pytest.mark.parametrize("left", [0.3, 0.6])
def test_a_shadow_has_no_tiles(grain: float, soft: float, left: float) -> None:
    empty = paint_table(GREY, grain=grain)
    assert find_rimless(RING, GRID, view(darken(empty, left, soft=soft), empty)) == frozenset(RING)


@pytest.mark.parametrize("colour", [RED, BLACK, CLOTH], ids=["red", "black", "blue"])
@pytest.mark.parametrize("half", [70, 85, 100])
@pytest.mark.parametrize("lean", [-20, 0, 12, 33])
def test_a_sleeve_has_no_tiles(colour: tuple[int, int, int], half: int, lean: int) -> None:
    empty = paint_table(WOOD, grain=0.06)
    now = empty.copy()
    way = math.radians(lean)
    ends = np.array([[math.cos(way), math.sin(way)]]) * np.array([[-400.0], [400.0]]) + [GRID.x, GRID.y]
    cv2.line(now, *(tuple(int(v) for v in end) for end in ends), colour, 2 * half)
    assert find_rimless(RING, GRID, view(now, empty)) == frozenset(RING)


def test_a_tile_that_an_arm_cuts_is_rimless_and_the_others_are_not() -> None:
    empty = paint_table(WOOD)
    now = empty.copy()
    row = {(q, 0): GRID.find_centre((q, 0)) for q in range(-2, 3)}
    for cell in row:
        paint_tile(now, cell, RED)
    x, y = row[2, 0]
    cv2.circle(now, (round(x + 60), round(y)), 75, RED, -1)
    assert find_rimless(row, GRID, view(now, empty)) == {(2, 0)}


@pytest.mark.parametrize(
    ("covered", "seen"),
    [
        pytest.param(1, (True, True), id="one side of six is not seen: also a whole rim"),
        pytest.param(2, (True, False), id="two sides of six are not seen: a rim, but no whole one"),
        pytest.param(3, (False, False), id="three sides of six are not seen: no rim"),
    ],
)
def test_a_whole_rim_lacks_one_side_at_most(covered: int, seen: tuple[bool, bool]) -> None:
    empty = paint_table(WOOD)
    now = empty.copy()
    alone = {(0, 0): GRID.find_centre((0, 0))}
    for cell in [(0, 0), *list_neighbours((0, 0))[:covered]]:
        x, y = GRID.find_centre(cell)
        paint_tile(now, cell, RED)
        if cell != (0, 0):  # what covers the side goes on beyond it, without a seam
            cv2.circle(now, (round((x + GRID.x) / 2), round((y + GRID.y) / 2)), round(0.33 * PITCH), RED, -1)
    told = tuple(not find_rimless(alone, GRID, view(now, empty), whole=whole) for whole in (False, True))
    assert told == seen


def test_a_group_of_which_most_have_no_rim_has_none() -> None:
    empty = paint_table(GREY)
    now = darken(empty, 0.3, soft=8.0)
    paint_tile(now, (1, 0), RED)
    assert find_rimless(RING, GRID, view(now, empty)) == frozenset(RING)


def test_an_empty_group_has_no_rimless_tiles() -> None:
    empty = paint_table(GREY)
    assert find_rimless({}, GRID, view(empty, empty)) == frozenset()
