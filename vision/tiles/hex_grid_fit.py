"""Fit of a hexagonal grid to the pixels of tiles, so that its cells are as full or as empty as possible."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.axial import NEIGHBOURS, Cell, list_neighbours
from vision.tiles.hex_grid import HexGrid, Spot, offset_cell

Map = NDArray[np.float32]

FULL_SHARE, HALF_SHARE = 0.75, 0.5
"""Shares of a cell in one colour from which it holds a tile, and from which it holds something."""

WELL_FULL_SHARE, FULLER_SHARE, EQUAL_SHARE = 0.93, 0.05, 0.01
"""A tile lies at a place from the first share on, or near it at one as full, and fuller by the second; a difference
below the third is none."""
SLID_PITCHES, LEAST_APART_PITCHES = 0.55, 0.94
"""How far from its cell a tile is looked for, and how near two tiles can be: they are turned, and gaps are part of the
pitch."""

LEAST_EDGE = 1e-6
"""The least slope that has a direction."""
FEW_MUTE_SHARE = 0.1
"""Pixels that cannot be told do not matter below this share of the pitch squared in all."""
HOPELESS_SCORE = 0.3
"""A grid that scores less on the small picture is not fitted further: the large picture hardly ever adds as much as is
missing."""
MUTE_WEIGHT = 0.6
"""Weight of a pixel that cannot be told: a cell of such pixels is neither full nor empty."""


@dataclass(frozen=True, slots=True)
class ColourMaps:
    """Maps of a picture, 0 to 1: red tile, black tile, or cannot be told (``mute``)."""

    red: Map
    black: Map
    mute: Map

    @property
    def total(self) -> float:
        return float(self.red.sum() + self.black.sum())

    def shrink(self, times: float) -> "ColourMaps":
        high, wide = self.red.shape
        size = (max(1, round(wide / times)), max(1, round(high / times)))
        return ColourMaps(*(_resize(plane, size) for plane in (self.red, self.black, self.mute)))


def _resize(plane: Map, size: tuple[int, int]) -> Map:
    return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), np.float32)


@dataclass(frozen=True, slots=True)
class GridFit:
    """A grid and its score: intersection over union of the pixels and the full cells."""

    grid: HexGrid
    score: float


def measure_outline_angle(tiles: Map) -> float:
    """The direction, modulo 60 degrees, that the sides of all tiles face."""
    soft = cv2.GaussianBlur(tiles, (0, 0), 2.0)
    gx, gy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    del soft
    strength = cv2.magnitude(gx, gy)
    edge = strength > LEAST_EDGE  # most pixels are none, and complex numbers take the most memory of all
    wave, strength = gx[edge] + 1j * gy[edge], strength[edge]
    total = float(strength.sum())
    if not total:
        return 0.0
    mean = complex((wave**6 / strength**5).sum()) / total
    return math.degrees(math.atan2(mean.imag, mean.real)) / 6 % 60


def _kernel(pitch: float, angle: float) -> Map:
    """The kernel that averages over one cell."""
    reach = math.ceil(pitch / math.sqrt(3)) + 1
    at = np.radians(angle + 30 + 60 * np.arange(6))
    corners = reach + np.stack([np.cos(at), np.sin(at)], 1) * pitch / math.sqrt(3)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    cv2.fillPoly(kernel, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(dtype=np.float64), np.float32)


def measure_fill(pixels: ColourMaps, pitch: float, angle: float) -> tuple[Map, Map]:
    """At each pixel: the share of the cell around it in its fullest colour, and the share that can be told."""
    kernel = _kernel(pitch, angle)
    most = np.zeros_like(pixels.red)
    for plane in (pixels.red, pixels.black):
        if cv2.hasNonZero(plane):  # most heaps have one colour
            share = cv2.filter2D(plane, -1, kernel, borderType=cv2.BORDER_CONSTANT)
            most = np.asarray(cv2.max(most, share), np.float32)
    if float(pixels.mute.sum()) < FEW_MUTE_SHARE * pitch * pitch:
        return most, np.ones_like(most)
    mute = cv2.filter2D(pixels.mute, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    return most, np.asarray(1 - mute, np.float32)


def rate_fill(most: Map, able: Map) -> Map:
    """How full cells are, by the pixels that can be told, but at least four tenths of the cell.

    Beside ink some pixels are wrong: where ink and tile fill a cell together, a bonus makes up for them. A cell of
    which nothing can be told is doubtful.
    """
    forgiven = np.clip(most + 1 - able - 0.85, 0, 0.1) * np.minimum(3 * (1 - able), 1) * 1.5
    return np.asarray(np.maximum(most / np.maximum(able, 0.4) + forgiven, most + MUTE_WEIGHT * (1 - able)), np.float32)


def score_pitches(pixels: ColourMaps, pitches: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """The score of the best grid of each pitch."""
    shrink = max(1.0, float(pitches.min()) / 9)
    small = pixels.shrink(shrink)
    fits = [_search(small, [pitch / shrink], [angle], _offsets(9), None) for pitch in pitches]
    return np.array([found.score if found else 0.0 for found in fits])


def fit_grid(pixels: ColourMaps, pitch: float, angle: float) -> GridFit | None:
    """The best grid of about this pitch: first coarse, on a small picture, then fine if there is hope."""
    rough, fine = max(1.0, pitch / 10), max(1.0, pitch / 24)
    small = pixels.shrink(rough)
    best = _search(small, [pitch / rough], [angle - 3, angle, angle + 3], _offsets(10), None)
    if best is None or best.score < HOPELESS_SCORE:
        return None
    at, scale = best.grid, rough / fine
    start = HexGrid((at.x + 0.5) * scale - 0.5, (at.y + 0.5) * scale - 0.5, at.pitch * scale, at.angle)
    larger = pixels.shrink(fine)
    for reach in (0.03, 0.015):
        pitches = [start.pitch * (1 + way * reach) for way in (-1, 0, 1)]
        angles = [start.angle + way * 60 * reach for way in (-1, 0, 1)]
        better = _search(larger, pitches, angles, _offsets(5) * reach * 4, start)
        if better is not None:
            start, best = better.grid, better
    grid = HexGrid((start.x + 0.5) * fine - 0.5, (start.y + 0.5) * fine - 0.5, start.pitch * fine, start.angle)
    return GridFit(grid, best.score)


@cache
def _offsets(n: int) -> NDArray[np.float64]:
    """n x n places within one cell, in steps of its two directions."""
    line = (np.arange(n) - (n - 1) / 2) / n
    return np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)


@lru_cache(maxsize=64)
def _list_cells(reach: int) -> NDArray[np.intp]:
    """All cells up to a number of steps along both axes."""
    line = np.arange(-reach, reach + 1)
    return np.stack(np.meshgrid(line, line, indexing="ij"), -1).reshape(-1, 2)


def _search(
    pixels: ColourMaps,
    pitches: Sequence[float],
    angles: Sequence[float],
    offsets: NDArray[np.float64],
    start: HexGrid | None,
) -> GridFit | None:
    high, wide = pixels.red.shape
    total = pixels.total
    if total < 4:
        return None
    best: GridFit | None = None
    for angle in angles:
        for pitch in pitches:
            around = start or HexGrid(wide / 2, high / 2, pitch, angle)
            most, able = measure_fill(pixels, pitch, angle)
            full = rate_fill(most, able)
            basis = np.array([offset_cell(pitch, angle, (1, 0)), offset_cell(pitch, angle, (0, 1))])
            reach = math.ceil(math.hypot(wide, high) / pitch / math.sqrt(3)) + 2
            spots = _list_cells(reach) @ basis + [around.x, around.y]
            inside = (spots > -pitch / 2).all(1) & (spots < [wide + pitch / 2, high + pitch / 2]).all(1)
            shift = offsets @ basis
            at = spots[inside][None] + shift[:, None]
            xs = np.clip(np.rint(at[..., 0]), 0, wide - 1).astype(np.intp)
            ys = np.clip(np.rint(at[..., 1]), 0, high - 1).astype(np.intp)
            cell = pitch * pitch * math.sqrt(3) / 2
            held = full[ys, xs] > 0.55
            taken = np.where(held, most[ys, xs], 0)
            lost = np.where(held, able[ys, xs], 0) - taken
            score = taken.sum(1) * cell / (total + lost.sum(1) * cell)
            i = int(score.argmax())
            if best is None or score[i] > best.score:
                grid = HexGrid(around.x + shift[i, 0], around.y + shift[i, 1], float(pitch), float(angle))
                best = GridFit(grid, float(score[i]))
    return best


def grow_tiles(
    full: Map, grid: HexGrid, seed: Cell, least: float = FULL_SHARE
) -> tuple[dict[Cell, Spot], dict[Cell, Spot]]:
    """Tiles reached from a first one, neighbour by neighbour, each at the fullest place near its cell; and the places
    that are neither full nor empty.

    The lattice may drift: the place of a cell is predicted by the tiles that touch it, not by the grid.
    """
    found = {seed: find_fullest(full, *grid.find_centre(seed), grid.pitch)[0]}
    doubtful: dict[Cell, Spot] = {}
    edge = [seed]
    while edge:
        cell = edge.pop(0)
        for beside in list_neighbours(cell):
            if beside in found:
                continue
            votes = list(_predict_places(found, beside, grid))
            x, y = (sum(axis) / len(votes) for axis in zip(*votes, strict=True))
            spot, share = find_fullest(full, x, y, grid.pitch)
            doubtful.pop(beside, None)
            if share >= least:
                found[beside] = spot
                edge.append(beside)
            elif share >= HALF_SHARE:
                doubtful[beside] = spot
    return found, doubtful


def shift_to_fullest(
    full: Map, found: Mapping[Cell, Spot], doubtful: Mapping[Cell, Spot], pitch: float
) -> tuple[dict[Cell, Spot], dict[Cell, Spot]]:
    """The tiles and the doubtful places, each moved to where it is fuller, if it lies off its cell as a whole.

    No tile lies nearer to another than they can.
    """
    moved = {**found, **doubtful}
    left = dict(doubtful)
    for cell, spot in [*moved.items()]:
        share = float(full[_clip(spot, full)])
        if share >= WELL_FULL_SHARE:
            continue
        others = np.array([other for name, other in moved.items() if name != cell]).reshape(-1, 2)
        better = _search_around(full, spot, others, pitch, max(WELL_FULL_SHARE, share + FULLER_SHARE))
        if better is not None:
            moved[cell] = better
            left.pop(cell, None)
    return {cell: spot for cell, spot in moved.items() if cell not in left}, left


def _clip(spot: Spot, full: Map) -> tuple[int, int]:
    return min(full.shape[0] - 1, max(0, round(spot[1]))), min(full.shape[1] - 1, max(0, round(spot[0])))


def _search_around(full: Map, spot: Spot, others: NDArray[np.float64], pitch: float, least: float) -> Spot | None:
    """The fullest place within ``SLID_PITCHES``, of at least this share, that leaves room for the others."""
    reach = round(SLID_PITCHES * pitch)
    row, column = _clip(spot, full)
    ys, xs = np.mgrid[
        max(0, row - reach) : min(full.shape[0], row + reach + 1),
        max(0, column - reach) : min(full.shape[1], column + reach + 1),
    ]
    share = full[ys, xs]
    good = (share >= least) & (np.hypot(xs - spot[0], ys - spot[1]) <= reach)
    if not good.any():
        return None
    xs, ys, share = xs[good], ys[good], share[good]
    apart = np.hypot(xs[:, None] - others[:, 0], ys[:, None] - others[:, 1])
    free = (apart >= LEAST_APART_PITCHES * pitch).all(1)
    if not free.any():
        return None
    worth = np.where(free, share, -1)
    # where it is as full over some pixels, in their middle
    top = worth >= worth.max() - EQUAL_SHARE
    return float(xs[top].mean()), float(ys[top].mean())


def _predict_places(found: dict[Cell, Spot], cell: Cell, grid: HexGrid) -> Iterator[Spot]:
    for way in NEIGHBOURS:
        beside = (cell[0] - way[0], cell[1] - way[1])
        if beside in found:
            dx, dy = offset_cell(grid.pitch, grid.angle, way)
            yield found[beside][0] + dx, found[beside][1] + dy


def find_fullest(full: Map, x: float, y: float, pitch: float) -> tuple[Spot, float]:
    """The fullest place within a tenth of a cell, and how full it is; nearer places are preferred."""
    high, wide = full.shape
    reach = max(1, round(pitch * 0.11))
    cx, cy = round(x), round(y)
    left, right = max(0, cx - reach), min(wide, cx + reach + 1)
    top, bottom = max(0, cy - reach), min(high, cy + reach + 1)
    if left >= right or top >= bottom:
        return (x, y), 0.0
    patch = full[top:bottom, left:right]
    ys, xs = np.mgrid[top:bottom, left:right]
    worth = patch - 0.12 * ((xs - x) ** 2 + (ys - y) ** 2) / reach**2
    i = int(worth.argmax())
    row, col = divmod(i, patch.shape[1])
    return (float(left + col), float(top + row)), float(patch[row, col])
