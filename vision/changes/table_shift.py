"""By how much a part of the table has shifted in the picture since it was empty: less than the markers tell."""

from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes.light_fit import log_of_levels
from vision.changes.top_view import Mask, Raster, enlarge_rows
from vision.frame import Grey

Sums = NDArray[np.float64]

MOST_MM, LEAST_MM = 1.5, 0.25
"""A larger shift is measured by the markers; a smaller one is within what every comparison allows for."""
SOFT_MM = 1.2
"""Both pictures are smoothed by this much, so that a shift stays within the slope of an edge."""
EVERY = 2
"""Every second pixel across and down is enough."""
INNER = slice(1, -1, EVERY), slice(1, -1, EVERY)
"""These pixels, each with its neighbours."""
STRIP_ROWS = 128
"""Rows that are compared at a time, a multiple of ``EVERY``: a table has a million of these pixels."""
SCALES = (0.3, 0.15, 0.1, 0.1)
"""The natural logarithm of a difference at which a pixel counts a quarter, at each step of the fit: a card that lies
there counts little."""
RIDGE = 0.05
"""Added to the sum of squared slopes: a table without texture has not shifted."""


def fit_shift(now: Grey, empty: Grey, level: Raster, free: Mask) -> tuple[float, float]:
    """How far the table has shifted across and down, in mm, seen at one pixel for each mm where it is ``free``.

    ``level`` is the logarithm of the light relative to that of the empty table, in cells.
    """
    soft, bare = (np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_MM), np.uint8) for picture in (now, empty))
    strips = [slice(top, min(top + STRIP_ROWS + 1, len(now))) for top in range(0, len(now) - 2, STRIP_ROWS)]
    there = [log_of_levels(soft[rows][INNER]) - enlarge_rows(level, rows.start, rows.stop)[INNER] for rows in strips]
    shift = np.zeros(2)
    for scale in SCALES:
        moved = _move(bare, shift)
        sums = [_sum_strip(one, moved[rows], free[rows][INNER], scale) for one, rows in zip(there, strips, strict=True)]
        square, pull = (np.sum(parts, 0) for parts in zip(*sums, strict=True))
        shift = shift - np.linalg.solve(square + RIDGE * np.eye(2), pull)
    across_mm, down_mm = shift.tolist()
    return (across_mm, down_mm) if LEAST_MM <= hypot(across_mm, down_mm) <= MOST_MM else (0.0, 0.0)


def _sum_strip(there: Raster, bare: Grey, free: Mask, scale: float) -> tuple[Sums, Sums]:
    """The squared slopes of a strip of the bare table and their product with what it differs by, weighed and summed."""
    left = there - log_of_levels(bare[INNER])
    slopes = (
        (log_of_levels(bare[1:-1:EVERY, 2::EVERY]) - log_of_levels(bare[1:-1:EVERY, :-2:EVERY])) / 2,
        (log_of_levels(bare[2::EVERY, 1:-1:EVERY]) - log_of_levels(bare[:-2:EVERY, 1:-1:EVERY])) / 2,
    )
    belief = free / np.square(1 + np.square(left / np.float32(scale)))
    square = [[float((belief * one * other).sum()) for other in slopes] for one in slopes]
    return np.array(square), np.array([float((belief * one * left).sum()) for one in slopes])


def _move(picture: Grey, shift: NDArray[np.float64]) -> Grey:
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    size = picture.shape[1], picture.shape[0]
    moved = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
