"""Whether the rim of a tile is seen: a tile ends at straight sides where its own colour stops, a shadow or a sleeve
only looks like tiles inside.
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.axial import NEIGHBOURS, Cell, list_neighbours
from vision.changes.light_fit import DARK_LINEAR, decode_gamma, log_of_levels
from vision.tiles.hex_grid import HexGrid, Spot, mask_hexagon, offset_cell
from vision.tiles.table_light import GAIN_STEP_PX, Gain

Colour = NDArray[np.uint8]
Shares = NDArray[np.float32]
"""For each tile and each of its sides, in the order of ``NEIGHBOURS``, the share of the contrast that ends there."""

INNER, OUTER = -0.22, 0.32
"""The profile across a side begins and ends at these distances from it, in pitches."""
FIRST, LAST = -0.12, 0.22
"""Between these a side is looked for: tiles are nudged, and the camera sees a flank of tiles that lie away from it."""
HALF_SIDE = 0.2
"""How far along the side, from its middle, the profile is averaged, in pitches: the corners of a tile are round."""
FACE_SHARE = 0.75
"""The share of a tile's width that is face for sure: bevel, gaps and shadows of neighbours are outside."""
STEP_SHARE = 0.05
"""Pixels before and after a step that are compared, in pitches: 2 mm, more than blur and a bevel."""
SEEN_SHARE = 0.3
"""A side is seen as a whole if this share of the contrast ends there. A tile turned by 2 degrees or nudged spreads its
side over twice the width of a step, and a shadow beside it takes some of the contrast away."""
MOST_UNSEEN, UNSEEN_SHARE = 1.0, 1 / 3
"""Sides of a rim that may be unseen in all, each counted by what is missing of it, and the same as a share of the rim:
a shadow or a headline under one or two sides may be as dark as the tile."""
SEAM_PITCHES, FLAT_PITCHES = 0.08, (0.1, 0.2)
"""A seam is a dark line this near to the side, in pitches: the gap to a neighbour, or the flank of the tile. On both
sides of it the light is even, at these distances."""
SEAM_LOG, LEAST_SEAMS = 0.2, 2
"""A seam is darker than both sides of it by this much, as natural logarithm, and a tile has so many: the rim of a
shadow is a step and no line."""
BARE_SHARE, LEAST_FREE, LEAST_KNOWN = 0.3, 3, 4
"""A place is bare if none of its free sides, so many at least, shows this share of what the free sides of black tiles
show in this picture: their median, of so many sides at least."""
LEAST_KEPT = 0.5
"""If the rims of fewer tiles of a group are seen than this share of them, those of the others are chance."""


