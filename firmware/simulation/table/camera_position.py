"""Position of the simulated camera: tilted, all four markers in view, and a given resolution in the worst corner."""

from dataclasses import replace

import numpy as np

from engine.table import Area
from vision.render import DrawnMarker, RenderCamera
from vision.render.projection import Points, project_points, project_to_table
from vision.sticker_and_marker_sizes import STICKER_MM

PX_MODULE = 2.1
"""Pixels per module of a sticker in the worst corner."""
TILT_DEG = 4.0
"""How far the camera is tilted from straight down."""
MARKER_OUT_MM = 20.0
"""From a corner of the area to the centre of its marker, in mm along both axes."""
FRAME_BORDER_MM = 12.0
"""Margin that the frame shows around the markers, in mm."""


def place_markers(area: Area) -> tuple[DrawnMarker, ...]:
    left, top, right, bottom = (
        area.left - MARKER_OUT_MM,
        area.top - MARKER_OUT_MM,
        area.right + MARKER_OUT_MM,
        area.bottom + MARKER_OUT_MM,
    )
    return tuple(
        DrawnMarker(n, x, y) for n, (x, y) in enumerate(((left, top), (right, top), (right, bottom), (left, bottom)))
    )


def place_camera(
    area: Area, px_module: float, *, tilt: float, towards: float, turn: float, sticker: float = STICKER_MM
) -> RenderCamera:
    """``px_module`` is the size of a sticker module in the worst corner, in pixels."""
    wide, high = area.right - area.left, area.bottom - area.top
    rim = MARKER_OUT_MM + 40.0 / 2 * 1.5 + FRAME_BORDER_MM
    shown = _flat(_corners(Area(area.left - rim, area.top - rim, area.right + rim, area.bottom + rim)))
    eye = RenderCamera.over(
        area, 1.0, distance=1.05 * max(wide, high), tilt=tilt, towards=towards, turn=turn, barrel=0.004
    )
    for _ in range(4):  # the optical axis of a tilted camera does not hit the middle of its view, so iterate
        worst = min(_scale(eye, x, y) for x, y in _corners(area))
        eye = replace(eye, focal=eye.focal * px_module * 25 / sticker / worst)
        seen = project_points(eye, shown)
        # sensors have an even number of pixels
        across, down = (2 * int(np.ceil(side / 2)) for side in np.ptp(seen, 0))
        off = (seen.min(0) + seen.max(0)) / 2 - [(eye.width - 1) / 2, (eye.height - 1) / 2]
        x, y = project_to_table(eye, off[None] + [(eye.width - 1) / 2, (eye.height - 1) / 2])[0]
        eye = replace(eye, width=across, height=down, x=float(x), y=float(y))
    return eye


def _corners(area: Area) -> list[tuple[float, float]]:
    return [(x, y) for x in (area.left, area.right) for y in (area.top, area.bottom)]


def _flat(points: list[tuple[float, float]]) -> Points:
    return np.array([(x, y, 0.0) for x, y in points])


def _scale(eye: RenderCamera, x: float, y: float) -> float:
    """Pixels per mm at a spot of the table: the square root of the area scale."""
    a, b, c = project_points(eye, _flat([(x, y), (x + 1, y), (x, y + 1)]))
    (ux, uy), (vx, vy) = b - a, c - a
    return float(abs(ux * vy - uy * vx) ** 0.5)
