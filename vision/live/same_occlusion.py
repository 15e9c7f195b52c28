"""Comparison of two occlusions of a zone: whether the same parts of it are hidden."""

import math

import numpy as np
from numpy.typing import NDArray

from engine.table import Area

Cells = NDArray[np.bool_]

RIM_SWAY_MM = 12.0
"""The rim of an object at rest may be found this much further on in the next frame."""
MOVED_CELLS = 3
"""This many more cells, ``RIM_SWAY_MM`` wide, hidden beyond the rim mean that something has moved."""


def is_same_occlusion(now: tuple[Area, ...], before: tuple[Area, ...], place: Area) -> bool:
    """Are the same parts of a zone hidden, whatever rectangles cover them, give or take a cell at the rim?

    Fewer hidden parts count as the same: a second reading of an unchanged picture reads more of it.
    """
    if now == before:
        return True
    one, other = _covered(now, place), _covered(before, place)
    return int((one & ~_grown(other)).sum()) < MOVED_CELLS


def _covered(areas: tuple[Area, ...], place: Area) -> Cells:
    """The zone in cells of ``RIM_SWAY_MM``, true where an area covers them."""
    shape = (
        math.ceil((place.bottom - place.top) / RIM_SWAY_MM),
        math.ceil((place.right - place.left) / RIM_SWAY_MM),
    )
    cells = np.zeros(shape, np.bool_)
    for area in areas:
        top, bottom = (max(0, round((y - place.top) / RIM_SWAY_MM)) for y in (area.top, area.bottom))
        left, right = (max(0, round((x - place.left) / RIM_SWAY_MM)) for x in (area.left, area.right))
        cells[top:bottom, left:right] = True
    return cells


def _grown(cells: Cells) -> Cells:
    framed = np.pad(cells, 1)
    rows = framed[:-2] | framed[1:-1] | framed[2:]
    return np.asarray(rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:], np.bool_)
