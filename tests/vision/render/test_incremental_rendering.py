"""Incremental rendering gives the same picture as rendering from scratch."""

import random
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.table import Area
from vision.changes.changed_areas import find_changes
from vision.frame import shrink_frame
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
    SceneRenderer,
    Scrap,
    Sensor,
    StrayObject,
    render_scene,
    sensor,
)
from vision.render.layer_compositing import PixelBox, Shadow
from vision.render.perspective_layers import ShadowShape, cast_shadow
from vision.tags.codebook import CODES

CAMERA = RenderCamera.over(Area(0, 0, 300, 200), 1.5, distance=600.0, tilt=6, towards=70, barrel=0.01)
NUMBERS = [code for code in CODES if code.game == "nimmt"]
CARDS = tuple(
    DrawnCard("nimmt", code.piece, 50.0 + 40 * i, 70.0 + 9 * i, 5.0 * i, payload=code.payload)
    for i, code in enumerate(NUMBERS[:5])
)
TILES = (DrawnTile("red", 60, 160, 12), DrawnTile("black", 98, 160, 12), DrawnTile("red", 250, 30, 40, dot=10.0))
MARKERS = tuple(DrawnMarker(name, x, y, 20) for name, (x, y) in enumerate(((20, 20), (280, 20), (280, 180), (20, 180))))
SEED = 5
ONE = Scene(CAMERA, "wood", 3, markers=MARKERS, cards=CARDS, tiles=TILES, sensor=Sensor(blur=0.6), seed=SEED)
CARD = DrawnCard("nimmt", "99", 160, 130, 200, payload=NUMBERS[20].payload)


def clean(scene: Scene) -> Scene:
    return replace(scene, sensor=replace(scene.sensor, noise=0.0))


@lru_cache(maxsize=64)
def drawn(scene: Scene) -> NDArray[np.uint8]:
    """The expected picture, without noise."""
    return render_scene(clean(scene))


def gap(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.int16]:
    return np.abs(one.astype(np.int16) - other)


