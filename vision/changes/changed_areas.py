"""The areas worth reading: where something changed since the last frame, or since the table was empty."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.table_calibration import TableCalibration
from vision.changes.top_view import CELL_MM, Mask
from vision.frame import Grey
from vision.tags.candidates import Box, box_parts

CHANGED_LEVELS = 8.0
"""Grey levels by which a shrunken picture changes where something moved."""
SWAYED_PX, SWAYED_SHARE = 5, 0.1
"""After a sway a difference is averaged over a square of this side, and this share of the contrast around it is taken
off: fine print differs in spots."""
GAIN_STEP = 8
"""Every eighth row and column are enough for a median."""
LIGHT_DRIFT_FACTOR = 1.1
"""Drift of the light after which everything is read once more."""
JUMP_SHARE = 0.2
"""Where more of the picture than this seems to move, it may be the exposure alone."""
SOME_PX, MOST_STEPS, LEAST_IN_STEP = 4, 48, 20
"""A curve of levels uses one row and column of the first number, in at most as many steps as the second, each of at
least the third number of pixels."""
RIM_MM, NARROW_MM, CARD_MM = 8.0, 40.0, 65.0
"""A box grows by a rim around something new; where less than the second width shows, by the rest of a card."""


def find_changes(small: Grey, before: Grey, shape: tuple[int, int]) -> list[Box]:
    """Boxes, in full pixels, where a shrunken picture differs from the one before; a change of light does not count."""
    if small.shape != before.shape:
        return [(0, 0, shape[1], shape[0])]
    moved = _find_moved(small, cv2.convertScaleAbs(before, alpha=measure_gain(small, before)))
    if cv2.countNonZero(moved) > JUMP_SHARE * moved.size:
        # a jump of the exposure is no one factor where the sensor is at its limit
        moved = min(moved, _find_moved(small, cv2.LUT(before, _match_levels(small, before))), key=cv2.countNonZero)
    return _box_moved(moved, shape)


def find_changes_beyond_sway(small: Grey, before: Grey, shape: tuple[int, int], gain: float = 1.0) -> list[Box]:
    """The same for a picture of the same size from a swaying camera, after its sway was undone.

    Only what is darker or brighter than all neighbours of its place before counts: a picture of few pixels does not
    tell where between two of them an edge is, so that after half a pixel of sway every edge looks different, and the
    finest print stronger or weaker.
    """
    known = cv2.convertScaleAbs(before, alpha=gain)
    near = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(known, near), cv2.dilate(known, near)
    beyond = cv2.max(cv2.subtract(small, high), cv2.subtract(low, small))
    beyond = cv2.subtract(beyond, cv2.convertScaleAbs(cv2.subtract(high, low), alpha=SWAYED_SHARE))
    return _box_moved(_mark_gaps(cv2.blur(np.asarray(beyond, np.uint8), (SWAYED_PX, SWAYED_PX))), shape)


def _find_moved(small: Grey, before: NDArray[np.generic]) -> Grey:
    return _mark_gaps(cv2.blur(cv2.absdiff(small, np.asarray(before, np.uint8)), (3, 3)))


def _mark_gaps(differences: NDArray[np.generic]) -> Grey:
    gaps = cv2.threshold(np.asarray(differences, np.uint8), CHANGED_LEVELS, 1, cv2.THRESH_BINARY)[1]
    if cv2.countNonZero(gaps):  # most frames show none
        gaps = cv2.dilate(gaps, np.ones((5, 5), np.uint8))
    return np.asarray(gaps, np.uint8)


def _box_moved(moved: Grey, shape: tuple[int, int]) -> list[Box]:
    return box_parts(moved, shape[1] / moved.shape[1], shape) if cv2.countNonZero(moved) else []


def _match_levels(small: Grey, before: Grey) -> NDArray[np.uint8]:
    """The level of now for each level of before: the median over the picture, so that what moved does not count."""
    then, now = before[::SOME_PX, ::SOME_PX].ravel(), small[::SOME_PX, ::SOME_PX].ravel()
    some = np.argsort(then, kind="stable")
    parts = np.array_split(some, max(1, min(MOST_STEPS, len(some) // LEAST_IN_STEP)))
    levels, medians = ([float(np.median(side[part])) for part in parts] for side in (then, now))
    return np.round(np.interp(np.arange(256), levels, np.maximum.accumulate(medians))).astype(np.uint8)


def is_same_light(small: Grey, before: Grey) -> bool:
    """Is the light about as it was? Even where nothing moves it may have become too dark to read."""
    return 1 / LIGHT_DRIFT_FACTOR < measure_gain(small, before) < LIGHT_DRIFT_FACTOR


def measure_usual_gain(small: Grey, before: Grey) -> float:
    """The gain of the light in most places: an arm over a part of the table does not change it."""
    some = slice(None, None, GAIN_STEP)
    return float(np.median((small[some, some] + 1.0) / (before[some, some] + 1.0)))


def measure_gain(small: Grey, before: Grey) -> float:
    return (cv2.mean(small)[0] + 1) / (cv2.mean(before)[0] + 1)


def select_overlapping(boxes: list[Box], others: list[Box]) -> list[Box]:
    """The boxes that overlap one of the others."""
    return [
        (a, b, c, d)
        for a, b, c, d in boxes
        if any(left < c and a < right and top < d and b < bottom for left, top, right, bottom in others)
    ]


def box_mask_parts(mask: Mask, calibration: TableCalibration, shape: tuple[int, int]) -> list[Box]:
    """Boxes, in full pixels, around the parts of a mask of table cells, each large enough for a whole card."""
    spots = mask.astype(np.uint8)
    x, y, columns, rows = cv2.boundingRect(spots)
    if not columns:
        return []
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.ascontiguousarray(spots[y : y + rows, x : x + columns]))
    left, top, wide, high = (np.asarray(stats)[1:, :4] + (x, y, 0, 0)).T * CELL_MM
    # of a card under others only a strip may show, far from its tag
    narrow = np.minimum(wide, high)
    more = np.where(narrow > NARROW_MM, RIM_MM, CARD_MM - narrow)
    x0, x1, y0, y1 = left - more, left + wide + more, top - more, top + high + more
    ring = np.stack([np.stack([x0, y0], 1), np.stack([x1, y0], 1), np.stack([x1, y1], 1), np.stack([x0, y1], 1)], 1)
    px = calibration.to_px(ring.reshape(-1, 2)).reshape(-1, 4, 2)
    lows = np.maximum(np.floor(px.min(1)), 0).astype(int).tolist()
    highs = np.minimum(np.ceil(px.max(1)), (shape[1], shape[0])).astype(int).tolist()
    return [(a, b, c, d) for (a, b), (c, d) in zip(lows, highs, strict=True) if a < c and b < d]


def grow_box(box: Box, wide: float, shape: tuple[int, int]) -> Box:
    left, top, right, bottom = box
    more = round(wide)
    return max(0, left - more), max(0, top - more), min(shape[1], right + more), min(shape[0], bottom + more)


def join_boxes(boxes: list[Box], shape: tuple[int, int]) -> list[Box]:
    """Join boxes that overlap, so that no place is read twice."""
    mask = np.zeros((shape[0] // 16 + 1, shape[1] // 16 + 1), np.uint8)
    for left, top, right, bottom in boxes:
        mask[top // 16 : bottom // 16 + 1, left // 16 : right // 16 + 1] = 1
    return box_parts(mask, 16, shape)


def join_if_smaller(boxes: list[Box], shape: tuple[int, int]) -> list[Box]:
    """Join boxes where they overlap, unless they cover fewer pixels as they are."""
    together = join_boxes(boxes, shape)
    return min(boxes, together, key=lambda some: sum((c - a) * (d - b) for a, b, c, d in some))
