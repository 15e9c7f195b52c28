"""The table from straight above in cells, and the empty table with what is known about each of its cells."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.table_calibration import TableCalibration
from vision.frame import Grey, average_down

Raster = NDArray[np.float32]
Mask = NDArray[np.bool_]
Levels = NDArray[np.uint8]
"""Grey levels, rows by columns by channels: blue, green and red, or the brightness alone."""
Number = TypeVar("Number", bound=np.generic)
PixelMap = tuple[NDArray[np.int16], NDArray[np.uint16]]
"""Where each cell is in a picture, as ``cv2.remap`` wants it."""

CELL_MM = 4.0
"""Side of one cell of the table: a fingertip covers several."""
FINE_PER_CELL = 4
"""Pixels across a cell in the fine picture of the table: one for each mm."""
BAND_CELLS = 32
"""Rows of cells of the fine picture that are projected at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """The area of a table from straight above in cells of ``CELL_MM``; ``inside`` are those within the picture, and
    ``rows`` tell how far down the picture each cell is, as a share of its height, if that is known."""

    levels: Levels
    inside: Mask
    rows: Raster | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.levels.shape[0], self.levels.shape[1]

    @property
    def colours(self) -> int:
        """The number of channels."""
        return int(self.levels.shape[2])

    def to_grey(self) -> "TopView":
        return replace(self, levels=_to_grey(self.levels)[..., None])

    @property
    def brightness(self) -> Raster:
        return _to_grey(self.levels).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class EmptyView:
    """The view of the empty table. ``slopes`` tell how many levels a cell changes if the picture shifts by one pixel of
    the small picture; ``fine`` is the table at one pixel for each mm, if a picture with more pixels was given.
    """

    view: TopView
    slopes: Raster
    fine: Grey | None = None

    def resize(self, shape: tuple[int, int]) -> "EmptyView":
        """The view cut or widened to a number of cells: every picture has its own calibration."""
        if shape == self.view.shape:
            return self
        times = FINE_PER_CELL
        fine = None if self.fine is None else _cut(self.fine, (shape[0] * times, shape[1] * times))
        view = TopView(_cut(self.view.levels, shape), _cut(self.view.inside, shape))
        return EmptyView(view, _cut(self.slopes, shape), fine)

    def to_grey(self) -> "EmptyView":
        return EmptyView(self.view.to_grey(), self.slopes.mean(2, keepdims=True), self.fine)


def project_top_view(
    small: NDArray[np.uint8], calibration: TableCalibration, full: tuple[int, int], area: Area | None = None
) -> TopView:
    """The top view from a picture, or from a shrunken one of a picture whose ``full`` size (height, width) is given."""
    scale = small.shape[1] / full[1]
    maps, inside, rows, across = _map_cells(calibration, area or calibration.area, full, scale, (0, 0))
    return TopView(_sample(small, maps, across), inside, rows)


def project_empty_view(
    small: NDArray[np.uint8],
    calibration: TableCalibration,
    full: tuple[int, int],
    area: Area | None = None,
    grey: Grey | None = None,
) -> EmptyView:
    """The view of the empty table; ``grey`` is the full picture, from which its texture is taken."""
    area = area or calibration.area
    scale = small.shape[1] / full[1]
    view = project_top_view(small, calibration, full, area)
    square = np.zeros(view.levels.shape, np.float32)
    for way in ((1, 0), (0, 1)):
        sides = []
        for sign in (1, -1):
            maps, _, _, across = _map_cells(calibration, area, full, scale, (sign * way[0], sign * way[1]))
            sides.append(_sample(small, maps, across).astype(np.float32))
        square += np.square((sides[0] - sides[1]) / 2)
    fine = None if grey is None else project_fine(grey, calibration, view.shape, (0, 0, *view.shape[::-1]))
    return EmptyView(view, np.sqrt(square), fine)


def project_fine(
    grey: Grey,
    calibration: TableCalibration,
    shape: tuple[int, int],
    cells: tuple[int, int, int, int],
    shift: tuple[float, float] = (0.0, 0.0),
) -> Grey:
    """Some cells of the table, given as left, top, right, bottom, at ``FINE_PER_CELL`` pixels a cell, from a picture of
    the size of the calibration or a smaller one. ``shift`` is how far the table has moved, in mm: that is undone.

    They are projected in bands: the places of a million pixels, and the part of the picture they are in, take memory.
    """
    left, top, right, bottom = cells
    found = np.zeros(((bottom - top) * FINE_PER_CELL, (right - left) * FINE_PER_CELL), np.uint8)
    for first in range(top, bottom, BAND_CELLS):
        last = min(bottom, first + BAND_CELLS)
        rows = slice((first - top) * FINE_PER_CELL, (last - top) * FINE_PER_CELL)
        found[rows] = _project_band(grey, calibration, shape, (left, first, right, last), shift)
    return found


