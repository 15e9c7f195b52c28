"""Which group is the board, beside something that hides a part of the table."""

import cv2
import numpy as np
import pytest

from engine.axial import Cell
from vision.tiles.board_part import BoardChoice, choose_board
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