@dataclass(frozen=True, slots=True, eq=False)
class RimView:
    """The rectified picture and the empty table, and the logarithm of the gain between them."""

    picture: Colour
    empty: Colour
    gain: Gain

    def measure_change(self, size: tuple[int, int]) -> Gain:
        """How the picture differs from the relit empty table, as logarithm, shrunk to a size (width, height)."""
        now, then = (
            np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
            for picture in (self.picture, self.empty)
        )
        gain = cv2.resize(self.gain, size, interpolation=cv2.INTER_LINEAR)
        lit = np.log(decode_gamma(then) * np.exp(gain) + np.float32(DARK_LINEAR))
        return np.asarray(log_of_levels(now) - lit, np.float32)

    def measure_face(self, spot: Spot, grid: HexGrid) -> Gain:
        """The colour of a tile without the gain, as the logarithms of its blue, green and red: the usual one of it."""
        cut, face = mask_hexagon(self.picture.shape, spot, grid, FACE_SHARE)
        at = [
            min(max(0, int(way / GAIN_STEP_PX)), size - 1)
            for way, size in zip(spot, self.gain.shape[1::-1], strict=True)
        ]
        level = log_of_levels(np.ascontiguousarray(self.picture[cut]))[face > 0]
        return np.asarray((np.median(level, axis=0) if len(level) else 0) - self.gain[at[1], at[0]], np.float32)

    def measure_sides(self, spots: list[Spot], grid: HexGrid) -> Shares:
        """How much of each tile's contrast to the table ends at each of its sides."""
        now, change = self._sample(np.array(spots), grid)
        return np.asarray(_find_steps(now, change, grid).max((2, 3)) / _measure_contrast(change, grid), np.float32)

    def measure_reach(self, spots: list[Spot], grid: HexGrid) -> Shares:
        """How far from the middle of each tile each of its sides is, in pitches; 0 where none is seen."""
        now, change = self._sample(np.array(spots), grid)
        steps = _find_steps(now, change, grid).max(3)
        place = 0.5 + FIRST + steps.argmax(2) / grid.pitch
        return np.asarray(np.where(steps.max(2) > SEEN_SHARE * _measure_contrast(change, grid), place, 0), np.float32)

    def measure_edges(self, spots: list[Spot], grid: HexGrid) -> Shares:
        """The light or dark step or line at each side, as natural logarithm."""
        step = _find_steps(*self._sample(np.array(spots), grid), grid).mean(3).max(2)
        return np.asarray(np.maximum(step, self.measure_seams(spots, grid)), np.float32)

    def measure_seams(self, spots: list[Spot], grid: HexGrid) -> Shares:
        """By how much each side is darker than the tile and than what lies beyond, in the picture and by its change."""
        depths = []
        for profiles in self._sample(np.array(spots), grid):
            line = profiles.mean(3)
            place = np.abs(np.arange(line.shape[2]) / grid.pitch + INNER)
            near = (place >= FLAT_PITCHES[0]) & (place <= FLAT_PITCHES[1])
            inner = np.arange(line.shape[2]) < -INNER * grid.pitch
            flat = np.minimum(line[:, :, near & inner].mean(2), line[:, :, near & ~inner].mean(2))
            depths.append(flat - line[:, :, place <= SEAM_PITCHES].min(2))
        return np.asarray(np.minimum(*depths), np.float32)

    def _sample(self, spots: NDArray[np.float64], grid: HexGrid) -> tuple[Gain, Gain]:
        """Profiles across each side: the logarithm of the picture, and how it differs from the relit empty table."""
        across = np.arange(grid.pitch * (0.5 + INNER), grid.pitch * (0.5 + OUTER))
        reach = grid.pitch * HALF_SIDE
        along = np.linspace(-reach, reach, max(3, round(reach)))
        way = np.exp(1j * np.radians(grid.angle + 60 * np.arange(6)))
        offsets = way[:, None, None] * (across[:, None] + 1j * along)
        points = (spots[:, 0] + 1j * spots[:, 1])[:, None, None, None] + offsets
        x, y = (np.asarray(axis.reshape(-1, len(along)), np.float32) for axis in (points.real, points.imag))
        x, y = (np.clip(axis, 0, size - 1) for axis, size in zip((x, y), self.picture.shape[1::-1], strict=True))
        now, then = (
            cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for picture in (self.picture, self.empty)
        )
        step = np.float32(1 / GAIN_STEP_PX)
        coarse_x, coarse_y = ((axis + np.float32(0.5)) * step - np.float32(0.5) for axis in (x, y))
        gain = cv2.remap(self.gain, coarse_x, coarse_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        level = log_of_levels(np.asarray(now, np.uint8))
        lit = np.log(decode_gamma(np.asarray(then, np.uint8)) * np.exp(gain) + np.float32(DARK_LINEAR))
        shape = (*points.shape, 3)
        return (
            np.asarray(level.reshape(shape).mean(3), np.float32),
            np.asarray((level - lit).reshape(shape).mean(3), np.float32),
        )


def _measure_contrast(change: Gain, grid: HexGrid) -> Gain:
    """The change of each tile near its sides."""
    inside = change[:, :, : 2 * _count_step_px(grid)].mean((1, 2))
    return np.asarray(np.maximum(np.abs(inside).max(1), np.float32(DARK_LINEAR))[:, None], np.float32)


def _count_step_px(grid: HexGrid) -> int:
    return max(2, round(STEP_SHARE * grid.pitch))


def _find_steps(now: Gain, change: Gain, grid: HexGrid) -> Gain:
    """The steps near each side that are in the picture and are a change: the texture of a table ends where the table is
    in shadow too, but it does not change there.
    """
    wide = _count_step_px(grid)
    steps, changes = _measure_steps(now, wide), _measure_steps(change, wide)
    both = np.where(steps * changes > 0, np.minimum(np.abs(steps), np.abs(changes)), np.float32(0))
    first, last = (round((place - INNER) * grid.pitch) - wide for place in (FIRST, LAST))
    return np.asarray(both[:, :, first : last + 1], np.float32)


def _measure_steps(profile: Gain, wide: int) -> Gain:
    """The mean of ``wide`` values from each place on, less that of as many before it; the first place is ``wide``."""
    total = np.cumsum(np.pad(profile, ((0, 0), (0, 0), (1, 0), (0, 0))), 2)
    mean = (total[:, :, wide:] - total[:, :, :-wide]) / wide
    return np.asarray(mean[:, :, wide:] - mean[:, :, :-wide], np.float32)


def find_rimless(
    spots: Mapping[Cell, Spot],
    grid: HexGrid,
    view: RimView,
    *,
    whole: bool = False,
    least_kept: float = LEAST_KEPT,
) -> frozenset[Cell]:
    """The tiles of a group whose rim is not seen all around.

    The seam to a neighbour need not be seen, but that neighbour has to be a tile itself. Of a ``whole`` rim one side at
    most is not seen.
    """
    if not spots:
        return frozenset()
    cells = list(spots)
    missing = np.maximum(1 - view.measure_sides([spots[cell] for cell in cells], grid) / SEEN_SHARE, 0)
    unseen = {
        cell: list(zip(list_neighbours(cell), row.tolist(), strict=True))
        for cell, row in zip(cells, missing, strict=True)
    }
    left = set(cells)
    while rimless := {
        cell
        for cell in left
        if not _has_rim([share for beside, share in unseen[cell] if beside not in left], 0.0 if whole else UNSEEN_SHARE)
    }:
        left -= rimless
    return frozenset(set(cells) - left if len(left) >= least_kept * len(cells) else cells)


def find_outlined(
    spots: Mapping[Cell, Spot], some: Set[Cell], sure: Set[Cell], grid: HexGrid, view: RimView
) -> frozenset[Cell]:
    """Those of some tiles of which every side is seen as a whole but for the seams to tiles that are sure."""
    if not some:
        return frozenset()
    cells = sorted(some)
    seen = view.measure_sides([spots[cell] for cell in cells], grid) >= SEEN_SHARE
    return frozenset(
        cell
        for cell, row in zip(cells, seen.tolist(), strict=True)
        if all(whole or beside in sure for beside, whole in zip(list_neighbours(cell), row, strict=True))
    )


def find_seamed(spots: Mapping[Cell, Spot], shaded: frozenset[Cell], grid: HexGrid, view: RimView) -> frozenset[Cell]:
    """Those of the shaded tiles that are no shadows of others, since seams show where no tile that is sure adjoins."""
    if not shaded:
        return frozenset()
    cells, sure = sorted(shaded), spots.keys() - shaded
    seams = view.measure_seams([spots[cell] for cell in cells], grid) >= SEAM_LOG
    return frozenset(
        cell
        for cell, row in zip(cells, seams.tolist(), strict=True)
        if sum(seen for beside, seen in zip(list_neighbours(cell), row, strict=True) if beside not in sure)
        >= LEAST_SEAMS
    )


def find_bare(
    places: Sequence[Spot], black: Sequence[Spot], all_tiles: Sequence[Spot], grid: HexGrid, view: RimView
) -> frozenset[Spot]:
    """The places, where the table is as dark as black tiles, that show nothing of the rims which black tiles show."""
    if not places or not black:
        return frozenset()
    edges = view.measure_edges([*black, *places], grid)
    free = [
        [not _is_tile(beside, all_tiles, grid) for beside in _list_beside(spot, grid)] for spot in (*black, *places)
    ]
    known = edges[: len(black)][np.array(free[: len(black)])]
    if len(known) < LEAST_KNOWN:
        return frozenset()
    most = BARE_SHARE * float(np.median(known))
    return frozenset(
        spot
        for spot, sides, row in zip(places, free[len(black) :], edges[len(black) :], strict=True)
        if sum(sides) >= LEAST_FREE and row[np.array(sides)].max() < most
    )


def _list_beside(spot: Spot, grid: HexGrid) -> list[Spot]:
    """The centres of the neighbours of a place."""
    steps = [offset_cell(grid.pitch, grid.angle, way) for way in NEIGHBOURS]
    return [(spot[0] + x, spot[1] + y) for x, y in steps]


def _is_tile(spot: Spot, tiles: Sequence[Spot], grid: HexGrid) -> bool:
    return any(math.dist(spot, tile) < grid.pitch / 2 for tile in tiles)


def _has_rim(missing: Sequence[float], unseen_share: float) -> bool:
    return sum(missing) <= max(MOST_UNSEEN, unseen_share * len(missing))
