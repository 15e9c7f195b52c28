"""Occlusion: which parts of the table cannot be seen, by comparison with a picture of the empty table."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.table_calibration import TableCalibration
from vision.changes.illumination import LIGHT_OFFSET, VEILED_SHARE, find_lamp_light
from vision.frame import Grey

Raster = NDArray[np.float32]
Mask = NDArray[np.bool_]
Polygon = tuple[tuple[float, float], ...]

CELL_MM = 4.0
"""Side of one cell of the table: a fingertip covers several."""
SHADE_FACTOR, GLOW_FACTOR = 0.55, 1.5
"""A brightness outside these factors of the table's is deep shadow, glare, or an object."""
UNLIKE_LOG, UNLIKE_LEVELS, SOFT_CELLS = 0.13, 8.0, 5.0
"""A sharp change: its natural logarithm, at least in grey levels, against the mean of this many cells around."""
FAINT_LOG, FAINT_LEVELS = 0.06, 4.0
"""The least change by a card of the colour of the table."""
INSIDE_LOG = 0.2
"""A change of this size counts where it is connected with a sharp one."""
BURNT_LEVEL = 251
"""At the limit of the sensor everything looks alike."""
CRUMB_MM2 = 140.0
"""Something smaller is a crumb."""
MARGIN_MM = 6.0
"""Margin around a card: its shadow, its thickness, a sticker slightly out of place."""
ENCLOSED_MM2 = 6000.0
"""A bare spot between objects counts as seen from this size on; a smaller one belongs to them."""
STEP_CELLS, MOST_AREAS = 2, 40
"""Rectangles are coarser: cells to one step of an edge, and the most rectangles that are returned."""


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """The area of a table from straight above in cells of ``CELL_MM``; ``inside`` are those within the picture."""

    light: Raster
    inside: Mask


