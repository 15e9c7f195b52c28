"""Finds tiles by their rims alone, where a hand or a shadow has joined a board into one heap with it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.axial import Cell
from vision.tiles.colour_masks import ColourMasks, Mask
from vision.tiles.groups import (
    BODY_SHARE,
    HIDDEN_SHARE,
    FoundGroups,
    TileGroup,
    doubt_shaded,
    doubt_uneven,
    draw_unclear,
    find_loose,
)
from vision.tiles.hex_grid import HexGrid, Spot, mask_hexagon, outline_hexagon
from vision.tiles.hex_grid_fit import ColourMaps, Map, grow_tiles, measure_fill, rate_fill
from vision.tiles.tile_rims import HALF_SIDE, SEEN_SHARE, RimView, Shares, find_rimless

LARGE_TILES = 2.5
"""What is unclear is searched from this size on, in places of the largest tile: a hand, and no tile under a print."""
SHRINK, LESS = 4, 2
"""Pixels of the rectified picture, across and down, to one at which rims are searched, and to one at which they are
measured."""
TURNS, SIXTH = 6, 60.0
"""Directions of a side that are tried, and the angle in degrees after which a hexagon is the same again."""
USUAL_PITCH_PX, STEP_PX = 60.0, 4.0
"""The pitch of the usual tiles in the rectified picture, and the width of what is compared on both sides of a line."""
NEAR_PX = 9
"""A side is looked for in a square of this many pixels around its place."""
RIM_STEP, LEAST_CONTRAST_LOG = 0.01, 0.1
"""Step of the maps of rims, as natural logarithm, and the least contrast of a tile to the table."""
FACE_PX = 14
"""Side of the square in the middle of a tile that shows its contrast to the table."""
SEED_SIDES = 4.5
"""Tiles that show as many sides are where the search begins: seams adjoin the tiles among others."""
APART_PITCHES, SAME_PITCHES = 0.8, 0.25
"""Two tiles are never nearer than the first value, and two finds are one tile up to the second, in pitches."""
WELL_SHARE = 0.85
"""The least share of its place that has the colour of a tile which is told by its rim."""
LEAST_ALIKE, LIGHTER_LOG, HUE_LOG = 2, 1.3, 0.3
"""So many tiles of a colour show how it looks; another is lighter than the darkest by less than the second value, as
natural logarithm, and differs in hue by less than the third one: a shadow takes less light away, and skin is lighter
than black by 2."""
BLACK_LOG = -2.3
"""A black tile is darker than this, and than the lightest red one, as the natural logarithm of linear light in that of
the table: a tenth of white. A lamp mirrored in it makes it lighter, and doubtful."""
FREE_SIDES = 0.25
"""This share of the sides is nearer to the middle of the tile than the others: those have a shadow beyond."""
CENTRED_SIDES, MOST_SHIFT = 4, 0.1
"""A tile is moved between its sides if so many are seen, and by no more than this at a time, in pitches."""
FINE_TURNS = ((0, 10, 20, 30, 40, 50), (0, -5, 5), (0, -2, 2), (0, -1, 1))
"""By how many degrees a tile is turned to find its direction, step by step."""


@dataclass(frozen=True, slots=True)
class _Seed:
    """A place that shows the sides of a tile, and the direction of one of them."""

    spot: Spot
    angle: float


def find_by_rims(found: FoundGroups, pixels: ColourMasks, view: RimView, pitches: NDArray[np.float64]) -> FoundGroups:
    """The groups, and the tiles that are found by their rims where something large is unclear.

    Inside a hand or a sleeve hexagons fit, but they have no rims, and those beside them lose theirs.
    """
    unclear = draw_unclear(found)
    large = _find_large(unclear, float(pitches[-1]))
    if not cv2.hasNonZero(large):
        return found
    # the tiles beside it show their size as well
    pitch, seeds = _find_seeds(_RimMaps(view), pixels.red | pixels.black, pitches)
    if not seeds:
        return found
    pitch, seeds = _refine_seeds(view, pitch, seeds)
    seeds = [seed for seed in seeds if _is_set(large, seed.spot)]
    groups = _keep_alike(found.groups, list(_grow_groups(pixels, large, view, pitch, seeds)), view)
    return doubt_uneven(_merge_groups(found, groups), view) if groups else found


def _is_set(mask: Mask, spot: Spot) -> bool:
    x, y = (min(max(0, round(way)), size - 1) for way, size in zip(spot, mask.shape[::-1], strict=True))
    return bool(mask[y, x])


def _find_large(unclear: Mask, pitch: float) -> Mask:
    """The unclear parts that are larger than a few tiles."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats(unclear)
    large = np.asarray(stats)[:, cv2.CC_STAT_AREA] > LARGE_TILES * pitch * pitch * math.sqrt(3) / 2
    large[0] = False
    return np.asarray(large[parts], np.uint8)


