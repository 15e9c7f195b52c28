"""The texture of the empty table: whether it can still be seen in a cell, whatever the light is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes.light_fit import log_of_levels, noise_of_levels
from vision.changes.top_view import FINE_PER_CELL, Raster
from vision.frame import Grey

WINDOW_CELLS = 3
"""Side in cells of the square within which textures are compared."""
SMOOTHING = 3.0
"""Neighbouring pixels resemble one another: this many count as one independent sample."""
KEPT_SHARE, KEPT_SPREAD, LOST_SPREAD = 0.9, 0.25, 0.15
"""The share of its texture that a bare cell still shows, its spread, and the spread of that share where an object with
any texture of its own hides the table."""
MOST_EVIDENCE = 8.0
"""One cell is no more certain than this, as the logarithm of a likelihood ratio."""


@dataclass(frozen=True, slots=True, eq=False)
class TextureShares:
    """``kept`` is the share of the texture of the empty table that each cell shows, ``error`` its standard error; both
    are ignored where the table has too little texture to tell."""

    kept: Raster
    error: Raster

    def weigh(self) -> Raster:
        """The logarithm of the likelihood ratio that the table is hidden."""
        square = np.square(self.error)
        keeps, loses = square + KEPT_SPREAD**2, square + LOST_SPREAD**2
        kept = np.square(self.kept - KEPT_SHARE) / keeps + np.log(keeps)
        lost = np.square(self.kept) / loses + np.log(loses)
        return np.asarray(np.clip((kept - lost) / 2, -MOST_EVIDENCE, MOST_EVIDENCE), np.float32)


def compare_textures(now: Grey, empty: Grey) -> TextureShares:
    """The shares for each cell of two fine pictures of the same part of the table."""
    times = FINE_PER_CELL
    one, other = (_remove_slopes(log_of_levels(picture)) for picture in (empty, now))
    noise = _mean_cells(np.square(noise_of_levels(empty)))
    own = np.maximum(_mean_cells(one * one) - noise, 1e-7)
    both, seen = _mean_cells(one * other), _mean_cells(other * other)
    samples = (times * WINDOW_CELLS) ** 2 / SMOOTHING
    error = np.sqrt((own + noise) * np.maximum(seen, noise) / samples) / own
    return TextureShares(np.asarray(both / own, np.float32), np.asarray(error, np.float32))


def _remove_slopes(picture: Raster) -> Raster:
    side = FINE_PER_CELL * WINDOW_CELLS + 1
    return np.asarray(picture - cv2.blur(picture, (side, side)), np.float32)


def _mean_cells(picture: NDArray[np.float32]) -> Raster:
    shape = picture.shape[1] // FINE_PER_CELL, picture.shape[0] // FINE_PER_CELL
    cells = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(cells, (WINDOW_CELLS, WINDOW_CELLS)), np.float32)
