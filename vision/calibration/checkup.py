"""A quick check of a camera in use: the markers that can still be seen, and how sharp they are."""

from dataclasses import dataclass

import numpy as np

from vision.calibration.camera_check import focus_of
from vision.calibration.markers import CORNERS, find_near
from vision.calibration.table_calibration import TableCalibration
from vision.frame import Grey


@dataclass(frozen=True, slots=True)
class Checkup:
    """``covered`` are markers that are not where they were, ``focus`` is 0 to 1; None if no marker tells it."""

    covered: tuple[str, ...]
    focus: float | None


def checkup(grey: Grey, mat: TableCalibration, sticker_mm: float) -> Checkup:
    """How a picture does whose mat is known."""
    near = find_near(grey, [mat.to_px(np.asarray(quad)) for quad in mat.markers.values()], smears=True)
    seen = {marker.corner for marker in near}
    px_module = mat.px_module(sticker_mm)[0]
    focus = min((focus_of(marker.blur, px_module) for marker in near), default=None)
    return Checkup(tuple(name for name in CORNERS if name not in seen and name != mat.guessed), focus)
