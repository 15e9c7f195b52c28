"""Masks of the pixels that belong to red and to black tiles: where the table has changed and not by a shadow."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes.light_fit import DARK_LINEAR, decode_gamma
from vision.tiles.table_light import Gain, TableLight

Colour = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Plane = NDArray[np.float32]

NEAR_BRUSH = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
STRIP_ROWS, BORDER_ROWS = 64, 16
"""Rows sorted at a time, and rows above and below them that they depend on by blurring and by neighbourhood."""
NOISE_PX = 5
"""Side, in pixels, of the square over which a difference is averaged."""
LEAST_LOG, MOST_LOG, NOISE_TIMES = 0.12, 0.6, 4.0
"""A pixel has changed from this difference on, as natural logarithm, plus this many times the noise of its brightness;
and at most from the second one on."""
NOISE_BINS = 10
"""Classes of brightness whose noise is measured apart: dark pixels are noisier."""
QUIET_SHARE = 0.3
"""This share of the pixels of one brightness is bare table, whatever lies on the rest."""
EVEN_LOG, EVEN_SHARE = 0.25, 0.25
"""In a shadow the colours are darkened alike up to this difference, and this share of the darkening: the light that is
left may be bluish."""
TEXTURED_EVEN_LOG = 0.6
"""The same where the texture of the table is seen: the sky in the shadow of the sun."""
SHADOW_LOG = 1.9
"""The deepest shadow, as natural logarithm: a seventh of the light."""
TEXTURE_PX = 17
"""Side, in pixels, of the square in which the texture of the table is looked for: 1 cm."""
DETAIL_PX = 9
"""Fine texture is how much a pixel differs from the mean of such a square: finer than the light varies on a table."""
TEXTURE_LOG, DETAIL_LOG = 0.08, 0.05
"""A table has texture, and fine texture, where its brightness, as natural logarithm, varies by this much: the latter is
twice the noise in a shadow."""
STRONG_LOG, LOST_SHARE = 0.4, 0.1
"""A texture as strong as print, of which less than this share of the variance is left, is covered."""
KEPT_SLOPE, KEPT_CORRELATION = 0.55, 0.75
"""The table shows through from this share of its contrast on, if its texture agrees this well."""
HUE_STEP, HUE_ZERO = 1 / 40, 100
"""Step of the planes of warmth and coolness, natural logarithms of red and blue relative to green, and their level
where both are as strong as each other."""
LIGHT_STEP = 1 / 40
"""Step of the plane of lightness: natural logarithm of linear light."""
USUAL_LIMIT, LEAST_LIMIT, MOST_LIMIT = 0.75, 0.35, 1.2
"""The warmth that parts black from red tiles if only one colour is there, and its range if both are."""
LIMIT_SHARE = 0.35
"""Where this limit is between the two: the warmth of black varies less, and lamps mirrored on red take some away."""
SOLID_PX, LEAST_SOLID = 7, 300
"""Pixels in the middle of such squares of changed pixels show a colour unmixed; as many tell how tiles look."""
HUE_TOLERANCE, LIGHT_TOLERANCE = 0.3, 0.25
"""How far a pixel of a tile may be from the hue of the others, and from the range of their lightness."""
WIDE_TOLERANCE, RED_TOLERANCE = 0.6, 0.7
"""How far the hue of a black and of a red tile may be from the usual one where the table has changed for sure."""
BRIGHTEST_BLACK = 0.4
"""The brightest lamp mirrored in black, in linear light: skin and paper are brighter."""
OTHER_PX = 11
"""An object that is no tile is at least as wide, in pixels: 7 mm, half a finger."""
THICK_PX, DEEP_LOG = 32, 0.4
"""The widest shadow of a tile, in pixels, 2 cm, and the least darkening of a table by a black tile."""
BLACK_QUANTILES = (0.02, 0.6, 0.98)
"""The shares of the pixels of black tiles that are darker than any, than the lamps mirrored in them, and than most of
these."""
USUAL_BLACK = (0.0, 0.1, 0.25)
"""The range of lightness of black in linear light, plain and with a mirrored window, where no black tile is sure."""
USUAL_BLACK_HUE, USUAL_TOLERANCE = (-0.3, 0.2), 0.75
"""The hue of black that mirrors a window, warmth and coolness, and its tolerance: skin is warmer."""


@dataclass(frozen=True, slots=True)
class ColourMasks:
    """Masks of 0 and 1. Where ``mute``, nothing can be told: the table is black, or it is in shadow or under a tile.
    ``other`` is neither table nor of the colour of a tile. ``shade`` is what is black or other as a dark place on a
    table without texture, and lighter than the black tiles of this picture: where it is narrow, the shadow of a tile.
    """

    red: Mask
    black: Mask
    mute: Mask
    other: Mask
    shade: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _Planes:
    """Of each pixel: a tile for sure; a shadow unless it is a tile; deeply darkened and without the fine texture of the
    table; unchanged; warmth, coolness and lightness as levels."""

    tile: Mask
    shade: Mask
    deep: Mask
    same: Mask
    warmth: Mask
    coolness: Mask
    lightness: Mask


@dataclass(frozen=True, slots=True)
class _BlackWood:
    """How black tiles look in this picture, as levels: their hue, and the range of their lightness without the lamps
    that are mirrored in them and with them."""

    warmth: float
    coolness: float
    tolerance: float
    least: float
    plain: float
    mirrored: float

    def find_mute(self, planes: _Planes) -> Mask:
        """What looks like a black tile and is not one for sure."""
        same = planes.same & _is_between(planes.lightness, self.least, self.plain)
        shade = planes.shade & _is_between(planes.lightness, self.least, self.mirrored)
        return np.asarray((same | shade) & self._has_hue(planes, self.tolerance), np.uint8)

    def find_similar(self, planes: _Planes) -> Mask:
        """What may be a black tile if it is no table: another object is lighter, or has another hue."""
        most = 255 + float(np.log(BRIGHTEST_BLACK)) / LIGHT_STEP
        plain = self._has_hue(planes, max(self.tolerance, WIDE_TOLERANCE / HUE_STEP)) & _is_between(
            planes.lightness, 0, self.plain
        )
        # a lamp mirrored in red takes its hue away
        return plain | (self._has_hue(planes, self.tolerance) & _is_between(planes.lightness, 0, most))

    def find_lighter(self, planes: _Planes) -> Mask:
        """What is lighter than black tiles without mirrored lamps."""
        return _is_between(planes.lightness, self.plain, 255)

    def _has_hue(self, planes: _Planes, tolerance: float) -> Mask:
        warm = _is_between(planes.warmth, self.warmth - tolerance, self.warmth + tolerance)
        return warm & _is_between(planes.coolness, self.coolness - tolerance, self.coolness + tolerance)


def _is_between(plane: Mask, least: float, most: float) -> Mask:
    within = cv2.inRange(plane, np.array(max(float(least), 0.0)), np.array(min(float(most), 255.0)))
    return np.asarray(np.asarray(within, np.uint8) // 255, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Comparison:
    """Of some rows: the logarithms of linear light now and of the relit empty table, by how much they differ, and how
    much of a darkening each colour of the table shows: less where it is near black."""

    now: Plane
    then: Plane
    off: Plane
    shown: Plane


@lru_cache(maxsize=1)
def _log_levels() -> Plane:
    return np.asarray(np.log(decode_gamma(np.arange(256, dtype=np.uint8)[None])[0] + DARK_LINEAR), np.float32)


@lru_cache(maxsize=1)
def _shown_levels() -> Plane:
    light = decode_gamma(np.arange(256, dtype=np.uint8)[None])[0]
    return np.asarray(light / (light + DARK_LINEAR), np.float32)


def _suppress_noise(picture: Colour) -> Colour:
    """The picture blurred just enough to suppress sensor noise."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)


