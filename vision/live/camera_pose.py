"""The pose of the camera while it stands still; after a knock the new pose is taken over once the picture rests."""

from dataclasses import dataclass, replace

import numpy as np

from vision.calibration.table_calibration import STILL_MARKER_MM, TableCalibration
from vision.live.frame_reading import FrameReading

REST_S = 1.0
"""Seconds without movement after which a camera that swayed counts as standing still."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """The calibration while the camera last stood still; the times since when it stands still, and when it was last
    found moved."""

    calibration: TableCalibration
    still_since: float | None = None
    moved_at: float = float("-inf")

    @property
    def area(self) -> tuple[int, int]:
        """Width and height of the table between the markers, in mm."""
        return round(self.calibration.area.right), round(self.calibration.area.bottom)


def update_pose(pose: CameraPose, at: float, reading: FrameReading) -> CameraPose:
    """The pose after one more frame, taken at ``at`` seconds."""
    if reading.calibration is None or reading.moving:
        return replace(pose, still_since=None)
    since = at if pose.still_since is None else pose.still_since
    if reading.calibration is pose.calibration or at - since < REST_S:
        return replace(pose, still_since=since)
    moved = measure_sway(pose.calibration, reading.calibration) > STILL_MARKER_MM
    return CameraPose(reading.calibration, since, at if moved else pose.moved_at)


def measure_sway(before: TableCalibration, now: TableCalibration) -> float:
    """How far, in mm, the corners of the area seem to have moved to a camera that stands as before."""
    corners = np.array(now.corners)
    return float(np.linalg.norm(before.to_mm(now.to_px(corners)) - corners, axis=1).max())
