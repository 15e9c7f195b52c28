"""Which parts of the table cannot be vouched for, told by comparing with a picture of the empty table."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.frames import Grey
from vision.mat import Mat

Raster = NDArray[np.float32]
Mask = NDArray[np.bool_]
Polygon = tuple[tuple[float, float], ...]

# one cell of the table, in mm: a fingertip covers several
CELL = 4.0
# light this much below or above the table's own drift is deep shadow, or glare, or something else lying there
SHADE, GLOW = 0.55, 1.5
# a sharp change against the brightness of its place, the least in grey levels; wider is soft, in cells
UNLIKE, LEAST, SOFT = 0.13, 8.0, 5.0
# something smaller than this, in mm squared, is a crumb
CRUMB = 140.0
# around a card: its shadow, its thickness, a sticker not quite in place
MARGIN = 6.0
# a bare spot this large, in mm squared, between things is seen; a smaller one belongs to them
ENCLOSED = 6000.0
# rectangles are coarser: so many cells make one step of an edge, and so many rectangles must do
STEP, MOST_AREAS = 2, 40


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The area of a table from straight above, a cell every few mm; ``inside`` is what the picture holds."""

    light: Raster
    inside: Mask


def view(small: Grey, mat: Mat, full: tuple[int, int], area: Area | None = None) -> View:
    """The table out of a picture, or a shrunken one of a picture whose full size (height, width) is known."""
    area = area or mat.area
    columns = max(2, round(area.right / CELL))
    rows = max(2, round(area.bottom / CELL))
    xs, ys = np.meshgrid((np.arange(columns) + 0.5) * CELL, (np.arange(rows) + 0.5) * CELL)
    px = mat.to_px(np.stack([xs.ravel(), ys.ravel()], 1)).reshape(rows, columns, 2)
    inside = np.asarray(((px >= 0) & (px <= (full[1] - 1, full[0] - 1))).all(-1), np.bool_)
    scale = small.shape[1] / full[1]
    at = ((px + 0.5) * scale - 0.5).astype(np.float32)
    light = cv2.remap(
        small,
        np.ascontiguousarray(at[..., 0]),
        np.ascontiguousarray(at[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return View(light.astype(np.float32), inside)


def drift(now: View, empty: View, explained: Iterable[Polygon] = ()) -> float:
    """How much brighter the table is than it was when empty, judged by its bare places."""
    bare = now.inside & empty.inside & ~_filled(explained, now.light.shape)
    if bare.sum() < bare.size / 20:
        return 1.0
    return float(np.median((now.light[bare] + 4) / (empty.light[bare] + 4)))


def foreign(now: View, empty: View, explained: Iterable[Polygon]) -> Mask:
    """Cells that differ from the empty table and are explained by no piece, and those out of the picture."""
    known = _filled(explained, now.light.shape)
    bare = now.inside & empty.inside & ~known
    change = np.log((now.light + 4) / (empty.light + 4))
    change -= _slope(change, bare)
    change[~bare] = 0
    # a soft shadow or a lamp dimmed is no thing: only what is sharp, or strong, counts
    share = cv2.GaussianBlur(bare.astype(np.float32), (0, 0), SOFT)
    sharp = change - cv2.GaussianBlur(change, (0, 0), SOFT) / np.maximum(share, 0.05)
    rough = abs(sharp) > np.maximum(UNLIKE, LEAST / (empty.light + 4))
    rough |= (change < np.log(SHADE)) | (change > np.log(GLOW))
    found = _opened((rough & bare).astype(np.uint8), 2)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(found)
    kept = np.asarray(stats)[:, cv2.CC_STAT_AREA] * CELL**2 >= CRUMB
    kept[0] = False
    # what is as bright as the table shows by its rim alone: what the rim encloses is hidden as well
    solid = cv2.morphologyEx(kept[labels].astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, gaps, sizes, _ = cv2.connectedComponentsWithStats(np.asarray(1 - solid, np.uint8), connectivity=4)
    small = np.asarray(sizes)[:, cv2.CC_STAT_AREA] * CELL**2 < ENCLOSED
    small[0] = False
    return np.asarray((((solid > 0) | small[gaps]) & ~known) | ~now.inside)


def _slope(change: Raster, bare: Mask) -> Raster:
    """The drift of the light as a plane across the table, fitted to bare places, deaf to what lies there."""
    rows, columns = change.shape
    ys, xs = np.mgrid[0:rows, 0:columns]
    terms = np.stack([np.ones(change.size), xs.ravel() / columns, ys.ravel() / rows], 1)
    weight = bare.ravel().astype(np.float64)
    values = change.ravel().astype(np.float64)
    if weight.sum() < 50:
        return np.zeros_like(change)
    level = np.median(values[bare.ravel()])
    fitted = np.array([level, 0.0, 0.0])
    for _ in range(6):
        doubt = weight / (1 + ((values - terms @ fitted) / 0.08) ** 2) ** 2
        square = terms.T @ (terms * doubt[:, None]) + np.diag([1e-6, 1.0, 1.0])
        fitted = np.linalg.solve(square, terms.T @ (doubt * values))
    return np.asarray((terms @ fitted).reshape(rows, columns), np.float32)


def _opened(mask: NDArray[np.uint8], cells: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((cells, cells), np.uint8)), np.uint8)


def glare(now: View) -> Mask:
    """Where light drowns everything, told without an empty table: wide patches at the sensor's limit."""
    wide = _opened((now.light >= 251).astype(np.uint8), 5)
    return np.asarray((wide > 0) | ~now.inside)


def _filled(polygons: Iterable[Polygon], shape: tuple[int, ...]) -> Mask:
    drawn = np.zeros(shape[:2], np.uint8)
    for polygon in polygons:
        # fillPoly's fixed point keeps a fraction of a cell
        at = np.round((np.asarray(polygon) / CELL - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(drawn, [at], 1, cv2.LINE_8, 4)
    grown = 2 * round(MARGIN / CELL) + 1
    return np.asarray(cv2.dilate(drawn, np.ones((grown, grown), np.uint8)) > 0)


def areas(mask: Mask) -> tuple[Area, ...]:
    """A mask as few rectangles in table mm that cover all of it."""
    rows, columns = -(-mask.shape[0] // STEP), -(-mask.shape[1] // STEP)
    coarse = np.zeros((rows * STEP, columns * STEP), np.bool_)
    coarse[: mask.shape[0], : mask.shape[1]] = mask
    coarse = np.asarray(coarse.reshape(rows, STEP, columns, STEP).any((1, 3)))
    rest = coarse.copy()
    side = CELL * STEP
    found: list[Area] = []
    while rest.any() and len(found) < MOST_AREAS:
        left, top, right, bottom = _largest(coarse, rest)
        rest[top:bottom, left:right] = False
        found.append(Area(left * side, top * side, right * side, bottom * side))
    count, _, stats, _ = cv2.connectedComponentsWithStats(rest.astype(np.uint8))
    for left, top, wide, high, _ in stats[1:count].tolist():
        found.append(Area(left * side, top * side, (left + wide) * side, (top + high) * side))
    return tuple(found)


def _largest(mask: Mask, rest: Mask) -> tuple[int, int, int, int]:
    """The rectangle inside a mask that covers most of what is left of it: left, top, right, bottom."""
    best, box = 0, (0, 0, 0, 0)
    rows, columns = mask.shape
    gained = np.pad(rest.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    height = np.zeros(columns, int)
    for bottom in range(rows):
        height = np.where(mask[bottom], height + 1, 0)
        open_: list[tuple[int, int]] = []
        for right, tall in enumerate([*height.tolist(), 0]):
            left = right
            while open_ and open_[-1][1] >= tall:
                left, high = open_.pop()
                top = bottom + 1 - high
                gain = (
                    gained[bottom + 1, right]
                    - gained[top, right]
                    - gained[bottom + 1, left]
                    + gained[top, left]
                )
                if gain > best:
                    best, box = int(gain), (left, top, right, bottom + 1)
            open_.append((left, tall))
    return box
