"""Masks what a recording must not keep: all but zones and markers, or during camera set-up all but the table."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from hw.frame import Picture
from vision.calibration.calibration_from_markers import start_calibration
from vision.calibration.markers import Marker, find_markers
from vision.calibration.table_calibration import TableCalibration
from vision.frame import to_grey

ZONE_RIM_MM, MARKER_RIM_MM = 15.0, 60.0
"""Millimetres kept around a zone, and around a corner of the area."""
DOT_PX = 64
"""Side in pixels of the dots in which the rest of the picture is kept: enough to judge the light."""
Mask = NDArray[np.bool_]


def mask_zones(calibration: TableCalibration, zones: Iterable[Area], shape: tuple[int, ...]) -> Mask:
    """A mask of these zones and of the markers; without zones, of the whole area."""
    kept = np.zeros(shape[:2], np.uint8)
    around = [_grown(zone, ZONE_RIM_MM) for zone in (*zones,) or (calibration.area,)]
    around += [_grown(Area(x, y, x, y), MARKER_RIM_MM) for x, y in np.asarray(calibration.corners, float).tolist()]
    for area in around:
        ring = [(area.left, area.top), (area.right, area.top), (area.right, area.bottom), (area.left, area.bottom)]
        cv2.fillConvexPoly(kept, np.round(calibration.to_px(np.array(ring, float))).astype(np.int32), 1)
    return np.asarray(kept > 0)


def keep_masked(picture: Picture, kept: Mask, empty: Picture) -> Picture:
    """The picture with everything outside the mask taken from the empty table."""
    return np.where(kept[:, :, None], picture, empty)


def keep_table(picture: Picture) -> Picture:
    """The picture with only the table: without a game and an empty table the markers alone say where it is."""
    markers = find_markers(to_grey(picture))
    calibration, _ = start_calibration(markers, picture.shape[:2])
    return keep_masked(picture, _around(calibration, markers, picture.shape), _dotted(picture))


def _around(calibration: TableCalibration | None, markers: tuple[Marker, ...], shape: tuple[int, ...]) -> Mask:
    if calibration is not None:
        return mask_zones(calibration, (), shape)
    kept = np.zeros(shape[:2], np.bool_)
    for marker in markers:
        quad = np.asarray(marker.quad, float)
        side = np.ptp(quad, 0).max()
        left, top = np.maximum(quad.min(0) - side, 0).astype(int)
        right, bottom = (quad.max(0) + side).astype(int)
        kept[top:bottom, left:right] = True
    return kept


def _dotted(picture: Picture) -> Picture:
    high, wide = picture.shape[:2]
    dots = cv2.resize(picture, (-(-wide // DOT_PX), -(-high // DOT_PX)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(dots, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)


def _grown(area: Area, by: float) -> Area:
    return Area(area.left - by, area.top - by, area.right + by, area.bottom + by)