def enlarge_rows(raster: Raster, first: int, last: int) -> Raster:
    """Some rows of a raster of cells at ``FINE_PER_CELL`` pixels a cell."""
    top, bottom = max(0, first // FINE_PER_CELL - 1), min(len(raster), -(-last // FINE_PER_CELL) + 1)
    size = raster.shape[1] * FINE_PER_CELL, (bottom - top) * FINE_PER_CELL
    enlarged = cv2.resize(raster[top:bottom], size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(enlarged[first - top * FINE_PER_CELL : last - top * FINE_PER_CELL], np.float32)


def _project_band(
    grey: Grey,
    calibration: TableCalibration,
    shape: tuple[int, int],
    cells: tuple[int, int, int, int],
    shift: tuple[float, float],
) -> Grey:
    left, top, right, bottom = cells
    px = _locate_cells(calibration, shape)
    # one more cell at each side, so that the places between the middles of cells are known
    rows = np.clip(np.arange(top - 1, bottom + 1), 0, shape[0] - 1)
    columns = np.clip(np.arange(left - 1, right + 1), 0, shape[1] - 1)
    scale = grey.shape[1] / (2 * calibration.middle[0] + 1)
    places = px[np.ix_(rows, columns)]
    if any(shift):
        middle = ((left + right) * CELL_MM / 2, (top + bottom) * CELL_MM / 2)
        places = places + calibration.px_per_mm(middle) @ np.array(shift)
    some = ((places + 0.5) * scale - 0.5).astype(np.float32)
    some[0] -= (some[1] - some[0]) * (top == 0)
    some[-1] += (some[-1] - some[-2]) * (bottom == shape[0])
    some[:, 0] -= (some[:, 1] - some[:, 0]) * (left == 0)
    some[:, -1] += (some[:, -1] - some[:, -2]) * (right == shape[1])
    times = FINE_PER_CELL
    at = cv2.resize(some, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)[times:-times, times:-times]
    (x0, y0), (x1, y1) = (
        some.reshape(-1, 2).min(0).astype(int).tolist(),
        some.reshape(-1, 2).max(0).astype(int).tolist(),
    )
    # pixels of the picture to one of the fine picture: their mean has less noise than one of them
    most = max(1, round(float(np.linalg.norm(some[-1, -1] - some[0, 0]) / math.hypot(*some.shape[:2]) / times)))
    # the same pixels are averaged whatever part of the table is projected
    x0, y0 = max(0, x0) // most * most, max(0, y0) // most * most
    x1, y1 = min(grey.shape[1], x1 + most + 1), min(grey.shape[0], y1 + most + 1)
    if x0 >= x1 or y0 >= y1:
        return np.zeros(at.shape[:2], np.uint8)
    crop = average_down(np.ascontiguousarray(grey[y0:y1, x0:x1]), most) if most > 1 else grey[y0:y1, x0:x1]
    at = (at - np.array([x0, y0], np.float32) + 0.5) / most - 0.5
    xs, ys = (np.ascontiguousarray(at[..., way], np.float32) for way in (0, 1))
    return np.asarray(cv2.remap(crop, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _sample(small: NDArray[np.uint8], maps: PixelMap, across: int) -> Levels:
    soft = cv2.blur(small, (across, across)) if across > 1 else small
    levels = np.asarray(cv2.remap(soft, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return levels if levels.ndim == 3 else levels[..., None]


def _map_cells(
    calibration: TableCalibration, area: Area, full: tuple[int, int], scale: float, shift: tuple[int, int]
) -> tuple[PixelMap, Mask, Raster, int]:
    """Where each cell is in a small picture, which cells are in the picture, how far down it, and how many pixels make
    one cell.
    """
    shape = max(2, round(area.bottom / CELL_MM)), max(2, round(area.right / CELL_MM))
    plane = calibration.plane, calibration.middle, calibration.reach, calibration.barrel
    return _map_cells_cached(*plane, shape, full, scale, shift)


@lru_cache(maxsize=2)
def _map_cells_cached(
    plane: tuple[float, ...],
    middle: tuple[float, float],
    reach: float,
    barrel: float,
    shape: tuple[int, int],
    full: tuple[int, int],
    scale: float,
    shift: tuple[int, int],
) -> tuple[PixelMap, Mask, Raster, int]:
    px = _locate_cells_cached(plane, middle, reach, barrel, shape)
    x, y = px[..., 0], px[..., 1]
    inside = np.asarray((x >= 0) & (x <= full[1] - 1) & (y >= 0) & (y <= full[0] - 1), np.bool_)
    at = ((px + 0.5) * scale - 0.5 + np.array(shift)).astype(np.float32)
    side = float(np.linalg.norm(at[1:, 1:] - at[:-1, :-1], axis=2).mean()) / 2**0.5
    xs, ys = (np.ascontiguousarray(at[..., way]) for way in (0, 1))
    maps = cv2.convertMaps(xs, ys, cv2.CV_16SC2)
    rows = np.asarray((y + 0.5) / full[0], np.float32)
    return (np.asarray(maps[0], np.int16), np.asarray(maps[1], np.uint16)), inside, rows, 2 * round((side - 1) / 2) + 1


def _locate_cells(calibration: TableCalibration, shape: tuple[int, int]) -> NDArray[np.float64]:
    plane = calibration.plane, calibration.middle, calibration.reach, calibration.barrel
    return _locate_cells_cached(*plane, shape)


@lru_cache(maxsize=2)
def _locate_cells_cached(
    plane: tuple[float, ...], middle: tuple[float, float], reach: float, barrel: float, shape: tuple[int, int]
) -> NDArray[np.float64]:
    """Where the middle of each cell of the table is in the picture; the same from frame to frame."""
    calibration = TableCalibration(plane, middle, reach, barrel, {}, 0.0, 0.0)
    xs, ys = np.meshgrid((np.arange(shape[1]) + 0.5) * CELL_MM, (np.arange(shape[0]) + 0.5) * CELL_MM)
    return calibration.to_px(np.stack([xs.ravel(), ys.ravel()], 1)).reshape(*shape, 2)


def _to_grey(levels: Levels) -> NDArray[np.uint8]:
    return levels[..., 0] if levels.shape[2] == 1 else np.asarray(cv2.cvtColor(levels, cv2.COLOR_BGR2GRAY), np.uint8)


def _cut(raster: NDArray[Number], shape: tuple[int, int]) -> NDArray[Number]:
    held = (slice(0, min(shape[0], raster.shape[0])), slice(0, min(shape[1], raster.shape[1])))
    found = np.zeros((*shape, *raster.shape[2:]), raster.dtype)
    found[held] = raster[held]
    return found
