"""Occlusion: which parts of the table cannot be seen, by comparison with a picture of the empty table."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.changes.cast_shadows import find_cast_shadows
from vision.changes.cell_evidence import (
    LOCAL_LIGHT_PRIOR,
    MOST_EVIDENCE,
    OBJECT_PRIOR,
    TableChange,
    is_burnt,
    measure_local_light,
    measure_unlikeness,
    vote,
)
from vision.changes.illumination import (
    LAMP_CELLS,
    LAMP_LOG,
    LIGHT_OFFSET,
    VEILED_SHARE,
    LampLight,
    find_lamp_light,
    measure_steepness,
    smooth,
)
from vision.changes.shadows import LikeLight, weigh_shadows
from vision.changes.texture import TextureShares, start_shares
from vision.changes.top_view import CELL_MM, EmptyView, Mask, Raster, TopView

Polygon = tuple[tuple[float, float], ...]
_Span = tuple[int, int]
"""From the first step of a run to the first one after it."""
CellBox = tuple[int, int, int, int]
"""Left, top, right and bottom, in cells."""
CompareTextures = Callable[[CellBox], TextureShares]
"""Compares the textures of some cells, for as many of them as are given."""

DISPLAY_GAMMA = 2.2
"""Grey levels grow with linear light to the power of one over this."""
SHADE_FACTOR, GLOW_FACTOR = 0.55, 1.5
"""In the light of a lamp, a brightness outside these factors of the table's is deep shadow, glare, or an object."""
UNLIKE_LOG, UNLIKE_LEVELS = 0.13, 8.0
"""In the light of a lamp, a sharp change: its natural logarithm, at least in grey levels."""
NEARLY_BARE_SPREAD = 0.03
"""Where tags are searched, local light counts as an object from this spread on: natural logarithm."""
NEIGHBOUR_VOTE, VOTE_ROUNDS = 0.5, 3
"""Evidence that each of eight neighbours adds to a cell, as the logarithm of a likelihood ratio, and how often."""
REGION_EVIDENCE = 15.0
"""Evidence of all cells of a region together. A false one an hour, in 3,750 places that are independent of one another
and 600 looks at a table that changes: the natural logarithm of both multiplied is 14.6."""
SUSPECT_EVIDENCE, SUSPECT_CELLS = -2.0, 3
"""Textures are compared where a cell may be hidden, as the logarithm of a likelihood ratio, and in cells around it."""
SOFT_RIM_CELLS, SOFT_STEEP_LOG = 5.0, 0.06
"""The rim of a shadow is soft where the light changes by less than its depth over the first number of cells; that of a
lamp where it changes by no more than the second value from cell to cell."""
SHADE_EVIDENCE, WIDE_SHADE_CELLS = 4.0, 7
"""From the first value on a cell is the table in other light for sure, as the logarithm of a likelihood ratio. What is
as narrow as the shadow of a tile is not told: the rim of the tile may be taken for shade too."""
OTHER_COLOUR_EVIDENCE = 2.0
"""A cell has another colour than the table in any light, as the logarithm of a likelihood ratio."""
SHARP_SHARE = 0.5
"""More cells than this that are sharp, or of another colour, as a share of the side of the region, are no light."""
OUTSIDE_SHARE = 0.1
"""More of a region than this that is outside the shadows of pieces, or of another colour, is no shadow of theirs."""
CRUMB_MM2 = 140.0
"""Something smaller is a crumb."""
MARGIN_MM = 6.0
"""Margin around a card: its shadow, its thickness, a sticker slightly out of place."""
ENCLOSED_MM2 = 6000.0
"""A bare spot between objects counts as seen from this size on; a smaller one belongs to them."""
STEP_CELLS, MOST_AREAS = 2, 80
"""Rectangles are coarser: cells to one step of an edge, and the most rectangles that are returned."""


@dataclass(frozen=True, slots=True, eq=False)
class Occlusion:
    """``hidden`` are the cells that cannot be seen; ``gain`` is the brightness of the bare table relative to the empty
    one. ``shade`` is wide, and shows the bare table in other light by its texture or by a soft rim."""

    hidden: Mask
    gain: float
    shade: Mask


