"""Whether the face of a tile is even: where fingers lie on it, it is not, and they may be as dark as a black tile."""

from collections.abc import Mapping

import cv2
import numpy as np

from engine.axial import Cell
from vision.changes.light_fit import log_of_levels
from vision.tiles.colour_masks import Colour, Mask
from vision.tiles.hex_grid import HexGrid, Spot, mask_hexagon, outline_hexagon
from vision.tiles.tile_rims import FACE_SHARE

BESIDE_SHARE = 1.5
"""A tile lies beside a doubtful place that reaches into an outline of this share of its width."""
LEAST_PART, MOST_PART = 0.1, 0.9
"""What is darker or lighter than these shares of a face does not count: dust, a scratch, the rim of a dot."""
NOISE_PX = 1.0
"""Standard deviation of the blur that takes the noise away: the logarithm of a black pixel varies much."""
UNEVEN_LOG = 1.0
"""A face is uneven if its lightness, as natural logarithm, varies by more: a shadow of the hand that lies on the
neighbours takes less light away, and skin beside the gap between two fingers differs by twice this much."""


def find_uneven(spots: Mapping[Cell, Spot], unclear: Mask, grid: HexGrid, picture: Colour) -> frozenset[Cell]:
    """The tiles beside what is unclear whose face is uneven, and such tiles beside these.

    What is unclear beside a tile may go on over it: a hand that is as dark and as colourless as black tiles hides the
    tiles below it, and hexagons fit in it. Far from all that is unclear an uneven face is a mirrored lamp or a sticker.
    """
    if not cv2.hasNonZero(unclear):
        return frozenset()
    hidden, left, uneven = unclear.copy(), dict(spots), set[Cell]()
    while beside := {cell: spot for cell, spot in left.items() if _reaches(hidden, spot, grid)}:
        left = {cell: spot for cell, spot in left.items() if cell not in beside}
        for cell, spot in beside.items():
            if _measure_range(picture, spot, grid) > UNEVEN_LOG:
                uneven.add(cell)
                cv2.fillPoly(hidden, [outline_hexagon(*spot, grid)], 1)
    return frozenset(uneven)


def _measure_range(picture: Colour, spot: Spot, grid: HexGrid) -> float:
    """By how much the lightness of a face varies, as natural logarithm."""
    cut, face = mask_hexagon(picture.shape, spot, grid, FACE_SHARE)
    if not cv2.hasNonZero(face):
        return 0.0
    level = cv2.GaussianBlur(log_of_levels(np.ascontiguousarray(picture[cut])), (0, 0), NOISE_PX).mean(2)
    least, most = np.quantile(level[face > 0], [LEAST_PART, MOST_PART])
    return float(most - least)


def _reaches(unclear: Mask, spot: Spot, grid: HexGrid) -> bool:
    cut, around = mask_hexagon(unclear.shape, spot, grid, BESIDE_SHARE)
    return bool(cv2.hasNonZero(unclear[cut] & around))
