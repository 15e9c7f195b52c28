"""Camera set-up from the box alone: one problem at a time, and what is kept in the end."""

from dataclasses import replace

import numpy as np
import pytest

from engine.text import say
from engine.view import Offer, View
from firmware.box.effects import KeepEmpty
from firmware.box.events import parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.camera_setup import STILL_FOR_S, CameraSetup
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.box.menu_and_confirmation import Menu
from firmware.texts.render import render
from tests.support.nimmt import begin
from vision.calibration.camera_check import CameraCheck
from vision.live.perception_events import CameraMeasured
from vision.live.picture_notes import Note

GOOD = CameraCheck((), focus=0.9, px_module=2.2, area=(700, 460), nearer_cm=0, larger_mm=0, tilt=3.0, still=True)
SEVEN = tuple((60.0 + 40 * n, 90.0) for n in range(7))
FAR = replace(GOOD, px_module=1.3, nearer_cm=24, larger_mm=None)


def box_with(*aimings: CameraCheck) -> Box:
    box = Box(Context(), (Home(), CameraSetup()))
    for n, aiming in enumerate(aimings):
        box, _ = step_box(box, CameraMeasured(aiming, float(n)))
    return box


def shown(box: Box) -> View:
    return show_box(box)


@pytest.mark.parametrize(("shade", "percent"), [(0, "0%"), (153, "60%"), (255, "100%")])
def test_while_it_is_set_up_focus_and_light_are_measured_also_before_the_markers_are_found(shade, percent):
    small = np.full((40, 60), shade, np.uint8)
    lines = [render(line) for line in shown(box_with(CameraCheck(("TL",), 0.42, small=small))).lines]
    assert lines == ["Focus 42%", f"Light {percent}"]
    assert len(shown(box_with(GOOD)).lines) == 4


@pytest.mark.parametrize(
    ("aiming", "says"),
    [
        pytest.param(CameraCheck((), 0.0, notes=(Note("dark", ""),)), "Too dark: more light on the table", id="dark"),
        pytest.param(
            CameraCheck((), 0.0, notes=(Note("bright", ""),)), "Too bright: less light on the table", id="bright"
        ),
        pytest.param(
            CameraCheck(("TL", "TR", "BR", "BL"), 0.0), "No marker seen: point camera at the table", id="no-marker"
        ),
        pytest.param(CameraCheck(("BL",), 0.9), "Bring marker bottom left into view", id="a-marker-hidden"),
        pytest.param(CameraCheck(("TR",), 0.9, twice=("BR",)), "Two bottom right markers: remove one", id="twice"),
        pytest.param(replace(GOOD, swapped=("TL", "BL")), "Swap markers top left and bottom left", id="swapped"),
        pytest.param(replace(GOOD, askew=True), "Tape each marker to its own corner", id="askew"),
        pytest.param(FAR, "Too far: move the camera 24 cm closer", id="far"),
        pytest.param(replace(FAR, tilt=25.0), "Point the camera straight down", id="leaning"),
        pytest.param(
            replace(FAR, nearer_cm=None, larger_mm=24), "Too far: use 24 mm stickers", id="markers-fill-the-picture"
        ),
        pytest.param(replace(FAR, nearer_cm=None), "Too far: move the markers closer together", id="no-cure-but-less"),
        pytest.param(replace(GOOD, focus=0.1), "Turn the lens until the bar is longest", id="blurred"),
        pytest.param(replace(GOOD, tags=("33",)), "Remove 1 card from the table", id="a-card-left"),
        pytest.param(replace(GOOD, tiles=SEVEN), "Remove 7 tiles from the table", id="tiles-left"),
        pytest.param(
            replace(FAR, focus=0.1, tags=("33",), missing=("TL",)),
            "Bring marker top left into view",
            id="in-order",
        ),
    ],
)
def test_a_problem_is_shown_with_its_remedy_and_nothing_can_be_kept(aiming, says):
    box = box_with(aiming)
    assert render(shown(box).prompt, strict=True) == says
    assert shown(box).offers == ()
    box, done = step_box(box, parse_told("camera:keep-empty-table", "web", 5.0))
    assert not done
    assert len(box.flows) == 2


