"""What of a picture may be kept: the zones of the game and the markers; the empty table stands for all the rest."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from hw.frame import Picture
from vision.mat import Mat

RIM, MARKER = 15.0, 60.0
"""Millimetres kept around a zone, and around a corner of the area."""
Mask = NDArray[np.bool_]


def mask(mat: Mat, zones: Iterable[Area], shape: tuple[int, ...]) -> Mask:
    """The pixels of these zones and of the markers; without zones, of the whole area."""
    kept = np.zeros(shape[:2], np.uint8)
    around = [_grown(zone, RIM) for zone in (*zones,) or (mat.area,)]
    around += [_grown(Area(x, y, x, y), MARKER) for x, y in np.asarray(mat.corners, float).tolist()]
    for area in around:
        ring = [(area.left, area.top), (area.right, area.top), (area.right, area.bottom), (area.left, area.bottom)]
        cv2.fillConvexPoly(kept, np.round(mat.to_px(np.array(ring, float))).astype(np.int32), 1)
    return np.asarray(kept > 0)


def without_others(picture: Picture, kept: Mask, empty: Picture) -> Picture:
    """Everything else as it was when the table was empty."""
    return np.where(kept[:, :, None], picture, empty)


def _grown(area: Area, by: float) -> Area:
    return Area(area.left - by, area.top - by, area.right + by, area.bottom + by)
