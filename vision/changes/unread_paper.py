"""Paper beside the cards that were read: what differs from the empty table at one pixel for each mm."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.changes.card_edges import Points
from vision.changes.cell_evidence import LOCAL_COLOUR_SHARE
from vision.changes.light_fit import log_of_levels, noise_of_levels
from vision.changes.occlusion import cover_mask, open_mask
from vision.changes.texture import compare_textures
from vision.changes.top_view import FINE_PER_CELL, Mask, Raster, enlarge_rows
from vision.frame import Grey

SHIFT_MM = 0.4
"""By how much the table may have shifted in the picture."""
LEAST_SPREAD, NOISE_FACTOR, LEAST_LOG = 0.03, 4.0, 0.16
"""A pixel has changed if the logarithm of its light did so by more than this factor of its spread, at least by this."""
LEAST_MM2 = 60
"""A strip of 300 mm2 along the long side of a card is 3.4 mm wide: what is left of it beyond the margin has at least
twice this area."""
SPECK_MM2 = 5
"""Pixels that have changed beside one another; fewer are noise of the sensor."""
FILL_MM = 7
"""Paper as bright as the table shows only by its rim and its print: what is between these and a card belongs to it, up
to this width."""
STRIP_MM = 2
"""What is narrower is blur, or a card that is not quite where it seems to be."""
SHADOW_SHARE, SHADOW_MM = 0.8, 6
"""What is darker than the table all over may be the shadow of a bent card, unless it is so wide besides the margin:
light that falls in at 20 degrees below a card bent up by 2.5 mm makes 7 mm."""
TINT_LOG = 0.3
"""But no shadow changes the colours of the table by this much, and by the share of its depth that its own light has:
the window that lights what a lamp does not reach, and the noise of dark tables."""
TOUCH_MM, REACH_MM = 4, 20
"""What begins within the first distance of a card may be another card below it, and is looked at up to the second
distance: a hand is seen as a whole elsewhere."""
AROUND_MM, AGREEING_LOGS, BRIGHTEST_LOG = 40.0, (0.6, 0.3, 0.15), 0.3
"""The light at a card is that of the table around it: the standard deviation of the distances that count, how far a
place may be from the others, step by step, as the natural logarithm of its light, and how much brighter than the fitted
light it may be."""
LEAST_TABLE_SHARE, TABLE_EVIDENCE = 0.5, -2.0
"""The light around a place is known if as much of it is table for sure: by its texture, as the logarithm of the
likelihood ratio that something hides it."""
LEAST_WEIGHT = 1e-6
"""A divisor at least, where no place nearby counts."""
BORDER_MM = 2
"""The rim of the area is not sampled well."""
STRIP_ROWS = 64
"""Rows that are compared at a time: a table has a million of these pixels, and memory is short."""


def fill_polygons(polygons: Iterable[Points], shape: tuple[int, int]) -> Mask:
    """The pixels within polygons, in mm."""
    drawn = np.zeros(shape, np.uint8)
    for polygon in polygons:
        cv2.fillPoly(drawn, [np.round((np.asarray(polygon) - 0.5) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return np.asarray(drawn > 0)


def find_unread_paper(
    now: Grey,
    empty: Grey,
    level: Raster,
    cards: Mask,
    others: Mask,
    colours: Iterable[Raster] = (),
    place: Mask | None = None,
) -> tuple[Area, ...]:
    """Where something lies at a card that was read and sticks out from under it.

    ``now`` and ``empty`` have one pixel for each mm, ``level`` is the logarithm of the light relative to that of the
    empty table; ``cards`` are the cards that were read, with a margin, and ``others`` whatever else is explained.
    ``colours`` are the logarithms of the ratios of now and the relit empty table, colour by colour, if it has colours.
    What lies there must do so in the ``place`` that is asked about, not only beside it.
    """
    free = ~cards & ~others
    free[:BORDER_MM] = free[-BORDER_MM:] = free[:, :BORDER_MM] = free[:, -BORDER_MM:] = False
    darker, brighter = (_drop_specks(change & free) for change in _find_changed(now, empty, level))
    if not darker.any() and not brighter.any():
        return ()
    # paper in a shadow differs from the table in the shadow and beside it
    local = level + _measure_local_light(now, empty, level, free)
    shaded = np.logical_or(*_find_changed(now, empty, local))
    darker, brighter = (_drop_specks(change & shaded) for change in (darker, brighter))
    filled = (_fill(darker | brighter, cards) & free).astype(np.uint8)
    whole = (open_mask(filled, STRIP_MM) > 0) & _grow(cards, REACH_MM)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole.astype(np.uint8))
    sizes = np.asarray(stats)[:, cv2.CC_STAT_AREA]
    near, inner = _grow(cards, TOUCH_MM), open_mask(whole.astype(np.uint8), SHADOW_MM) > 0
    touches, dark, light, cores = (
        np.bincount(np.asarray(labels)[whole & part], minlength=count) for part in (near, darker, brighter, inner)
    )
    if place is not None:
        sizes = np.bincount(np.asarray(labels)[whole & place], minlength=count)
    large = (touches > 0) & (sizes >= LEAST_MM2)
    large[0] = False
    kept = large & ((cores > 0) | (dark < SHADOW_SHARE * (dark + light)))
    shady = large & ~kept & (dark > 0)
    if shady.any():
        kept |= shady & _are_tinted(colours, np.asarray(labels), darker | brighter, count)
    shape = now.shape[1] // FINE_PER_CELL, now.shape[0] // FINE_PER_CELL
    found = cv2.resize(np.where(kept, 255, 0).astype(np.uint8)[labels], shape, interpolation=cv2.INTER_AREA)
    return cover_mask(np.asarray(found > 0))


def _find_changed(now: Grey, empty: Grey, level: Raster) -> tuple[Mask, Mask]:
    """The pixels that are darker and those that are brighter than those of the relit empty table."""
    darker, brighter = np.zeros(now.shape, np.bool_), np.zeros(now.shape, np.bool_)
    for top in range(0, now.shape[0], STRIP_ROWS):
        # one more row at each side, which the slopes need
        first, last = max(0, top - 1), min(now.shape[0], top + STRIP_ROWS + 1)
        then = log_of_levels(empty[first:last])
        ratio = log_of_levels(now[first:last]) - then - enlarge_rows(level, first, last)
        slope = np.square(cv2.Sobel(then, -1, 1, 0, scale=0.125)) + np.square(cv2.Sobel(then, -1, 0, 1, scale=0.125))
        noise = np.square(noise_of_levels(empty[first:last])) + np.square(noise_of_levels(now[first:last]))
        least = np.maximum(NOISE_FACTOR * np.sqrt(noise + SHIFT_MM**2 * slope + LEAST_SPREAD**2), LEAST_LOG)
        own, place = slice(top - first, top - first + STRIP_ROWS), slice(top, top + STRIP_ROWS)
        darker[place], brighter[place] = (ratio < -least)[own], (ratio > least)[own]
    return darker, brighter


def _measure_local_light(now: Grey, empty: Grey, level: Raster, free: Mask) -> Raster:
    """What the light of each cell differs by from its level, as the logarithm of a factor: that of the ``free`` cells
    around it in which the texture of the table is seen, in a shadow or where the level does not fit.
    """
    size = (level.shape[1], level.shape[0])
    small = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (now, empty))
    this, then = (log_of_levels(np.asarray(one, np.uint8)) for one in small)
    ratio = np.asarray(this - then - level, np.float32)
    whole = cv2.resize(free.astype(np.float32), size, interpolation=cv2.INTER_AREA) == 1
    bare = (whole & (compare_textures(now, empty).weigh() < TABLE_EVIDENCE)).astype(np.float32)
    known = _blur_around(bare) >= LEAST_TABLE_SHARE * _blur_around(whole.astype(np.float32))
    around = _blur_around(ratio * bare) / np.maximum(_blur_around(bare), LEAST_WEIGHT)
    for reach in AGREEING_LOGS:
        weight = bare * np.exp(-np.square((ratio - around) / reach) / 2)
        around = _blur_around(ratio * weight) / np.maximum(_blur_around(weight), LEAST_WEIGHT)
    return np.where(known, np.minimum(around, BRIGHTEST_LOG), np.float32(0)).astype(np.float32)


def _blur_around(values: Raster) -> Raster:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), AROUND_MM / FINE_PER_CELL), np.float32)


def _are_tinted(colours: Iterable[Raster], labels: NDArray[np.intp], changed: Mask, count: int) -> Mask:
    """Which parts have another colour than a shadow on the table."""
    some = np.nonzero(changed & (labels > 0))
    own = labels[some]
    sizes = np.maximum(np.bincount(own, minlength=count), 1)
    means = [np.bincount(own, one[some], count) / sizes for one in colours]
    if not means:
        return np.zeros(count, np.bool_)
    mean = np.stack(means)
    away = np.abs(mean - mean.mean(0)).max(0)
    return np.asarray(away > TINT_LOG + LOCAL_COLOUR_SHARE * np.abs(mean.mean(0)))


def _drop_specks(mask: Mask) -> Mask:
    found = np.zeros_like(mask)
    for top in range(0, len(mask), STRIP_ROWS):
        # within this margin each pixel of a larger part has enough others of it
        first, last = max(0, top - SPECK_MM2 + 1), top + STRIP_ROWS + SPECK_MM2 - 1
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask[first:last].astype(np.uint8))
        kept = np.asarray(stats)[:, cv2.CC_STAT_AREA] >= SPECK_MM2
        kept[0] = False
        found[top : top + STRIP_ROWS] = kept[labels][top - first : top - first + STRIP_ROWS]
    return found


def _fill(changed: Mask, cards: Mask) -> Mask:
    """The changed pixels, and what is between them and the cards."""
    return (_close(changed | cards, FILL_MM) & ~_close(cards, FILL_MM)) | _close(changed, 3)


def _close(mask: Mask, side: int) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)) > 0)


def _grow(mask: Mask, reach: int) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0)
