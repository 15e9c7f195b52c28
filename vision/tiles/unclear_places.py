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
table. Elsewhere only what has changed is unclear, for there a tile is seen."""
SHRINK = 4
"""Pixels, across and down, to one at which it is asked whether a black tile can be seen."""
RIM_PX = 5
"""By how many pixels what has changed may be drawn too small: 3 mm."""


def draw_unclear_places(found: FoundGroups, pixels: ColourMasks, pitch: float, picture: Colour | None) -> Mask:
    """What the groups leave unclear. ``picture`` is rectified; without it black tiles look like the table."""
    unclear = found.lost.copy()
    if not any(group.mixed for group in found.groups):
        return unclear
    changed = pixels.red | pixels.black | pixels.other | pixels.shade
    changed |= np.uint8(1) if picture is None else pixels.mute & _draw_blackish(picture)
    near = np.asarray(cv2.dilate(changed, np.ones((RIM_PX, RIM_PX), np.uint8)), np.uint8)
    for group in found.groups:
        for spot in group.mixed:
            square = _cut_square(spot, MIXED_PITCHES * pitch)
            unclear[square] |= near[square]
            _add_changed_place(unclear, changed, spot, group.grid)
    return unclear


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
    side = CELL_MM * fine
    cells = np.zeros([math.ceil(size / side) for size in mask.shape], np.bool_)
    rows, columns = np.nonzero(mask)
    cells[((rows + 0.5) / side).astype(np.intp), ((columns + 0.5) / side).astype(np.intp)] = True
    return tuple(
        Area(one.left + area.left, one.top + area.top, one.right + area.left, one.bottom + area.top)
        for one in cover_mask(cells)
    )
