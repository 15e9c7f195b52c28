"""The sway of a camera between two pictures: a shift for each row, because a sensor reads them one after another."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Grey

Levels = NDArray[np.float32]
Terms = NDArray[np.float64]

KNOTS = 14
"""Control points down the picture: enough for more than one swing at 12 Hz while the slowest sensor reads its rows."""
KINDS = 4
"""A row is shifted across, stretched about the middle, shifted down and turned: an arm that swings does all of them."""
SMOOTH_SIGMA_PX = 1.0
"""Both pictures are smoothed by this much: a shift of more than a pixel must stay within the slope of an edge."""
REACH_PX = 2
"""A pixel whose level is not found this far around it in the other picture shows something new, not a shift."""
NOISE_LEVELS = 6.0
"""Levels by which noise alone may put a pixel outside that range."""
EVERY_ROW = slice(None)
QUICK_LOOK, FULL_LOOK = (12, 1), (3, 3)
"""Every twelfth row, once, tells whether there is a sway at all; every third one gives it in three steps as well as all
rows."""
SLOPE_DOUBT_PX = 0.2
"""A shift that may be wrong by this much: then the steeper the picture, the larger a difference that still counts."""
LEAST_PX = 0.03
"""A sway below this is none."""
TILES = (12, 16)
"""The picture in tiles, down and across: whether a sway moves all of it is asked of those with texture."""
EVERYWHERE_REACH, EVERYWHERE_SHARE = 0.4, 0.45
"""A swing moves three quarters of its time at more than the first of its reach, so at least the second share of the
tiles must."""
BEND_SHARE, SLOPE_SHARE, LEVEL_SHARE = 1e-3, 1e-4, 1e-5
"""How strongly shifts are kept smooth, alike and small where a picture has no texture, in shares of the evidence."""
NOISE_SLOPE = 2.0
"""Levels per px across and down, together, below which a slope may be noise, and tell a sway where there is none."""
NOISE_GAIN = 8.0
"""For each value of a control point shifts explain of noise alone about its variance, in smoothed pictures up to four
times as much: less than twice that tells no sway. One of a thirtieth of a pixel explains eighty times as much."""
LEAST_EVIDENCE = 2000.0
"""Sum of squared slopes near a control point, as of a hundred pixels at the edges of a pale card: below it shifts are
kept small."""


@dataclass(frozen=True, slots=True, eq=False)
class Sway:
    """How far the pixels of a picture are from where they were: ``knots`` are the control points of the four kinds."""

    knots: NDArray[np.float64]

    def largest(self) -> float:
        """The largest shift anywhere, in px."""
        across, stretch, down, turn = np.abs(self.knots)
        return float(max((across + stretch).max(), (down + turn).max()))

    def __add__(self, other: "Sway") -> "Sway":
        return Sway(self.knots + other.knots)

    def distance(self, other: "Sway") -> float:
        return Sway(self.knots - other.knots).largest()

    def undo(self, picture: NDArray[np.uint8], interpolation: int = cv2.INTER_CUBIC) -> NDArray[np.uint8]:
        """The picture, grey or in colour, as the camera would see it without the sway."""
        return _shift(picture, self.knots, interpolation)


def fit_sway(now: Grey, before: Grey, gain: float = 1.0) -> Sway:
    """The sway between two pictures of the same size, where nothing else has changed; ``gain`` is that of the light.

    All zero if noise explains the difference, or if only a part of the picture has moved: a camera moves all of it, a
    card that slides only its own rows.
    """
    known = np.asarray(cv2.convertScaleAbs(before, alpha=gain), np.uint8)
    then, fresh, same = _smooth(known), _smooth(now), _find_same(now, known)
    # most pictures with something new were taken by a still camera, which a few rows tell
    found = Sway(np.zeros((KINDS, KNOTS)))
    for row_step, steps in (QUICK_LOOK, FULL_LOOK):
        sway = _fit_rows(then, fresh, same, row_step, steps)
        if sway is None or sway.largest() < LEAST_PX:
            return Sway(np.zeros((KINDS, KNOTS)))
        found = sway
    return found


def _fit_rows(then: Grey, fresh: Grey, same: Grey, row_step: int, steps: int) -> Sway | None:
    """The sway that every ``row_step``-th row shows. None if it is only noise, or does not move the whole picture."""
    rows, columns = then.shape
    some = slice(row_step // 2, rows - 1, row_step)
    then_slopes, fresh_slopes = _slopes(then, some), _slopes(fresh, some)
    steep = np.abs(then_slopes[0]) + np.abs(then_slopes[1])
    valid = ((same[some] > 0) & (steep > NOISE_SLOPE)).astype(np.float32)
    spline, powers, level = _spline_terms(rows)[some], _powers(columns), then[some].astype(np.float32)
    scale = NOISE_LEVELS + SLOPE_DOUBT_PX * steep
    # at first both pictures give the slope, because its mean holds over a longer way
    half = np.float32(0.5)
    across, down = (half * (one + other) for one, other in zip(then_slopes, fresh_slopes, strict=True))
    left, knots = level - fresh[some], np.zeros((KINDS, KNOTS))
    for number in range(steps):
        if number:
            (across, down), left = then_slopes, level - _shift(fresh, knots, cv2.INTER_LINEAR, some)
        # what is at its place already counts most: a card that has slid must not carry the whole picture with it
        weight = np.asarray(valid / np.square(1 + np.square(left / scale)), np.float32)
        more, explained = _solve(across, down, left, weight, spline, powers, row_step)
        if not number and explained < NOISE_GAIN * knots.size * _measure_variance(left, weight):
            return None
        knots = knots + more
    sway = Sway(knots)
    return sway if _is_everywhere(sway, valid * steep * steep * np.float32(row_step)) else None


def _measure_variance(left: Levels, weight: Levels) -> float:
    return float((weight * left * left).sum() / max(float(weight.sum()), 1.0))


def _is_everywhere(sway: Sway, evidence: Levels) -> bool:
    """Does it move most of what shows a movement?"""
    down, across = TILES
    evident = cv2.resize(evidence, (across, down), interpolation=cv2.INTER_AREA) * (evidence.size / (down * across))
    shifts = [knots[:, None] for knots in sway.knots @ _spline_terms(down).T]
    x = np.linspace(-1, 1, across)
    far = np.hypot(shifts[0] + shifts[1] * x, shifts[2] + shifts[3] * x)[evident > LEAST_EVIDENCE]
    return far.size > 0 and float(np.mean(far > EVERYWHERE_REACH * np.percentile(far, 90))) >= EVERYWHERE_SHARE


def _find_same(now: Grey, before: Grey) -> NDArray[np.uint8]:
    """1 where a level is found around its place before; elsewhere is something new."""
    reach = np.ones((2 * REACH_PX + 1, 2 * REACH_PX + 1), np.uint8)
    low, high = cv2.erode(before, reach), cv2.dilate(before, reach)
    new = cv2.max(cv2.subtract(now, high), cv2.subtract(low, now))
    _, same = cv2.threshold(cv2.dilate(new, np.ones((3, 3), np.uint8)), NOISE_LEVELS, 1, cv2.THRESH_BINARY_INV)
    return np.asarray(same, np.uint8)


def _solve(
    across: Levels, down: Levels, left: Levels, weight: Levels, spline: Terms, powers: Levels, row_step: int
) -> tuple[Terms, float]:
    """One step: control points by least squares over all pixels, and the square of the difference they explain."""
    a, b = across * weight, down * weight
    # per row: products of the slopes times 1, x and x squared
    square, mixed, upright = (product @ powers for product in (a * across, a * down, b * down))
    ahead, aside = (a * left) @ powers, (b * left) @ powers
    order = ((0, 0), (0, 1), (1, 0), (1, 1))
    size = KINDS * KNOTS
    matrix, target = np.zeros((size, size)), np.zeros(size)
    for i, (down_i, power_i) in enumerate(order):
        at = slice(i * KNOTS, (i + 1) * KNOTS)
        target[at] = spline.T @ (aside if down_i else ahead)[:, power_i]
        for j, (down_j, power_j) in enumerate(order):
            row = (square, mixed, upright)[down_i + down_j][:, power_i + power_j]
            matrix[at, j * KNOTS : (j + 1) * KNOTS] = spline.T @ (spline * row[:, None])
    evidence = max(float(np.trace(matrix)) / size, LEAST_EVIDENCE / row_step)
    matrix += evidence * _stiffness()
    found = np.linalg.solve(matrix, target)
    return np.asarray(found.reshape(KINDS, KNOTS)), float(found @ target)


@lru_cache(maxsize=1)
def _stiffness() -> Terms:
    each = np.eye(KNOTS)
    bend, slope = np.diff(each, 2, axis=0), np.diff(each, axis=0)
    one = BEND_SHARE * bend.T @ bend + SLOPE_SHARE * slope.T @ slope + LEVEL_SHARE * each
    stiff = np.zeros((KINDS * KNOTS, KINDS * KNOTS))
    for kind in range(KINDS):
        at = slice(kind * KNOTS, (kind + 1) * KNOTS)
        stiff[at, at] = one * (1 + 9 * (kind % 2))
    return stiff


@lru_cache(maxsize=2)
def _spline_terms(rows: int) -> Terms:
    """The weight of each control point in each row: hats, one at each end."""
    at = np.linspace(0, KNOTS - 1, rows)
    return np.asarray(np.clip(1 - np.abs(at[:, None] - np.arange(KNOTS)), 0, 1), np.float64)


@lru_cache(maxsize=2)
def _powers(columns: int) -> Levels:
    x = np.linspace(-1, 1, columns)
    return np.stack([np.ones(columns), x, x * x], 1).astype(np.float32)


def _shift(picture: NDArray[np.uint8], knots: Terms, interpolation: int, some: slice = EVERY_ROW) -> Grey:
    """Some rows of the picture with the shifts undone."""
    rows, columns = picture.shape[:2]
    across, stretch, down, turn = (knots @ _spline_terms(rows)[some].T).astype(np.float32)
    x = _powers(columns)[:, 1]
    at_x = np.outer(stretch, x)
    at_x += across[:, None]
    at_x += np.arange(columns, dtype=np.float32)
    at_y = np.outer(turn, x)
    at_y += (down + np.arange(rows, dtype=np.float32)[some])[:, None]
    return np.asarray(cv2.remap(picture, at_x, at_y, interpolation, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _smooth(picture: Grey) -> Grey:
    return np.asarray(cv2.GaussianBlur(picture, (5, 5), SMOOTH_SIGMA_PX), np.uint8)


def _slopes(picture: Grey, some: slice) -> tuple[Levels, Levels]:
    """Level per px across and down, in some rows; 0 at both sides."""
    rows = np.arange(picture.shape[0])[some]
    half = np.float32(0.5)
    across = np.zeros((len(rows), picture.shape[1]), np.float32)
    here = picture[some].astype(np.float32)
    np.subtract(here[:, 2:], here[:, :-2], out=across[:, 1:-1])
    down = picture[np.minimum(rows + 1, picture.shape[0] - 1)].astype(np.float32)
    down -= picture[np.maximum(rows - 1, 0)]
    return across * half, down * half
