"""White dots, which mark black tiles on a table that is as dark as they are."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.colour_masks import Colour, Mask
from vision.tiles.hex_grid import Spot

Lab = NDArray[np.float32]

BLACK_L = 22.0
"""The lightest black of a tile, L* of 0 to 100."""
APART_LAB = 5.0
"""A table nearer than this to black wood, in Lab units, cannot show a black tile."""


def to_lab(picture: Colour) -> Lab:
    """CIE Lab, L 0 to 100, of a picture blurred just enough to suppress sensor noise."""
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32) * np.float32(1 / 255)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2Lab), np.float32)


def is_too_dark(empty: Colour) -> bool:
    """Is a black tile invisible on most of this table?"""
    return bool(find_blackish(np.ascontiguousarray(empty[::2, ::2])).mean() > 0.5)


def find_blackish(picture: Colour) -> NDArray[np.bool_]:
    """The pixels that look like a black tile."""
    lab = to_lab(picture)
    lighter = np.maximum(lab[..., 0] - BLACK_L, 0)
    return np.asarray(np.sqrt(lighter**2 + lab[..., 1] ** 2 + lab[..., 2] ** 2) < APART_LAB, np.bool_)


def find_white_dots(picture: Colour, empty: Colour | None, fine: float) -> tuple[Spot, ...]:
    """Round or square white spots of 6 to 16 mm in dark surroundings, in px of the rectified picture."""
    lab = to_lab(picture)
    light, a, b = lab[..., 0], lab[..., 1], lab[..., 2]
    side = round(30 * fine) | 1
    bright = (light > cv2.boxFilter(light, -1, (side, side)) + 18) & (np.hypot(a, b) < 18)
    if empty is not None:
        bright &= light > to_lab(empty)[..., 0] + 15
    count, _, stats, centres = cv2.connectedComponentsWithStats(bright.astype(np.uint8))
    found = []
    for i in range(1, count):
        wide, high, area = (float(v) / fine for v in stats[i, 2:5])
        area /= fine
        whole = area > 0.6 * wide * high and 0.7 < wide / high < 1.43
        if whole and 28 < area < 256 and _ring(light, np.hypot(a, b), centres[i], 9.5 * fine):
            found.append((float(centres[i][0]), float(centres[i][1])))
    return tuple(found)


def _ring(light: NDArray[np.float32], chroma: NDArray[np.float32], at: NDArray[np.float64], radius: float) -> bool:
    """Is there dark, colourless wood around the dot?"""
    way = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    xs = np.clip(np.rint(at[0] + radius * np.cos(way)), 0, light.shape[1] - 1).astype(np.intp)
    ys = np.clip(np.rint(at[1] + radius * np.sin(way)), 0, light.shape[0] - 1).astype(np.intp)
    return bool(np.median(light[ys, xs]) < 33 and np.median(chroma[ys, xs]) < 18)


def measure_spacing(spots: Sequence[Spot], low: float, high: float) -> list[float]:
    """The median distance from a spot to the nearest other one, of the distances between two bounds."""
    if len(spots) < 2:
        return []
    at = np.array(spots)
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    near = apart.min(1)
    near = near[(near > low) & (near < high)]
    return [float(np.median(near))] if len(near) else []


def measure_direction(spots: Sequence[Spot], pitch: float) -> float | None:
    """The direction from spot to neighbouring spot, modulo 60 degrees."""
    if len(spots) < 2:
        return None
    at = np.array(spots)
    way = at[:, None] - at[None]
    apart = np.hypot(way[..., 0], way[..., 1])
    beside = (apart > 0.85 * pitch) & (apart < 1.18 * pitch)
    if not beside.any():
        return None
    turn = np.exp(6j * np.arctan2(way[..., 1], way[..., 0])[beside]).mean()
    return math.degrees(math.atan2(turn.imag, turn.real)) / 6 % 60


def stamp_tiles(mask: Mask, spots: Sequence[Spot], pitch: float, angle: float) -> Mask:
    """The mask with a tile drawn around every spot."""
    out = mask.copy()
    way = np.radians(angle + 30 + 60 * np.arange(6))
    corners = np.stack([np.cos(way), np.sin(way)], 1) * pitch * 0.98 / math.sqrt(3)
    for spot in spots:
        cv2.fillPoly(out, [np.round(corners + spot).astype(np.int32)], 1)
    return out
