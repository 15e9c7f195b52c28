"""The empty table that later pictures are compared with, and the calibration of the camera then."""

from collections.abc import Callable
from dataclasses import dataclass

from vision.calibration.calibration_from_markers import update_calibration
from vision.calibration.table_calibration import TableCalibration
from vision.changes.top_view import EmptyView
from vision.frame import shrink_frame, to_grey
from vision.live.board_tracker import Picture, halve_picture
from vision.live.frame_reading import view_empty_table
from vision.sticker_and_marker_sizes import MARKER_MM

ReloadPicture = Callable[[], Picture]


@dataclass(frozen=True, slots=True, eq=False)
class EmptyTable:
    """The picture of the table with nothing on it, and the calibration of the camera then.

    Its pixels are what takes the most memory in the box: of a large camera they are kept at half the size, ``halved``,
    and no game needs more.
    """

    calibration: TableCalibration
    colours: ReloadPicture
    view: EmptyView
    """What frames are compared with: at the size of a camera's low-resolution stream, and one pixel for each mm."""
    halved: Picture | None = None


def measure_empty(
    picture: Picture, sticker_mm: float, marker_mm: float = MARKER_MM, reload: ReloadPicture | None = None
) -> EmptyTable | None:
    """None if its markers do not give a calibration. ``reload`` returns the colours whenever they are needed."""
    grey = to_grey(picture)
    calibration, _ = update_calibration(grey, marker_mm=marker_mm, sticker_mm=sticker_mm)
    if calibration is None:
        return None
    halved = halve_picture(picture, calibration)
    view = view_empty_table(grey, calibration, shrink_frame(picture))
    return EmptyTable(calibration, reload or (lambda: picture), view, halved)
