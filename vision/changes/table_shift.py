"""By how much a part of the table has shifted in the picture since it was empty: less than the markers tell."""

from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes.light_fit import log_of_levels
from vision.changes.top_view import Mask, Raster
from vision.frame import Grey

MOST_MM, LEAST_MM = 1.5, 0.25
"""A larger shift is measured by the markers; a smaller one is within what every comparison allows for."""
SOFT_MM = 1.2
"""Both pictures are smoothed by this much, so that a shift stays within the slope of an edge."""
EVERY = 2
"""Every second pixel across and down is enough."""
SCALES = (0.3, 0.15, 0.1, 0.1)
"""The natural logarithm of a difference at which a pixel counts a quarter, at each step of the fit: a card that lies
there counts little."""
RIDGE = 0.05
"""Added to the sum of squared slopes: a table without texture has not shifted."""


def fit_shift(now: Grey, empty: Grey, level: Raster, free: Mask) -> tuple[float, float]:
    """How far the table has shifted across and down, in mm, seen at one pixel for each mm where it is ``free``.

    ``level`` is the logarithm of the light relative to that of the empty table, in cells.
    """
    soft, bare = (cv2.GaussianBlur(picture, (0, 0), SOFT_MM) for picture in (now, empty))
    size = now.shape[1], now.shape[0]
    inner = slice(1, -1, EVERY), slice(1, -1, EVERY)
    there = log_of_levels(np.asarray(soft, np.uint8)[inner]) - cv2.resize(level, size)[inner]
    weight, shift = free[inner].astype(np.float32), np.zeros(2)
    for scale in SCALES:
        moved = _move(np.asarray(bare, np.uint8), shift)
        then = log_of_levels(moved[inner])
        across = (log_of_levels(moved[1:-1:EVERY, 2::EVERY]) - log_of_levels(moved[1:-1:EVERY, :-2:EVERY])) / 2
        down = (log_of_levels(moved[2::EVERY, 1:-1:EVERY]) - log_of_levels(moved[:-2:EVERY, 1:-1:EVERY])) / 2
        left = np.asarray(there - then, np.float32)
        belief = weight / np.square(1 + np.square(left / scale))
        square = [[float((belief * one * other).sum()) for other in (across, down)] for one in (across, down)]
        pull = [float((belief * one * left).sum()) for one in (across, down)]
        shift = shift - np.linalg.solve(np.array(square) + RIDGE * np.eye(2), np.array(pull))
    across_mm, down_mm = shift.tolist()
    return (across_mm, down_mm) if LEAST_MM <= hypot(across_mm, down_mm) <= MOST_MM else (0.0, 0.0)


def _move(picture: Grey, shift: NDArray[np.float64]) -> Grey:
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    size = picture.shape[1], picture.shape[0]
    moved = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
