"""The check of a camera on one frame: markers, focus, pixels per module and advice."""

from dataclasses import replace
from itertools import permutations

import cv2
import numpy as np
import pytest

from engine.table import Area
from vision.calibration.camera_check import GOOD_PX_MODULE, check_camera, rate_focus
from vision.calibration.markers import CORNERS, find_markers, find_swap, is_clockwise
from vision.calibration.markers import Marker as FoundMarker
from vision.calibration.table_calibration import FOCAL_PER_WIDTH
from vision.render import DrawnCard, DrawnMarker, RenderCamera, Scene, Sensor, render_scene
from vision.tags.codebook import CODES

WIDE, HIGH, OUT = 300.0, 200.0, 20.0
SPOTS = ((-OUT, -OUT), (WIDE + OUT, -OUT), (WIDE + OUT, HIGH + OUT), (-OUT, HIGH + OUT))
MARKERS = tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(SPOTS))
CODE = next(code for code in CODES if code.game == "nimmt")


def scene(px_module=2.4, rim=50.0, blur=0.5, **more):
    seen = Area(-rim, -rim, WIDE + rim, HIGH + rim)
    camera = RenderCamera.over(seen, px_module * 25 / 18, distance=FOCAL_PER_WIDTH * (seen.right - seen.left))
    return Scene(camera, "wood", 2, markers=MARKERS, sensor=Sensor(blur=blur), **more)


def picture(scene):
    return cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY)


def test_a_good_camera_position_passes_every_check():
    found = check_camera(picture(scene()))
    assert (found.missing, found.twice, found.swapped, found.notes) == ((), (), (), ())
    assert found.px_module == pytest.approx(2.4, abs=0.05)
    assert found.area == pytest.approx((WIDE, HIGH), abs=2)
    assert (found.nearer_cm, found.larger_mm) == (0, 0)
    assert found.tilt < 2
    assert found.focus > 0.7


def test_markers_printed_at_half_the_size_give_an_area_half_as_large():
    grey = picture(scene())
    found = check_camera(grey, marker_mm=20.0, sticker_mm=9.0)
    assert found.area == pytest.approx((WIDE / 2, HIGH / 2), abs=1)
    assert found.px_module == pytest.approx(check_camera(grey).px_module, abs=0.02)
    assert found.focus == pytest.approx(check_camera(grey).focus, abs=0.02)


@pytest.mark.parametrize(
    ("markers", "missing", "twice", "swapped"),
    [
        pytest.param((), ("TL", "TR", "BR", "BL"), (), (), id="none"),
        pytest.param(MARKERS[:2], ("BR", "BL"), (), (), id="two"),
        pytest.param(MARKERS[1:], ("TL",), (), (), id="three"),
        pytest.param((*MARKERS[:3], DrawnMarker(2, *SPOTS[3])), ("BL",), ("BR",), (), id="one-twice"),
        pytest.param(
            tuple(DrawnMarker(name, *SPOTS[at]) for name, at in enumerate((1, 0, 2, 3))),
            (),
            (),
            ("TL", "TR"),
            id="two-swapped",
        ),
    ],
)
def test_missing_double_and_swapped_markers_are_named(markers, missing, twice, swapped):
    found = check_camera(picture(replace(scene(), markers=markers)))
    assert (found.missing, found.twice, found.swapped) == (missing, twice, swapped)


def test_focus_falls_as_blur_grows():
    bars = [check_camera(picture(scene(blur=blur))).focus for blur in (0.3, 0.8, 1.3, 2.2, 4.2)]
    assert bars == sorted(bars, reverse=True)
    assert bars[0] > 0.75
    assert bars[-1] < 0.05
    assert [rate_focus(blur, 4.0) for blur in (0.5, 1.0, 2.5, 4.0, 9.0)] == pytest.approx([1, 1, 0.7, 0.4, 0])


