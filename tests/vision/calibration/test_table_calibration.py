"""Calibration: accuracy, wrong markers, and a bumped camera."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.table import Area
from vision.calibration.markers import Marker, find_duplicates, find_markers, is_clockwise
from vision.calibration.table_calibration import calibrate, measure_shift, recalibrate
from vision.render import DrawnCard, RenderCamera, Scene, Sensor, find_truth, render_scene
from vision.render import DrawnMarker as Printed
from vision.render.projection import project_points
from vision.sticker_and_marker_sizes import MARKER_MM

WIDE, HIGH = 600.0, 420.0
OUT = MARKER_MM / 2


def posed(spread: float = 0.0, size: float = MARKER_MM, **camera: float) -> Scene:
    """A bare table with its four markers; ``spread`` makes a trapezoid of the area."""
    corners = ((0.0, 0.0), (WIDE, 0.0), (WIDE + spread, HIGH), (-spread, HIGH))
    ways = ((-OUT, -OUT), (OUT, -OUT), (OUT, OUT), (-OUT, OUT))
    markers = tuple(
        Printed(name, x + dx, y + dy, size) for name, ((x, y), (dx, dy)) in enumerate(zip(corners, ways, strict=True))
    )
    view = Area(-110 - spread, -110, WIDE + 110 + spread, HIGH + 110)
    return Scene(RenderCamera.over(view, 2.4, **camera), "wood", 3, markers=markers, sensor=Sensor(noise=0.7))


def grey_of(scene: Scene) -> np.ndarray:
    return cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize(
    ("camera", "spread", "most"),
    [
        pytest.param({}, 0.0, 1.0, id="straight above"),
        pytest.param({"tilt": 15.0, "turn": 4.0}, 0.0, 1.5, id="leaning by 15 degrees"),
        pytest.param({"tilt": 8.0, "barrel": 0.02}, 0.0, 2.5, id="a distorting lens"),
        pytest.param({"tilt": 8.0}, 12.0, 2.0, id="markers taped as a trapezoid"),
    ],
)
def test_pixels_are_mapped_to_table_places_without_a_measured_table(
    camera: dict[str, float], spread: float, most: float
) -> None:
    scene = posed(spread, **camera)
    grey = grey_of(scene)
    calibration = calibrate(find_markers(grey), grey.shape)
    xs, ys = np.meshgrid(np.linspace(0, WIDE, 5), np.linspace(0, HIGH, 4))
    truth = np.stack([xs.ravel(), ys.ravel()], 1)
    px = project_points(scene.camera, np.pad(truth, ((0, 0), (0, 1))))
    assert np.linalg.norm(calibration.to_mm(px) - truth, axis=1).max() < most
    assert np.abs(calibration.to_px(calibration.to_mm(px)) - px).max() < 0.01
    assert calibration.error_mm < 0.2


def test_area_and_scale_follow_from_the_marker_size() -> None:
    grey = grey_of(posed())
    calibration = calibrate(find_markers(grey), grey.shape)
    assert (calibration.area.right, calibration.area.bottom) == pytest.approx((WIDE, HIGH), abs=2)
    assert calibration.px_module(18)[0] == pytest.approx(2.4 * 18 / 25, rel=0.02)
    twice = calibrate(find_markers(grey), grey.shape, marker_mm=2 * MARKER_MM)
    assert twice.area.right == pytest.approx(2 * calibration.area.right, rel=0.001)


def test_three_markers_recalibrate_a_bumped_camera() -> None:
    before = posed(tilt=6.0)
    grey = grey_of(before)
    calibration = calibrate(find_markers(grey), grey.shape)
    camera = replace(before.camera, x=before.camera.x + 14, turn=2.0)
    bumped = find_markers(grey_of(replace(before, camera=camera)))
    assert measure_shift(calibration, find_markers(grey)) < 0.1
    assert measure_shift(calibration, bumped) > 5
    again = recalibrate(calibration, tuple(marker for marker in bumped if marker.corner != "BR"))
    px = project_points(camera, np.array([[WIDE / 2, HIGH / 2, 0.0], [WIDE - 20, HIGH - 20, 0.0]]))
    assert np.abs(again.to_mm(px) - [[WIDE / 2, HIGH / 2], [WIDE - 20, HIGH - 20]]).max() < 1.5


def test_a_duplicate_marker_is_found() -> None:
    scene = posed()
    double = replace(scene, markers=(*scene.markers, Printed(0, WIDE / 2, HIGH / 2)))
    assert find_duplicates(find_markers(grey_of(double))) == ("TL",)
    assert find_duplicates(find_markers(grey_of(scene))) == ()


def test_swapped_markers_are_found() -> None:
    right = find_markers(grey_of(posed()))
    swap = {"TL": "TR", "TR": "TL"}
    wrong = tuple(Marker(swap.get(marker.corner, marker.corner), marker.quad) for marker in right)
    assert is_clockwise(right)
    assert not is_clockwise(wrong)


@pytest.mark.parametrize("tilt", [0.0, 12.0, 40.0, 60.0])
def test_the_tilt_of_a_card_is_measured(tilt: float) -> None:
    scene = posed(tilt=8.0)
    grey = grey_of(scene)
    calibration = calibrate(find_markers(grey), grey.shape)
    card = DrawnCard("nimmt", "44", 180.0, 140.0, 20.0, payload="1N044P8GPX", tilt=tilt)
    (tag,) = find_truth(replace(scene, cards=(card,))).tags
    leans = calibration.measure_tilts(np.array([tag.corners]))[0]
    assert min(abs(leans - tilt)) < 8


@pytest.mark.parametrize("hidden", ["TL", "TR", "BR", "BL"])
def test_the_fourth_corner_is_guessed_from_three_markers(hidden: str) -> None:
    grey = grey_of(posed(tilt=8.0))
    markers = find_markers(grey)
    whole = calibrate(markers, grey.shape)
    part = calibrate(tuple(marker for marker in markers if marker.corner != hidden), grey.shape)
    assert (whole.guessed, part.guessed) == (None, hidden)
    assert np.abs(np.array(part.corners) - whole.corners).max() < 5