@pytest.mark.parametrize(
    ("aiming", "says"),
    [
        pytest.param(GOOD, None, id="all-is-well"),
        pytest.param(
            replace(GOOD, px_module=1.7, nearer_cm=11), "Better: move the camera 11 cm closer", id="rather-far"
        ),
        pytest.param(
            replace(GOOD, px_module=1.7, nearer_cm=None, larger_mm=22),
            "Better: use 22 mm stickers",
            id="cannot-be-nearer",
        ),
        pytest.param(replace(GOOD, focus=0.4), "Better: turn the lens until it is sharp", id="rather-soft"),
    ],
)
def test_what_will_do_can_be_kept_and_what_would_be_better_is_told(aiming, says):
    view = shown(box_with(aiming))
    assert [offer.move for offer in view.offers] == ["camera:keep-empty-table"]
    assert (view.alert and render(view.alert, strict=True)) == says
    assert view.bar == aiming.focus


def test_the_empty_table_is_kept_once_no_hand_moves_over_it():
    box = box_with(GOOD)
    box, _ = step_box(box, parse_told("camera:keep-empty-table", "button", 1.0))
    for at, still in ((1.2, True), (1.4, False), (2.0, True), (2.0 + STILL_FOR_S / 2, True)):
        box, done = step_box(box, CameraMeasured(replace(GOOD, still=still), at))
        assert not done
        assert shown(box).prompt.id == "aim_hold"
    box, done = step_box(box, CameraMeasured(GOOD, 2.0 + STILL_FOR_S))
    assert done == (KeepEmpty(),)
    assert box.known.area is None
    box, done = step_box(box, CameraMeasured(GOOD, 3.0 + STILL_FOR_S, kept=True))
    assert not done
    assert box.known.area == (700, 460)
    assert [type(flow) for flow in box.flows] == [Home]


@pytest.mark.parametrize(
    ("lying", "says"),
    [
        pytest.param({}, "aim_hold", id="the camera measures the light"),
        pytest.param({"still": False}, "aim_hold", id="a hand is back"),
        pytest.param({"tags": ("33",)}, "aim_cards", id="a card is back"),
        pytest.param({"tiles": SEVEN[:2]}, "aim_tiles", id="two tiles are back"),
    ],
)
def test_until_the_picture_is_taken_the_screen_asks_for_an_empty_table(lying, says):
    box = taking()
    for at in (3.0, 5.0, 9.0):
        box, done = step_box(box, CameraMeasured(replace(GOOD, **lying), at))
        assert not done
        assert shown(box).prompt.id == says
    box, _ = step_box(box, CameraMeasured(GOOD, 10.0, kept=True))
    assert [type(flow) for flow in box.flows] == [Home]


def test_back_leaves_while_the_picture_is_taken():
    box, _ = step_box(taking(), parse_told("back", "button", 3.0))
    assert [type(flow) for flow in box.flows] == [Home]
    assert find_read_request(box) is None


def test_a_picture_that_was_taken_before_ends_nothing():
    box = box_with(GOOD)
    box, _ = step_box(box, CameraMeasured(GOOD, 3.0, kept=True))
    assert shown(box).prompt.id == "aim_clear"


def taking() -> Box:
    """A person has confirmed, nothing has moved, and the camera takes the picture."""
    box, _ = step_box(box_with(GOOD), parse_told("camera:keep-empty-table", "button", 1.0))
    for at in (1.2, 1.5 + STILL_FOR_S):
        box, done = step_box(box, CameraMeasured(GOOD, at))
    assert done == (KeepEmpty(),)
    return box


def test_a_marker_covered_in_the_last_moment_puts_it_off():
    box, _ = step_box(box_with(GOOD), parse_told("camera:keep-empty-table", "button", 1.0))
    for at in (1.2, 2.2):
        box, done = step_box(box, CameraMeasured(replace(GOOD, missing=("TL",)), at))
        assert not done
    assert shown(box).prompt.id == "aim_missing"


def test_back_takes_the_ok_back_and_then_closes():
    box, _ = step_box(box_with(GOOD), parse_told("camera:keep-empty-table", "button", 1.0))
    box, _ = step_box(box, parse_told("back", "button", 1.2))
    assert shown(box).prompt.id == "aim_clear"
    box, _ = step_box(box, parse_told("back", "button", 1.4))
    assert [type(flow) for flow in box.flows] == [Home]
    assert box.known.area is None


