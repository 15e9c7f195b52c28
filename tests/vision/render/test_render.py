"""Rendered pictures agree with the truth about their scenes."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.table import Area
from vision.render import (
    Arm,
    DrawnCard,
    DrawnMarker,
    DrawnTile,
    ForeignCode,
    Glare,
    RenderCamera,
    Scene,
    SceneLight,
    Scrap,
    Sensor,
    StrayObject,
    find_truth,
    render_scene,
)
from vision.render.card_scenes import deal_cards
from vision.render.projection import project_points, project_to_table
from vision.render.tile_scenes import make_board
from vision.tags.codebook import BOOK, CODES, draw_pattern

SHARP = Sensor(blur=0.3, noise=0.3, sharpen=0.0)
AREA = Area(0, 0, 300, 200)
CAMERA = RenderCamera.over(AREA, 4.0, tilt=12, towards=60, barrel=0.02)
CARD = DrawnCard("nimmt", "44", 150, 100, 20, payload=next(c.payload for c in CODES if c.piece == "44"))
ONE = Scene(CAMERA, "wood", cards=(CARD,), sensor=SHARP)


def decoded(picture: np.ndarray) -> dict[str, np.ndarray]:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return {
        code.text: np.array(
            [
                [getattr(code.position, corner).x, getattr(code.position, corner).y]
                for corner in ("top_left", "top_right", "bottom_right", "bottom_left")
            ]
        )
        for code in zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormat.QRCode)
    }


@pytest.mark.parametrize(
    "card",
    [
        CARD,
        replace(CARD, angle=200.0),
        replace(CARD, bend=5.0),
        replace(CARD, tilt=20.0),
        replace(CARD, lift=30.0),
        replace(CARD, sticker=25.0),
        replace(CARD, slip=(1.0, -1.0, 4.0)),
        replace(CARD, style="plain", gloss=0.3),
    ],
    ids=["flat", "upside down", "bent", "leaning", "lifted", "large sticker", "stuck askew", "glossy"],
)
def test_tags_are_at_the_places_of_the_truth(card: DrawnCard) -> None:
    scene = replace(ONE, cards=(card,))
    found = decoded(render_scene(scene))
    tag = find_truth(scene).tags[0]
    assert list(found) == [card.payload]
    finders = [0, 1, 3]  # the fourth corner is a decoder's guess
    assert np.abs(found[card.payload] - np.array(tag.corners) - 0.5)[finders].max() < 0.9


@settings(max_examples=100)
@given(
    st.floats(0, 300),
    st.floats(0, 200),
    st.floats(0, 30),
    st.floats(0, 360),
    st.floats(-20, 20),
    st.floats(0, 0.08),
)
def test_projection_can_be_inverted(
    x: float, y: float, tilt: float, towards: float, turn: float, barrel: float
) -> None:
    camera = RenderCamera.over(AREA, 3.0, tilt=tilt, towards=towards, turn=turn, barrel=barrel)
    assert project_to_table(camera, project_points(camera, np.array([[x, y, 0.0]])))[0] == pytest.approx(
        [x, y], abs=1e-3
    )


def test_markers_are_drawn_at_their_places() -> None:
    markers = tuple(DrawnMarker(i, x, y, 30) for i, (x, y) in enumerate([(40, 40), (260, 40), (260, 160), (40, 160)]))
    scene = replace(ONE, markers=markers)
    book = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, names, _ = book.detectMarkers(cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY))
    for quad, name in zip(corners, names.ravel(), strict=True):
        middle = project_points(CAMERA, np.array([[markers[name].x, markers[name].y, 0.0]]))[0]
        assert np.abs(quad[0].mean(0) - middle).max() < 1.0
    assert sorted(names.ravel()) == [0, 1, 2, 3]


def covered(scene: Scene) -> float:
    return find_truth(scene).tags[0].covered


PLACE = find_truth(replace(ONE, camera=RenderCamera.over(AREA, 1.0))).tags[0].corners
MIDDLE = tuple(np.mean(PLACE, 0))
ON_TAG = {
    "nothing": ({}, 0.0, 0.0),
    "a scrap over a corner": ({"scraps": (Scrap(*PLACE[0], 20, 12, 12),)}, 0.05, 0.3),
    "a scrap over all of it": ({"scraps": (Scrap(*MIDDLE, 20, 40, 40),)}, 1.0, 1.0),
    "a foreign code": ({"foreign": (ForeignCode("X", *MIDDLE, 0, 40),)}, 0.9, 1.0),
    "an arm": ({"arms": (Arm((150, 400), (MIDDLE[0], MIDDLE[1] - 60)),)}, 0.5, 1.0),
    "a mug": ({"objects": (StrayObject("mug", *MIDDLE),)}, 0.8, 1.0),
    "a card beneath": ({"cards": (CARD, replace(CARD, x=CARD.x + 5))}, 0.5, 1.0),
}


@pytest.mark.parametrize("name", ON_TAG)
def test_the_truth_gives_the_covered_share(name: str) -> None:
    changes, least, most = ON_TAG[name]
    assert least <= covered(replace(ONE, **changes)) <= most  # type: ignore[arg-type]


def test_a_tag_outside_the_frame_counts_as_covered() -> None:
    assert covered(replace(ONE, camera=RenderCamera.over(Area(150, 0, 300, 200), 4.0))) > 0.6


def test_a_card_face_down_has_no_tag() -> None:
    assert find_truth(replace(ONE, cards=(replace(CARD, face_down=True),))).tags == ()


@pytest.mark.parametrize("px_module", [1.5, 2.0, 3.0])
def test_dealt_scenes_show_whole_tags_of_the_given_size(px_module: float) -> None:
    tags = find_truth(deal_cards(5, px_module, tilt=8)).tags
    assert len(tags) == 24
    assert max(tag.covered for tag in tags) == 0
    assert np.mean([tag.px_module for tag in tags]) == pytest.approx(px_module, rel=0.06)


@pytest.mark.parametrize("angle", [0.0, 45.0, 90.0, 135.0])
def test_all_dealt_cards_can_be_turned_by_an_angle(angle: float) -> None:
    tags = find_truth(deal_cards(6, 2.0, angle=angle, tilt=0)).tags
    ways = [np.degrees(np.arctan2(*(np.array(t.corners[1]) - t.corners[0])[::-1])) for t in tags]
    assert np.abs((np.array(ways) - angle + 180) % 360 - 180).max() < 16


def test_about_half_the_tags_are_partly_covered() -> None:
    shares = [tag.covered for seed in range(6) for tag in find_truth(deal_cards(seed, 2.0, covered=0.5)).tags]
    some = [share for share in shares if share > 0]
    assert 0.3 < len(some) / len(shares) < 0.7
    assert 0.02 < min(some) < max(some) < 0.3


def test_foreign_codes_are_not_in_the_book() -> None:
    for seed in range(10):
        scene = deal_cards(seed, 2.0, foreign=12)
        assert len(scene.foreign) == 12
        assert not {code.text for code in scene.foreign} & set(BOOK)


def test_foreign_codes_can_be_read() -> None:
    scene = replace(ONE, cards=(), foreign=(ForeignCode("https://example.org/1", 150, 100, 30, 40),))
    assert list(decoded(render_scene(scene))) == ["https://example.org/1"]


@pytest.mark.parametrize(
    "scene",
    [
        deal_cards(1, 1.5),
        make_board(2, "felt", 9, px_mm=1.2).scene,
        replace(ONE, sensor=Sensor(motion=4, motion_angle=30, rim=1.0, noise=2.5, jpeg=80)),
        replace(
            ONE,
            light=SceneLight(patches=0.2, warmth=0.1, glare=(Glare(150, 100, 30),)),
            arms=(Arm((0, 0), (100, 100)),),
            objects=(StrayObject("phone", 200, 150, 20), StrayObject("paper", 100, 50)),
            tiles=(DrawnTile("red", 50, 150, dot=10.0), DrawnTile("black", 90, 150, payload=CODES[-2].payload)),
        ),
    ],
    ids=["dealt", "board", "moving", "everything"],
)
def test_a_scene_is_always_the_same_picture(scene: Scene) -> None:
    first = render_scene(scene)
    assert np.array_equal(first, render_scene(scene))
    assert (first.shape, first.dtype) == ((scene.camera.height, scene.camera.width, 3), np.uint8)


def test_another_seed_is_other_noise_on_the_same_table() -> None:
    one, other = (render_scene(replace(ONE, seed=seed)).astype(int) for seed in (1, 2))
    assert not np.array_equal(one, other)
    assert np.abs(one - other).mean() < 4


def test_glare_makes_a_tag_unreadable() -> None:
    glaring = replace(ONE, light=SceneLight(glare=(Glare(150, 100, 60, 2.0),)))
    assert render_scene(glaring)[400, 600].min() > 250
    assert decoded(render_scene(glaring)) == {}


def test_more_blur_is_less_contrast() -> None:
    sharp, soft = (
        cv2.Laplacian(render_scene(replace(ONE, sensor=Sensor(blur=blur, noise=0))), cv2.CV_64F).std()
        for blur in (0.5, 2.0)
    )
    assert soft < sharp / 2


@pytest.mark.parametrize("ground", ["wood", "white", "felt", "darkwood", "dark", "clutter"])
def test_every_table_has_its_own_brightness(ground: str) -> None:
    level = {"white": (170, 250), "dark": (10, 60), "darkwood": (20, 90)}.get(ground, (40, 235))
    scene = replace(ONE, ground=ground, cards=())  # type: ignore[arg-type]
    assert level[0] < np.median(render_scene(scene)) < level[1]


def test_the_mosaic_preserves_colours() -> None:
    scene = Scene(RenderCamera.over(AREA, 2.0), "white", tiles=(DrawnTile("red", 150, 100, 0, 120.0),), sensor=SHARP)
    blue, green, red = render_scene(scene)[200, 300].astype(int)
    assert red > 2 * green
    assert red > 2 * blue


def test_a_sticker_shows_the_pattern_of_the_book() -> None:
    camera = RenderCamera.over(AREA, 10.0)
    scene = replace(ONE, camera=camera, cards=(replace(CARD, angle=0.0),), sensor=Sensor(blur=0, noise=0))
    tag = find_truth(scene).tags[0]
    (left, top), (right, bottom) = tag.corners[0], tag.corners[2]
    at = (np.arange(21) + 0.5) / 21
    grey = cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY)
    ys, xs = np.rint(top + at * (bottom - top)).astype(int), np.rint(left + at * (right - left)).astype(int)
    assert np.array_equal(grey[np.ix_(ys, xs)] < 120, draw_pattern(CARD.payload))
