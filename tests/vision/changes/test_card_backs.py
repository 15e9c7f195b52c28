"""Face-down cards in seats, found by comparison with the empty table."""

from dataclasses import replace

import cv2
import pytest

from engine.table import Area, Piece
from vision.changes.card_backs import find_backs
from vision.render import DrawnCard, ForeignCode, RenderCamera, Scene, SceneLight, Sensor, StrayObject, render_scene
from vision.render.tile_scenes import find_homography
from vision.tags.codebook import CODES

SEATS = {"seat:1": Area(0, 0, 200, 220), "seat:2": Area(200, 0, 400, 220), "seat:3": Area(400, 0, 600, 220)}
SIZE = (57.0, 87.0)
CAMERA = RenderCamera.over(Area(-25, -25, 625, 475), 2.2, tilt=10, towards=70, turn=2)
TABLE = Scene(CAMERA, "wood", 3, light=SceneLight(slope=(0.15, -0.1), sun=200), sensor=Sensor())
DOWN = DrawnCard("nimmt", "9", 100, 110, 12, face_down=True)
FACE = DrawnCard("nimmt", "9", 100, 110, 12, payload=CODES[8].payload)


def found(scene: Scene, *, read: frozenset[Piece] = frozenset(), empty: Scene = TABLE) -> frozenset[Piece]:
    pictures = [cv2.cvtColor(render_scene(s), cv2.COLOR_BGR2GRAY) for s in (scene, replace(empty, seed=99))]
    return find_backs(pictures[0], pictures[1], find_homography(CAMERA), SEATS, SIZE, read)  # type: ignore[arg-type]


def seats(seen: frozenset[Piece]) -> list[str]:
    return sorted(name for name, area in SEATS.items() if any(area.contains(s.x, s.y) for s in seen))


@pytest.mark.parametrize("ground", ["wood", "white", "felt", "darkwood", "dark"])
def test_a_face_down_card_is_found_as_a_back(ground: str) -> None:
    table = replace(TABLE, ground=ground)  # type: ignore[arg-type]
    seen = found(replace(table, cards=(DOWN,)), empty=table)
    assert [(s.piece, abs(s.x - 100) < 3, abs(s.y - 110) < 3, abs(s.angle - 12) < 3) for s in seen] == [
        ("back", True, True, True)
    ]


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
    assert seats(found(replace(TABLE, cards=cards, objects=things, foreign=codes))) == expected


def test_a_seat_with_a_read_card_has_no_back() -> None:
    assert found(replace(TABLE, cards=(DOWN,)), read=frozenset({Piece("9", 100, 110)})) == frozenset()


@pytest.mark.parametrize("gain", [0.75, 1.2], ids=["darker", "lighter"])
def test_a_back_is_found_in_another_light(gain: float) -> None:
    light = replace(TABLE.light, gain=TABLE.light.gain * gain)
    assert seats(found(replace(TABLE, cards=(DOWN,), light=light))) == ["seat:1"]
    assert seats(found(replace(TABLE, light=light))) == []


def test_no_backs_are_found_without_seats() -> None:
    grey = cv2.cvtColor(render_scene(TABLE), cv2.COLOR_BGR2GRAY)
    assert find_backs(grey, grey, find_homography(CAMERA), {}, SIZE) == frozenset()  # type: ignore[arg-type]