def assert_alike(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> None:
    """Equal up to a few counts of the chip: filters round depending on where a row starts."""
    assert one.shape == other.shape
    gaps = gap(one, other)
    assert gaps.max() <= 3
    assert (gaps > 0).mean() < 1e-3


CHANGES = {
    "nothing": {},
    "a card laid": {"cards": (*CARDS, CARD)},
    "a card laid under others": {"cards": (CARD, *CARDS)},
    "a card taken from under others": {"cards": CARDS[2:]},
    "a card moved a little": {"cards": (*CARDS[:2], replace(CARDS[2], x=CARDS[2].x + 0.3), *CARDS[3:])},
    "a card turned over": {"cards": (*CARDS[:4], replace(CARDS[4], face_down=True))},
    "a card bent": {"cards": (*CARDS[:2], replace(CARDS[2], bend=5.0), *CARDS[3:])},
    "a card lifted and tilted": {"cards": (*CARDS[:2], replace(CARDS[2], lift=30.0, tilt=20.0), *CARDS[3:])},
    "the lowest card put on top": {"cards": (*CARDS[1:], CARDS[0])},
    "all cards the other way round": {"cards": CARDS[::-1]},
    "the same card twice": {"cards": (*CARDS, CARDS[0], CARDS[0])},
    "nothing left": {"cards": (), "tiles": (), "markers": ()},
    "a tile laid": {"tiles": (*TILES, DrawnTile("black", 79, 127, 12))},
    "a tile of another colour": {"tiles": (replace(TILES[0], colour="black"), *TILES[1:])},
    "a tile with a tag": {"tiles": (*TILES, DrawnTile("black", 200, 160, payload=CODES[-2].payload))},
    "an arm over the table": {"arms": (Arm((150, 500), (170, 60)),)},
    "an arm from the side": {"arms": (Arm((-200, 300), (60, 60), sleeve=3),)},
    "a mug, a phone and paper": {
        "objects": (StrayObject("mug", 250, 150), StrayObject("phone", 60, 90, 30), StrayObject("paper", 9, 9))
    },
    "a foreign code": {"foreign": (ForeignCode("https://example.org/1", 150, 100, 30, 40),)},
    "a fingertip": {"scraps": (Scrap(100, 100, 20, 12, 9),)},
    "a card outside the frame": {"cards": (*CARDS, replace(CARD, x=900.0))},
    "a card on the frame's rim": {"cards": (*CARDS, replace(CARD, x=298.0, y=198.0))},
    "a marker covered": {"cards": (*CARDS, replace(CARD, x=20.0, y=20.0))},
    "another camera": {"camera": replace(CAMERA, tilt=3)},
    "another light": {"light": SceneLight(gain=0.6, glare=(Glare(150, 100, 40),))},
    "another table": {"ground": "felt"},
    "another lens": {"sensor": Sensor(blur=1.2)},
    "another exposure": {"sensor": Sensor(blur=0.6, exposure=0.3)},
}


@pytest.mark.parametrize("name", CHANGES)
def test_incremental_rendering_equals_full_rendering(name: str) -> None:
    now, renderer = clean(replace(ONE, **CHANGES[name])), SceneRenderer()  # type: ignore[arg-type]
    assert_alike(renderer.render(clean(ONE)), drawn(ONE))
    assert_alike(renderer.render(now), drawn(now))
    assert_alike(renderer.render(clean(ONE)), drawn(ONE))


@pytest.mark.parametrize("name", CHANGES)
def test_where_nothing_changed_the_noise_is_kept(name: str) -> None:
    now, renderer = replace(ONE, **CHANGES[name]), SceneRenderer()  # type: ignore[arg-type]
    before = renderer.render(ONE)
    after = renderer.render(now)
    redrawn = any(getattr(now, setting) != getattr(ONE, setting) for setting in ("camera", "light", "ground", "sensor"))
    if not redrawn:
        same = gap(drawn(now), drawn(ONE)).max(2) == 0
        far = cv2.erode(same.astype(np.uint8), np.ones((81, 81), np.uint8)) > 0
        assert np.array_equal(before[far], after[far])
        assert_alike(after, SceneRenderer().render(now))
    assert gap(after, drawn(now)).mean() < 4


def roaming(rng: random.Random, scene: Scene) -> Scene:
    """The scene after two changes at random places."""
    for _ in range(2):
        field = rng.choice(("cards", "cards", "tiles", "arms", "objects"))
        x, y, angle = rng.uniform(-20, 320), rng.uniform(-20, 220), rng.uniform(0, 360)
        fresh = {
            "cards": replace(CARD, x=x, y=y, angle=angle, bend=rng.choice((0.0, 3.0)), gloss=rng.choice((0.0, 0.2))),
            "tiles": DrawnTile("red", x, y, angle),
            "arms": Arm((x, 500), (y, x)),
            "objects": StrayObject("mug", x, y, angle),
        }[field]
        lying = [*getattr(scene, field)]
        if len(lying) > 2:
            lying.pop(rng.randrange(len(lying)))
        lying.insert(rng.randrange(len(lying) + 1), fresh)
        scene = replace(scene, **{field: tuple(lying)})
    return scene


CAMERAS = {
    "plain": Sensor(),
    "soft at the rim and moving": Sensor(blur=0.5, rim=1.0, motion=4, motion_angle=30),
    "no mosaic": Sensor(bayer=False),
    "raw": Sensor(blur=0, sharpen=0),
    "packing": Sensor(jpeg=90),
}


@pytest.mark.parametrize("name", CAMERAS)
def test_incremental_rendering_leaves_no_trace_of_removed_pieces(name: str) -> None:
    rng, renderer = random.Random(name), SceneRenderer()
    light = SceneLight(patches=0.1, warmth=0.1, slope=(0.1, -0.2), glare=(Glare(150, 100, 40, 0.6),))
    scene = clean(replace(ONE, sensor=CAMERAS[name], light=light))
    for _ in range(8):
        scene = roaming(rng, scene)
        assert_alike(renderer.render(scene), render_scene(scene))


def test_an_older_cv2_without_wide_tables_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = SceneRenderer().render(ONE)
    monkeypatch.setattr(sensor, "HAS_WIDE_TABLES", False)
    assert np.array_equal(SceneRenderer().render(ONE), picture)


@pytest.mark.parametrize("soft", [0.8, 7.9, 8.0, 17.0, 31.0])
def test_a_shadow_computed_on_a_smaller_picture_is_the_same(soft: float) -> None:
    frame, outline = (
        PixelBox(0, 0, 601, 499),
        np.array([[250.0, 200.0], [350.0, 200.0], [350.0, 280.0], [250.0, 280.0]]),
    )
    (shadow,) = cast_shadow(frame, outline, ShadowShape(0, 0, soft, 1.0))
    assert isinstance(shadow, Shadow)
    hard = np.zeros((499, 601), np.uint8)
    cv2.fillPoly(hard, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    want = 1 - cv2.GaussianBlur(hard.astype(np.float32) / 255, (0, 0), soft)
    assert np.abs(shadow.left - shadow.box.cut(want, frame)).max() < 0.01


def test_a_frame_of_odd_size_is_drawn_to_its_rim() -> None:
    renderer, odd = SceneRenderer(), clean(replace(ONE, camera=replace(CAMERA, width=333, height=257)))
    renderer.render(odd)
    odd = replace(odd, arms=(Arm((150, 500), (170, 60)),))
    assert_alike(renderer.render(odd), render_scene(odd))


def test_a_frame_of_a_few_pixels_is_rendered() -> None:
    tiny = clean(replace(ONE, camera=replace(CAMERA, width=3, height=9)))
    assert_alike(SceneRenderer().render(tiny), render_scene(tiny))


GREY = replace(ONE, ground="white", light=SceneLight(gain=0.9, slope=(0.8, 0.0), vignette=0.0))


def grain(picture: NDArray[np.uint8], scene: Scene) -> NDArray[np.float64]:
    return picture.astype(np.float64) - drawn(scene)


def test_fresh_noise_is_that_of_a_camera_at_every_brightness() -> None:
    level = drawn(GREY)
    renderer = SceneRenderer()
    renderer.render(GREY)
    ours = np.stack([grain(renderer.render(GREY, noise="fresh"), GREY) for _ in range(4)])
    theirs = np.stack([grain(render_scene(replace(GREY, seed=seed)), GREY) for seed in range(4)])
    for low, high in ((20, 60), (60, 110), (110, 160), (160, 210), (210, 250)):
        at = (level >= low) & (level < high)
        assert at.sum() > 3000
        assert ours[:, at].std() == pytest.approx(theirs[:, at].std(), rel=0.03)
        assert ours[:, at].mean() == pytest.approx(theirs[:, at].mean(), abs=0.05)
    for down, right in ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (0, 8), (8, 0)):
        near, far = (
            (n[:, down:, right:] * n[:, : n.shape[1] - down, : n.shape[2] - right]).mean() for n in (ours, theirs)
        )
        assert near == pytest.approx(far, abs=0.02 * theirs.var())


def test_a_shorter_exposure_equals_a_weaker_lamp() -> None:
    dusk = replace(ONE, sensor=replace(ONE.sensor, exposure=0.25))
    weaker = replace(ONE, light=SceneLight(gain=0.25 * SceneLight().gain))
    assert_alike(render_scene(dusk), render_scene(weaker))


def test_two_frames_of_a_still_table_share_no_noise() -> None:
    renderer = SceneRenderer()
    first = renderer.render(ONE)
    frames = [picture.astype(int) for picture in (first, *(renderer.render(ONE, noise="fresh") for _ in range(3)))]
    one, other = (frames[0] - frames[1]).ravel(), (frames[2] - frames[3]).ravel()
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.01
    apart = frames[0] - render_scene(replace(ONE, seed=77))
    assert one.var() == pytest.approx(apart.var(), rel=0.02)
    assert other.var() == pytest.approx(apart.var(), rel=0.02)


def test_fresh_noise_is_kept_by_the_next_picture_that_keeps_noise() -> None:
    renderer = SceneRenderer()
    renderer.render(ONE)
    fresh = renderer.render(ONE, noise="fresh")
    renderer.render(replace(ONE, cards=(*CARDS, CARD)))
    assert np.array_equal(renderer.render(ONE), fresh)


def test_fresh_noise_is_no_change_and_a_tile_is_one() -> None:
    renderer, near = SceneRenderer(), replace(ONE, camera=RenderCamera.over(Area(0, 0, 300, 200), 4.0))
    pictures = [renderer.render(near)] + [renderer.render(near, noise="fresh") for _ in range(4)]
    pictures.append(renderer.render(replace(near, tiles=(*TILES, DrawnTile("red", 200, 160))), noise="fresh"))
    first, *rest = (
        shrink_frame(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)) for picture in pictures
    )
    shape = (near.camera.height, near.camera.width)
    assert [len(find_changes(now, first, shape)) for now in rest] == [0, 0, 0, 0, 1]


