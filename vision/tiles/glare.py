"""Glare: how light a black tile looks where a lamp is mirrored on it, from what the lamp adds to the table."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.rectification import Matrix

Colour = NDArray[np.uint8]
Plane = NDArray[np.float32]

BLOCK_PX, NEAR_BLOCKS = 24, 4.0
"""Pixels to one block, and the blocks over which light is continued across tiles."""
EVERY_PX = 3
"""One pixel of this many, across and down, is enough for the mean of a block."""
LEAST_TINT = 0.2
"""Least tint of the table, as a share: on a grey table the light of a lamp cannot be separated."""
COLOUR_TOLERANCE, TABLE_SHARE = 0.06, 0.6
"""How far a block may be from the colours of the table plus white light, and the least share of the table in it."""
LEAST_LIGHT, MOST_LIGHT = 0.015, 0.3
"""Less added light counts as none, and no more is assumed; white is 1."""
DARK_L = 33.0
"""The greatest lightness of black wood where no lamp is mirrored, L* of 0 to 100."""
DARK_LIGHT = ((DARK_L + 16) / 116) ** 3
"""The same lightness as linear light."""


def find_black_limit(
    picture: Colour,
    empty: Colour | None,
    matrix: Matrix,
    size: tuple[int, int],
    to_mm: Matrix | None = None,
    empty_to_mm: Matrix | None = None,
) -> Plane | float:
    """The lightness, L* of 0 to 100, below which a colourless pixel is black, for each pixel of the rectified picture.

    The whole picture is used: where a lamp adds least, the general light shows its colour. ``matrix`` and ``size``
    define the rectified picture; ``to_mm`` and ``empty_to_mm`` allow for a camera that has moved since.
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
    added = _find_added(np.asarray(small[0], np.uint8), np.asarray(then, np.uint8))
    if added is None:
        return DARK_L
    full = cv2.warpPerspective(added, matrix @ back, size, borderMode=cv2.BORDER_REPLICATE)
    return _to_lightness(np.asarray(full, np.float32) + DARK_LIGHT)


def _to_lightness(light: Plane) -> Plane:
    return np.asarray(116 * np.cbrt(light) - 16, np.float32)


def _find_added(picture: Colour, empty: Colour) -> Plane | None:
    """The light mirrored in each block, relative to white paper; None if there is none, or if it cannot be told."""
    now, then = ((it / np.float32(255)) ** np.float32(2.2) for it in (picture, empty))
    # where least is added the general light shows its colour
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
