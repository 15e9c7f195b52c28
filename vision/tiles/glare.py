"""How light a black tile looks where a lamp is mirrored on it, told by what the lamp adds to the table beside it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.rectification import Matrix

Colour = NDArray[np.uint8]
Plane = NDArray[np.float32]

BLOCK_PX, NEAR_BLOCKS = 24, 4.0
"""Pixels that are taken together, and blocks from which light is continued across tiles."""
EVERY_PX = 3
"""Of so many pixels, across and down, one is enough for the mean of a block."""
LEAST_TINT = 0.2
"""A table must be tinted by so much, in parts: of a grey one nobody can say what of it is a lamp."""
COLOUR_TOLERANCE, TABLE_SHARE = 0.06, 0.6
"""A block follows the table's colours and a lamp's white to within this; and is the table by this much, in parts."""
LEAST_LIGHT, MOST_LIGHT = 0.015, 0.3
"""Less light added is none, more is never believed; white is 1."""
DARK_L = 33.0
"""The lightness of black wood, at most, where no lamp is mirrored."""
DARK_LIGHT = ((DARK_L + 16) / 116) ** 3
"""The same as light."""


def find_black_limit(
    picture: Colour,
    empty: Colour | None,
    matrix: Matrix,
    size: tuple[int, int],
    to_mm: Matrix | None = None,
    empty_to_mm: Matrix | None = None,
) -> Plane | float:
    """The lightness, of 100, below which what has no colour is black, for each pixel of the levelled picture.

    The whole picture is looked at: where a lamp adds least, its light shows its colour. ``matrix`` and ``size`` are of
    the levelled picture; with both of the others the camera may have moved since the table was empty.
    """
    if empty is None or empty.shape != picture.shape:
        return DARK_L
    moved = np.eye(3) if to_mm is None or empty_to_mm is None else np.linalg.inv(to_mm) @ empty_to_mm
    cells = max(4, picture.shape[1] // BLOCK_PX), max(4, picture.shape[0] // BLOCK_PX)
    step = np.diag([cells[0] / picture.shape[1], cells[1] / picture.shape[0], 1.0])
    back = np.linalg.inv(step)
    thin = (np.ascontiguousarray(it[::EVERY_PX, ::EVERY_PX]) for it in (picture, empty))
    small = [cv2.resize(it, cells, interpolation=cv2.INTER_AREA) for it in thin]
    then = cv2.warpPerspective(small[1], step @ moved @ back, cells, borderMode=cv2.BORDER_REPLICATE)
    added = _added(np.asarray(small[0], np.uint8), np.asarray(then, np.uint8))
    if added is None:
        return DARK_L
    full = cv2.warpPerspective(added, matrix @ back, size, borderMode=cv2.BORDER_REPLICATE)
    return _lightness(np.asarray(full, np.float32) + DARK_LIGHT)


def _lightness(light: Plane) -> Plane:
    return np.asarray(116 * np.cbrt(light) - 16, np.float32)


def _added(picture: Colour, empty: Colour) -> Plane | None:
    """What is mirrored in each block, as light of white paper; None where nothing is, or nobody can tell."""
    now, then = ((it / np.float32(255)) ** np.float32(2.2) for it in (picture, empty))
    # where least is added the light itself shows its colour
    tint = np.quantile((now / (then + 0.004)).reshape(-1, 3), 0.1, axis=0).astype(np.float32)
    table = then * tint
    mean, level = table.mean(-1), now.mean(-1)
    apart, rise = table - mean[..., None], now - level[..., None]
    spread = (apart * apart).sum(-1)
    times = (apart * rise).sum(-1) / np.maximum(spread, 1e-9)
    added = level - times * mean
    off = np.abs(rise - times[..., None] * apart).max(-1)
    tinted = spread > np.square(LEAST_TINT * mean)
    bare = (
        tinted
        & (off < COLOUR_TOLERANCE * np.maximum(level, 0.05))
        & (times > TABLE_SHARE)
        & (times < 1 / TABLE_SHARE / TABLE_SHARE)
    )
    if bare.mean() < 0.2:
        return None
    weight = bare.astype(np.float32)
    share = cv2.GaussianBlur(weight, (0, 0), NEAR_BLOCKS)
    even = cv2.GaussianBlur(np.clip(added, 0, MOST_LIGHT) * weight, (0, 0), NEAR_BLOCKS) / np.maximum(share, 1e-4)
    return np.asarray(even, np.float32) if even.max() > LEAST_LIGHT else None