def sort_colours(picture: Colour, empty: Colour, table_light: TableLight) -> ColourMasks:
    """Sort the pixels of a rectified picture by how they differ from the empty table in the present light."""
    high, wide = picture.shape[:2]
    planes = _Planes(*(np.zeros((high, wide), np.uint8) for _ in range(7)))
    limits = _find_limits(picture, empty, table_light)
    for around, own, rows in _split_strips(high):
        light = table_light.spread_gain(around, wide)
        compared = _compare(picture[around], empty[around], light, table_light.spread_veil(around, wide))
        whole = (planes.tile, planes.shade, planes.deep, planes.same, planes.warmth, planes.coolness, planes.lightness)
        for plane, strip in zip(whole, _sort_strip(compared, light, limits), strict=True):
            plane[rows] = strip[own]
    sure = _remove_specks(planes.tile)
    tile = _remove_specks(planes.tile | _find_thick(planes))
    limit = _split_colours(tile, planes.warmth)
    red = np.asarray(tile & (planes.warmth > limit), np.uint8)
    black = np.asarray(tile & (1 - red), np.uint8)
    wood = _learn_black(planes, black)
    tint = (black & wood.find_similar(planes)) | (red & _find_red(planes, red))
    # the rim of a tile has the colour of the table too, but no object is as narrow
    opened = cv2.morphologyEx(tile & (1 - tint), cv2.MORPH_OPEN, np.ones((OTHER_PX, OTHER_PX), np.uint8))
    other = np.asarray(opened, np.uint8)
    red, black = red & (1 - other), black & (1 - other)
    shade = (black | other) & (1 - sure) & _learn_black(planes, black & sure).find_lighter(planes)
    return ColourMasks(red, black, wood.find_mute(planes) & (1 - tile), other, np.asarray(shade, np.uint8))


