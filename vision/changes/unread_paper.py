"""Paper beside the cards that were read: what differs from the empty table at one pixel for each mm."""

from collections.abc import Iterable

import cv2
import numpy as np

from engine.table import Area
from vision.changes.light_fit import log_of_levels, noise_of_levels
from vision.changes.card_edges import Points
from vision.changes.occlusion import cover_mask
from vision.changes.top_view import FINE_PER_CELL, Mask, Raster
from vision.frame import Grey

SURE_MM, CLAIMED_MM = 1.5, 3.0
"""Margin around a card in its place by its own edges, or where its sticker claims to be: its thickness, the blur of the
lens, a contact shadow; and besides a sticker out of place."""
SHIFT_MM = 0.4
"""By how much the table may have shifted in the picture."""
LEAST_SPREAD, NOISE_FACTOR, LEAST_LOG = 0.03, 4.0, 0.16
"""A pixel has changed if the logarithm of its light did so by more than this factor of its spread, at least by this."""
LEAST_MM2 = 60
"""A strip of 300 mm2 along the long side of a card is 3.4 mm wide: what is left of it beyond the margin has at least
twice this area."""
FILL_MM = 7
"""Paper as bright as the table shows only by its rim and its print: what is between these and a card belongs to it, up
to this width."""
TOUCH_MM = 4
"""What is this near to a card may be another card below it."""
BORDER_MM = 2
"""The rim of the area is not sampled well."""


def fill_polygons(polygons: Iterable[Points], shape: tuple[int, int]) -> Mask:
    """The pixels within polygons, in mm."""
    drawn = np.zeros(shape, np.uint8)
    for polygon in polygons:
        cv2.fillPoly(drawn, [np.round((np.asarray(polygon) - 0.5) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return np.asarray(drawn > 0)


def find_unread_paper(now: Grey, empty: Grey, level: Raster, cards: Mask, others: Mask) -> tuple[Area, ...]:
    """Where something lies at a card that was read and sticks out from under it.

    ``now`` and ``empty`` have one pixel for each mm, ``level`` is the logarithm of the light relative to that of the
    empty table; ``cards`` are the cards that were read, with a margin, and ``others`` whatever else is explained.
    """
    free = ~cards & ~others
    free[:BORDER_MM] = free[-BORDER_MM:] = free[:, :BORDER_MM] = free[:, -BORDER_MM:] = False
    changed = _find_changed(now, empty, level) & free
    covered = cards.astype(np.uint8)
    wide = np.ones((FILL_MM, FILL_MM), np.uint8)
    between = cv2.morphologyEx(changed.astype(np.uint8) | covered, cv2.MORPH_CLOSE, wide)
    between[cv2.morphologyEx(covered, cv2.MORPH_CLOSE, wide) > 0] = 0
    whole = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) | between
    whole[~free] = 0
    brush = np.ones((2, 2), np.uint8)
    whole = cv2.dilate(cv2.erode(whole, brush, anchor=(0, 0)), brush, anchor=(1, 1))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    side = 2 * TOUCH_MM + 1
    near = cv2.dilate(cards.astype(np.uint8), np.ones((side, side), np.uint8)) > 0
    touching = set(np.unique(np.asarray(labels)[near]).tolist())
    kept = np.array([part in touching and size >= LEAST_MM2 for part, size in enumerate(np.asarray(stats)[:, 4])])
    kept[0] = False
    wide, high = now.shape[1] // FINE_PER_CELL, now.shape[0] // FINE_PER_CELL
    found = (np.asarray(kept)[labels]).astype(np.float32)
    return cover_mask(np.asarray(cv2.resize(found, (wide, high), interpolation=cv2.INTER_AREA) > 0))


def _find_changed(now: Grey, empty: Grey, level: Raster) -> Mask:
    """The pixels that differ from those of the relit empty table."""
    then = log_of_levels(empty)
    ratio = log_of_levels(now) - then
    ratio -= cv2.resize(level, (now.shape[1], now.shape[0]), interpolation=cv2.INTER_LINEAR)
    slope = np.square(cv2.Sobel(then, -1, 1, 0, scale=0.125)) + np.square(cv2.Sobel(then, -1, 0, 1, scale=0.125))
    variance = np.square(noise_of_levels(empty)) + np.square(noise_of_levels(now)) + SHIFT_MM**2 * slope
    spread = np.sqrt(variance + LEAST_SPREAD**2)
    return np.asarray(np.abs(ratio) > np.maximum(NOISE_FACTOR * spread, LEAST_LOG))
