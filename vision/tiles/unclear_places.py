"""The places where it is not known whether a tile lies: as pixels, and as areas of the table."""

import math

import cv2
import numpy as np

from engine.table import Area
from vision.changes.occlusion import cover_mask
from vision.changes.top_view import CELL_MM
from vision.tiles.colour_masks import Colour, ColourMasks, Mask
from vision.tiles.groups import FoundGroups
from vision.tiles.hex_grid import HexGrid, Spot, mask_hexagon
from vision.tiles.white_dots import find_blackish

MIXED_PITCHES = 0.6
"""Half the side, in pitches, of the square in which a tile may lie that does not fit its place on the grid."""
CHANGED_SHARE = 0.5
"""A place is unclear as a whole if this share of it has changed: a lamp mirrored in a tile may be as bright as the
table. Elsewhere only what has changed is unclear, because a tile there would be seen."""
SHRINK = 4
"""Pixels, across and down, to one at which it is asked whether a black tile can be seen."""
RIM_PX = 5
"""By how many pixels what has changed may be drawn too small: 3 mm."""


def draw_unclear_places(found: FoundGroups, pixels: ColourMasks, pitch: float, picture: Colour | None) -> Mask:
    """What the groups leave unclear. ``picture`` is rectified; without it black tiles look like the table."""
    unclear = found.lost.copy()
    if not any(group.mixed for group in found.groups):
        return unclear
    changed = pixels.red | pixels.black
    for mask in (pixels.other, pixels.shade, _draw_hidden_black(pixels, picture)):
        changed |= mask
    near = np.asarray(cv2.dilate(changed, np.ones((RIM_PX, RIM_PX), np.uint8)), np.uint8)
    for group in found.groups:
        for spot in group.mixed:
            square = _cut_square(spot, MIXED_PITCHES * pitch)
            unclear[square] |= near[square]
            _add_changed_place(unclear, changed, spot, group.grid)
    return unclear


def _draw_hidden_black(pixels: ColourMasks, picture: Colour | None) -> Mask:
    """Where a black tile would look like the table."""
    if picture is None:
        return np.ones_like(pixels.mute)
    drawn = _draw_blackish(picture)
    drawn &= pixels.mute
    return drawn


def _draw_blackish(picture: Colour) -> Mask:
    high, wide = picture.shape[:2]
    small = cv2.resize(picture, (-(-wide // SHRINK), -(-high // SHRINK)), interpolation=cv2.INTER_AREA)
    found = find_blackish(np.asarray(small, np.uint8)).astype(np.uint8)
    return np.asarray(cv2.resize(found, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)


def _cut_square(spot: Spot, half: float) -> tuple[slice, slice]:
    x, y = (slice(max(0, math.floor(way - half)), max(0, math.ceil(way + half) + 1)) for way in spot)
    return y, x


def _add_changed_place(unclear: Mask, changed: Mask, spot: Spot, grid: HexGrid) -> None:
    cut, place = mask_hexagon(changed.shape, spot, grid)
    if place.size and cv2.countNonZero(changed[cut] & place) >= CHANGED_SHARE * cv2.countNonZero(place):
        unclear[cut] |= place


def cover_pixels(mask: Mask, fine: float, area: Area) -> tuple[Area, ...]:
    """The set pixels of a rectified picture of an area of the table, ``fine`` to a mm, as few areas in mm."""
    rows, columns = (_list_first_pixels(size, CELL_MM * fine) for size in mask.shape)
    cells = np.maximum.reduceat(np.maximum.reduceat(mask, rows, axis=0), columns, axis=1) != 0
    return tuple(
        Area(one.left + area.left, one.top + area.top, one.right + area.left, one.bottom + area.top)
        for one in cover_mask(cells)
    )


def _list_first_pixels(size: int, side: float) -> list[int]:
    """The first pixel of each cell along ``size`` pixels. A pixel belongs to the cell that contains its centre."""
    return [first for n in range(math.ceil(size / side)) if (first := math.ceil(n * side - 0.5)) < size]