def find_occupied(change: TableChange) -> Mask:
    """Cells where the table is not bare, roughly: shadows may be among them, but no card is missed."""
    unlike = (measure_unlikeness(change, NEARLY_BARE_SPREAD) > 0) & change.both
    spots = open_mask(unlike.astype(np.uint8), 2)
    return np.asarray(cv2.morphologyEx(spots, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) > 0)


def subtract_explained(mask: Mask, explained: Mask) -> Mask:
    """The mask without the cells of pieces, and without slivers."""
    return np.asarray(open_mask((mask & ~explained).astype(np.uint8), 3) > 0)


def find_occlusion(
    now: TopView,
    empty: EmptyView,
    explained: Mask,
    change: TableChange,
    textures: CompareTextures | None = None,
    thick: Mask | None = None,
) -> Occlusion:
    """Cells that differ from the empty table and are not ``explained`` by a piece, and those outside the picture.

    ``thick`` are the cells of pieces that cast shadows.
    """
    empty, bare = empty.resize(now.shape), change.both & ~explained
    evidence = measure_unlikeness(change) + OBJECT_PRIOR
    suspect = (evidence > SUSPECT_EVIDENCE) & bare
    shade = np.zeros_like(bare)
    if suspect.any():
        local = measure_local_light(change)
        light = local + LOCAL_LIGHT_PRIOR
        if textures is not None:
            shares = _compare_textures(suspect, textures)
            evidence += shares.weigh()
            told = weigh_shadows(_find_like_light(change, local, suspect, bare), shares)
            light += told
            shade = told >= SHADE_EVIDENCE
        evidence -= np.maximum(light, 0)
    lamp = _find_lamp(now, empty, change, bare)
    if lamp is not None:
        evidence = np.where(lamp.where | lamp.apart, _weigh_under_lamp(lamp, empty), evidence)
    np.clip(evidence, -MOST_EVIDENCE, MOST_EVIDENCE, out=evidence)
    evidence[is_burnt(now)] = MOST_EVIDENCE
    evidence[~bare] = 0
    gain = float(np.exp(change.level.mean() / DISPLAY_GAMMA))
    found = vote(evidence, VOTE_ROUNDS, NEIGHBOUR_VOTE) & bare
    kept = _drop_light(_keep_certain(found, evidence), change, bare)
    if thick is not None and kept.any():
        kept = _drop_cast_shadows(kept, thick, change, bare)
    if not kept.any():
        return Occlusion(~now.inside, gain, _grow_shade(shade, bare))
    # an object as bright as the table shows only by its rim: what the rim encloses is hidden as well
    solid = cv2.morphologyEx(kept.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, gaps, sizes, _ = cv2.connectedComponentsWithStats(np.asarray(1 - solid, np.uint8), connectivity=4)
    small = np.asarray(sizes)[:, cv2.CC_STAT_AREA] * CELL_MM**2 < ENCLOSED_MM2
    small[0] = False
    hidden = (((solid > 0) | small[gaps]) & ~explained) | ~now.inside
    return Occlusion(np.asarray(hidden), gain, _grow_shade(shade, bare & ~hidden))


def _grow_shade(shade: Mask, bare: Mask) -> Mask:
    """The wide parts of the shade, with their rim, in which the light has changed by too little to be told."""
    wide = open_mask((shade & bare).astype(np.uint8), WIDE_SHADE_CELLS)
    return np.asarray((cv2.dilate(wide, np.ones((3, 3), np.uint8)) > 0) & bare)


def _keep_certain(found: Mask, evidence: Raster) -> Mask:
    """The regions that are no crumbs and whose cells together leave no doubt."""
    spots = open_mask(found.astype(np.uint8), 2)
    # 16-bit labels cost a third of 32-bit ones, and an opened mask never has that many parts
    count, labels, stats, _ = cv2.connectedComponentsWithStats(spots, ltype=cv2.CV_16U)
    large = np.asarray(stats)[:, cv2.CC_STAT_AREA] * CELL_MM**2 >= CRUMB_MM2
    large[0] = False
    if not large.any():
        return np.zeros_like(found)
    some = np.nonzero(spots)
    whole = np.bincount(np.asarray(labels)[some], weights=evidence[some], minlength=count)
    kept = large & (whole >= REGION_EVIDENCE)
    return np.asarray(kept[labels], np.bool_) if kept.any() else np.zeros_like(found)


def _drop_light(regions: Mask, change: TableChange, bare: Mask) -> Mask:
    """The regions without those that are only in another light: darker or lighter by one factor, with a soft rim and
    nothing sharp within.
    """
    if not regions.any():
        return regions
    count, labels, stats, _ = cv2.connectedComponentsWithStats(regions.astype(np.uint8))
    level = change.rest.mean(0)
    steepness = measure_steepness(smooth(level, bare.astype(np.float32), 1.0))
    coloured = measure_unlikeness(change) > measure_local_light(change) + OTHER_COLOUR_EVIDENCE
    kept = np.zeros_like(regions)
    for part in range(1, count):
        left, top, wide, high = np.asarray(stats)[part, :4].tolist()
        place = slice(max(0, top - 1), top + high + 1), slice(max(0, left - 1), left + wide + 1)
        whole = np.asarray(labels)[place] == part
        around = cv2.dilate(whole.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        depth = -float(level[place][whole].mean())
        sharp = around & bare[place] & (steepness[place] > max(SOFT_STEEP_LOG, depth / SOFT_RIM_CELLS))
        rim = math.sqrt(whole.sum())
        if sharp.sum() > SHARP_SHARE * rim or (coloured[place] & whole).sum() > SHARP_SHARE * rim:
            kept[place] |= whole
    return kept


def _drop_cast_shadows(regions: Mask, thick: Mask, change: TableChange, bare: Mask) -> Mask:
    """The regions without those that are the shadows of pieces."""
    shadows = find_cast_shadows(thick, bare, np.asarray(change.rest.mean(0), np.float32))
    if not shadows.any():
        return regions
    near = cv2.dilate(shadows.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    _, labels = cv2.connectedComponents(regions.astype(np.uint8))
    unlike = measure_unlikeness(change) > measure_local_light(change) + OTHER_COLOUR_EVIDENCE
    other = np.bincount(labels[regions & (unlike | ~near)], minlength=int(labels.max()) + 1)
    size = np.bincount(labels[regions], minlength=len(other))
    return np.asarray(regions & (other > OUTSIDE_SHARE * size)[labels], np.bool_)


def _compare_textures(suspect: Mask, textures: CompareTextures) -> TextureShares:
    """The textures around the cells that may be hidden; elsewhere they tell nothing."""
    found = start_shares(suspect.shape)
    side = 2 * SUSPECT_CELLS + 1
    parts = cv2.dilate(open_mask(suspect.astype(np.uint8), 2), np.ones((side, side), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(parts)
    for part in range(1, count):
        left, top, wide, high = np.asarray(stats)[part, :4].tolist()
        place = slice(top, top + high), slice(left, left + wide)
        own, some = np.asarray(labels)[place] == part, textures((left, top, left + wide, top + high))
        found.kept[place][own], found.error[place][own] = some.kept[own], some.error[own]
        found.steepness[place][own] = some.steepness[own]
    return found


def _find_like_light(change: TableChange, local: Raster, suspect: Mask, bare: Mask) -> LikeLight:
    cells = suspect & (measure_unlikeness(change) <= local + OTHER_COLOUR_EVIDENCE)
    return LikeLight(cells, bare & ~suspect, np.asarray(change.rest.mean(0), np.float32))


def _find_lamp(now: TopView, empty: EmptyView, change: TableChange, bare: Mask) -> LampLight | None:
    # what a lamp changes over all of a patch it changes in most of its cells
    if cv2.countNonZero((bare & (np.abs(change.rest).max(0) > LAMP_LOG)).astype(np.uint8)) < LAMP_CELLS / 2:
        return None
    relit = (empty.view.brightness + LIGHT_OFFSET) * np.exp(change.level / DISPLAY_GAMMA) - LIGHT_OFFSET
    return find_lamp_light(now.brightness, relit.astype(np.float32), bare)


def _weigh_under_lamp(lamp: LampLight, empty: EmptyView) -> Raster:
    """Where a lamp was switched on or off only what is sharp, or strong, is an object."""
    rough = abs(lamp.sharp) > np.maximum(UNLIKE_LOG, UNLIKE_LEVELS / (empty.view.brightness + LIGHT_OFFSET))
    rough |= (lamp.change < np.log(SHADE_FACTOR)) | (lamp.change > np.log(GLOW_FACTOR))
    rough |= lamp.apart | (lamp.kept < VEILED_SHARE)
    return np.where(rough, MOST_EVIDENCE, -MOST_EVIDENCE).astype(np.float32)


def open_mask(mask: NDArray[np.uint8], cells: int) -> NDArray[np.uint8]:
    """The mask without what is narrower than this."""
    brush = np.ones((cells, cells), np.uint8)
    # a brush of an even size has no middle: its two ends keep the mask where it is
    return np.asarray(cv2.dilate(cv2.erode(mask, brush, anchor=(0, 0)), brush, anchor=(cells - 1, cells - 1)), np.uint8)


def measure_burnt(now: TopView) -> float:
    """The share of the table that is burnt out."""
    return float(is_burnt(now)[now.inside].mean()) if now.inside.any() else 0.0


def find_glare(now: TopView) -> Mask:
    """Where the picture is burnt out, without an empty table: wide patches at the limit of the sensor."""
    wide = open_mask(is_burnt(now).astype(np.uint8), 5)
    return np.asarray((wide > 0) | ~now.inside)


def fill_outlines(polygons: Iterable[Polygon], shape: tuple[int, ...], margin_mm: float = MARGIN_MM) -> Mask:
    """The cells within the outlines of pieces, in mm, and a margin around them."""
    drawn = np.zeros(shape[:2], np.uint8)
    rings = list(polygons)
    # fillPoly's fixed point keeps a fraction of a cell
    corners = np.array([corner for ring in rings for corner in ring]).reshape(-1, 2)
    at = np.round((corners / CELL_MM - 0.5) * 16).astype(np.int32)
    first = 0
    for ring in rings:
        cv2.fillPoly(drawn, [at[first : first + len(ring)]], 1, cv2.LINE_8, 4)
        first += len(ring)
    grown = 2 * round(margin_mm / CELL_MM) + 1
    return np.asarray(cv2.dilate(drawn, np.ones((grown, grown), np.uint8)) > 0)


def cover_mask(mask: Mask) -> tuple[Area, ...]:
    """Few rectangles in table mm that cover a mask; the more ragged the mask, the coarser they are."""
    if not mask.any():
        return ()
    step, slack = STEP_CELLS, 0
    found = _find_rectangles(mask, step, slack)
    while len(found) > MOST_AREAS:
        step, slack = (step, 1) if slack == 0 else (2 * step, 0)
        found = _find_rectangles(mask, step, slack)
    return found


def _find_rectangles(mask: Mask, step: int, slack: int) -> tuple[Area, ...]:
    """Runs of each row of steps, extended downwards while the next row has the same run; a rectangle may be larger than
    its runs by ``slack`` steps at each side.
    """
    rows, columns = -(-mask.shape[0] // step), -(-mask.shape[1] // step)
    coarse = np.zeros((rows * step, columns * step), np.bool_)
    coarse[: mask.shape[0], : mask.shape[1]] = mask
    coarse = np.asarray(coarse.reshape(rows, step, columns, step).any((1, 3)))
    edge = np.diff(np.pad(coarse, ((0, 1), (1, 1))).astype(np.int8), axis=1)
    open_: list[tuple[_Span, _Span, int]] = []
    found: list[Area] = []
    side = CELL_MM * step
    for row in range(rows + 1):
        runs = list(zip(np.nonzero(edge[row] == 1)[0].tolist(), np.nonzero(edge[row] == -1)[0].tolist(), strict=True))
        still: list[tuple[_Span, _Span, int]] = []
        for least, most, top in open_:
            run = next((run for run in runs if _differ(least, most, run) <= slack), None)
            if run is None:
                found.append(Area(most[0] * side, top * side, most[1] * side, row * side))
                continue
            runs.remove(run)
            inner, outer = (max(least[0], run[0]), min(least[1], run[1])), (min(most[0], run[0]), max(most[1], run[1]))
            still.append((inner, outer, top))
        open_ = still + [(run, run, row) for run in runs]
    return tuple(found)


def _differ(least: _Span, most: _Span, run: _Span) -> int:
    """By how much a rectangle that holds this run too is larger than any of its runs, at the worse side."""
    left = max(least[0], run[0]) - min(most[0], run[0])
    return max(left, max(most[1], run[1]) - min(least[1], run[1]))
