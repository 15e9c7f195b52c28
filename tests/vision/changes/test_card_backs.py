"""Face-down cards in seats, found by comparison with the empty table."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.table import Area, Piece
from tests.support.true_calibration import calibrate_by_truth
from vision.changes.card_backs import bound_seats, find_backs, view_seats
from vision.changes.card_edges import CardPlace
from vision.render import (
    Arm,
    DrawnCard,
    ForeignCode,
    Ground,
    RenderCamera,
    Scene,
    SceneLight,
    Sensor,
    StrayObject,
    render_scene,
)
from vision.tags.codebook import CODES

SEATS = {"seat:1": Area(0, 0, 200, 220), "seat:2": Area(200, 0, 400, 220), "seat:3": Area(400, 0, 600, 220)}
SIZE = (57.0, 87.0)
CAMERA = RenderCamera.over(Area(-25, -25, 625, 475), 2.2, tilt=10, towards=70, turn=2)
CALIBRATION = calibrate_by_truth(CAMERA, Area(0, 0, 600, 450))
TABLE = Scene(CAMERA, "wood", 3, light=SceneLight(slope=(0.15, -0.1), sun=200), sensor=Sensor())
DOWN = DrawnCard("nimmt", "9", 100, 110, 12, face_down=True)
FACE = DrawnCard("nimmt", "9", 100, 110, 12, payload=CODES[8].payload)


def found(scene: Scene, *, read: Sequence[Piece] = (), empty: Scene = TABLE, grey: bool = False) -> dict[str, Piece]:
    pictures = [render_scene(s) for s in (scene, replace(empty, seed=99))]
    now, bare = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if grey else picture for picture in pictures)
    view = view_seats(bare, CALIBRATION, bound_seats(SEATS.values(), CALIBRATION.area))
    outlines = [CardPlace(card.x, card.y, card.angle, SIZE).outline() for card in read]
    return find_backs(now, view, CALIBRATION, SEATS, SIZE, outlines)


@pytest.mark.parametrize("grey", [False, True], ids=["colour", "grey"])
@pytest.mark.parametrize("ground", ["wood", "white", "felt", "darkwood", "dark", "clutter"])
def test_a_face_down_card_is_found_as_a_back(ground: Ground, grey: bool) -> None:
    table = replace(TABLE, ground=ground)
    seen = found(replace(table, cards=(DOWN,)), empty=table, grey=grey)
    back = seen["seat:1"]
    assert list(seen) == ["seat:1"]
    assert (back.x, back.y) == (pytest.approx(100, abs=2), pytest.approx(110, abs=2))
    assert back.angle == pytest.approx(12 - 90, abs=2)


CASES = {
    "an empty table": ((), (), (), []),
    "a card in each of two seats": ((DOWN, replace(DOWN, x=500.0, angle=-70.0)), (), (), ["seat:1", "seat:3"]),
    "a card that is bent": ((replace(DOWN, bend=4.0),), (), (), ["seat:1"]),
    "two cards, one on the other": ((DOWN, replace(DOWN, x=118.0, y=120.0)), (), (), []),
    "two cards side by side": ((replace(DOWN, x=55.0), replace(DOWN, x=150.0)), (), (), []),
    "a face whose tag was not read": ((FACE,), (), (), []),
    "a larger card": ((replace(DOWN, lift=160.0),), (), (), []),
    "a phone": ((), (StrayObject("phone", 100, 110, 5),), (), []),
    "a mug": ((), (StrayObject("mug", 100, 110),), (), []),
    "a sheet of paper": ((), (StrayObject("paper", 100, 110),), (), []),
    "a foreign code": ((), (), (ForeignCode("https://example.org", 100, 110, 0, 40),), []),
    "a card between seats, its middle in none": ((replace(DOWN, y=320.0),), (), (), []),
}


@pytest.mark.parametrize("name", CASES)
def test_only_one_object_of_the_size_of_a_card_is_a_back(name: str) -> None:
    cards, things, codes, expected = CASES[name]
    assert sorted(found(replace(TABLE, cards=cards, objects=things, foreign=codes))) == expected


def test_a_seat_with_a_read_card_has_no_back() -> None:
    assert found(replace(TABLE, cards=(DOWN,)), read=[Piece("9", 100, 110)]) == {}


@pytest.mark.parametrize("gain", [0.75, 1.2], ids=["darker", "lighter"])
def test_a_back_is_found_in_another_light(gain: float) -> None:
    light = replace(TABLE.light, gain=TABLE.light.gain * gain)
    assert list(found(replace(TABLE, cards=(DOWN,), light=light))) == ["seat:1"]
    assert list(found(replace(TABLE, light=light))) == []


def test_a_back_beside_a_hand_is_found() -> None:
    arm = Arm((300, 480), (160, 190))
    assert list(found(replace(TABLE, cards=(DOWN,), arms=(arm,)))) == ["seat:1"]


@pytest.mark.parametrize(("cards", "expected"), [((DOWN,), ["seat:1"]), ((), [])], ids=["a back", "nothing"])
def test_a_shadow_around_a_back_does_not_hide_it(cards: Sequence[DrawnCard], expected: list[str]) -> None:
    table = replace(TABLE, ground="felt")
    picture, bare = (render_scene(scene) for scene in (replace(table, cards=tuple(cards)), replace(table, seed=99)))
    corners = CALIBRATION.to_px(np.array([[60.0, 130.0], [190.0, 40.0], [230.0, 120.0], [100.0, 190.0]]))
    shade = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(shade, [np.round(corners).astype(np.int32)], 0.45)
    shade = cv2.GaussianBlur(shade, (0, 0), 6)
    shaded = (picture * (1 - shade[..., None])).astype(np.uint8)
    view = view_seats(bare, CALIBRATION, bound_seats(SEATS.values(), CALIBRATION.area))
    assert list(find_backs(shaded, view, CALIBRATION, SEATS, SIZE)) == expected


def test_no_backs_are_found_without_seats() -> None:
    picture = render_scene(TABLE)
    view = view_seats(picture, CALIBRATION, CALIBRATION.area)
    assert find_backs(picture, view, CALIBRATION, {}, SIZE) == {}
