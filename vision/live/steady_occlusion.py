"""Whether the same parts of a place lie hidden as before."""

import math

import numpy as np
from numpy.typing import NDArray

from engine.table import Area

Cells = NDArray[np.bool_]

RIM_SWAY_MM = 12.0
"""The rim of something at rest may be found so many mm further on."""
MOVED_CELLS = 3
"""So many cells, SWAY mm wide, hidden or laid open beyond that, and something has moved."""


def is_same_occlusion(now: tuple[Area, ...], before: tuple[Area, ...], place: Area) -> bool:
    """Do the same parts of a place lie hidden, however they are cut up, give or take a cell at the rim?

    Or fewer: of a picture in which nothing has moved, more was read.
    """
    if now == before:
        return True
    one, other = _covered(now, place), _covered(before, place)
    return int((one & ~_grown(other)).sum()) < MOVED_CELLS


def _covered(areas: tuple[Area, ...], place: Area) -> Cells:
    """The place in cells of SWAY mm, those under an area true."""
    shape = (math.ceil((place.bottom - place.top) / RIM_SWAY_MM), math.ceil((place.right - place.left) / RIM_SWAY_MM))
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
