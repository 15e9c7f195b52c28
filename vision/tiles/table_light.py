"""The light on the rectified table relative to the empty table, fitted to the whole picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.rectification import Matrix
from vision.changes.light_fit import decode_gamma, fit_light

Colour = NDArray[np.uint8]
Gain = NDArray[np.float32]

BLOCK_PX = 24
"""Pixels of the picture to one cell that is compared: tiles are wider, so that most cells are all tile or all table."""
EVERY_PX = 3
"""One pixel of this many, across and down, is enough for the mean of a cell."""
GAIN_STEP_PX = 16
"""Pixels of the rectified picture for each value of the gain, which is smooth."""


def fit_table_light(
    picture: Colour,
    empty: Colour,
    matrix: Matrix,
    size: tuple[int, int],
    to_mm: Matrix | None = None,
    empty_to_mm: Matrix | None = None,
) -> Gain:
    """The natural logarithm of the gain for each colour, a value for each ``GAIN_STEP_PX`` rectified pixels.

    The whole picture is used, because the rectified part may be full of tiles. ``matrix`` and ``size`` define the
    rectified picture; ``to_mm`` and ``empty_to_mm`` allow for a camera that has moved since.
    """
    high, wide = picture.shape[:2]
    cells = max(8, wide // BLOCK_PX), max(8, high // BLOCK_PX)
    now = _shrink(picture, cells)
    then = _shrink(empty, (max(8, empty.shape[1] // BLOCK_PX), max(8, empty.shape[0] // BLOCK_PX)))
    if to_mm is not None and empty_to_mm is not None and not np.array_equal(to_mm, empty_to_mm):
        old = _scale_cells(empty, (then.shape[1], then.shape[0]))
        move = _scale_cells(picture, cells) @ np.linalg.inv(to_mm) @ empty_to_mm @ np.linalg.inv(old)
        then = np.asarray(cv2.warpPerspective(then, move, cells, borderMode=cv2.BORDER_REPLICATE), np.float32)
    whole = Area(0, 0, wide, high)
    light = fit_light(now, then, np.ones(now.shape[:2], np.bool_), whole, mixed=False)
    gain = light.log_gain(whole, (cells[1], cells[0]))
    coarse = -(-size[0] // GAIN_STEP_PX), -(-size[1] // GAIN_STEP_PX)
    shrink = np.array(
        [[1 / GAIN_STEP_PX, 0, 0.5 / GAIN_STEP_PX - 0.5], [0, 1 / GAIN_STEP_PX, 0.5 / GAIN_STEP_PX - 0.5], [0, 0, 1]]
    )
    way = shrink @ matrix @ np.linalg.inv(_scale_cells(picture, cells))
    return np.asarray(cv2.warpPerspective(gain, way, coarse, borderMode=cv2.BORDER_REPLICATE), np.float32)


def spread_gain(gain: Gain, rows: slice, wide: int) -> Gain:
    """The gain at each pixel of some rows of the rectified picture."""
    move = np.array([[GAIN_STEP_PX, 0, GAIN_STEP_PX / 2 - 0.5], [0, GAIN_STEP_PX, GAIN_STEP_PX / 2 - 0.5 - rows.start]])
    size = (wide, rows.stop - rows.start)
    spread = cv2.warpAffine(gain, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(spread, np.float32)


def _shrink(picture: Colour, cells: tuple[int, int]) -> Gain:
    thin = decode_gamma(np.ascontiguousarray(picture[::EVERY_PX, ::EVERY_PX]))
    return np.asarray(cv2.resize(thin, cells, interpolation=cv2.INTER_AREA), np.float32)


def _scale_cells(picture: Colour, cells: tuple[int, int]) -> Matrix:
    """From pixels of the picture to its cells."""
    x, y = cells[0] / picture.shape[1], cells[1] / picture.shape[0]
    return np.array([[x, 0, x / 2 - 0.5], [0, y, y / 2 - 0.5], [0, 0, 1]])
