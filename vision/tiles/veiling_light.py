"""Light added over the table by a lamp that is mirrored in it or in the lens: a smooth, colourless veil."""

import cv2
import numpy as np
from numpy.typing import NDArray

Linear = NDArray[np.float32]
"""Linear light, 0 to 1, of cells: rows by columns by three, or one value for each cell."""
Mask = NDArray[np.bool_]

LEAST_VEIL, LEAST_SHARE = 0.02, 0.03
"""The least added light, in linear light, and the least share of the cells that has it: less does not change how tiles
look."""
OWN_LIGHT, OWN_SHARE = 0.015, 0.12
"""How far a bare cell may be from the relit empty table with its veil, in linear light, plus this share of its light:
grain, and what the smooth gain does not follow."""
WIDE_BLUR, NEAR_BLUR = 8.0, 2.5
"""The veil is averaged over cells with these standard deviations: at first over the width of a patch, then finer."""
VEIL_SHARES = (0.8, 0.3, 0.1)
"""In each step only cells count that agree with the average before, up to this share of the veil: an average rounds off
the rim of a patch, a wide one much."""
FAR_WEIGHT = 0.01
"""The weight of the wide average: it decides only where hardly any cell nearby is bare."""
FADED_SHARE, LEAST_FADED = 0.15, 25
"""A veil fades out without an edge: in its patch at least the second number of cells are below the first share of
its greatest value."""


def fit_veil(now: Linear, lit: Linear) -> Linear | None:
    """The light added to each cell, given the relit empty table, or None if hardly any is added.

    Objects on the table are outliers. A patch with an edge all around it is an object too: a sheet of paper.
    """
    added = now - lit
    grey = np.asarray(added.mean(2), np.float32)
    tolerance = OWN_LIGHT + OWN_SHARE * lit.mean(2)
    colour = np.abs(added - grey[..., None]).max(2)
    if np.count_nonzero((grey > LEAST_VEIL + tolerance) & (colour < tolerance)) < LEAST_SHARE * grey.size:
        return None
    colourless = _weigh(colour, tolerance)
    veil = _average(grey, colourless, WIDE_BLUR)
    for share in VEIL_SHARES:
        reach = np.asarray(tolerance + share * np.maximum(veil, 0), np.float32)
        veil = _average(grey, colourless * _weigh(grey - veil, reach), NEAR_BLUR)
    tolerance = np.asarray(tolerance + VEIL_SHARES[-1] * np.maximum(veil, 0), np.float32)
    explained = (colour < 2 * tolerance) & (np.abs(grey - veil) < 2 * tolerance)
    kept = _keep_faded(veil, np.asarray(explained, np.bool_))
    veil = np.maximum(_average(grey, kept.astype(np.float32), NEAR_BLUR), 0)
    return veil if np.count_nonzero(veil > LEAST_VEIL) > LEAST_SHARE * grey.size else None


def _weigh(off: Linear, tolerance: Linear) -> Linear:
    """How much a cell counts: little from twice the tolerance on."""
    return np.asarray(1 / (1 + np.square(off / tolerance)) ** 2, np.float32)


def _average(values: Linear, weights: Linear, blur: float) -> Linear:
    """The weighted mean around each cell."""

    def spread(plane: Linear, width: float) -> Linear:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), width, borderType=cv2.BORDER_REPLICATE), np.float32)

    wide = spread(values * weights, WIDE_BLUR) / np.maximum(spread(weights, WIDE_BLUR), np.float32(1e-6))
    near, total = spread(values * weights, blur), spread(weights, blur)
    return np.asarray((near + FAR_WEIGHT * wide) / (total + FAR_WEIGHT), np.float32)


def _keep_faded(veil: Linear, explained: Mask) -> Mask:
    """The explained cells of the patches that fade out, and of the bare table around them."""
    thick = cv2.erode(explained.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, patches = cv2.connectedComponents(thick, connectivity=4)
    faded = veil < FADED_SHARE * max(float(veil.max()), LEAST_VEIL)
    cells = np.bincount(patches[faded], minlength=count)
    cells[0] = 0
    return np.asarray((cells >= LEAST_FADED)[patches], np.bool_)
