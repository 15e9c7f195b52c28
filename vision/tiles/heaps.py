"""Heaps: pixels of tiles close together, to be separated into tiles."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.tiles.colour_masks import ColourMasks, Mask
from vision.tiles.hex_grid_fit import ColourMaps

HOLE_SHARE = 0.3
"""The surroundings of a pixel in a hole, as share of the side of the largest hole."""

ISLAND_SHARE = 0.2
"""A bare spot enclosed by what is a tile or mute is mute up to this share of the largest hole: the middle of a mirrored
lamp may be as bright as the table."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Pixels close together: the box around them, and a mask of it."""

    left: int
    top: int
    mask: Mask
    count: int

    def count_left(self, plane: Mask) -> int:
        """How many of its pixels are still set in a mask of the whole picture."""
        high, wide = self.mask.shape
        return int((plane[self.top : self.top + high, self.left : self.left + wide] & self.mask).sum())

    def cut_box(self, plane: Mask, margin: int) -> Mask:
        """The heap's box of a larger picture, with a margin; zero outside."""
        framed = np.pad(plane, margin)
        high, wide = self.mask.shape
        return framed[self.top : self.top + high + 2 * margin, self.left : self.left + wide + 2 * margin]


def find_heaps(both: Mask, near: float, least: float) -> list[Heap]:
    """Heaps of at least ``least`` pixels, separated by gaps wider than ``near`` px, the largest first."""
    side = max(3, round(near) | 1)
    joined = cv2.dilate(both, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, ltype=cv2.CV_16U)
    found = []
    for i in range(1, count):
        left, top, wide, high = (int(v) for v in stats[i, :4])
        cut = (slice(top, top + high), slice(left, left + wide))
        mine = (labels[cut] == i).astype(np.uint8)
        pixels = int((both[cut] & mine).sum())
        if pixels >= least:
            found.append(Heap(left, top, mine, pixels))
    return sorted(found, key=lambda heap: -heap.count)


def fill_holes(seen: ColourMasks, largest: float) -> ColourMasks:
    """Fill small holes (dots, stickers, mirrored lamps), each pixel with the colour that is more frequent around it.

    What looks like a black tile in a hole is one.
    """
    reach = max(3, round(largest**0.5 * HOLE_SHARE))
    both = seen.red | seen.black
    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - both, connectivity=4)
    red, black = seen.red.copy(), seen.black.copy()
    for i in range(1, count):
        left, top, wide, high, area = (int(v) for v in stats[i, :5])
        if area > largest:
            continue
        cut = (slice(max(0, top - reach), top + high + reach), slice(max(0, left - reach), left + wide + reach))
        hole = (labels[cut] == i).astype(np.uint8)
        side = (2 * reach + 1, 2 * reach + 1)
        dark = (seen.black[cut] | (hole & seen.mute[cut])).astype(np.float32)
        nearer = cv2.blur(seen.red[cut].astype(np.float32), side) > cv2.blur(dark, side)
        nearer &= seen.mute[cut] == 0
        red[cut] |= hole & nearer
        black[cut] |= hole & ~nearer
    mute = seen.mute & (1 - (red | black))
    _, islands, sizes, _ = cv2.connectedComponentsWithStats(1 - (red | black | mute), connectivity=4)
    within = np.asarray(sizes)[:, cv2.CC_STAT_AREA] < ISLAND_SHARE * largest
    within[0] = False
    mute = np.asarray(mute | within[islands].astype(np.uint8), np.uint8)
    return replace(seen, red=red, black=black, mute=mute, other=seen.other & (1 - (red | black)))


def cut_pixels(seen: ColourMasks, heap: Heap, margin: int, *, alone: bool) -> ColourMaps:
    """The heap's own pixels, or all in its box."""
    own = np.pad(heap.mask, margin) if alone else np.uint8(1)
    red, black = heap.cut_box(seen.red, margin) & own, heap.cut_box(seen.black, margin) & own
    planes = (red, black, heap.cut_box(seen.mute, margin))
    return ColourMaps(*(plane.astype(np.float32) for plane in planes))
