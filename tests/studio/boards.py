"""Boards of SIX tiles: which cells they cover, and what a hand does to them."""

import math
from collections.abc import Iterable

import numpy as np

Cell = tuple[int, int]
Board = dict[Cell, str]
STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def find_neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + q, cell[1] + r) for q, r in STEPS]


def find_cell_centre(cell: Cell) -> tuple[float, float]:
    """In units of the distance of two neighbours, x right and y down."""
    return cell[0] + cell[1] / 2, cell[1] * math.sqrt(3) / 2


def is_connected(cells: Iterable[Cell]) -> bool:
    left = set(cells)
    if not left:
        return False
    queue = [left.pop()]
    while queue:
        near = left.intersection(find_neighbours(queue.pop()))
        left -= near
        queue += near
    return not left


def list_free_cells(board: Board) -> list[Cell]:
    return sorted({near for cell in board for near in find_neighbours(cell)} - set(board))


def grow_board(rng: np.random.Generator, count: int) -> Board:
    board: Board = {(0, 0): "red"}
    while len(board) < count:
        free = list_free_cells(board)
        weight = np.array([math.exp(-0.35 * math.hypot(*find_cell_centre(cell))) for cell in free])
        cell = free[int(rng.choice(len(free), p=weight / weight.sum()))]
        board[cell] = ("red", "black")[len(board) % 2]
    return board


def change_board(rng: np.random.Generator, board: Board, act: str) -> tuple[Board, Cell]:
    """The board after ``act`` and the cell where the hand has been. It stays connected."""
    after = dict(board)
    loose = [cell for cell in sorted(board) if is_connected(set(board) - {cell})]
    cell = loose[int(rng.integers(len(loose)))]
    if act == "exchange":
        after[cell] = "red" if board[cell] == "black" else "black"
        return after, cell
    if act == "take":
        del after[cell]
        return after, cell
    colour = ("red", "black")[int(rng.integers(2))]
    if act in ("move", "slide"):
        colour = after.pop(cell)
    free = [near for near in list_free_cells(after) if near != cell]
    if act == "slide":
        free = [near for near in free if near in find_neighbours(cell)] or free
    goal = free[int(rng.integers(len(free)))]
    after[goal] = colour
    return after, goal
