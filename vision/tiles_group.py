"""Pixels of tiles into groups of tiles: each group hangs together on one honeycomb of its own."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hexgrid import Cell, Grid, Spot
from vision.tiles_fit import Map, Pixels, filled, fit, grow, outline_angle, part, profile
from vision.tiles_paint import Mask, Paint

TRUST = 0.62
"""A honeycomb that explains less than this of its pixels is none."""
LOOSE = 0.03
"""Pixels that no tile explains count as something else from this share of the pitch squared on."""
RIVAL = 0.9
"""A pitch that explains so much of what the best explains is tried as well."""
PURE = 0.8
"""A tile has one colour: so much of its middle must agree."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that touch: cell -> centre in px and cell -> colour. What is ``mixed`` may be neither."""

    grid: Grid
    spots: Mapping[Cell, Spot]
    colours: Mapping[Cell, str]
    mixed: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Heap:
    """Pixels that lie close together: the box around them, and a mask of it."""

    left: int
    top: int
    mask: Mask
    count: int

    def cut(self, plane: Mask, margin: int) -> Mask:
        """The heap's box of a larger picture, with a margin; zero outside."""
        framed = np.pad(plane, margin)
        high, wide = self.mask.shape
        return framed[self.top : self.top + high + 2 * margin, self.left : self.left + wide + 2 * margin]


def heaps_of(both: Mask, near: float, least: float) -> list[Heap]:
    """Heaps of at least ``least`` pixels, parted by gaps wider than ``near`` px, the largest first."""
    side = max(3, round(near) | 1)
    joined = cv2.dilate(both, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    found = []
    for i in range(1, count):
        left, top, wide, high = (int(v) for v in stats[i, :4])
        cut = (slice(top, top + high), slice(left, left + wide))
        mine = (labels[cut] == i).astype(np.uint8)
        pixels = int((both[cut] & mine).sum())
        if pixels >= least:
            found.append(Heap(left, top, mine, pixels))
    return sorted(found, key=lambda heap: -heap.count)


def filled_holes(seen: Paint, largest: float) -> Paint:
    """Dots and stickers painted over: a small hole takes the colour of its rim."""
    both = seen.red | seen.black
    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - both, connectivity=4)
    red, black = seen.red.copy(), seen.black.copy()
    rim = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    for i in range(1, count):
        left, top, wide, high, area = (int(v) for v in stats[i, :5])
        if area > largest:
            continue
        cut = (slice(max(0, top - 3), top + high + 3), slice(max(0, left - 3), left + wide + 3))
        hole = (labels[cut] == i).astype(np.uint8)
        edge = cv2.dilate(hole, rim) & (1 - hole)
        (red if int((edge & red[cut]).sum()) * 2 > int((edge & both[cut]).sum()) else black)[cut] |= hole
    return Paint(red, black, seen.mute)


def likely_pitches(seen: Paint, heaps: list[Heap], pitches: NDArray[np.float64]) -> list[float]:
    """The pitches that explain the larger heaps best together, the best first: all tiles have one size."""
    total = np.zeros(len(pitches))
    for heap in heaps[:8]:
        pixels = _pixels(seen, heap, 4, alone=True)
        angle = outline_angle(pixels.red + pixels.black)
        total += profile(pixels, pitches, angle) * heap.count
    ends = np.pad(total, 1, constant_values=-1.0)
    peaks = np.flatnonzero((total >= ends[:-2]) & (total > ends[2:]) & (total > RIVAL * total.max()))
    return [_peak(total, pitches, int(i)) for i in sorted(peaks, key=lambda i: -total[i])[:3]]


def _peak(total: NDArray[np.float64], pitches: NDArray[np.float64], i: int) -> float:
    """The top of the parabola through a peak and its neighbours."""
    shift = 0.0
    if 0 < i < len(pitches) - 1:
        low, mid, high = total[i - 1 : i + 2]
        bow = low - 2 * mid + high
        shift = 0.5 * float((low - high) / bow) if bow else 0.0
    return float(pitches[i] * (pitches[1] / pitches[0]) ** shift)


def _pixels(seen: Paint, heap: Heap, margin: int, *, alone: bool) -> Pixels:
    """The heap's own pixels, or all in its box."""
    own = np.pad(heap.mask, margin) if alone else np.uint8(1)
    red, black = heap.cut(seen.red, margin) & own, heap.cut(seen.black, margin) & own
    planes = (red, black, heap.cut(seen.mute, margin))
    return Pixels(*(plane.astype(np.float32) for plane in planes))


def _peeled(seen: Paint, pitch: float, near: float) -> Iterator[Group]:
    """The groups of a picture, one after the other, each taken away before the next is looked for."""
    cell = pitch * pitch * math.sqrt(3) / 2
    brush = max(3, round(pitch * 0.12) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (brush, brush))
    left = seen
    hopeless = np.zeros_like(seen.red)
    while True:
        heaps = heaps_of((left.red | left.black) & (1 - hopeless), near, cell * 0.5)
        if not heaps:
            return
        taken = np.zeros_like(seen.red)
        for heap in heaps:
            group = _group(left, heap, pitch)
            if group is None:
                high, wide = heap.mask.shape
                hopeless[heap.top : heap.top + high, heap.left : heap.left + wide] |= heap.mask
                continue
            yield group
            for x, y in [*group.spots.values(), *group.mixed]:
                cv2.fillPoly(taken, [_outline(x, y, group.grid)], 1)
            left = _without(left, taken)
        red, black = (np.asarray(cv2.morphologyEx(m, cv2.MORPH_OPEN, kernel), np.uint8) for m in (left.red, left.black))
        left = Paint(red, black, left.mute)


