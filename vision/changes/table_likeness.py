"""Whether the table looks like the pieces on it: then one of them might lie there unnoticed."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area

Outline = Sequence[tuple[float, float]]

LEAST_NOTICED_SHARE = 0.5
"""If less of a piece than this would count as hidden, a part of it that sticks out from under a hand may not."""
LEAST_PIECES_SHARE = 0.25
"""Glare or a shadow makes single pieces look like the table; a table that looks like them does so more often."""


def count_overlooked(outlines: Iterable[Outline], unseen: Iterable[Area], size: tuple[float, float]) -> int:
    """How many pieces would be overlooked on a table of this ``size`` in mm.

    ``unseen`` are the areas that count as hidden while no piece is known.
    """
    noticed = np.zeros((round(size[1]), round(size[0])), np.uint8)
    for area in unseen:
        left, top = max(0, round(area.left)), max(0, round(area.top))
        noticed[top : max(0, round(area.bottom)), left : max(0, round(area.right))] = 1
    shares = [_measure_share(noticed, outline) for outline in outlines]
    overlooked = sum(share < LEAST_NOTICED_SHARE for share in shares)
    return overlooked if overlooked >= LEAST_PIECES_SHARE * len(shares) else 0


def _measure_share(noticed: NDArray[np.uint8], outline: Outline) -> float:
    """Of the part of an outline on the table; 1 if there is none."""
    own = np.zeros_like(noticed)
    cv2.fillPoly(own, [np.round(np.asarray(outline)).astype(np.int32)], 1)
    whole = cv2.countNonZero(own)
    return cv2.countNonZero(own & noticed) / whole if whole else 1.0
