"""A quick check of the markers during a game: which are still seen, and how sharp they are."""

from dataclasses import dataclass

import numpy as np

from vision.calibration.camera_check import rate_focus
from vision.calibration.markers import CORNERS, find_markers_near
from vision.calibration.table_calibration import TableCalibration
from vision.frame import Grey


@dataclass(frozen=True, slots=True)
class MarkerCheck:
    """``covered`` are markers that are not seen where they were; ``focus`` is 0 to 1, None without a marker."""

    covered: tuple[str, ...]
    focus: float | None


def check_markers(grey: Grey, calibration: TableCalibration, sticker_mm: float) -> MarkerCheck:
    """Check the markers of a picture whose calibration is known."""
    near = find_markers_near(
        grey, [calibration.to_px(np.asarray(quad)) for quad in calibration.markers.values()], smears=True
    )
    seen = {marker.corner for marker in near}
    px_module = calibration.px_module(sticker_mm)[0]
    focus = min((rate_focus(marker.blur, px_module) for marker in near), default=None)
    return MarkerCheck(tuple(name for name in CORNERS if name not in seen and name != calibration.guessed), focus)