@pytest.mark.parametrize("open_", ["home", "game", "menu"])
def test_it_opens_at_any_time_and_the_game_waits_behind_it(open_):
    flows = (Home(),) if open_ == "home" else (Home(), play_from(begin()))
    box = Box(Context(), flows)
    if open_ == "menu":
        box = replace(box, flows=(*flows, Menu(say("game_menu"), (Offer(say("aim_keep"), "camera:set-up"),))))
    box, _ = step_box(box, parse_told("camera:set-up", "web", 0.0))
    assert find_read_request(box).purpose == "aim"
    assert [type(flow) for flow in box.flows] == [*map(type, flows), CameraSetup]
    box, _ = step_box(box, parse_told("camera:set-up", "web", 0.1))
    assert len(box.flows) == len(flows) + 1


ONE = replace(GOOD, tiles=SEVEN[:1])


def asked_whether_it_moves(aiming: CameraCheck = ONE) -> Box:
    box, _ = step_box(box_with(aiming), parse_told("camera:tiles-belong", "button", 1.0))
    return box


@pytest.mark.parametrize(
    ("tiles", "game", "offered"),
    [
        pytest.param(SEVEN[:1], 0, True, id="one thing between two games may be a part of the table"),
        pytest.param(SEVEN[:2], 0, True, id="two things may be"),
        pytest.param(SEVEN[:3], 0, False, id="three are tiles of a game"),
        pytest.param(SEVEN[:1], 4, False, id="during a game it is a tile of that game"),
    ],
)
def test_what_looks_like_a_tile_may_be_a_part_of_the_table(tiles, game, offered):
    box, _ = step_box(Box(Context(game=game), (Home(), CameraSetup())), CameraMeasured(replace(GOOD, tiles=tiles), 0.0))
    assert [offer.move for offer in shown(box).offers] == ["camera:tiles-belong"] * offered
    after, _ = step_box(box, parse_told("camera:tiles-belong", "web", 1.0))
    assert shown(after).prompt.id == ("aim_push" if offered else "aim_tiles")


def test_people_are_asked_to_push_it_and_that_it_moves_is_the_first_answer():
    view = shown(asked_whether_it_moves())
    assert render(view.prompt, strict=True) == "Push each one: does it move?"
    assert [render(offer.label) for offer in view.offers] == ["It moves", "It does not move"]
    box, _ = step_box(asked_whether_it_moves(), parse_told("back", "button", 2.0))
    assert shown(box).prompt.id == "aim_tiles"
    assert find_read_request(box).fixed == ()


def test_what_does_not_move_is_left_out_of_the_count_and_in_the_picture():
    box, _ = step_box(asked_whether_it_moves(), parse_told("camera:tiles-are-fixed", "button", 2.0))
    assert shown(box).prompt.id == "aim_clear"
    assert find_read_request(box).fixed == SEVEN[:1]
    box, _ = step_box(box, CameraMeasured(GOOD, 3.0))  # its place is left out
    box, _ = step_box(box, parse_told("camera:keep-empty-table", "button", 3.1))
    box, _ = step_box(box, CameraMeasured(GOOD, 3.2))
    box, done = step_box(box, CameraMeasured(GOOD, 3.3 + STILL_FOR_S))
    assert done == (KeepEmpty(),)
    box, _ = step_box(box, CameraMeasured(replace(GOOD, tiles=SEVEN[1:2]), 5.0))
    assert shown(box).prompt.id == "aim_tiles"


@pytest.mark.parametrize(
    ("tiles", "asks"),
    [
        pytest.param(((SEVEN[0][0] + 2, SEVEN[0][1]),), "aim_push", id="it is measured again"),
        pytest.param(((SEVEN[0][0] + 30, SEVEN[0][1]),), "aim_tiles", id="it was seen to move"),
        pytest.param((), "aim_clear", id="it was taken away"),
        pytest.param(SEVEN[:2], "aim_tiles", id="there is another one"),
    ],
)
def test_only_what_was_asked_about_counts_as_fixed(tiles, asks):
    box, _ = step_box(asked_whether_it_moves(), CameraMeasured(replace(GOOD, tiles=tiles), 2.0))
    assert shown(box).prompt.id == asks
    box, _ = step_box(box, parse_told("camera:tiles-are-fixed", "web", 3.0))
    assert bool(find_read_request(box).fixed) == (asks == "aim_push")


def test_another_set_up_asks_again():
    box, _ = step_box(asked_whether_it_moves(), parse_told("camera:tiles-are-fixed", "button", 2.0))
    box, _ = step_box(box, parse_told("back", "button", 3.0))
    box, _ = step_box(box, parse_told("camera:set-up", "button", 4.0))
    assert find_read_request(box).fixed == ()
