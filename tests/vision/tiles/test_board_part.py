"""Which group is the board, beside something that hides a part of the table."""

import cv2
import numpy as np
import pytest

from engine.axial import Cell
from engine.table import Area
from vision.tiles.board_part import BoardChoice, choose_board, find_cut_off
from vision.tiles.hex_grid import HexGrid
from vision.tiles.touching_tiles import LaidTile

GRID = HexGrid(80.0, 300.0, 50.0, 0.0)
Row = tuple[int, int]


def lay(first: int, count: int) -> list[LaidTile]:
    """Tiles side by side in one row of the lattice."""
    return [LaidTile(*GRID.find_centre((first + q, 0)), GRID.angle) for q in range(count)]


def hide(*rows: Row) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Hidden cells, from the first to the last of each pair, in the same row."""
    mask = np.zeros((600, 1300), np.uint8)
    for first, last in rows:
        (left, y), (right, _) = (GRID.find_centre(cell) for cell in ((first, 0), (last, 0)))
        cv2.rectangle(mask, (round(left - 26), round(y - 30)), (round(right + 26), round(y + 30)), 1, -1)
    return mask


def cover(x: float, y: float, wide: float, high: float) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    mask = np.zeros((600, 1300), np.uint8)
    mask[int(y) : int(y + high), int(x) : int(x + wide)] = 1
    return mask


NOTHING = hide()
CASES: dict[str, tuple[list[list[LaidTile]], np.ndarray[tuple[int, ...], np.dtype[np.uint8]], int | None, set[int]]] = {
    "no tiles: no board": ([], NOTHING, None, set()),
    "two tiles on a table that is seen are the board": ([lay(0, 2)], NOTHING, 0, set()),
    "a single tile beside two is reserve": ([lay(0, 2), lay(8, 1)], NOTHING, 0, set()),
    "two tiles are no board while an arm may hide a larger one": ([lay(0, 2)], cover(700, 0, 100, 600), None, {0}),
    "two tiles are the board while too little is hidden for more": ([lay(0, 2)], cover(700, 0, 40, 60), 0, set()),
    "four tiles are the board whatever is hidden": ([lay(0, 4)], cover(700, 0, 100, 600), 0, set()),
    "tiles on the other side of an arm may belong to the board": ([lay(0, 5), lay(7, 3)], hide((5, 6)), 0, {1}),
    "tiles away from the arm that touches the board do not": ([lay(0, 5), lay(9, 3)], hide((5, 6)), 0, set()),
    "tiles at another arm do not": ([lay(0, 5), lay(12, 2)], hide((5, 6), (10, 11)), 0, set()),
    "a chain of tiles and hidden places may belong to the board": (
        [lay(0, 5), lay(7, 3), lay(12, 1)], hide((5, 6), (10, 11)), 0, {1, 2},
    ),
    "a tile that nearly touches the board off its grid may belong to it": (
        [lay(0, 5), [LaidTile(300.0, 355.0, 20.0)]], NOTHING, 0, {1},
    ),
    "a tile a finger's width from the board does not": ([lay(0, 5), [LaidTile(300.0, 366.0, 20.0)]], NOTHING, 0, set()),
    "a cell that is bare for the most part holds no hidden tile": (
        [lay(0, 5), lay(6, 1)], cover(80 + 5 * 50 - 8, 250, 16, 100), 0, set(),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_board_is_chosen(name: str) -> None:
    parts, unclear, board, doubtful = CASES[name]
    assert choose_board(parts, GRID.pitch, unclear) == BoardChoice(board, frozenset(doubtful))


@pytest.mark.parametrize("lattice", [(0, 0), (3, -2)], ids=str)
def test_a_hidden_neighbour_may_lie_in_any_direction(lattice: Cell) -> None:
    around = [LaidTile(*GRID.find_centre((4 + lattice[0], lattice[1])), turn) for turn in (0.0, 60.0, 120.0)]
    x, y = around[0].x, around[0].y
    for tile in around:
        parts = [lay(8, 5), [tile]]
        below = cover(x - 60, y + 24, 600, 90) | cover(520, y, 60, 114)
        assert choose_board(parts, GRID.pitch, below).doubtful == {1}


BOARD = [(200.0, 200.0), (238.0, 200.0)]
STOCK = (390.0, 200.0)
CUT_OFF = {
    "everything is seen: a tile at a distance is reserve": ([], False),
    "a hidden patch from the board to the tile may be tiles that connect them": ([Area(260, 180, 370, 220)], True),
    "so may two patches that touch": ([Area(260, 180, 310, 220), Area(310, 190, 370, 230)], True),
    "a patch at the board that ends before the tile does not": ([Area(260, 180, 320, 220)], False),
    "nor one at the tile alone": ([Area(320, 180, 480, 220)], False),
    "two patches with bare table between them do not": ([Area(260, 180, 300, 220), Area(330, 180, 370, 220)], False),
    "a patch that reaches beyond the table does": ([Area(-50, -50, 800, 180)], True),
}


@pytest.mark.parametrize(("hidden", "cut_off"), CUT_OFF.values(), ids=CUT_OFF)
def test_a_tile_that_hidden_ones_may_connect_with_the_board_is_not_certainly_reserve(
    hidden: list[Area], cut_off: bool
) -> None:
    assert find_cut_off([STOCK], BOARD, hidden, 38.0) == ([STOCK] if cut_off else [])


def test_tiles_side_by_side_are_cut_off_together() -> None:
    chain = [(390.0 + 38 * n, 200.0) for n in range(4)]
    assert find_cut_off([*chain, (390.0, 400.0)], BOARD, [Area(260, 180, 360, 220)], 38.0) == chain


def test_a_tile_between_two_hidden_patches_may_connect_what_lies_behind_it() -> None:
    patches = [Area(260, 180, 360, 220), Area(420, 180, 520, 220)]
    assert find_cut_off([STOCK, (560.0, 200.0)], BOARD, patches, 38.0) == [STOCK, (560.0, 200.0)]


def test_without_a_board_nothing_is_cut_off_from_it() -> None:
    assert find_cut_off([STOCK], [], [Area(0, 0, 600, 450)], 38.0) == []