def project_top_view(
    small: Grey, calibration: TableCalibration, full: tuple[int, int], area: Area | None = None
) -> TopView:
    """The top view from a picture, or from a shrunken one of a picture whose ``full`` size (height, width) is given."""
    area = area or calibration.area
    rows, columns = max(2, round(area.bottom / CELL_MM)), max(2, round(area.right / CELL_MM))
    px = _project_cells(calibration.plane, calibration.middle, calibration.reach, calibration.barrel, rows, columns)
    x, y = px[..., 0], px[..., 1]
    inside = np.asarray((x >= 0) & (x <= full[1] - 1) & (y >= 0) & (y <= full[0] - 1), np.bool_)
    scale = small.shape[1] / full[1]
    at = ((px + 0.5) * scale - 0.5).astype(np.float32)
    light = cv2.remap(
        small,
        np.ascontiguousarray(at[..., 0]),
        np.ascontiguousarray(at[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return TopView(light.astype(np.float32), inside)


@lru_cache(maxsize=2)
def _project_cells(
    plane: tuple[float, ...],
    middle: tuple[float, float],
    reach: float,
    barrel: float,
    rows: int,
    columns: int,
) -> NDArray[np.float64]:
    """Where each cell of the table is in the picture; the same from frame to frame."""
    calibration = TableCalibration(plane, middle, reach, barrel, {}, 0.0, 0.0)
    xs, ys = np.meshgrid((np.arange(columns) + 0.5) * CELL_MM, (np.arange(rows) + 0.5) * CELL_MM)
    return calibration.to_px(np.stack([xs.ravel(), ys.ravel()], 1)).reshape(rows, columns, 2)


def resize_view(picture: TopView, shape: tuple[int, ...]) -> TopView:
    """The view cut or widened to a number of cells: every picture has its own calibration."""
    rows, columns = shape[:2]
    light, inside = np.zeros((rows, columns), np.float32), np.zeros((rows, columns), np.bool_)
    held = (slice(0, min(rows, picture.light.shape[0])), slice(0, min(columns, picture.light.shape[1])))
    light[held], inside[held] = picture.light[held], picture.inside[held]
    return TopView(light, inside)


def find_occupied(now: TopView, empty: TopView) -> Mask:
    """Cells where the table is not bare, roughly: shadows may be among them, but no card is missed."""
    both = now.inside & empty.inside
    change = np.log((now.light + LIGHT_OFFSET) / (empty.light + LIGHT_OFFSET))
    change -= _fit_drift(change, both)
    rough = abs(change) > np.maximum(FAINT_LOG, FAINT_LEVELS / (empty.light + LIGHT_OFFSET))
    spots = _open((rough & both).astype(np.uint8), 2)
    return np.asarray(cv2.morphologyEx(spots, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) > 0)


def subtract_outlines(mask: Mask, explained: Iterable[Polygon]) -> Mask:
    """The mask without the outlines of pieces, and without slivers."""
    return np.asarray(_open((mask & ~_fill_outlines(explained, mask.shape)).astype(np.uint8), 3) > 0)


def find_occlusion(now: TopView, empty: TopView, explained: Iterable[Polygon]) -> tuple[Mask, float]:
    """Cells that differ from the empty table and are explained by no piece, and those outside the picture.

    Also returns the brightness of the bare table relative to the empty one.
    """
    known = _fill_outlines(explained, now.light.shape)
    bare = now.inside & empty.inside & ~known
    change = np.log((now.light + LIGHT_OFFSET) / (empty.light + LIGHT_OFFSET))
    slope = _fit_drift(change, bare)
    change -= slope
    change[~bare] = 0
    # a soft shadow or a dimmed lamp is no object: only what is sharp, or strong, counts
    share = cv2.GaussianBlur(bare.astype(np.float32), (0, 0), SOFT_CELLS)
    sharp = change - cv2.GaussianBlur(change, (0, 0), SOFT_CELLS) / np.maximum(share, 0.05)
    lamp = find_lamp_light(now.light, (empty.light + LIGHT_OFFSET) * np.exp(slope) - LIGHT_OFFSET, bare)
    if lamp is not None:
        change = np.where(lamp.where & bare, lamp.change, change)
        sharp = np.where(lamp.where, lamp.sharp, sharp)
    rough = abs(sharp) > np.maximum(UNLIKE_LOG, UNLIKE_LEVELS / (empty.light + LIGHT_OFFSET))
    rough |= (change < np.log(SHADE_FACTOR)) | (change > np.log(GLOW_FACTOR)) | (now.light >= BURNT_LEVEL)
    if lamp is not None:
        rough |= lamp.apart | (lamp.where & (lamp.kept < VEILED_SHARE))
    found = _open((rough & bare).astype(np.uint8), 2)
    gain = float(np.exp(slope.mean()))
    if cv2.countNonZero(found) * CELL_MM**2 < CRUMB_MM2:
        return ~now.inside, gain
    # the inside of an object may differ less from the table than its rim: what is connected is one object
    weak = (abs(change) > INSIDE_LOG) & bare
    _, labels = cv2.connectedComponents(np.asarray(found | _open(weak.astype(np.uint8), 2), np.uint8))
    certain = np.bincount(np.asarray(labels, np.int64).ravel(), weights=found.ravel())
    kept = certain * CELL_MM**2 >= CRUMB_MM2
    kept[0] = False
    # an object as bright as the table shows only by its rim: what the rim encloses is hidden as well
    solid = cv2.morphologyEx(kept[labels].astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, gaps, sizes, _ = cv2.connectedComponentsWithStats(np.asarray(1 - solid, np.uint8), connectivity=4)
    small = np.asarray(sizes)[:, cv2.CC_STAT_AREA] * CELL_MM**2 < ENCLOSED_MM2
    small[0] = False
    hidden = (((solid > 0) | small[gaps]) & ~known) | ~now.inside
    return np.asarray(hidden), gain


def _fit_drift(change: Raster, bare: Mask) -> Raster:
    """The drift of the light as a plane across the table: a robust fit to bare cells."""
    rows, columns = change.shape
    cells = np.flatnonzero(bare)
    # a thousand cells give the plane as well as all
    ys, xs = np.divmod(cells[:: max(1, len(cells) // 1000)], columns)
    if len(ys) < 50:
        return np.zeros_like(change)
    values = change[ys, xs].astype(np.float64)
    terms = np.stack([np.ones(len(ys)), xs / columns, ys / rows], 1)
    fitted = np.array([np.median(values), 0.0, 0.0])
    for _ in range(6):
        belief = 1 / (1 + ((values - terms @ fitted) / 0.08) ** 2) ** 2
        square = terms.T @ (terms * belief[:, None]) + np.diag([1e-6, 1.0, 1.0])
        fitted = np.linalg.solve(square, terms.T @ (belief * values))
    plane = fitted[0] + fitted[1] * np.arange(columns) / columns + (fitted[2] * np.arange(rows) / rows)[:, None]
    return np.asarray(plane, np.float32)


def _open(mask: NDArray[np.uint8], cells: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((cells, cells), np.uint8)), np.uint8)


def measure_burnt(now: TopView) -> float:
    """The share of the table that is burnt out."""
    return float((now.light >= BURNT_LEVEL)[now.inside].mean()) if now.inside.any() else 0.0


def find_glare(now: TopView) -> Mask:
    """Where the picture is burnt out, without an empty table: wide patches at the limit of the sensor."""
    wide = _open((now.light >= BURNT_LEVEL).astype(np.uint8), 5)
    return np.asarray((wide > 0) | ~now.inside)


def _fill_outlines(polygons: Iterable[Polygon], shape: tuple[int, ...]) -> Mask:
    drawn = np.zeros(shape[:2], np.uint8)
    for polygon in polygons:
        # fillPoly's fixed point keeps a fraction of a cell
        at = np.round((np.asarray(polygon) / CELL_MM - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(drawn, [at], 1, cv2.LINE_8, 4)
    grown = 2 * round(MARGIN_MM / CELL_MM) + 1
    return np.asarray(cv2.dilate(drawn, np.ones((grown, grown), np.uint8)) > 0)


def cover_mask(mask: Mask) -> tuple[Area, ...]:
    """Few rectangles in table mm that cover a mask; the more ragged the mask, the coarser they are."""
    if not mask.any():
        return ()
    step = STEP_CELLS
    found = _find_rectangles(mask, step)
    while len(found) > MOST_AREAS:
        step *= 2
        found = _find_rectangles(mask, step)
    return found


def _find_rectangles(mask: Mask, step: int) -> tuple[Area, ...]:
    """Runs of each row of steps, extended downwards while the next row has the same run."""
    rows, columns = -(-mask.shape[0] // step), -(-mask.shape[1] // step)
    coarse = np.zeros((rows * step, columns * step), np.bool_)
    coarse[: mask.shape[0], : mask.shape[1]] = mask
    coarse = np.asarray(coarse.reshape(rows, step, columns, step).any((1, 3)))
    edge = np.diff(np.pad(coarse, ((0, 1), (1, 1))).astype(np.int8), axis=1)
    open_: dict[tuple[int, int], int] = {}
    found: list[Area] = []
    side = CELL_MM * step
    for row in range(rows + 1):
        runs = list(zip(np.nonzero(edge[row] == 1)[0].tolist(), np.nonzero(edge[row] == -1)[0].tolist(), strict=True))
        for run in [run for run in open_ if run not in runs]:
            found.append(Area(run[0] * side, open_.pop(run) * side, run[1] * side, row * side))
        for run in runs:
            open_.setdefault(run, row)
    return tuple(found)
