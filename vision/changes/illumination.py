"""Where a lamp, or one switched off, has changed a bare table softly: light is told from a thing by its rim."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Raster = NDArray[np.float32]
Mask = NDArray[np.bool_]

LIGHT_OFFSET = 4.0
"""Added to every brightness, lest ratios of near-black cells run wild."""
LAMP_LOG = 0.2
"""Light that differs by less, a factor e to this, is nothing that anybody takes for a thing."""
LAMP_CELLS = 400
"""Cells that a lamp lights at least; on less, a rim tells nothing."""
FINE_CELLS, SOFT_CELLS, WIDE_CELLS = 2.0, 5.0, 10.0
"""Cells over which a rim is followed, a change counts as sharp, and the light is continued across what lies in it."""
STEEP_LOG, EDGE_LOG = 0.02, 0.007
"""From cell to cell the light of a lamp changes by less, and by less more than within a few cells around; at the rim of
a thing it changes by more, even at a blurred one and under a veil of light."""
GENTLE_SHARE, OPEN_SHARE = 0.85, 0.4
"""So much of a rim must be gentle, of what can be told of it, and of all of it."""
RIM_BRUSH = np.ones((7, 7), np.uint8)
"""A rim may have gaps less wide than this."""
TOUCH_CELLS = 10
"""So many cells of that rim must be reached from within, not across anything steep."""
VEILED_SHARE = 0.4
"""Where less of the light than this comes from the table itself, what lies there may not show any more."""
SHARP_GAIN = 2.0
"""In such light what is sharp counts for so much more, lest a faint thing pass for light."""


@dataclass(frozen=True, slots=True, eq=False)
class LampLight:
    """``where`` lamps shine; there, what is left of the ``change`` once their light is taken out, and what of it is
    ``sharp``, as logarithms and as it would be if the light took no contrast; how much of that is ``kept``; and what
    a rim all around parts from the bare table, so that it is no light (``apart``)."""

    where: Mask
    apart: Mask
    change: Raster
    sharp: Raster
    kept: Raster


def find_lamp_light(now: Raster, was: Raster, bare: Mask) -> LampLight | None:
    """``was`` is the empty table in the light there is otherwise. None if nothing is lit, as is usual.

    Light is either thrown back by the table, times what it was, or mirrored and added to it, and then the table's
    grain grows faint. Whatever is smooth in one of the two readings is light.
    """
    weight = bare.astype(np.float32)
    change = np.log((now + LIGHT_OFFSET) / (was + LIGHT_OFFSET))
    soft = _even(change, weight, FINE_CELLS)
    if max(cv2.countNonZero(((way * soft > LAMP_LOG) & bare).astype(np.uint8)) for way in (1, -1)) < LAMP_CELLS:
        return None
    light, base = np.square(now + LIGHT_OFFSET), np.square(was + LIGHT_OFFSET)
    added = light - base
    times, plus = _even(change, weight, SOFT_CELLS), _even(added, weight, SOFT_CELLS)
    more, scale = _even(added, weight, FINE_CELLS), 2 * _even(light, weight, FINE_CELLS)
    steep = (_steepness(soft) > STEEP_LOG) & (_steepness(more) > STEEP_LOG * scale)
    steep |= (_steepness(soft - times) > EDGE_LOG) & (_steepness(more - plus) > EDGE_LOG * scale)
    rims = cv2.dilate(steep.astype(np.uint8), RIM_BRUSH) > 0
    _, parts = cv2.connectedComponents((bare & ~rims).astype(np.uint8), connectivity=4)
    inner, whole = _patches(soft, bare, np.asarray(parts))
    if not inner.any():
        return None
    within = np.asarray(whole & (parts > 0) & ~inner, np.uint8)
    apart = cv2.dilate(cv2.morphologyEx(within, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), RIM_BRUSH)
    own = (inner & (abs(soft) > LAMP_LOG)).astype(np.float32)
    veil = _even(added, own, WIDE_CELLS)
    kept = np.asarray(base / (base + np.maximum(veil, 0)), np.float32)

    def left(times: Raster, plus: Raster) -> Raster:
        """What neither reading explains."""
        one, other = change - times, np.log(light / np.maximum(base + plus, LIGHT_OFFSET * LIGHT_OFFSET)) / 2
        return np.asarray(np.where(abs(one) < abs(other), one, other) / kept, np.float32)

    return LampLight(
        whole, np.asarray(apart > 0), left(_even(change, own, WIDE_CELLS), veil), SHARP_GAIN * left(times, plus), kept
    )


def _patches(soft: Raster, bare: Mask, parts: NDArray[np.int32]) -> tuple[Mask, Mask]:
    """The cells that no rim parts from where light ends gently, and all within the outlines of what is lit.

    ``parts`` are the cells between the rims, numbered; 0 is a rim, or not bare.
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
            # what lies across the rim bends it
            whole |= cv2.fillConvexPoly(np.zeros_like(far), cv2.convexHull(line), 1) > 0
    return whole & reached[parts], whole


def _even(raster: Raster, weight: Raster, cells: float) -> Raster:
    """The mean around each cell, of those that have weight."""
    share = cv2.GaussianBlur(weight, (0, 0), cells)
    return np.asarray(cv2.GaussianBlur(raster * weight, (0, 0), cells) / np.maximum(share, 1e-4), np.float32)


def _steepness(raster: Raster) -> Raster:
    """By how much it changes from cell to cell."""
    across, down = (cv2.Sobel(raster, -1, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)
