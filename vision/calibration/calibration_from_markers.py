"""The calibration from the markers in a picture: measured at first, followed when the camera is bumped, with notes."""

import numpy as np

from vision.calibration.markers import CORNERS, Marker, find_duplicates, find_markers, find_markers_near, is_clockwise
from vision.calibration.table_calibration import (
    STILL_MARKER_MM,
    TableCalibration,
    calibrate,
    measure_shift,
    recalibrate,
)
from vision.frame import Grey
from vision.live.picture_notes import Note
from vision.sticker_and_marker_sizes import MARKER_MM, STICKER_MM
from vision.tags.candidates import Box

BLURRED_MODULES = 0.8
"""A blur of this many modules is worth a note: the matcher can still read it, but little more."""


def update_calibration(
    grey: Grey,
    known: TableCalibration | None = None,
    changed: list[Box] | None = None,
    *,
    marker_mm: float | None = MARKER_MM,
    sticker_mm: float | None = None,
) -> tuple[TableCalibration | None, list[Note]]:
    """The calibration of a picture, and notes about it.

    ``known`` is the last calibration, ``changed`` are the boxes in which the picture has changed since.
    """
    if known is not None and (known.guessed or not known.has_shape(grey.shape)):
        known = None
    if known is not None:
        if changed is not None and not _touches_markers(known, changed):
            return known, []
        places = [known.to_px(np.asarray(quad)) for quad in known.markers.values()]
        if measure_shift(known, near := find_markers_near(grey, places)) <= STILL_MARKER_MM and len(near) > 2:
            return known, []
    markers = find_markers(grey)
    if known is not None and not find_duplicates(markers):
        return _follow(known, markers, grey)
    return start_calibration(markers, (grey.shape[0], grey.shape[1]), marker_mm=marker_mm, sticker_mm=sticker_mm)


def start_calibration(
    markers: tuple[Marker, ...],
    shape: tuple[int, int],
    *,
    marker_mm: float | None = MARKER_MM,
    sticker_mm: float | None = None,
) -> tuple[TableCalibration | None, list[Note]]:
    """The first calibration of a picture of this shape (height, width) from its markers, and notes about it."""
    twice = find_duplicates(markers)
    if twice:
        text = f"two markers say {' and '.join(twice)}: take one away"
        return None, [Note("marker-twice", text)]
    missing = [name for name in CORNERS if name not in {marker.corner for marker in markers}]
    if len(missing) > 1:
        what = "no corner markers" if len(missing) == 4 else f"no marker at {' '.join(missing)}"
        return None, [Note("no-calibration", f"{what}: tags are read, but their places on the table are unknown")]
    if not is_clockwise(markers):
        return None, [Note("marker-order", "the corner markers are swapped: clockwise they are TL, TR, BR, BL")]
    calibration = calibrate(markers, shape, marker_mm or MARKER_MM)
    notes = []
    if missing:
        notes.append(Note("marker-hidden", f"no marker at {missing[0]}: that corner is guessed"))
    if marker_mm is None:
        text = f"marker size unknown: millimetres hold if the black squares are {MARKER_MM:g} mm wide"
        notes.append(Note("marker-size", text))
    blur = max(marker.blur for marker in markers)
    if blur > BLURRED_MODULES * calibration.px_module(sticker_mm or STICKER_MM)[0]:
        notes.append(Note("blurred", f"the picture is blurred by {blur:.1f} px: set the focus"))
    return calibration, notes


def _follow(
    known: TableCalibration, markers: tuple[Marker, ...], grey: Grey
) -> tuple[TableCalibration | None, list[Note]]:
    shift = measure_shift(known, markers)
    if markers and shift <= STILL_MARKER_MM:
        return known, []
    if len(markers) == 4 and is_clockwise(markers):
        fresh = calibrate(markers, (grey.shape[0], grey.shape[1]), known.marker_mm)
        return fresh, [Note("bumped", f"camera or table moved by {shift:.0f} mm: measured again")]
    if len(markers) == 3:
        return recalibrate(known, markers), [Note("bumped", f"camera or table moved by {shift:.0f} mm: measured again")]
    text = "camera or table moved, and fewer than three markers are in sight"
    return None, [Note("lost-calibration", text)]


def _touches_markers(calibration: TableCalibration, changed: list[Box]) -> bool:
    for quad in calibration.markers.values():
        px = calibration.to_px(np.asarray(quad))
        (left, top), (right, bottom) = px.min(0), px.max(0)
        if any(a < right and left < c and b < bottom and top < d for a, b, c, d in changed):
            return True
    return False
