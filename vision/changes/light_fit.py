"""The light on a table relative to the empty table: a smooth gain for each colour, fitted where the table is bare."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.changes.light_bands import LightBands, count_bands, fit_waves, sample_waves

Linear = NDArray[np.float32]
"""Blue, green and red in linear light, 0 to 1, rows by columns by three; or one channel, the brightness."""
Mask = NDArray[np.bool_]
Weights = NDArray[np.float64]

DARK_LINEAR = 0.003
"""Added to linear light before a ratio is taken, so that the noise of near-black cells stays bounded."""
NOISE_LEVELS = 1.0
"""Spread of one cell in one picture, in grey levels: the sensor's noise that its mean still has, and rounding."""
KNOTS_DOWN, KNOTS_ACROSS = 6, 7
"""Control points of the gain: enough for a window at one side and a lamp at the other, too few to follow a card."""
SAMPLES = 1500
"""Cells that are compared: more give the same gain."""
LEAST_SAMPLES = 60
"""With fewer bare cells nothing is fitted, and the light counts as unchanged."""
BEND_WEIGHT, SLOPE_WEIGHT = 0.02, 0.00001
"""How strongly the gain is kept smooth and level where few cells are bare, for each sample."""
FIRST_SCALE, LAST_SCALE, SCALE_STEP = 0.25, 0.03, 0.7
"""The natural logarithm of a difference at which a cell counts a quarter: at the first and the last step of the fit."""
FEW_SAMPLES = 4
"""Every fourth sample takes part in the first steps."""
MIXED_GAIN, MISFIT_SCALE = 0.8, 0.05
"""Another lamp also mixes the colours of the table. A mixture counts if it leaves less than the first share of the
misfit, in which a sample counts fully from about the second value on."""
MIXED_SCALES = (0.8, 0.4, 0.2, 0.1, 0.05)
"""The scale at each step of the fit of the mixture: the first one reaches the colours that the gain does not fit, which
change by a factor of two where a tenth of a bright colour is added to a dark one."""
MIXED_SHARE = 0.1
"""How far a mixture may be from none where the colours of the table do not tell, as a share of the light."""
BANDS_GAIN = 1.25
"""Bands count if this many times more samples agree with the light within twice ``LAST_SCALE``. Things at equal
distances leave the bare table between them flat, and waves make fewer samples agree."""
BANDS_SCALE, BANDS_STEPS = 0.2, 6
"""The scale at the first step of the fit of bands, which reaches the darkest ones, and its steps."""
STEPS = 8
"""Steps of the fit; with the fit of the frame before as its start a quarter of them."""


@lru_cache(maxsize=1)
def _linear_levels() -> NDArray[np.float32]:
    level = np.arange(256) / 255
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4).astype(np.float32)


@lru_cache(maxsize=1)
def _log_levels() -> NDArray[np.float32]:
    return np.asarray(np.log(_linear_levels() + DARK_LINEAR), np.float32)


@lru_cache(maxsize=1)
def _noise_levels() -> NDArray[np.float32]:
    return (NOISE_LEVELS * np.gradient(_log_levels())).astype(np.float32)


def decode_gamma(picture: NDArray[np.uint8]) -> Linear:
    """Linear light of an sRGB picture."""
    return np.asarray(cv2.LUT(picture, _linear_levels()), np.float32)


