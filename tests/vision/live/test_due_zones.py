"""Zones that wait for a slow search, frame by frame."""

import pytest

from engine.table import Area
from tests.support.true_calibration import calibrate_by_truth
from vision.live.due_zones import DueZones
from vision.render import RenderCamera

ZONES = {"left": Area(0, 0, 100, 100), "right": Area(100, 0, 200, 100)}
CAMERA = RenderCamera.over(Area(0, 0, 200, 100), 2.0)
LEFT, RIGHT, BESIDE = Area(10, 10, 20, 20), Area(150, 10, 160, 20), Area(300, 0, 310, 10)


@pytest.mark.parametrize(
    ("frames", "ready"),
    [
        pytest.param(((),), [{"left", "right"}], id="all zones are searched at first"),
        pytest.param(((LEFT,), (LEFT,), ()), [set(), {"right"}, {"left"}], id="but not while something moves there"),
        pytest.param(((), (), ()), [{"left", "right"}, set(), set()], id="and only once"),
        pytest.param(((), (RIGHT,), ()), [{"left", "right"}, set(), {"right"}], id="until something moves there"),
        pytest.param(((), (BESIDE,), ()), [{"left", "right"}, set(), set()], id="not beside it"),
    ],
)
def test_the_zones_to_be_searched_in_each_frame(frames: tuple[tuple[Area, ...], ...], ready: list[set[str]]) -> None:
    calibration, due, found = calibrate_by_truth(CAMERA, Area(0, 0, 200, 100)), DueZones(ZONES, 1), []
    for moving in frames:
        zones = due.select_ready(calibration, moving)
        found.append(set(zones))
        due.remove(zones)
    assert found == ready


def test_a_zone_stays_due_until_its_search_has_ended() -> None:
    calibration, due = calibrate_by_truth(CAMERA, Area(0, 0, 200, 100)), DueZones(ZONES, 0)
    due.select_ready(calibration, ())
    due.remove(["left"])
    assert due.names == {"right"}
    assert set(due.select_ready(calibration, ())) == {"right"}
    due.remove(["right"])
    assert not due


def test_a_new_calibration_makes_all_zones_due() -> None:
    due = DueZones(ZONES, 0)
    for _ in range(2):
        assert set(due.select_ready(calibrate_by_truth(CAMERA, Area(0, 0, 200, 100)), ())) == set(ZONES)
        due.remove(ZONES)