def test_moving_the_camera_nearer_as_advised_gives_a_good_picture():
    far = scene(px_module=1.6, rim=130.0)
    found = check_camera(picture(far))
    assert found.px_module == pytest.approx(1.6, abs=0.05)
    nearer = replace(far, camera=replace(far.camera, distance=far.camera.distance - 10 * found.nearer_cm))
    cured = check_camera(picture(nearer))
    assert cured.missing == ()
    assert GOOD_PX_MODULE * 0.96 < cured.px_module < GOOD_PX_MODULE * 1.12


@pytest.mark.parametrize(("px_module", "larger"), [(1.7, 22), (1.2, None)], ids=["larger-stickers-do", "too-far"])
def test_moving_nearer_is_not_advised_where_the_markers_fill_the_picture(px_module, larger):
    found = check_camera(picture(scene(px_module=px_module)))
    assert (found.nearer_cm, found.larger_mm) == (None, larger)


def test_a_card_left_on_the_table_is_named_once_the_picture_is_still():
    left = replace(scene(), cards=(DrawnCard("nimmt", CODE.piece, 150, 100, payload=CODE.payload),))
    first = check_camera(picture(left))
    assert (first.still, first.tags) == (False, ())
    again = check_camera(picture(replace(left, seed=5)), before=first)
    assert (again.still, again.tags) == (True, (CODE.piece,))
    bare = picture(scene())
    moved = check_camera(bare, before=again)
    assert (moved.still, moved.tags) == (False, (CODE.piece,))
    assert check_camera(bare, before=moved).tags == ()


def test_a_picture_with_changing_light_is_not_still():
    bare = picture(scene())
    brighter = np.asarray(cv2.convertScaleAbs(bare, alpha=1.1), np.uint8)
    assert not check_camera(brighter, before=check_camera(bare)).still


@pytest.mark.parametrize(("level", "why"), [(10, "dark"), (255, "bright")])
def test_a_dark_and_a_burnt_out_picture_are_noted(level, why):
    assert why in [note.code for note in check_camera(np.full((300, 400), level, np.uint8)).notes]


@pytest.mark.parametrize(("share", "dark"), [(1.0, False), (0.17, True)], ids=["in the light", "in the dark"])
def test_a_black_cloth_is_too_dark_only_where_the_paper_of_the_markers_is_dark(share, dark):
    bare = picture(scene())
    cloth = np.full_like(bare, 22)
    for marker in find_markers(bare):
        left, top = np.min(marker.quad, 0).astype(int) - 4
        right, bottom = np.max(marker.quad, 0).astype(int) + 4
        cloth[max(top, 0) : bottom, max(left, 0) : right] = bare[max(top, 0) : bottom, max(left, 0) : right]
    # the camera sees more than the table
    whole = np.pad(cloth, [(size, size) for size in cloth.shape], constant_values=22)
    check = check_camera(np.asarray(whole * share, np.uint8))
    assert check.missing == ()
    assert ("dark" in [note.code for note in check.notes]) is dark


@pytest.mark.parametrize("order", [*permutations(range(4))], ids=lambda order: "".join(map(str, order)))
def test_one_swap_is_proposed_for_every_wrong_order_of_markers(order):
    at = {corner: spot for corner, spot in zip(CORNERS, ((0, 0), (9, 0), (9, 5), (0, 5)), strict=True)}
    names = [CORNERS[n] for n in order]
    found = tuple(FoundMarker(name, tuple((x + dx, y + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))))
                  for name, (x, y) in zip(names, at.values(), strict=True))  # fmt: skip
    swap = find_swap(found)
    clockwise = CORNERS.index(names[0])
    assert bool(swap) == (names != [*CORNERS[clockwise:], *CORNERS[:clockwise]])
    if swap:
        other = dict(zip(swap, reversed(swap), strict=True))
        assert is_clockwise(tuple(replace(marker, corner=other.get(marker.corner, marker.corner)) for marker in found))