def test_the_same_seed_and_scenes_give_the_same_pictures() -> None:
    scenes = (ONE, replace(ONE, cards=CARDS[:3], seed=8), replace(ONE, arms=(Arm((150, 500), (170, 60)),), seed=9))
    one, two, other = SceneRenderer(7), SceneRenderer(7), SceneRenderer(8)
    for scene in scenes:
        picture = one.render(scene, noise="fresh")
        assert np.array_equal(picture, two.render(scene, noise="fresh"))
        assert not np.array_equal(picture, other.render(scene, noise="fresh"))


def test_another_seed_starts_with_other_noise() -> None:
    assert not np.array_equal(SceneRenderer(7).render(ONE), SceneRenderer(8).render(ONE))


def test_noise_does_not_repeat_within_a_thousand_frames() -> None:
    small, renderer = replace(ONE, camera=RenderCamera.over(Area(100, 80, 110, 90), 1.0)), SceneRenderer()
    assert len({renderer.render(small, noise="fresh").tobytes() for _ in range(1000)}) == 1000


def test_a_finished_picture_does_not_change() -> None:
    renderer = SceneRenderer()
    first = renderer.render(ONE)
    as_it_was = first.copy()
    renderer.render(replace(ONE, cards=(), tiles=()), noise="fresh")
    assert np.array_equal(first, as_it_was)


@pytest.mark.parametrize("at_once", [True, False], ids=["first", "later"])
@pytest.mark.parametrize("camera", [CAMERA, replace(CAMERA, tilt=3)], ids=["same camera", "another camera"])
def test_a_scene_that_cannot_be_drawn_does_not_affect_the_next(at_once: bool, camera: RenderCamera) -> None:
    renderer = SceneRenderer()
    if not at_once:
        renderer.render(clean(ONE))
    hat = StrayObject("hat", 100, 100)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="hat"):
        renderer.render(clean(replace(ONE, camera=camera, cards=(), objects=(hat,))))
    assert_alike(renderer.render(clean(ONE)), drawn(ONE))