class _RimMaps:
    """How strongly the change of the table ends along a line through each place, for each direction of it."""

    def __init__(self, view: RimView) -> None:
        high, wide = view.picture.shape[:2]
        self.size = max(1, wide // SHRINK), max(1, high // SHRINK)
        change = view.measure_change((max(1, wide // LESS), max(1, high // LESS)))
        side = FACE_PX // LESS
        inside = np.abs(cv2.blur(change, (side, side))).max(2)
        contrast = cv2.resize(inside, self.size, interpolation=cv2.INTER_AREA)
        self._least = np.maximum(contrast, np.float32(LEAST_CONTRAST_LOG)) * np.float32(SEEN_SHARE / RIM_STEP)
        self._sides = [self._measure_steps(change, turn * SIXTH / TURNS) for turn in range(3 * TURNS)]

    def _measure_steps(self, change: Map, angle: float) -> Mask:
        steps = np.abs(cv2.filter2D(change, -1, _make_step(angle), borderType=cv2.BORDER_REPLICATE)).max(2)
        near = NEAR_PX // LESS
        widest = cv2.dilate(steps, np.ones((near, near), np.uint8))
        small = cv2.resize(widest, self.size, interpolation=cv2.INTER_NEAREST)
        return np.asarray(np.clip(small / RIM_STEP, 0, 255), np.uint8)

    def count_sides(self, pitch: float, turn: int) -> Map:
        """How many sides of a tile of this pitch are seen around each place."""
        total = np.zeros(self._least.shape, np.float32)
        reach = pitch / SHRINK / 2
        for side in range(6):
            way = math.radians((turn / TURNS + side) * SIXTH)
            move = np.array([[1.0, 0, -reach * math.cos(way)], [0, 1.0, -reach * math.sin(way)]])
            steps = self._sides[(turn + side * TURNS) % (3 * TURNS)]
            total += np.minimum(cv2.warpAffine(steps, move, self.size, flags=cv2.INTER_NEAREST) / self._least, 1)
        return total


def _make_step(angle: float) -> Map:
    """The kernel of the difference between both sides of a line; ``angle`` is the direction across it."""
    reach, wide = HALF_SIDE * USUAL_PITCH_PX / LESS, STEP_PX / LESS
    around = np.arange(-math.ceil(reach + wide), math.ceil(reach + wide) + 1)
    way = (around[None, :] + 1j * around[:, None]) * np.exp(-1j * np.radians(angle))
    beside = (np.abs(way.imag) <= reach) & (np.abs(way.real) <= wide + 0.5)
    ahead, behind = (beside & (sign * way.real > 0.5) for sign in (1, -1))
    return np.asarray(ahead / ahead.sum() - behind / behind.sum(), np.float32)


def _find_seeds(maps: _RimMaps, tiles: Mask, pitches: NDArray[np.float64]) -> tuple[float, list[_Seed]]:
    """The pitch whose tiles show most sides, and these tiles, the clearest first."""
    full = np.asarray(cv2.resize(tiles * np.uint8(255), maps.size, interpolation=cv2.INTER_AREA), np.uint8)
    best, most, chosen = 0.0, 0.0, list[_Seed]()
    for pitch in pitches[::2].tolist():
        core = max(3, round(BODY_SHARE / 2 * pitch / SHRINK))
        solid = cv2.blur(full, (core, core)) > 255 * WELL_SHARE
        turned = np.stack([cv2.blur(maps.count_sides(pitch, turn), (3, 3)) for turn in range(TURNS)])
        turn, seen = turned.argmax(0), turned.max(0) * solid
        tops = _find_tops(seen, APART_PITCHES * pitch / SHRINK)
        total = pitch * sum(float(seen[y, x]) - SEED_SIDES for x, y in tops)
        if total > most:
            best, most = pitch, total
            chosen = [
                _Seed(((x + 0.5) * SHRINK - 0.5, (y + 0.5) * SHRINK - 0.5), int(turn[y, x]) * SIXTH / TURNS)
                for x, y in tops
            ]
    return best, chosen


def _find_tops(seen: Map, apart: float) -> list[tuple[int, int]]:
    """The places of most sides of all that are nearer to them, the clearest first."""
    side = max(3, round(2 * apart)) | 1
    around = cv2.dilate(seen, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    ys, xs = np.nonzero((seen >= around) & (seen >= SEED_SIDES))
    found: list[tuple[int, int]] = []
    for i in np.argsort(-seen[ys, xs], kind="stable"):
        if not _is_near((xs[i], ys[i]), found, apart):
            found.append((int(xs[i]), int(ys[i])))
    return found


def _refine_seeds(view: RimView, pitch: float, seeds: Sequence[_Seed]) -> tuple[float, list[_Seed]]:
    """The pitch by the distance of the sides from the middles, and the seeds with their directions."""

    def count_sides(seed: _Seed) -> float:
        sides = view.measure_sides([seed.spot], HexGrid(*seed.spot, pitch, seed.angle))
        return float(np.minimum(sides, 1).sum())

    for turns in FINE_TURNS:
        seeds = [max((replace(seed, angle=seed.angle + turn) for turn in turns), key=count_sides) for seed in seeds]
        grids = [HexGrid(*seed.spot, pitch, seed.angle) for seed in seeds]
        reach = [view.measure_reach([seed.spot], grid)[0] for seed, grid in zip(seeds, grids, strict=True)]
        seeds = [
            replace(seed, spot=_centre(seed.spot, grid, own))
            for seed, grid, own in zip(seeds, grids, reach, strict=True)
        ]
        seen = np.concatenate(reach)
        pitch *= 2 * float(np.quantile(seen[seen > 0], FREE_SIDES)) if seen.any() else 1.0
    return pitch, list(seeds)


def _centre(spot: Spot, grid: HexGrid, reach: Shares) -> Spot:
    """The place in the middle of the sides that are seen, if these are enough."""
    seen = reach > 0
    if np.count_nonzero(seen) < CENTRED_SIDES:
        return spot
    way = np.radians(grid.angle + SIXTH * np.arange(6))[seen]
    terms = np.stack([np.cos(way), np.sin(way), np.ones_like(way)], 1)
    x, y, _ = np.linalg.lstsq(terms, reach[seen].astype(np.float64), rcond=None)[0] * grid.pitch
    far = max(1.0, math.hypot(x, y) / (MOST_SHIFT * grid.pitch))
    return spot[0] + x / far, spot[1] + y / far


def _grow_groups(
    pixels: ColourMasks, large: Mask, view: RimView, pitch: float, seeds: Sequence[_Seed]
) -> Iterator[TileGroup]:
    """A group from each seed that is in none yet."""
    left, top, wide, high = cv2.boundingRect(large)
    margin = round(1.3 * pitch)
    rows = slice(max(0, top - margin), top + high + margin)
    columns = slice(max(0, left - margin), left + wide + margin)
    maps = ColourMaps(*(plane[rows, columns].astype(np.float32) for plane in (pixels.red, pixels.black, pixels.mute)))
    taken: list[Spot] = []
    for seed in seeds:
        if _is_near(seed.spot, taken, APART_PITCHES * pitch):
            continue
        full = rate_fill(*measure_fill(maps, pitch * BODY_SHARE, seed.angle))
        here = HexGrid(seed.spot[0] - columns.start, seed.spot[1] - rows.start, pitch, seed.angle)
        there, _ = grow_tiles(full, here, (0, 0))
        spots = {cell: (x + columns.start, y + rows.start) for cell, (x, y) in there.items()}
        spots = {cell: spot for cell, spot in spots.items() if not _is_near(spot, taken, APART_PITCHES * pitch)}
        group = _tell_rimmed(spots, replace(here, x=seed.spot[0], y=seed.spot[1]), pixels, view)
        if group.spots:
            taken += group.spots.values()
            yield group


def _tell_rimmed(spots: Mapping[Cell, Spot], grid: HexGrid, pixels: ColourMasks, view: RimView) -> TileGroup:
    """Those of the tiles that have a whole rim and one colour."""
    reach = view.measure_reach(list(spots.values()), grid)
    spots = {cell: _centre(spot, grid, own) for (cell, spot), own in zip(spots.items(), reach, strict=True)}
    rimless = find_rimless(spots, grid, view, whole=True, least_kept=0.0)
    colours: dict[Cell, str] = {}
    for cell, spot in spots.items():
        if cell in rimless:
            continue
        cut, place = mask_hexagon(pixels.red.shape, spot, grid, BODY_SHARE)
        for colour, plane in (("red", pixels.red), ("black", pixels.black)):
            if cv2.mean(plane[cut], place)[0] >= WELL_SHARE:
                colours[cell] = colour
    group = TileGroup(grid, {cell: spots[cell] for cell in colours}, colours)
    return replace(doubt_shaded(group, pixels.shade, view), mixed=())


def _keep_alike(told: Sequence[TileGroup], groups: Sequence[TileGroup], view: RimView) -> list[TileGroup]:
    """The groups without tiles that look unlike the others: a wrist and a palm have straight sides too."""
    every = (*told, *groups)
    faces = [{cell: view.measure_face(spot, group.grid) for cell, spot in group.spots.items()} for group in every]
    alike: dict[str, list[Map]] = {"red": [], "black": []}
    for group, face in zip(every, faces, strict=True):
        for cell, colour in group.colours.items():
            alike[colour].append(face[cell])
    # a tile may lie in a shadow, but skin and cloth are lighter
    usual = {colour: min(own, key=np.mean) for colour, own in alike.items() if len(own) >= LEAST_ALIKE}
    reds = [float(face.mean()) for face in alike["red"] if "red" in usual and _is_alike(face, usual["red"])]
    most = {"red": math.inf, "black": min([BLACK_LOG, *([max(reds)] if reds else [])])}
    kept = []
    for group, face in zip(groups, faces[len(told) :], strict=True):
        cells = [
            cell
            for cell, colour in group.colours.items()
            if colour in usual and _is_alike(face[cell], usual[colour]) and face[cell].mean() < most[colour]
        ]
        if cells:
            kept.append(_select_cells(group, cells))
    return kept


def _is_alike(face: Map, usual: Map) -> bool:
    """Is a face nearly as dark as the usual one, and of its hue?"""
    off = face - usual
    return bool(off.mean() < LIGHTER_LOG and np.abs(off - off.mean()).max() < HUE_LOG)


def _select_cells(group: TileGroup, cells: Sequence[Cell], mixed: tuple[Spot, ...] = ()) -> TileGroup:
    return TileGroup(
        group.grid, {cell: group.spots[cell] for cell in cells}, {cell: group.colours[cell] for cell in cells}, mixed
    )


def _merge_groups(found: FoundGroups, more: Sequence[TileGroup]) -> FoundGroups:
    """The groups with more, which replace what is at odds with them in smaller groups; what they leave of its places is
    lost.
    """
    told = [spot for group in found.groups for spot in group.spots.values()]
    pitch = more[0].grid.pitch
    fresh = []
    for group in more:
        larger = [spot for old in found.groups if len(old.spots) >= len(group.spots) for spot in old.spots.values()]
        cells = [
            cell
            for cell, spot in group.spots.items()
            if not _is_near(spot, told, SAME_PITCHES * pitch) and not _is_near(spot, larger, APART_PITCHES * pitch)
        ]
        fresh.append(_select_cells(group, cells))
    spots = [spot for group in fresh for spot in group.spots.values()]
    kept, lost = [], found.lost.copy()
    for group in found.groups:
        gone = {spot for spot in (*group.spots.values(), *group.mixed) if _is_near(spot, spots, APART_PITCHES * pitch)}
        for spot in gone:
            cv2.fillPoly(lost, [outline_hexagon(*spot, group.grid)], 1)
        cells = [cell for cell, spot in group.spots.items() if spot not in gone]
        kept.append(_select_cells(group, cells, tuple(spot for spot in group.mixed if spot not in gone)))
    for group in fresh:
        for spot in group.spots.values():
            cv2.fillPoly(lost, [outline_hexagon(*spot, group.grid)], 0)
    # what is left around a tile is its rim
    lost = find_loose(lost, pitch, HIDDEN_SHARE)
    return FoundGroups((*kept, *(group for group in fresh if group.spots)), lost)


def _is_near(spot: Spot, others: Sequence[Spot], reach: float) -> bool:
    return any(math.dist(spot, other) < reach for other in others)
