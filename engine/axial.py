"""Axial coordinates of hexagons: neighbours, distances, turns, and where a cell lies in the plane."""

import cmath
import math
from collections.abc import Collection, Iterable, Set

Cell = tuple[int, int]
"""Axial coordinates q and r."""

NEIGHBOURS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The steps to the six neighbours, a sixth of a turn each, clockwise where y points down."""

SIXTH_TURN = cmath.exp(1j * math.pi / 3)


def list_neighbours(cell: Cell) -> tuple[Cell, ...]:
    q, r = cell
    return tuple((q + step_q, r + step_r) for step_q, step_r in NEIGHBOURS)


def surround(cells: Iterable[Cell]) -> set[Cell]:
    """All neighbours of these cells; cells that lie side by side are among them."""
    return {(q + step_q, r + step_r) for q, r in cells for step_q, step_r in NEIGHBOURS}


def join_cells(start: Collection[Cell], cells: Set[Cell]) -> set[Cell]:
    """Those of these cells that a chain of neighbours among them joins to the start."""
    joined: set[Cell] = set()
    edge = {cell for cell in cells if any(beside in start for beside in list_neighbours(cell))}
    while edge:
        joined |= edge
        edge = (surround(edge) & cells) - joined
    return joined


def count_steps(a: Cell, b: Cell) -> int:
    """The distance between two cells, in steps."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def turn_cell(cell: Cell, sixths: int) -> Cell:
    """A cell turned about (0, 0) by a number of sixths of a turn, in the order of ``NEIGHBOURS``."""
    q, r = cell
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return q, r


def find_centre(cell: Cell) -> complex:
    """The centre of a cell where (0, 0) lies at 0 and (1, 0) at 1."""
    return cell[0] + cell[1] * SIXTH_TURN


def find_cell(point: complex) -> Cell:
    """The cell that holds a point, where (0, 0) lies at 0 and (1, 0) at 1."""
    r = point.imag / SIXTH_TURN.imag
    q = point.real - r / 2
    near_q, near_r, near_s = round(q), round(r), round(-q - r)
    off_q, off_r, off_s = abs(near_q - q), abs(near_r - r), abs(near_s + q + r)
    if off_q > off_r and off_q > off_s:  # the coordinate that was rounded most follows from the other two
        near_q = -near_r - near_s
    elif off_r > off_s:
        near_r = -near_q - near_s
    return near_q, near_r
