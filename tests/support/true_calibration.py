"""The calibration of a camera whose place is known, without markers in its picture."""

from math import hypot

import cv2
import numpy as np

from engine.table import Area
from vision.calibration.markers import CORNERS, Quad
from vision.calibration.table_calibration import TableCalibration
from vision.render import RenderCamera
from vision.render.projection import project_points
from vision.sticker_and_marker_sizes import MARKER_MM


def calibrate_by_truth(camera: RenderCamera, area: Area) -> TableCalibration:
    """A calibration whose area is this one, and whose origin is that of the scene; the lens must not bend lines."""
    assert camera.barrel == 0
    mm = np.array([[0, 0], [area.right, 0], [area.right, area.bottom], [0, area.bottom]], np.float64)
    middle = ((camera.width - 1) / 2, (camera.height - 1) / 2)
    reach = hypot(camera.width, camera.height) / 2
    px = (project_points(camera, np.pad(mm, ((0, 0), (0, 1)))) - middle) / reach
    plane = cv2.getPerspectiveTransform(px.astype(np.float32), mm.astype(np.float32))
    sides = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    markers = {name: _square(x, y, *side) for name, (x, y), side in zip(CORNERS, mm.tolist(), sides, strict=True)}
    return TableCalibration(tuple(plane.ravel().tolist()), middle, reach, 0.0, markers, MARKER_MM, 0.0)


def _square(x: float, y: float, across: int, down: int) -> Quad:
    """A marker that touches the area with one corner, and is outside it."""
    xs, ys = sorted((x, x + across * MARKER_MM)), sorted((y, y + down * MARKER_MM))
    return (xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1])