def grouped(seen: Paint, pitch: float, near: float) -> tuple[Group, ...]:
    """The groups, less the tiles beside pixels of no tile: a sleeve is full of hexagons, its rim is not."""
    found = tuple(_peeled(seen, pitch, near))
    rest = np.asarray(seen.red | seen.black, np.uint8)
    for group in found:
        # a cell or two in doubt are a finger or a print; more of them are the rim of something else
        few = group.mixed if len(group.mixed) * 6 <= len(group.spots) else ()
        for x, y in [*group.spots.values(), *few]:
            cv2.fillPoly(rest, [_outline(x, y, group.grid)], 0)
    brush = max(3, round(pitch * 0.16) | 1)
    loose = cv2.morphologyEx(rest, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (brush, brush)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(loose)
    large = np.asarray(stats)[:, cv2.CC_STAT_AREA] > LOOSE * pitch * pitch
    large[0] = False
    reach = 2 * round(pitch * 0.15) + 1
    beside = np.asarray(cv2.dilate(large[labels].astype(np.uint8), np.ones((reach, reach), np.uint8)), np.uint8)
    return tuple(_kept(group, beside) for group in found)


def _kept(group: Group, near: Mask) -> Group:
    beside = {cell for cell, spot in group.spots.items() if _touches(near, spot, group.grid)}
    # where so little is clear there is no board, and what looks whole is not
    if len(beside) * 4 > len(group.spots) or len(group.mixed) * 3 > len(group.spots) + 3:
        beside = set(group.spots)
    return Group(
        group.grid,
        {cell: spot for cell, spot in group.spots.items() if cell not in beside},
        {cell: colour for cell, colour in group.colours.items() if cell not in beside},
        (*group.mixed, *(group.spots[cell] for cell in sorted(beside))),
    )


def _touches(near: Mask, spot: Spot, grid: Grid) -> bool:
    outline = _outline(*spot, grid)
    (left, top), (right, bottom) = np.maximum(outline.min(0), 0), np.maximum(outline.max(0) + 1, 1)
    place = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(place, [outline - [left, top]], 1)
    cut = near[top:bottom, left:right]
    return bool((cut & place[: cut.shape[0], : cut.shape[1]]).any())


def _without(seen: Paint, taken: Mask) -> Paint:
    return Paint(seen.red & (1 - taken), seen.black & (1 - taken), seen.mute & (1 - taken))


def _outline(x: float, y: float, grid: Grid) -> NDArray[np.int32]:
    at = np.radians(grid.angle + 30 + 60 * np.arange(6))
    corners = np.stack([np.cos(at), np.sin(at)], 1) * grid.pitch * 1.06 / math.sqrt(3) + [x, y]
    return np.round(corners).astype(np.int32)


def _group(seen: Paint, heap: Heap, pitch: float) -> Group | None:
    margin = round(1.3 * pitch)
    own = _pixels(seen, heap, margin, alone=True)
    found = fit(own, pitch, outline_angle(own.red + own.black))
    if found is None or found.score < TRUST:
        return None
    # tiles that a gap or a dark print parted from the heap may still belong to it
    pixels = _pixels(seen, heap, margin, alone=False)
    full = part(*filled(pixels, found.grid.pitch * 0.98, found.grid.angle))
    seed = _fullest(full, found.grid)
    if seed is None:
        return None
    core = (round(pitch * 0.5), round(pitch * 0.5))
    red, black = cv2.blur(pixels.red, core), cv2.blur(pixels.black, core)
    left, top = heap.left - margin, heap.top - margin
    grid = Grid(found.grid.x + left, found.grid.y + top, found.grid.pitch, found.grid.angle)
    spots: dict[Cell, Spot] = {}
    colours: dict[Cell, str] = {}
    mixed: list[Spot] = []
    whole, doubtful = grow(full, found.grid, seed)
    mixed += [(x + left, y + top) for x, y in doubtful]
    for cell, (x, y) in whole.items():
        at = (min(full.shape[0] - 1, max(0, round(y))), min(full.shape[1] - 1, max(0, round(x))))
        share = float(red[at]) / max(1e-6, float(red[at] + black[at]))
        if 1 - PURE < share < PURE:
            mixed.append((x + left, y + top))
        else:
            spots[cell] = (x + left, y + top)
            colours[cell] = "red" if share >= PURE else "black"
    return Group(grid, spots, colours, tuple(mixed))


def _fullest(full: Map, grid: Grid) -> Cell | None:
    """The cell to begin with: the fullest of all."""
    high, wide = full.shape
    best: tuple[float, Cell] | None = None
    reach = math.ceil(math.hypot(high, wide) / grid.pitch) + 1
    for q in range(-reach, reach + 1):
        for r in range(-reach, reach + 1):
            x, y = grid.centre((q, r))
            if 0 <= x < wide and 0 <= y < high:
                share = float(full[int(y), int(x)])
                if share >= 0.85 and (best is None or share > best[0]):
                    best = share, (q, r)
    return best[1] if best else None