def _find_thick(planes: _Planes) -> Mask:
    """Darkened places that are wider than the shadow of a tile: a black tile on a grey table without texture."""
    high, wide = planes.shade.shape
    deep = planes.shade & planes.deep
    small = cv2.resize(deep, (max(1, wide // 4), max(1, high // 4)), interpolation=cv2.INTER_NEAREST)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (THICK_PX // 4, THICK_PX // 4))
    opened = cv2.dilate(cv2.morphologyEx(small, cv2.MORPH_OPEN, brush), NEAR_BRUSH, iterations=2)
    return np.asarray(cv2.resize(opened, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8) & planes.shade


def _find_red(planes: _Planes, red: Mask) -> Mask:
    """What has the hue of most red pixels."""
    solid = cv2.erode(red, np.ones((SOLID_PX, SOLID_PX), np.uint8)) > 0
    if np.count_nonzero(solid) < LEAST_SOLID:
        return red
    coolness = float(np.median(planes.coolness[solid]))
    return _is_between(planes.coolness, coolness - RED_TOLERANCE / HUE_STEP, coolness + RED_TOLERANCE / HUE_STEP)


def _learn_black(planes: _Planes, black: Mask) -> _BlackWood:
    solid = cv2.erode(black, np.ones((SOLID_PX, SOLID_PX), np.uint8)) > 0
    usual = _make_usual_black()
    solid &= usual.find_similar(planes) > 0  # a hand or a sleeve may be larger than all tiles
    if np.count_nonzero(solid) < LEAST_SOLID:
        return usual
    warmth, coolness = (float(np.median(plane[solid])) for plane in (planes.warmth, planes.coolness))
    low, plain, mirrored = (float(level) for level in np.quantile(planes.lightness[solid], BLACK_QUANTILES))
    more = LIGHT_TOLERANCE / LIGHT_STEP
    return _BlackWood(warmth, coolness, HUE_TOLERANCE / HUE_STEP, low - more, plain + more, mirrored + more)


def _make_usual_black() -> _BlackWood:
    low, plain, mirrored = (255 + float(np.log(light + DARK_LINEAR)) / LIGHT_STEP for light in USUAL_BLACK)
    warmth, coolness = (HUE_ZERO + hue / HUE_STEP for hue in USUAL_BLACK_HUE)
    return _BlackWood(warmth, coolness, USUAL_TOLERANCE / HUE_STEP, low, plain, mirrored)


def _split_colours(tile: Mask, warmth: Mask) -> float:
    """The level of warmth between black and red tiles."""
    solid = cv2.erode(tile, np.ones((SOLID_PX, SOLID_PX), np.uint8))
    count = np.bincount(warmth[solid > 0], minlength=256).astype(np.float64)
    levels = np.arange(256)
    usual = HUE_ZERO + USUAL_LIMIT / HUE_STEP
    low, high = count[levels <= usual], count[levels > usual]
    if min(low.sum(), high.sum()) < 200:
        return usual
    black, red = (float(np.searchsorted(np.cumsum(part), part.sum() / 2)) for part in (low, high))
    red += len(low)
    limit = (black + LIMIT_SHARE * (red - black) - HUE_ZERO) * HUE_STEP
    return HUE_ZERO + min(max(limit, LEAST_LIMIT), MOST_LIMIT) / HUE_STEP


def _split_strips(high: int) -> Iterator[tuple[slice, slice, slice]]:
    """Strips of a picture: the rows of each with their border, its own rows among these, and its own rows.

    The logarithms of a whole table, with all that is derived from them, would take the most memory in the box.
    """
    for top in range(0, high, STRIP_ROWS):
        first, end = max(0, top - BORDER_ROWS), min(high, top + STRIP_ROWS)
        yield slice(first, min(high, end + BORDER_ROWS)), slice(top - first, end - first), slice(top, end)


def _relight(empty: Colour, light: Gain) -> Plane:
    """The logarithm of the empty table under a gain, which leaves black as black as it was."""
    lit = cv2.multiply(decode_gamma(empty), cv2.exp(light)) + np.float32(DARK_LINEAR)
    return np.asarray(cv2.log(lit), np.float32)


def _unveil(picture: Colour, veil: Gain | None) -> Plane:
    """The logarithm of the picture without the light that a mirrored lamp adds."""
    if veil is None:
        return np.asarray(cv2.LUT(picture, _log_levels()), np.float32)
    left = np.maximum(decode_gamma(picture) - veil[..., None], np.float32(0)) + np.float32(DARK_LINEAR)
    return np.asarray(cv2.log(left), np.float32)


def _compare(picture: Colour, empty: Colour, light: Gain, veil: Gain | None) -> _Comparison:
    soft = _suppress_noise(empty)
    now, then = _unveil(_suppress_noise(picture), veil), _relight(soft, light)
    # rectification is never exact to the pixel: compare with the lightest and darkest neighbours
    apart = cv2.max(cv2.subtract(cv2.erode(then, NEAR_BRUSH), now), cv2.subtract(now, cv2.dilate(then, NEAR_BRUSH)))
    blue, green, red = cv2.split(apart)
    off = cv2.blur(cv2.max(cv2.max(blue, green), cv2.max(red, np.zeros_like(red))), (NOISE_PX, NOISE_PX))
    shown = cv2.LUT(soft, _shown_levels())
    return _Comparison(*(np.asarray(plane, np.float32) for plane in (now, then, off, shown)))


def _find_limits(picture: Colour, empty: Colour, table_light: TableLight) -> Plane:
    """The least visible difference for each of ``NOISE_BINS`` classes of brightness of the empty table."""
    high, wide = picture.shape[:2]
    offs, lights = [], []
    for top in range(0, high, 4 * BORDER_ROWS):
        rows = slice(top, min(high, top + 12))
        light, veil = table_light.spread_gain(rows, wide), table_light.spread_veil(rows, wide)
        compared = _compare(picture[rows], empty[rows], light, veil)
        offs.append(compared.off[2:-2:3, ::3].ravel())
        lights.append(_bin(compared.then)[2:-2:3, ::3].ravel())
    off, light = np.concatenate(offs), np.concatenate(lights)
    whole = float(np.quantile(off, QUIET_SHARE)) if len(off) else 0.0
    limits = np.full(NOISE_BINS, whole)
    for i in range(NOISE_BINS):
        mine = off[light == i]
        if len(mine) > 200:
            limits[i] = np.quantile(mine, QUIET_SHARE)
    return np.minimum(LEAST_LOG + NOISE_TIMES * limits, MOST_LOG).astype(np.float32)


def _average(colours: Plane) -> Plane:
    """The mean of the three colours of each pixel."""
    return np.asarray(cv2.transform(colours, np.full((1, 3), 1 / 3)), np.float32)


def _bin(then: Plane) -> NDArray[np.intp]:
    """The class of brightness of each pixel."""
    low = float(np.log(DARK_LINEAR))
    at = (_average(then) - low) * (NOISE_BINS / -low)
    return np.asarray(np.clip(at, 0, NOISE_BINS - 1), np.intp)


def _sort_strip(compared: _Comparison, light: Gain, limits: Plane) -> Iterator[Mask]:
    """Of a strip, the planes in their order."""
    now, then = compared.now, compared.then
    changed = compared.off > limits[_bin(then)]
    change, shown = cv2.blur(now - then, (NOISE_PX, NOISE_PX)), compared.shown
    dim = _average(change * shown) / np.maximum(_average(shown * shown), np.float32(0.01)) * np.float32(-1)
    blue, green, red = cv2.split(change + shown * dim[..., None])
    uneven = cv2.max(cv2.max(blue, green), red) - cv2.min(cv2.min(blue, green), red)
    darker = (dim > 0) & (dim < SHADOW_LOG)
    even = darker & (uneven < EVEN_LOG + EVEN_SHARE * dim)
    grey = _average(now), _average(then)
    kept, lost = _find_texture(*grey)
    table = darker & kept & (uneven < TEXTURED_EVEN_LOG)
    yield ((changed & ~even & ~table) | lost).astype(np.uint8)
    shade = changed & even & ~table
    deep = dim > DEEP_LOG
    yield shade.astype(np.uint8)
    yield (deep & ~_find_fine_texture(*grey) if (shade & deep).any() else deep).astype(np.uint8)
    yield (~changed & ~table).astype(np.uint8)
    blue, green, red = cv2.split(cv2.blur(now - light, (NOISE_PX, NOISE_PX)))
    for ratio in (red - green, blue - green):
        yield _to_level(ratio * np.float32(1 / HUE_STEP) + np.float32(HUE_ZERO))
    yield _to_level((red + green + blue) * np.float32(1 / 3 / LIGHT_STEP) + np.float32(255))


def _to_level(plane: Plane) -> Mask:
    return np.asarray(np.clip(plane, 0, 255), np.uint8)


def _find_texture(now: Plane, then: Plane) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where the texture of the empty table is still seen, and where a strong one is gone."""
    now, then = now - now.mean(), then - then.mean()
    level, base = _blur(now, TEXTURE_PX), _blur(then, TEXTURE_PX)
    varies, own, both = _correlate(now, then)
    varies, own, both = varies - base * base, own - level * level, both - level * base
    lost = (varies > STRONG_LOG**2) & (own < LOST_SHARE * varies)
    return _is_kept(varies, own, both, TEXTURE_LOG), np.asarray(lost, np.bool_)


def _find_fine_texture(now: Plane, then: Plane) -> NDArray[np.bool_]:
    """Where the fine texture of the empty table is still seen, also where a shadow has a gradient."""
    now, then = (plane - _blur(plane, DETAIL_PX) for plane in (now, then))
    return _is_kept(*_correlate(now, then), DETAIL_LOG)


def _blur(plane: Plane, side: int) -> Plane:
    return np.asarray(cv2.blur(plane, (side, side)), np.float32)


def _correlate(now: Plane, then: Plane) -> tuple[Plane, Plane, Plane]:
    """The mean squares of the texture of the empty table and of the picture, and the mean of their product."""
    return _blur(then * then, TEXTURE_PX), _blur(now * now, TEXTURE_PX), _blur(now * then, TEXTURE_PX)


def _is_kept(varies: Plane, own: Plane, both: Plane, least: float) -> NDArray[np.bool_]:
    kept = (both > KEPT_SLOPE * varies) & (both * both > KEPT_CORRELATION**2 * varies * own)
    return np.asarray(kept & (varies > least**2), np.bool_)


def _remove_specks(found: Mask) -> Mask:
    """The mask without specks, and without the rim by which blurring widens it."""
    return np.asarray(cv2.dilate(cv2.erode(found, NEAR_BRUSH, iterations=2), NEAR_BRUSH), np.uint8)