def log_of_levels(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The natural logarithm of the linear light of an sRGB picture."""
    return np.asarray(cv2.LUT(picture, _log_levels()), np.float32).reshape(picture.shape)


def log_of_fractions(levels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same of levels that are not rounded."""
    return np.asarray(np.interp(levels, np.arange(256), _log_levels()), np.float32)


def levels_of_log(logarithm: NDArray[np.float32]) -> NDArray[np.float32]:
    """The levels, not rounded, whose linear light has this logarithm."""
    return np.asarray(np.interp(logarithm, _log_levels(), np.arange(256)), np.float32)


def noise_of_levels(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How much that logarithm changes by noise of ``NOISE_LEVELS``."""
    return np.asarray(cv2.LUT(picture, _noise_levels()), np.float32).reshape(picture.shape)


@dataclass(frozen=True, slots=True, eq=False)
class LightFit:
    """``knots`` are the control points of the natural logarithm of the gain over ``area``, per colour; ``spread`` is
    how far a bare cell may be from it, per colour."""

    area: Area
    knots: NDArray[np.float32]
    spread: tuple[float, ...] = (LAST_SCALE, LAST_SCALE, LAST_SCALE)
    mixing: Weights | None = None
    """How much of each colour of the empty table is in each colour of now, by rows, before the gain; None is none of
    another colour."""
    bands: LightBands | None = None
    """The flicker of a lamp, which differs from row to row of the picture."""

    @property
    def colours(self) -> int:
        return int(self.knots.shape[2])

    def log_gain(self, area: Area, shape: tuple[int, int]) -> Linear:
        """The logarithm of the gain at the middles of ``shape`` (rows, columns) cells over a part of the table."""
        whole = self.area
        down = _spread_evenly(area.top - whole.top, area.bottom - whole.top, shape[0], whole.bottom - whole.top)
        across = _spread_evenly(area.left - whole.left, area.right - whole.left, shape[1], whole.right - whole.left)
        rows, columns = _spline(down, KNOTS_DOWN), _spline(across, KNOTS_ACROSS)
        return np.asarray(np.einsum("yi,ijc,xj->yxc", rows, self.knots, columns, optimize=True), np.float32)

    def mix(self, empty_log: Linear) -> Linear:
        """What the mixture adds to the logarithm of the empty table."""
        if self.mixing is None:
            return np.zeros_like(empty_log)
        mixed = cv2.transform(np.exp(empty_log), self.mixing)
        return np.asarray(np.log(np.maximum(mixed, DARK_LINEAR / 2)) - empty_log, np.float32)

    def relight(self, empty_log: Linear, area: Area) -> Linear:
        """The logarithm of a part of the empty table in the present light."""
        gain = self.log_gain(area, (empty_log.shape[0], empty_log.shape[1]))
        return np.asarray(empty_log + self.mix(empty_log) + gain, np.float32)


def unchanged_light(area: Area, colours: int = 3) -> LightFit:
    return LightFit(area, np.zeros((KNOTS_DOWN, KNOTS_ACROSS, colours), np.float32), (LAST_SCALE,) * colours)


def fit_light(
    now: Linear, empty: Linear, bare: Mask, area: Area, before: LightFit | None = None, *, mixed: bool = True
) -> LightFit:
    """Fit the light of ``now`` to cells that may be bare; occupied ones among them are outliers.

    Both pictures show the whole ``area``. The fit starts from the light of the frame before, or from the most frequent
    ratio of the two pictures. Where ``mixed`` is False, the gain alone is fitted, for what cannot apply a mixture.
    """
    then = np.log(np.asarray(empty, np.float32) + DARK_LINEAR)
    return fit_log_light(np.log(now + DARK_LINEAR) - then, then, bare, area, before, mixed=mixed)


def fit_log_light(
    log_ratio: Linear,
    empty_log: Linear,
    bare: Mask,
    area: Area,
    before: LightFit | None = None,
    *,
    mixed: bool = True,
    picture_rows: Linear | None = None,
) -> LightFit:
    """The same from the logarithm of the ratio of the two pictures, and of the empty table.

    ``picture_rows`` tell where in the height of the picture each cell is, as a share: then bands are fitted too.
    """
    rows, columns = bare.shape
    colours = log_ratio.shape[2]
    before = None if before is None or before.colours != colours else before
    cells = np.flatnonzero(bare)
    if len(cells) < LEAST_SAMPLES:
        return before or unchanged_light(area, colours)
    cells = cells[:: max(1, len(cells) // SAMPLES)]
    terms, stiff = _sampled_terms(rows, columns, cells.tobytes())
    ratio, then = (some.reshape(-1, colours)[cells].astype(np.float64) for some in (log_ratio, empty_log))
    mixing = None if before is None else before.mixing
    added = _mix_samples(then, mixing)
    if before is None:
        knots = np.tile([_most_frequent(values) for values in ratio.T], (terms.shape[1], 1))
        # far from the answer a few samples point the way as well as all
        few = slice(None, None, FEW_SAMPLES)
        knots = _fit_knots(ratio[few], terms[few], stiff / FEW_SAMPLES, knots, FIRST_SCALE, STEPS - 2)
        scale, steps = FIRST_SCALE * SCALE_STEP ** (STEPS - 2), 2
    else:
        knots = before.knots.reshape(-1, colours).astype(np.float64)
        scale, steps = FIRST_SCALE * SCALE_STEP**6, STEPS // 4
    knots = _fit_knots(ratio - added, terms, stiff, knots, scale, steps)
    count = None if before is None or before.bands is None else before.bands.count
    if picture_rows is not None and (before is None or count is not None):
        at = picture_rows.reshape(-1)[cells].astype(np.float64)
        terms, stiff, knots, count = _fit_bands(ratio - added, terms, stiff, knots, at, count)
    spread = _measure_spread(ratio - added - terms @ knots)
    if mixed and colours == 3 and before is None:
        fitted, misfit = knots, _measure_misfit(ratio - terms @ knots)
        for reach in MIXED_SCALES:
            mixing = _fit_mixing(ratio - terms @ fitted, then, added, reach)
            added = _mix_samples(then, mixing)
            fitted = _fit_knots(ratio - added, terms, stiff, fitted, reach, STEPS // 4)
        rest = ratio - added - terms @ fitted
        if _measure_misfit(rest) < MIXED_GAIN * misfit:
            knots, spread = fitted, _measure_spread(rest)
        else:
            mixing = None
    plain = knots[: KNOTS_DOWN * KNOTS_ACROSS].reshape(KNOTS_DOWN, KNOTS_ACROSS, colours).astype(np.float32)
    bands = (
        LightBands(count, knots[-2:].astype(np.float32))
        if count is not None and len(knots) > plain[..., 0].size
        else None
    )
    return LightFit(area, plain, tuple(spread.tolist()), mixing, bands)


def _fit_knots(ratio: Weights, terms: Weights, stiff: Weights, knots: Weights, scale: float, steps: int) -> Weights:
    for _ in range(steps):
        # the root of the belief in each sample: a matrix times itself costs half of one times another
        root = (1 / (1 + np.square((ratio - terms @ knots) / scale).sum(1)))[:, None]
        weighed = terms * root
        knots = np.linalg.solve(weighed.T @ weighed + stiff, weighed.T @ (ratio * root))
        scale = max(LAST_SCALE, scale * SCALE_STEP)
    return knots


def _fit_bands(
    ratio: Weights, terms: Weights, stiff: Weights, knots: Weights, rows: Weights, count: float | None
) -> tuple[Weights, Weights, Weights, float | None]:
    """The terms, their stiffness and their values with two more for bands, and how many bands there are, if any."""
    rest = ratio - terms @ knots
    count = count_bands(rest, rows) if count is None else count
    if count is None:
        return terms, stiff, knots, None
    waves = sample_waves(count, rows)
    more = np.hstack([terms, waves])
    stiffer = np.zeros((len(stiff) + 2, len(stiff) + 2))
    stiffer[:-2, :-2] = stiff
    stiffer[-2:, -2:] = len(rows) * SLOPE_WEIGHT * np.eye(2)
    start = fit_waves(rest, waves)
    fitted = np.vstack([knots + start[0], start[1:]])
    fitted = _fit_knots(ratio, more, stiffer, fitted, BANDS_SCALE, BANDS_STEPS)
    if _count_agreeing(ratio - more @ fitted) < BANDS_GAIN * _count_agreeing(rest):
        return terms, stiff, knots, None
    return more, stiffer, fitted, count


def _count_agreeing(rest: Weights) -> int:
    return int((np.square(rest).sum(1) < (2 * LAST_SCALE) ** 2).sum())


def _measure_spread(rest: Weights) -> Weights:
    """The spread of the samples that are not far off, per colour."""
    away = np.abs(rest)
    near = away[away.max(1) < 4 * LAST_SCALE]
    return np.asarray(1.48 * np.median(near if len(near) >= LEAST_SAMPLES else away, 0))


def _measure_misfit(rest: Weights) -> float:
    return float(np.log1p(np.square(rest / MISFIT_SCALE).sum(1)).mean())


def _fit_mixing(ratio: Weights, then: Weights, added: Weights, scale: float) -> Weights:
    """Ridge regression of the colours of now on those of the empty table; samples far off count little."""
    empty, now = np.exp(then), np.exp(then + ratio)
    belief = 1 / (1 + np.square((ratio - added) / scale).sum(1)) ** 2
    rows = []
    for colour in range(3):
        weighed = empty * (belief / np.square(now[:, colour] * LAST_SCALE))[:, None]
        square = weighed.T @ empty + np.eye(3) / MIXED_SHARE**2
        rows.append(np.linalg.solve(square, weighed.T @ now[:, colour] + np.eye(3)[colour] / MIXED_SHARE**2))
    return np.stack(rows)


def _mix_samples(then: Weights, mixing: Weights | None) -> Weights:
    if mixing is None:
        return np.zeros_like(then)
    return np.asarray(np.log(np.maximum(np.exp(then) @ mixing.T, DARK_LINEAR / 2)) - then)


@lru_cache(maxsize=4)
def _sampled_terms(rows: int, columns: int, packed: bytes) -> tuple[Weights, Weights]:
    """The weight of each control point at each sampled cell, and the stiffness of the gain; the same in most frames."""
    ys, xs = np.divmod(np.frombuffer(packed, np.int64), columns)
    down = _spline(_spread_evenly(0, 1, rows, 1), KNOTS_DOWN)[ys]
    across = _spline(_spread_evenly(0, 1, columns, 1), KNOTS_ACROSS)[xs]
    terms = (down[:, :, None] * across[:, None, :]).reshape(len(ys), -1)
    each = np.eye(KNOTS_DOWN * KNOTS_ACROSS).reshape(KNOTS_DOWN, KNOTS_ACROSS, -1)
    bends = [np.diff(each, 2, axis=axis).reshape(-1, each.shape[2]) for axis in (0, 1)]
    slopes = [np.diff(each, 1, axis=axis).reshape(-1, each.shape[2]) for axis in (0, 1)]
    bend, slope = np.concatenate(bends), np.concatenate(slopes)
    return terms, len(ys) * (BEND_WEIGHT * bend.T @ bend + SLOPE_WEIGHT * slope.T @ slope)


def _spread_evenly(first: float, last: float, count: int, whole: float) -> Weights:
    """The middles of ``count`` cells between two places, as shares of the whole."""
    return np.asarray((first + (np.arange(count) + 0.5) * (last - first) / count) / whole, np.float64)


def _spline(shares: Weights, knots: int) -> Weights:
    """Weights of the control points of a cubic B-spline at places given as shares of its length."""
    at = np.clip(shares, 0, 1) * (knots - 3)
    first = np.minimum(at.astype(np.intp), knots - 4)
    u = at - first
    parts = ((1 - u) ** 3, 3 * u**3 - 6 * u**2 + 4, -3 * u**3 + 3 * u**2 + 3 * u + 1, u**3)
    weights = np.zeros((len(at), knots))
    for offset, part in enumerate(parts):
        weights[np.arange(len(at)), first + offset] = part / 6
    return weights


def _most_frequent(values: Weights) -> float:
    """The half-sample mode: the densest part of the values, whatever share of them are outliers."""
    left = np.sort(values)
    while len(left) > 8:
        half = (len(left) + 1) // 2
        at = int(np.argmin(left[half - 1 :] - left[: len(left) - half + 1]))
        left = left[at : at + half]
    return float(left.mean())
