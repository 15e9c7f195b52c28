"""Cells of a hexagonal grid and their places."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.axial import list_neighbours, turn_cell
from vision.tiles.hex_grid import HexGrid, offset_cell, rename_cells
from vision.tiles.touching_tiles import LaidTile, join_tiles

cells = st.tuples(st.integers(-8, 8), st.integers(-8, 8))
grids = st.builds(
    HexGrid, st.floats(-300, 300), st.floats(-300, 300), st.floats(20, 60), st.floats(0, 360, exclude_max=True)
)


@given(grids, cells, st.floats(0, 0.45), st.floats(0, 6.28))
def test_a_place_near_the_centre_of_a_cell_is_in_that_cell(
    grid: HexGrid, cell: tuple[int, int], off: float, way: float
) -> None:
    x, y = grid.find_centre(cell)
    reach = grid.pitch * off
    assert grid.find_cell(x + reach * math.cos(way), y + reach * math.sin(way)) == cell


@given(grids, cells)
def test_neighbours_are_one_pitch_away(grid: HexGrid, cell: tuple[int, int]) -> None:
    places = [grid.find_centre(beside) for beside in list_neighbours(cell)]
    assert [round(math.dist(grid.find_centre(cell), place) / grid.pitch, 6) for place in places] == [1.0] * 6


@given(cells, st.integers(0, 5))
def test_turning_a_cell_equals_turning_the_grid(cell: tuple[int, int], sixths: int) -> None:
    assert offset_cell(10, 0, turn_cell(cell, sixths)) == pytest.approx(offset_cell(10, 60 * sixths, cell), abs=1e-9)


def laid(shape: list[tuple[int, int]], angle: float = 10, drift: float = 0.0) -> list[LaidTile]:
    return [LaidTile(*offset_cell(38.5, angle + drift * q, (q, r)), angle + drift * q) for q, r in shape]


LINE = [(q, 0) for q in range(6)]
RING = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


@pytest.mark.parametrize(
    ("tiles", "sizes"),
    [
        (laid(LINE), [6]),
        (laid(RING), [6]),
        (laid([*RING, (5, 5)]), [6, 1]),
        (laid([(0, 0), (2, 0)]), [1, 1]),
        ([*laid([(0, 0)]), LaidTile(45, 8, 10)], [2]),
        ([*laid([(0, 0)]), LaidTile(50, 9, 10)], [1, 1]),
        ([*laid([(0, 0)]), LaidTile(38, 6.7, 40)], [1, 1]),
        (laid(LINE, drift=1.5), [6]),
        ([], []),
    ],
    ids=[
        "a line hangs together",
        "a ring hangs together",
        "one tile far away is alone",
        "a gap parts",
        "a tile nudged by a few mm still touches",
        "a finger's width parts",
        "a tile turned by half a sixth lies loose",
        "a drifting lattice is followed",
        "no tile, no group",
    ],
)
def test_tiles_side_by_side_form_groups(tiles: list[LaidTile], sizes: list[int]) -> None:
    assert [len(group) for group in join_tiles(tiles, 38.5)] == sizes


def test_known_tiles_name_the_cells() -> None:
    grid = HexGrid(200, 150, 40, 17)
    spots = {cell: grid.find_centre(cell) for cell in LINE}
    known = [((q + 3, -q), grid.find_centre((q, 0))) for q in range(4)]
    assert rename_cells(spots, known, 20) == {(q, 0): (q + 3, -q) for q in range(6)}


def test_without_a_known_place_there_are_no_names() -> None:
    assert rename_cells({(0, 0): (0.0, 0.0)}, [((4, 4), (90.0, 90.0))], 20) is None
