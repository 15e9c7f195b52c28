"""The tiles of SIX from look to look: which are the board, and which of the others the rules are to hear of."""

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
"""BGR, or grey where no tiles are to be told apart."""
Untagged = tuple[frozenset[Piece], tuple[Polygon, ...], tuple[Area, ...]]
"""Pieces without a code, their outlines, and where one cannot be sure."""
SKIP_S = 1.0
"""Seconds for which something may move over the tiles before they are looked for all the same."""
SAME_TILE_MM = 12.0
"""Two tiles' middles are never so near (mm)."""
RIM_MM = 12.0
"""What lies so near to the end of the area (mm) lies across it."""
STICKER_OF_1_MM_MODULES = 25.0
"""A sticker so wide (mm) has modules of a millimetre."""
HALF_TO_FULL = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1.0]])
"""From the pixels of a picture of half the width and height to its own."""
AROUND_MM = 60.0
"""So many mm of bare table around the tiles are looked at as well: they tell how the light has changed."""


class BoardTracker:
    """To find tiles takes long. While something moves over them they are where they were, and wherever it has been
    nobody can say.
    """

    def __init__(self, empty: Picture, calibration: TableCalibration, *, half: bool = False) -> None:
        self._half = half  # so is the picture of the empty table
        self._empty = empty
        self._empty_to_mm = self._to_mm(calibration)
        self._known: tuple[finder.FoundTile, ...] = ()
        self._beside = StockTracker()
        self._at = -math.inf
        self._told: Untagged = (frozenset(), (), ())
        self._stirred: tuple[Area, ...] = ()
        self.unclear: Text | None = None
        """What helps where something of red or black lies that is no tile beside others."""

    def update(self, frame: CameraFrame, now: FrameReading) -> Untagged:
        """What lies there in a look with a scale."""
        assert now.calibration is not None
        if frame.at - self._at < SKIP_S and _near(now.moving, self._known):
            self._stirred += now.moving
            return _beside(self._told, self._stirred)
        self._at, self._stirred = frame.at, ()
        found, under = self._found(frame, now, now.calibration, self._known)
        if self._known and not found.board and not under:  # all of it lies somewhere else
            found, under = self._found(frame, now, now.calibration, ())
        attempts, self._beside = self._beside.after(found, (*now.table.unseen, *found.unsure))
        self._known = (*found.board, *self._beside.parted, *under)
        rings = tuple(finder.outline_tile(tile, found.size) for tile in found.tiles if tile.mm)
        self._told = finder.to_engine((*found.board, *attempts)), rings, found.unsure
        self.unclear = _cure(found.unsure, now.calibration.area)
        return self._told

    def _found(
        self, frame: CameraFrame, now: FrameReading, calibration: TableCalibration, known: tuple[finder.FoundTile, ...]
    ) -> tuple[finder.FoundTiles, tuple[finder.FoundTile, ...]]:
        """The tiles, and those of the board that are hidden."""
        found = finder.find_tiles(
            self._picture(frame),
            self._empty,
            to_mm=self._to_mm(calibration),
            area=_worth(now, calibration.area, known),
            known=known,
            empty_to_mm=self._empty_to_mm,
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
    """Half the width and height, if the camera has so many pixels that tiles are told as well by every other."""
    return (
        average_down(picture, 2)
        if calibration.px_module(STICKER_OF_1_MM_MODULES)[0] >= 2 * finder.LEVEL_PX_MM
        else None
    )


def _cure(unsure: Sequence[Area], whole: Area) -> Text | None:
    def at_rim(area: Area) -> bool:
        inside = Area(whole.left + RIM_MM, whole.top + RIM_MM, whole.right - RIM_MM, whole.bottom - RIM_MM)
        return not (inside.holds(area.left, area.top) and inside.holds(area.right, area.bottom))

    if not unsure:
        return None
    return say("tiles_at_rim") if any(map(at_rim, unsure)) else say("tiles_unclear")


def find_covered(
    known: Sequence[finder.FoundTile], found: finder.FoundTiles, hidden: Sequence[Area]
) -> Iterator[finder.FoundTile]:
    """Tiles of the board that an arm hides: when it has gone, they tell the board from the stock."""
    cells, spots = {tile.cell for tile in found.board}, [tile.mm for tile in found.tiles if tile.mm]
    for tile in known:
        if tile.mm is None or tile.cell in cells or any(math.dist(tile.mm, spot) < SAME_TILE_MM for spot in spots):
            continue
        if any(area.holds(*tile.mm) for area in hidden):
            yield tile


def _near(moving: Sequence[Area], known: Sequence[finder.FoundTile]) -> bool:
    spots = [tile.mm for tile in known if tile.mm]
    return any(_around(area).holds(*spot) for area in moving for spot in spots)


def _around(area: Area) -> Area:
    return Area(area.left - AROUND_MM, area.top - AROUND_MM, area.right + AROUND_MM, area.bottom + AROUND_MM)


def _beside(told: Untagged, stirred: tuple[Area, ...]) -> Untagged:
    """What lies where nothing has moved since."""
    seen, rings, unsure = told

    def bare(spots: Iterable[tuple[float, float]]) -> bool:
        return not any(area.holds(*spot) for spot in spots for area in stirred)

    still = frozenset(one for one in seen if bare([(one.x, one.y)]))
    return still, tuple(filter(bare, rings)), (*unsure, *stirred)


def _worth(now: FrameReading, whole: Area, known: Sequence[finder.FoundTile]) -> Area:
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
