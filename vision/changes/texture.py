"""The texture of the empty table: whether it can still be seen in a cell, whatever the light is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes.illumination import measure_steepness
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
LEAST_TEXTURE_LOG = 0.01
"""A weaker texture may be that of the sensor: its pixels differ by 1 %, of which half is left in a pixel of 1 mm."""
NOTHING_KNOWN = 1e6
"""A standard error of a share that leaves it open."""
SOFT_MM, SLOPE_NOISE = 1.5, 0.5
"""Standard deviation of the filter before a slope is measured, and what the noise of a pixel still makes of the
steepest of 16 slopes: 3 times 0.2 / 1.5**2 times the root of ``SMOOTHING``."""
MOST_EVIDENCE = 8.0
"""One cell is no more certain than this, as the logarithm of a likelihood ratio."""


@dataclass(frozen=True, slots=True, eq=False)
class TextureShares:
    """``kept`` is the share of the texture of the empty table that each cell shows, ``error`` its standard error; both
    are ignored where the table has too little texture to tell. ``steepness`` is how much the light changes at most in a
    cell beyond noise, as a natural logarithm for each mm."""

    kept: Raster
    error: Raster
    steepness: Raster

    def weigh(self) -> Raster:
        """The logarithm of the likelihood ratio that the table is hidden."""
        square = np.square(self.error)
        keeps, loses = square + KEPT_SPREAD**2, square + LOST_SPREAD**2
        kept = np.square(self.kept - KEPT_SHARE) / keeps + np.log(keeps)
        lost = np.square(self.kept) / loses + np.log(loses)
        return np.asarray(np.clip((kept - lost) / 2, -MOST_EVIDENCE, MOST_EVIDENCE), np.float32)


def start_shares(shape: tuple[int, int]) -> TextureShares:
    """Shares of cells of which nothing is known yet."""
    return TextureShares(*(np.full(shape, value, np.float32) for value in (0.0, NOTHING_KNOWN, 0.0)))


def compare_textures(now: Grey, empty: Grey) -> TextureShares:
    """The shares for each cell of two fine pictures of the same part of the table."""
    times = FINE_PER_CELL
    then, this = log_of_levels(empty), log_of_levels(now)
    one, other = _remove_slopes(then), _remove_slopes(this)
    own_noise = np.square(noise_of_levels(empty))
    noise = _mean_cells(own_noise)
    own = np.maximum(_mean_cells(one * one) - noise, 1e-7)
    both, seen = _mean_cells(one * other), _mean_cells(other * other)
    samples = (times * WINDOW_CELLS) ** 2 / SMOOTHING
    error = np.sqrt((own + noise) * np.maximum(seen, noise) / samples) / own
    error[own < LEAST_TEXTURE_LOG**2] = NOTHING_KNOWN
    spread = cv2.sqrt(_mean_cells(own_noise + np.square(noise_of_levels(now))))
    steepness = np.maximum(_find_steepest(this - then) - SLOPE_NOISE * np.asarray(spread), 0)
    kept, error, steepness = (np.asarray(raster, np.float32) for raster in (both / own, error, steepness))
    return TextureShares(kept, error, steepness)


def _find_steepest(light: Raster) -> Raster:
    """The steepest place of each cell."""
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), SOFT_MM), np.float32)
    steep = measure_steepness(soft)
    shape = steep.shape[0] // FINE_PER_CELL, steep.shape[1] // FINE_PER_CELL
    return np.asarray(steep.reshape(shape[0], FINE_PER_CELL, shape[1], FINE_PER_CELL).max((1, 3)), np.float32)


def _remove_slopes(picture: Raster) -> Raster:
    side = FINE_PER_CELL * WINDOW_CELLS + 1
    return np.asarray(picture - cv2.blur(picture, (side, side)), np.float32)


def _mean_cells(picture: NDArray[np.float32]) -> Raster:
    shape = picture.shape[1] // FINE_PER_CELL, picture.shape[0] // FINE_PER_CELL
    cells = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(cells, (WINDOW_CELLS, WINDOW_CELLS)), np.float32)
