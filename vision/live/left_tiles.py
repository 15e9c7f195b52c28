"""Tiles of SIX that were left on the table when the picture of the empty table is to be taken."""

import math

import numpy as np

from vision.calibration.calibration_from_markers import update_calibration
from vision.calibration.table_calibration import TableCalibration
from vision.changes.top_view import project_top_view
from vision.frame import CameraFrame, shrink_frame
from vision.live.board_tracker import SAME_TILE_MM, BoardTracker
from vision.live.empty_table import EmptyTable

CHANGED_LOG = 0.4
"""A place has changed if its brightness, as natural logarithm, differs by so much more than that of most places."""
DARK_LEVELS = 8.0
"""Added to both brightnesses: the noise of dark places is no change."""
OTHER_TABLE_SHARE = 0.3
"""If more than this share of the places has changed, it is another table or cloth, and no tile is told on it."""
DOUBTFUL_SHARE = 0.1
"""The same for the share of the area that is in doubt: all tiles of the game cover less."""


Spots = tuple[tuple[float, float], ...]


def find_left_tiles(frame: CameraFrame, empty: EmptyTable, *, sticker_mm: float, marker_mm: float) -> Spots:
    """The middles in mm of the tiles that the frame shows and the earlier picture ``empty`` does not; none where that
    cannot be told.
    """
    if frame.colour is None or not empty.calibration.has_shape(frame.grey.shape):
        return ()
    bare = empty.colours() if empty.halved is None else empty.halved
    calibration, _ = update_calibration(frame.grey, marker_mm=marker_mm, sticker_mm=sticker_mm)
    if bare.ndim == 2 or calibration is None or _measure_change(frame, calibration, empty) > OTHER_TABLE_SHARE:
        return ()
    found = BoardTracker(bare, empty.calibration, half=empty.halved is not None).find_all(frame, calibration)
    doubtful = sum((area.right - area.left) * (area.bottom - area.top) for area in found.unsure)
    area = calibration.area
    if doubtful > DOUBTFUL_SHARE * area.right * area.bottom:
        return ()
    return tuple(tile.mm for tile in found.tiles if tile.mm is not None)


def leave_out_fixed(tiles: Spots, fixed: Spots) -> Spots:
    """The tiles that do not lie at one of the places in ``fixed``."""
    return tuple(tile for tile in tiles if all(math.dist(tile, spot) >= SAME_TILE_MM for spot in fixed))


def _measure_change(frame: CameraFrame, calibration: TableCalibration, empty: EmptyTable) -> float:
    """The share of the places of the table that look different, apart from the brightness of the whole."""
    high, wide = frame.grey.shape[:2]
    now = project_top_view(shrink_frame(frame.grey), calibration, (high, wide))
    then = empty.view.resize(now.shape).to_grey().view
    both = now.inside & then.inside
    change = np.log(now.levels[both] + DARK_LEVELS) - np.log(then.levels[both] + DARK_LEVELS)
    return float((np.abs(change - np.median(change)) > CHANGED_LOG).mean()) if change.size else 1.0
