"""Masks of the pixels that belong to red and to black tiles and differ from the empty table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.glare import DARK_L

Colour = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Lab = NDArray[np.float32]

NEAR_BRUSH = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
BLACK_L = 22.0
"""The lightest black of a tile, L* of 0 to 100."""
STRIP_ROWS, BORDER_ROWS = 128, 8
"""Rows sorted at a time, and rows above and below them that they depend on by blurring and by neighbourhood."""
APART_LAB = 5.0
"""A table nearer than this to black wood, in Lab units, cannot show a black tile."""


@dataclass(frozen=True, slots=True)
class ColourMasks:
    """Masks of 0 and 1. Where ``mute``, the table itself is black, so that nothing can be told."""

    red: Mask
    black: Mask
    mute: Mask


def to_lab(picture: Colour) -> Lab:
    """CIE Lab, L 0 to 100, of a picture blurred just enough to suppress sensor noise."""
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32) * np.float32(1 / 255)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2Lab), np.float32)


def _distance_from_black(lab: Lab) -> NDArray[np.float32]:
    """Distance of each pixel from the nearest black that a tile may have."""
    lighter = np.maximum(lab[..., 0] - BLACK_L, 0)
    return np.asarray(np.sqrt(lighter**2 + lab[..., 1] ** 2 + lab[..., 2] ** 2), np.float32)


def is_too_dark(empty: Colour) -> bool:
    """Is a black tile invisible on most of this table?"""
    return bool(np.median(_distance_from_black(to_lab(empty)[::2, ::2])) < APART_LAB)


def relight(empty: Colour, picture: Colour) -> Colour:
    """The empty table in the present light: each colour scaled by a plane.

    Tiles are outliers of this fit: blocks that do not follow the plane are dropped in three rounds.
    """
    high, wide = picture.shape[:2]
    cells = (max(4, wide // 40), max(4, high // 40))
    now, then = (cv2.resize(p, cells, interpolation=cv2.INTER_AREA).astype(np.float64) + 4.0 for p in (picture, empty))
    ratio = np.log(now / then).reshape(-1, 3)
    xs, ys = np.meshgrid(np.linspace(-1, 1, cells[0]), np.linspace(-1, 1, cells[1]))
    base = np.column_stack([np.ones(xs.size), xs.ravel(), ys.ravel()])
    off = np.abs(ratio - np.median(ratio, 0)).max(1)
    keep = off <= np.quantile(off, 0.5)
    plane = np.zeros((3, 3))
    for _ in range(3):
        plane = np.linalg.lstsq(base[keep], ratio[keep], rcond=None)[0]
        off = np.abs(ratio - base @ plane).max(1)
        keep = off <= max(0.04, float(np.quantile(off, 0.5)))
    gain = np.exp(base @ plane).reshape(cells[1], cells[0], 3).astype(np.float32)
    then = np.empty_like(picture)
    for colour in range(3):
        lit = empty[..., colour].astype(np.float32)
        lit += np.float32(4)
        lit *= cv2.resize(gain[..., colour], (wide, high), interpolation=cv2.INTER_LINEAR)
        lit -= np.float32(4)
        then[..., colour] = np.clip(lit, 0, 255, out=lit)
    return np.asarray(then, np.uint8)


def sort_colours(picture: Colour, empty: Colour | None, dark: Lab | float = DARK_L) -> ColourMasks:
    """Sort the pixels by colour, and by the difference from the empty table if there is one.

    A pixel without colour is black if its lightness is below ``dark``.
    """
    high, wide = picture.shape[:2]
    then = None if empty is None else relight(empty, picture)
    red, black, shadow = (np.zeros((high, wide), np.bool_) for _ in range(3))
    off, now, before = (np.zeros((high, wide), np.float32) for _ in range(3))
    for around, own, rows in _split_strips(high):
        found = _sort_strip(picture[around], then, dark, around)
        for whole, strip in zip((red, black, off, shadow, now, before), found, strict=False):
            whole[rows] = strip[own]
    if then is None:
        return ColourMasks(_remove_specks(red), _remove_specks(black), np.zeros((high, wide), np.uint8))
    rest = off[::4, ::4]
    quiet = rest[rest <= np.median(rest)]
    # the least visible difference
    least = 3.5 + 3 * float(quiet.mean())
    changed = off > least
    mute = black & (now < least) & np.where(changed, shadow, before < 1.3 * least)
    return ColourMasks(_remove_specks(red & changed), _remove_specks(black & changed & ~shadow), mute.astype(np.uint8))


def _split_strips(high: int) -> Iterator[tuple[slice, slice, slice]]:
    """Strips of a picture: the rows of each with their border, its own rows among these, and its own rows.

    A whole table in Lab, with all that is derived from it, would take the most memory in the box.
    """
    for top in range(0, high, STRIP_ROWS):
        first, end = max(0, top - BORDER_ROWS), min(high, top + STRIP_ROWS)
        yield slice(first, min(high, end + BORDER_ROWS)), slice(top - first, end - first), slice(top, end)


def _sort_strip(picture: Colour, then: Colour | None, dark: Lab | float, rows: slice) -> Iterator[NDArray[Any]]:
    """Of a strip: what is red, what is black; its difference from the empty table, where it is merely darker, and its
    distance from black, now and when the table was empty."""
    lab = to_lab(picture)
    lightness, a, b = lab[..., 0], lab[..., 1], lab[..., 2]
    red = (a > 22) & (a > 0.75 * b) & (lightness > 8)
    yield red
    yield (np.hypot(a, b) < 16) & ~red & (lightness < (dark if isinstance(dark, float) else dark[rows]))
    if then is None:
        return
    old = to_lab(then[rows])
    yield from _compare_strip(lab, old, picture, then[rows])
    yield _distance_from_black(lab)
    # beside ink a pixel is half ink: the darkest neighbour counts
    old[..., 0] = cv2.erode(old[..., 0], NEAR_BRUSH)
    yield _distance_from_black(old)


def _compare_strip(lab: Lab, old: Lab, picture: Colour, empty: Colour) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The difference from the empty table, and where the table is merely darker."""
    # rectification is never exact to the pixel: compare with the lightest and darkest neighbours
    apart = cv2.max(cv2.subtract(cv2.erode(old, NEAR_BRUSH), lab), cv2.subtract(lab, cv2.dilate(old, NEAR_BRUSH)))
    light, a, b = cv2.split(cv2.max(apart, np.zeros_like(apart)))
    off = cv2.blur(cv2.sqrt(light * light + np.float32(2) * (a * a + b * b)), (5, 5))
    blue, green, red = cv2.split(cv2.divide(_to_linear(picture), _to_linear(empty)))
    dim = (blue + green + red) * np.float32(1 / 3)
    spread = cv2.max(cv2.max(blue, green), red) - cv2.min(cv2.min(blue, green), red)
    even = spread < 0.2 * np.maximum(dim, 0.35) + 0.08
    return np.asarray(off, np.float32), even & (dim > 0.3) & (dim < 1.05)


def _to_linear(picture: Colour) -> NDArray[np.float32]:
    """Linear light, with an offset that keeps ratios of near-black pixels bounded."""
    table = ((np.arange(256) / 255.0) ** 2.2 + 0.004).astype(np.float32)
    return np.asarray(cv2.LUT(cv2.GaussianBlur(picture, (0, 0), 1.5), table), np.float32)


def _remove_specks(found: NDArray[np.bool_]) -> Mask:
    return np.asarray(cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_OPEN, NEAR_BRUSH), np.uint8)
