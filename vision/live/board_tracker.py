"""The tiles of SIX over time: which form the board, and which of the others are reported to the rules."""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.table import Area, Piece
from engine.text import Text, say
from vision.calibration.rectification import Matrix
from vision.calibration.table_calibration import TableCalibration
from vision.changes.occlusion import Polygon
from vision.frame import CameraFrame, average_down
from vision.live.frame_reading import FrameReading
from vision.live.stock_tracker import StockTracker
from vision.tiles import finder

Picture = NDArray[np.uint8]
"""BGR, or grey where no tiles have to be found."""
Untagged = tuple[frozenset[Piece], tuple[Polygon, ...], tuple[Area, ...]]
"""Pieces without a code, their outlines in mm, and the areas in which something is unclear."""
SKIP_S = 1.0
"""Seconds for which detection is skipped while something moves over the tiles."""
SAME_TILE_MM = 12.0
"""The centres of two tiles are never this near, in mm."""
RIM_MM = 12.0
"""Tiles this near to the edge of the area, in mm, may lie across it."""
STICKER_OF_1_MM_MODULES = 25.0
"""A sticker this wide, in mm, has modules of 1 mm."""
HALF_TO_FULL = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1.0]])
"""From the pixels of a picture at half width and height to those of the full picture."""
AROUND_MM = 60.0
"""Bare table around the tiles, in mm, that is searched as well: it shows how the light has changed."""


class BoardTracker:
    """Tracks tiles. Detection is slow, so while something moves the last result stands, and the disturbed area counts
    as unseen.
    """

    def __init__(self, empty: Picture, calibration: TableCalibration, *, half: bool = False) -> None:
        self._half = half  # the picture of the empty table is at half size
        self._empty = empty
        self._empty_to_mm = self._to_mm(calibration)
        self._known: tuple[finder.FoundTile, ...] = ()
        self._found = finder.FoundTiles(())
        self._stock = StockTracker()
        self._at = -math.inf
        self._last: Untagged = (frozenset(), (), ())
        self._disturbed: tuple[Area, ...] = ()
        self.unclear: Text | None = None
        """What to do where something red or black is not a clear tile."""

    def update(self, frame: CameraFrame, now: FrameReading) -> Untagged:
        """The tiles after one more frame, whose calibration is known."""
        assert now.calibration is not None
        if frame.at - self._at < SKIP_S and _is_near(now.moving, self._known):
            self._disturbed += now.moving
            return _undisturbed(self._last, self._disturbed)
        self._at, self._disturbed = frame.at, ()
        found, under = self._find(frame, now, now.calibration, self._known)
        if self._known and not found.board and not under:  # the whole board has been moved
            found, under = self._find(frame, now, now.calibration, ())
        attempts, self._stock = self._stock.update(found, (*now.table.unseen, *found.unsure))
        self._known = (*found.board, *self._stock.parted, *under)
        rings = tuple(finder.outline_tile(tile, found.size) for tile in found.tiles if tile.mm)
        self._found = found
        self._last = finder.to_engine((*found.board, *attempts)), rings, found.unsure
        self.unclear = _advise(found.unsure, now.calibration.area)
        return self._last

    def find_all(self, frame: CameraFrame, calibration: TableCalibration) -> finder.FoundTiles:
        """The tiles anywhere in the area, as one frame shows them by itself."""
        return finder.find_tiles(
            self._picture(frame),
            self._empty,
            to_mm=self._to_mm(calibration),
            area=calibration.area,
            empty_to_mm=self._empty_to_mm,
        )

    def cover_cut_off(self, hidden: Sequence[Area]) -> tuple[Area, ...]:
        """The places of the tiles beside the board that what is hidden may connect with it, as they were last found."""
        return finder.cover_cut_off(self._found, hidden)

    def _find(
        self, frame: CameraFrame, now: FrameReading, calibration: TableCalibration, known: tuple[finder.FoundTile, ...]
    ) -> tuple[finder.FoundTiles, tuple[finder.FoundTile, ...]]:
        """The tiles found, and the known tiles of the board that are hidden."""
        found = finder.find_tiles(
            self._picture(frame),
            self._empty,
            to_mm=self._to_mm(calibration),
            area=_search_area(now, calibration.area, known),
            known=known,
            empty_to_mm=self._empty_to_mm,
            shade=now.shade,
        )
        return found, tuple(find_covered(known, found, (*now.table.unseen, *found.unsure)))

    def _to_mm(self, calibration: TableCalibration) -> Matrix:
        return np.asarray(calibration.homography @ HALF_TO_FULL, np.float64) if self._half else calibration.homography

    def _picture(self, frame: CameraFrame) -> Picture:
        if self._half and frame.halved:
            return frame.halved()
        picture = frame.colour() if frame.colour else frame.grey
        return average_down(picture, 2) if self._half else picture


