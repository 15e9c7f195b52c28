"""The shadows that thick pieces cast on the table: from all of them to one side and about as far."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes.top_view import CELL_MM, Mask, Raster

DIRECTIONS = 24
"""Directions that are tried: a lamp beside the table spreads those of its shadows by as much as two of them differ."""
LEAST_MM, MOST_MM = 12.0, 36.0
"""The shortest and the longest shadow of a tile that is beyond the margin around it: the sun at a window stands low."""
DARKER_LOG = 0.1
"""In a shadow the table is darker by this much at least, as natural logarithm."""
DARK_SHARE = 0.85
"""So much of what the shadows of all pieces would cover is darker, if they are there."""
LEAST_CELLS = 12
"""Fewer cells tell no direction."""
LEAST_MM2 = 3000.0
"""About three tiles: what is dark beside one or two of them may be another thing that only happens to fit."""


def find_cast_shadows(thick: Mask, table: Mask, level: Raster) -> Mask:
    """Where the shadows of ``thick`` pieces may lie on the ``table``, the cells that no piece and no margin covers.

    ``level`` is by how much each cell is lighter than the table, as natural logarithm. Empty if not all pieces cast
    shadows to one side: what is dark beside one of them is another thing.
    """
    dark = np.asarray(table & (level < -DARKER_LOG))
    best, most = np.zeros_like(table), LEAST_CELLS - 1
    if np.count_nonzero(thick) * CELL_MM**2 < LEAST_MM2:
        return best
    for turn in range(DIRECTIONS):
        swept = thick.astype(np.uint8)
        way = 2 * math.pi * turn / DIRECTIONS
        for cells in range(1, round(MOST_MM / CELL_MM) + 1):
            swept |= _shift(thick, cells * math.cos(way), cells * math.sin(way))
            if cells * CELL_MM < LEAST_MM:
                continue
            beyond = (swept > 0) & table
            count = int((beyond & dark).sum())
            if count < DARK_SHARE * int(beyond.sum()):
                break
            if count > most:
                best, most = beyond, count
    return best


def _shift(mask: Mask, x: float, y: float) -> NDArray[np.uint8]:
    move = np.array([[1.0, 0.0, round(x)], [0.0, 1.0, round(y)]])
    return np.asarray(cv2.warpAffine(mask.astype(np.uint8), move, mask.shape[::-1], flags=cv2.INTER_NEAREST), np.uint8)
