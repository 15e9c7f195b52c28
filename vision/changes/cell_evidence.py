"""How likely it is that a cell of the table is hidden: its colours against those of the relit empty table."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.changes.light_fit import (
    DARK_LINEAR,
    NOISE_LEVELS,
    LightFit,
    fit_log_light,
    log_of_levels,
    noise_of_levels,
)
from vision.changes.top_view import EmptyView, Levels, Mask, Raster, TopView

Planes = NDArray[np.float32]
"""Channels by rows by columns."""

SHIFT_PX = 0.3
"""By how much the small picture may have shifted against that of the empty table, in its pixels."""
LEAST_SPREAD = 0.02
"""What relighting leaves even where it fits best: natural logarithm, per colour."""
LOCAL_LIGHT_SPREAD = 0.08
"""Local light that the fit does not follow, the same in all colours: a soft shadow, or the reflection of a sleeve."""
OBJECT_COLOUR_SPREAD, OBJECT_LIGHT_SPREAD = 0.3, 0.8
"""Spread of the colour and of the brightness of objects around those of the table, natural logarithm."""
DARKEST_LOG, BRIGHTEST_LOG = math.log(0.12), math.log(3.0)
"""A shadow leaves at least the first share of the light, and a lamp or the sun gives at most the second one."""
LOCAL_COLOUR_SHARE = 0.12
"""The colours of a shadow differ by this share of its depth: the light that is left has another colour."""
LOCAL_LIGHT_PRIOR, OBJECT_PRIOR = -5.0, -1.0
"""Without further evidence: how much rarer than bare table in its light are a bare cell in another light and an object,
as logarithms. Light is the rarer of the two: without texture that shows through, what is dark counts as an object."""
SOME_CELLS = 5
"""Every fifth row and column are enough for a median."""
LEAST_SHOWN = 0.05
"""The share of a channel that is black: none is lost for good, and no ratio grows without bounds."""
BURNT_LEVEL = 251
"""At the limit of the sensor everything looks alike."""
BURNT_COLOURS = 2
"""With two colours at that limit the third one does not tell an object from light."""
MOST_EVIDENCE = 8.0
"""One cell is no more certain than this, as the logarithm of a likelihood ratio."""


@dataclass(frozen=True, slots=True, eq=False)
class TableChange:
    """``rest`` is the logarithm of the ratio of now and the relit empty table, ``variance`` what is to be expected of
    it on bare table; ``level`` is the change of the light itself, the mean of the colours."""

    rest: Planes
    variance: Planes
    level: Raster
    light: LightFit
    both: Mask
    """Cells within both pictures."""
    levels: Levels
    """Of the view of now."""

    def measure_shown(self) -> Planes:
        """The share of the relit table in its light and ``DARK_LINEAR`` together: near black a change shows less."""
        relit = _split(log_of_levels(self.levels)) - self.rest
        return np.asarray(np.maximum(1 - DARK_LINEAR * np.exp(-relit), LEAST_SHOWN), np.float32)


def is_burnt(view: TopView) -> Mask:
    """Cells in which the limit of the sensor leaves too few colours."""
    whole = cv2.threshold(view.levels, BURNT_LEVEL - 1, 1, cv2.THRESH_BINARY)[1]
    if view.colours == 1:
        return np.asarray(whole, np.bool_).reshape(view.shape)
    return np.asarray(cv2.transform(whole, np.ones((1, view.colours), np.float32)) >= BURNT_COLOURS, np.bool_)


def measure_change(
    now: TopView, empty: EmptyView, explained: Mask | None = None, before: LightFit | None = None
) -> TableChange:
    """Compare two views, of which one is made grey if the other is.

    The light is fitted to cells that are not ``explained`` by pieces, starting from that of the frame ``before``.
    """
    empty = empty.resize(now.shape)
    if now.colours != empty.view.colours:
        now = now if now.colours == 1 else now.to_grey()
        empty = empty if empty.view.colours == 1 else empty.to_grey()
    both = np.asarray(now.inside & empty.view.inside)
    then = log_of_levels(empty.view.levels)
    ratio = log_of_levels(now.levels) - then
    area = Area(0.0, 0.0, float(now.shape[1]), float(now.shape[0]))
    light = fit_log_light(
        ratio, then, both if explained is None else both & ~explained, area, before, picture_rows=now.rows
    )
    gain = light.log_gain(area, now.shape)
    if light.bands is not None and now.rows is not None:
        gain += light.bands.log_gain(now.rows)
    ratio -= gain
    if light.mixing is not None:
        ratio -= light.mix(then)
    variance = np.square(empty.slopes)
    variance *= (SHIFT_PX / NOISE_LEVELS) ** 2
    variance += 1
    variance *= np.square(noise_of_levels(empty.view.levels))
    variance += np.square(noise_of_levels(now.levels))
    level = cv2.transform(gain, np.full((1, now.colours), 1 / now.colours, np.float32))
    planes = _split(variance)
    for plane, spread in zip(planes, light.spread, strict=True):
        usual = float(np.median(plane[::SOME_CELLS, ::SOME_CELLS]))
        plane += max(LEAST_SPREAD**2, spread**2 - usual)
    return TableChange(_split(ratio), planes, np.asarray(level, np.float32).reshape(now.shape), light, both, now.levels)


def _split(raster: Raster) -> Planes:
    return np.stack([raster[..., colour] for colour in range(raster.shape[2])])


def measure_unlikeness(change: TableChange, local: float = LOCAL_LIGHT_SPREAD) -> Raster:
    """The logarithm of the likelihood ratio that a cell is not bare table in its light, which may differ by ``local``
    from the fitted one."""
    spread = OBJECT_LIGHT_SPREAD
    away = _log_density(change.rest, np.full((len(change.rest), 1, 1), OBJECT_COLOUR_SPREAD**2, np.float32), spread)
    return np.asarray(away - _log_density(change.rest, change.variance, local), np.float32)


def measure_local_light(change: TableChange) -> Raster:
    """The logarithm of the likelihood ratio that a cell shows the bare table in another light, against the light of the
    whole table: darker or lighter by about one factor in all colours.
    """
    bare = _log_density(change.rest, change.variance, LOCAL_LIGHT_SPREAD)
    rough = np.clip(change.rest.mean(0), DARKEST_LOG, BRIGHTEST_LOG)
    variance = change.variance + np.square(LOCAL_COLOUR_SHARE * rough)
    weights = 1 / variance
    shown = change.measure_shown()
    whole = (weights * np.square(shown)).sum(0)
    darkest, brightest = DARKEST_LOG - 1, BRIGHTEST_LOG + 1
    depth = np.clip((weights * shown * change.rest).sum(0) / whole, darkest, brightest)
    # shares of the light add up, not their logarithms: one step of Newton's method finds the depth that fits
    near = shown * np.expm1(depth)
    slope = (near + shown) / (1 + near)
    depth += (weights * slope * (change.rest - np.log1p(near))).sum(0) / (weights * np.square(slope)).sum(0)
    depth = np.clip(depth, darkest, brightest)
    miss = (weights * np.square(change.rest - np.log1p(shown * np.expm1(depth)))).sum(0)
    width = math.log(BRIGHTEST_LOG - DARKEST_LOG)
    density = (math.log(2 * math.pi) - miss - np.log(variance).sum(0) - np.log(whole)) / 2 - width
    beyond = np.maximum(depth - BRIGHTEST_LOG, 0) + np.maximum(DARKEST_LOG - depth, 0)
    return np.asarray(density - np.square(beyond / LOCAL_LIGHT_SPREAD) / 2 - bare, np.float32)


def _log_density(rest: Planes, variance: Planes, common: float) -> Raster:
    """Of a normal distribution with a variance for each colour and a spread that they have in common."""
    weights = 1 / variance
    shared = 1 + common**2 * weights.sum(0)
    weighed = rest * weights
    square = (rest * weighed).sum(0) - common**2 * np.square(weighed.sum(0)) / shared
    return np.asarray(-(square + np.log(variance.prod(0) * shared)) / 2, np.float32)


def vote(evidence: Raster, rounds: int, weight: float) -> Mask:
    """Cells that are hidden, given the evidence of each and the votes of its eight neighbours."""
    hidden = evidence > 0
    for _ in range(rounds):
        share = cv2.blur(hidden.astype(np.float32), (3, 3), borderType=cv2.BORDER_REPLICATE) * 9 - hidden
        hidden = evidence + weight * (2 * share - 8) > 0
    return np.asarray(hidden, np.bool_)