def halve_picture(picture: Picture, calibration: TableCalibration) -> Picture | None:
    """The picture at half width and height, if the camera has enough pixels to find tiles in that as well."""
    return (
        average_down(picture, 2)
        if calibration.px_module(STICKER_OF_1_MM_MODULES)[0] >= 2 * finder.LEVEL_PX_MM
        else None
    )


def _advise(unsure: Sequence[Area], whole: Area) -> Text | None:
    def at_rim(area: Area) -> bool:
        inside = Area(whole.left + RIM_MM, whole.top + RIM_MM, whole.right - RIM_MM, whole.bottom - RIM_MM)
        return not (inside.contains(area.left, area.top) and inside.contains(area.right, area.bottom))

    if not unsure:
        return None
    return say("tiles_at_rim") if any(map(at_rim, unsure)) else say("tiles_unclear")


def find_covered(
    known: Sequence[finder.FoundTile], found: finder.FoundTiles, hidden: Sequence[Area]
) -> Iterator[finder.FoundTile]:
    """Known tiles of the board that are hidden: once they are seen again, they tell the board from the stock."""
    cells, spots = {tile.cell for tile in found.board}, [tile.mm for tile in found.tiles if tile.mm]
    for tile in known:
        if tile.mm is None or tile.cell in cells or any(math.dist(tile.mm, spot) < SAME_TILE_MM for spot in spots):
            continue
        if any(area.contains(*tile.mm) for area in hidden):
            yield tile


def _is_near(moving: Sequence[Area], known: Sequence[finder.FoundTile]) -> bool:
    spots = [tile.mm for tile in known if tile.mm]
    return any(_grow_area(area).contains(*spot) for area in moving for spot in spots)


def _grow_area(area: Area) -> Area:
    return Area(area.left - AROUND_MM, area.top - AROUND_MM, area.right + AROUND_MM, area.bottom + AROUND_MM)


def _undisturbed(last: Untagged, disturbed: tuple[Area, ...]) -> Untagged:
    """The last result without what is where something has moved since; these areas are unclear."""
    seen, rings, unsure = last

    def is_clear(spots: Iterable[tuple[float, float]]) -> bool:
        return not any(area.contains(*spot) for spot in spots for area in disturbed)

    still = frozenset(one for one in seen if is_clear([(one.x, one.y)]))
    return still, tuple(filter(is_clear, rings)), (*unsure, *disturbed)


def _search_area(now: FrameReading, whole: Area, known: Sequence[finder.FoundTile]) -> Area:
    """Where tiles can be: where they were, where something has changed, and where the table is not bare."""
    spots = [tile.mm for tile in known if tile.mm]
    places = [*now.moving, *now.table.unseen, *(Area(x, y, x, y) for x, y in spots)]
    if not places:
        return whole
    return Area(
        max(whole.left, min(area.left for area in places) - AROUND_MM),
        max(whole.top, min(area.top for area in places) - AROUND_MM),
        min(whole.right, max(area.right for area in places) + AROUND_MM),
        min(whole.bottom, max(area.bottom for area in places) + AROUND_MM),
    )
