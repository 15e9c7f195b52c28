"""Whether the camera stands as it stood: a picture that sways after a knock is judged once it has come to rest."""

from dataclasses import dataclass, replace

import numpy as np

from vision.calibration.table_calibration import STILL_MARKER_MM, TableCalibration
from vision.live.frame_reading import FrameReading

REST_S = 1.0
"""Seconds without movement after which a camera that swayed stands."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """The mat while the camera last stood still, since when it has stood, and when it was last found elsewhere."""

    calibration: TableCalibration
    still: float | None = None
    knocked: float = float("-inf")

    @property
    def area(self) -> tuple[int, int]:
        return round(self.calibration.area.right), round(self.calibration.area.bottom)


def update_pose(poise: CameraPose, at: float, look: FrameReading) -> CameraPose:
    """After one more look."""
    if look.calibration is None or look.moving:
        return replace(poise, still=None)
    since = at if poise.still is None else poise.still
    if look.calibration is poise.calibration or at - since < REST_S:
        return replace(poise, still=since)
    knocked = at if measure_sway(poise.calibration, look.calibration) > STILL_MARKER_MM else poise.knocked
    return CameraPose(look.calibration, since, knocked)


def measure_sway(before: TableCalibration, now: TableCalibration) -> float:
    """How far, in mm, the corners of the area seem to have gone for a camera that stands as before."""
    corners = np.array(now.corners)
    return float(np.linalg.norm(before.to_mm(now.to_px(corners)) - corners, axis=1).max())
