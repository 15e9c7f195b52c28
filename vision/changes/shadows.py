"""Shadows: parts of the table in less light. Their soft rim and the texture below tell them from objects."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes.texture import MOST_EVIDENCE, WINDOW_CELLS, TextureShares
from vision.changes.top_view import Mask, Raster

PENUMBRA_MM = 8.0
"""The rim of a shadow is soft if the light changes over more than this. The outline of an object is 1 mm wide, or 3 if
it is out of focus well above the table; a lamp of 20 cm at a distance of 80 makes 8 mm below a hand 3 cm high."""
OUTLINE_MM = 6.5
"""The outline of an object in focus is narrower than this, with the filter of the measurement: 5 mm. The rim of the
shadow of a hand is as narrow near the fingertips, and at the wrist twice as wide."""
LEAST_STEP_LOG = 0.08
"""A smaller change of the light is no rim: natural logarithm, well above what noise leaves of a rim."""
RIM_REACH_CELLS = 2
"""The light on both sides of a rim is measured at this distance from it."""
SOFT_SHARE, WIDE_SHARE, OPEN_SHARE = 0.75, 0.55, 0.2
"""The rim of a shadow is soft where the bare table adjoins it, but for the two places where the outline of what casts
it ends: the first share at least is no outline, the second one is a penumbra. The object itself, with its shadow on one
side, has less. The bare table adjoins it along the third share of the rim at least."""
SOFT_RIM_EVIDENCE = 8.0
"""An object without an outline is as rare, as the logarithm of a likelihood ratio."""


@dataclass(frozen=True, slots=True, eq=False)
class LikeLight:
    """The cells that look like table in another light: darker or lighter by one factor in all colours. ``level`` is the
    logarithm of the factor; ``plain`` are cells in the light of the table."""

    cells: Mask
    plain: Mask
    level: Raster


def weigh_shadows(like: LikeLight, textures: TextureShares) -> Raster:
    """How much more likely than without a look at the whole part each cell is table in another light: the logarithm of
    a likelihood ratio.

    A part is judged as one: sharp steps of the light divide the parts. What adjoins a part across such a step is not
    asked, unless it is bare table: that may be the object that casts the shadow.
    """
    found = np.zeros(like.level.shape, np.float32)
    sharp = find_sharp_cells(like.level, textures.steepness)
    outline = find_sharp_cells(like.level, textures.steepness, OUTLINE_MM)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((like.cells & ~sharp).astype(np.uint8), connectivity=4)
    near_plain = _dilate(like.plain & ~sharp, 1)
    for part in range(1, count):
        left, top, wide, high = np.asarray(stats)[part, :4].tolist()
        place = slice(max(0, top - 2), top + high + 2), slice(max(0, left - 2), left + wide + 2)
        whole = np.asarray(labels)[place] == part
        rim = _dilate(whole, 1) & ~whole
        penumbra = rim & like.plain[place] & ~sharp[place]
        beside = penumbra | (rim & sharp[place] & near_plain[place])
        soft = (beside & ~outline[place]).sum()
        evidence = -_weigh_together(textures, place, whole)
        is_soft = soft >= SOFT_SHARE * beside.sum() and penumbra.sum() >= WIDE_SHARE * beside.sum()
        if is_soft and penumbra.sum() >= OPEN_SHARE * rim.sum():
            evidence += SOFT_RIM_EVIDENCE
        grown = whole | (rim & sharp[place] & near_plain[place] & like.cells[place])
        found[place][grown] = np.maximum(found[place][grown], min(max(evidence, 0.0), MOST_EVIDENCE))
    return found


def find_sharp_cells(level: Raster, steepness: Raster, width_mm: float = PENUMBRA_MM) -> Mask:
    """Cells in which the light changes by a good part of all its change there within less than this width."""
    near = np.ones((2 * RIM_REACH_CELLS + 1, 2 * RIM_REACH_CELLS + 1), np.uint8)
    step = cv2.dilate(level, near) - cv2.erode(level, near)
    return np.asarray((steepness > step / width_mm) & (step > LEAST_STEP_LOG), np.bool_)


def _weigh_together(textures: TextureShares, place: tuple[slice, slice], whole: Mask) -> float:
    """The evidence of the texture of all cells together that the table is hidden."""
    weights = 1 / np.square(textures.error[place][whole])
    total = float(weights.sum())
    if not total > 0:
        return 0.0
    kept = np.array([[(weights * textures.kept[place][whole]).sum() / total]], np.float32)
    # the windows of neighbours overlap
    error = np.array([[WINDOW_CELLS / total**0.5]], np.float32)
    return float(TextureShares(kept, error, kept).weigh()[0, 0])


def _dilate(mask: NDArray[np.bool_], cells: int) -> Mask:
    side = 2 * cells + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0)
