"""Changes of illumination: where a lamp switched on or off has changed a bare table, unlike an object with a rim."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Raster = NDArray[np.float32]
Mask = NDArray[np.bool_]

LIGHT_OFFSET = 4.0
"""Added to every brightness, in grey levels, so that ratios of near-black cells stay bounded."""
LAMP_LOG = 0.2
"""A smaller change of the light is not mistaken for an object; natural logarithm of the ratio."""
LAMP_CELLS = 400
"""A lamp lights at least this many cells; the rim of fewer is no evidence."""
FINE_CELLS, SOFT_CELLS, WIDE_CELLS = 2.0, 5.0, 10.0
"""Cells over which a rim is followed, a change counts as sharp, and the light is continued across objects in it."""
STEEP_LOG, EDGE_LOG = 0.02, 0.007
"""Limits of the change from cell to cell in the light of a lamp: of the light itself, and beyond its mean change within
a few cells. The rim of an object exceeds both, even if it is blurred or under reflected light."""
GENTLE_SHARE, OPEN_SHARE = 0.85, 0.4
"""Shares of a rim that must be gentle: of the part that can be judged, and of the whole."""
RIM_BRUSH = np.ones((7, 7), np.uint8)
"""Gaps of a rim narrower than this are closed."""
TOUCH_CELLS = 10
"""Cells of that rim that must be reached from within without crossing anything steep."""
VEILED_SHARE = 0.4
"""Where less than this share of the light comes from the table itself, an object may be invisible."""
SHARP_GAIN = 2.0
"""Factor on sharp changes in such light, so that a faint object is not taken for light."""


@dataclass(frozen=True, slots=True, eq=False)
class LampLight:
    """``where`` lamps shine; there, the ``change`` without their light and its ``sharp`` part, as logarithms at full
    contrast; the share of contrast that the light has ``kept``; and what a closed rim separates from the bare table, so
    that it is no light (``apart``)."""

    where: Mask
    apart: Mask
    change: Raster
    sharp: Raster
    kept: Raster


def find_lamp_light(now: Raster, was: Raster, bare: Mask) -> LampLight | None:
    """``was`` is the empty table in the general light of now. None if no lamp has changed, which is usual.

    Light is either reflected diffusely, and multiplies the brightness of the table, or mirrored and added to it, which
    weakens the grain of the table. What is smooth under one of these two models is light.
    """
    weight = bare.astype(np.float32)
    change = np.log((now + LIGHT_OFFSET) / (was + LIGHT_OFFSET))
    soft = smooth(change, weight, FINE_CELLS)
    if max(cv2.countNonZero(((way * soft > LAMP_LOG) & bare).astype(np.uint8)) for way in (1, -1)) < LAMP_CELLS:
        return None
    light, base = np.square(now + LIGHT_OFFSET), np.square(was + LIGHT_OFFSET)
    added = light - base
    times, plus = smooth(change, weight, SOFT_CELLS), smooth(added, weight, SOFT_CELLS)
    more, scale = smooth(added, weight, FINE_CELLS), 2 * smooth(light, weight, FINE_CELLS)
    steep = (measure_steepness(soft) > STEEP_LOG) & (measure_steepness(more) > STEEP_LOG * scale)
    steep |= (measure_steepness(soft - times) > EDGE_LOG) & (measure_steepness(more - plus) > EDGE_LOG * scale)
    rims = cv2.dilate(steep.astype(np.uint8), RIM_BRUSH) > 0
    _, parts = cv2.connectedComponents((bare & ~rims).astype(np.uint8), connectivity=4)
    inner, whole = _find_patches(soft, bare, np.asarray(parts))
    if not inner.any():
        return None
    within = np.asarray(whole & (parts > 0) & ~inner, np.uint8)
    apart = cv2.dilate(cv2.morphologyEx(within, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), RIM_BRUSH)
    own = (inner & (abs(soft) > LAMP_LOG)).astype(np.float32)
    veil = smooth(added, own, WIDE_CELLS)
    kept = np.asarray(base / (base + np.maximum(veil, 0)), np.float32)

    def left(times: Raster, plus: Raster) -> Raster:
        """What neither model explains."""
        one, other = change - times, np.log(light / np.maximum(base + plus, LIGHT_OFFSET * LIGHT_OFFSET)) / 2
        return np.asarray(np.where(abs(one) < abs(other), one, other) / kept, np.float32)

    return LampLight(
        whole, np.asarray(apart > 0), left(smooth(change, own, WIDE_CELLS), veil), SHARP_GAIN * left(times, plus), kept
    )


def _find_patches(soft: Raster, bare: Mask, parts: NDArray[np.int32]) -> tuple[Mask, Mask]:
    """The cells that no rim separates from where light ends gently, and all cells within the outlines of the light.

    ``parts`` numbers the connected cells between the rims; 0 is a rim, or not bare.
    """
    reached, whole = np.zeros(int(parts.max()) + 1, np.bool_), np.zeros_like(bare)
    beside = cv2.erode(bare.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    beside[[0, -1]] = beside[:, [0, -1]] = False
    for way in (1, -1):
        far = (way * soft > LAMP_LOG).astype(np.uint8)
        outlines, _ = cv2.findContours(far, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for line in outlines:
            if cv2.contourArea(line) < LAMP_CELLS:
                continue
            xs, ys = np.asarray(line)[:, 0].T
            told, gentle = beside[ys, xs], beside[ys, xs] & (parts[ys, xs] > 0)
            if gentle.sum() < max(GENTLE_SHARE * told.sum(), OPEN_SHARE * len(xs)):
                continue
            reached |= np.bincount(parts[ys[gentle], xs[gentle]], minlength=len(reached)) >= TOUCH_CELLS
            # an object across the rim bends it
            whole |= cv2.fillConvexPoly(np.zeros_like(far), cv2.convexHull(line), 1) > 0
    return whole & reached[parts], whole


def smooth(raster: Raster, weight: Raster, cells: float) -> Raster:
    """The mean around each cell, weighted."""
    share = cv2.GaussianBlur(weight, (0, 0), cells)
    return np.asarray(cv2.GaussianBlur(raster * weight, (0, 0), cells) / np.maximum(share, 1e-4), np.float32)


def measure_steepness(raster: Raster) -> Raster:
    """Magnitude of the gradient, per cell."""
    across, down = (cv2.Sobel(raster, -1, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)
