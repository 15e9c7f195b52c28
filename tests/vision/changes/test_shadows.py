"""Shadows are seen through by their soft rim, also where the table is smooth; what casts them is not."""

import cv2
import numpy as np
import pytest

from tests.support.drawn_tables import COLUMNS, ROWS, TIMES, draw_table, find_drawn_occlusion, find_hidden
from vision.changes.shadows import PENUMBRA_MM, find_sharp_cells
from vision.changes.texture import compare_textures

HIGH, WIDE = ROWS * TIMES, COLUMNS * TIMES
YS, XS = np.mgrid[0:HIGH, 0:WIDE].astype(np.float32)
AWAY_MM = 15.0
SMOOTH = (0.50, 0.55, 0.58)
SLEEVES = {
    "a grey sleeve": (0.12, 0.12, 0.12),
    "a white sleeve": (0.75, 0.75, 0.75),
    "a blue sleeve": (0.25, 0.09, 0.05),
    "pale skin": (0.40, 0.50, 0.72),
    "dark skin": (0.05, 0.07, 0.13),
}


def draw_arm(slope: float = 0.3) -> np.ndarray:
    """An arm from the right edge, 60 mm wide with a round end; the truth is sharp."""
    line = 190 + slope * (XS - 260)
    return np.asarray((np.abs(YS - line) < 30) & (XS > 230) | (np.hypot(XS - 230, YS - 190 + slope * 30) < 32))


def cast(shape: np.ndarray, penumbra_mm: float, depth: float, at: tuple[int, int]) -> np.ndarray:
    """What is left of the light: a shadow of this shape moved by ``at``, with a linear rim."""
    moved = np.roll(shape, at, (0, 1)).astype(np.float32)
    side = 2 * int(penumbra_mm / 2) + 1
    return np.asarray(1 - depth * cv2.blur(cv2.blur(moved, (side, 1)), (1, side)))[..., None]


def smooth_table() -> np.ndarray:
    return np.asarray(SMOOTH, np.float64) * np.ones((HIGH, WIDE, 1))


def to_cells(mask: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.resize(mask.astype(np.float32), (COLUMNS, ROWS), interpolation=cv2.INTER_AREA))


def far_from(shape: np.ndarray) -> np.ndarray:
    away = cv2.distanceTransform((~shape).astype(np.uint8), cv2.DIST_L2, 5)
    return np.asarray(to_cells(away > AWAY_MM) == 1)


@pytest.mark.parametrize("sleeve", SLEEVES)
@pytest.mark.parametrize(
    ("penumbra_mm", "depth", "tint"),
    [
        pytest.param(14, 0.6, (1.0, 1.0, 1.0), id="below a lampshade"),
        pytest.param(22, 0.45, (1.06, 1.0, 0.96), id="warm light, so that the shadow is bluish"),
        pytest.param(40, 0.7, (0.97, 1.0, 1.02), id="beside a window"),
    ],
)
def test_an_arm_hides_a_smooth_table_and_its_soft_shadow_does_not(
    sleeve: str, penumbra_mm: float, depth: float, tint: tuple[float, float, float]
) -> None:
    arm = draw_arm()
    left = cast(arm, penumbra_mm, depth, (45, -10))
    now = smooth_table() * left ** np.array(tint)
    now[arm] = SLEEVES[sleeve]
    hidden = find_hidden(now, smooth_table())
    assert hidden[to_cells(arm) > 0.95].mean() > 0.95
    assert hidden[far_from(arm)].mean() < 0.005


@pytest.mark.parametrize("depth", [0.4, 0.75])
def test_a_grey_thing_without_texture_is_no_shadow(depth: float) -> None:
    """As dark as a shadow and of its colour, but with an outline; one 2 mm out of focus."""
    thing = (np.abs(XS - 260) < 40) & (np.abs(YS - 180) < 70)
    for blur_mm in (0.3, 2.0):
        soft = cv2.GaussianBlur(thing.astype(np.float32), (0, 0), blur_mm)[..., None]
        hidden = find_hidden(smooth_table() * (1 - depth * soft), smooth_table())
        assert hidden[to_cells(thing) > 0.99].mean() > 0.95


@pytest.mark.parametrize("grey", [0.08, 0.16, 0.24])
def test_a_grey_thing_in_its_own_soft_shadow_is_no_shadow(grey: float) -> None:
    thing = (np.abs(XS - 250) < 45) & (np.abs(YS - 160) < 35)
    now = smooth_table() * cast(thing, 24, 0.5, (22, 12))
    now[thing] = np.array(SMOOTH) * grey
    hidden = find_hidden(now, smooth_table())
    assert hidden[to_cells(thing) > 0.99].mean() > 0.95
    assert hidden[far_from(thing)].mean() < 0.005


@pytest.mark.parametrize("table", ["laminate", "wood", "gingham"])
@pytest.mark.parametrize("blur_mm", [0.5, 3.0])
def test_the_shadow_of_a_tile_in_the_sun_hides_nothing_where_the_table_has_texture(table: str, blur_mm: float) -> None:
    """Small and deep, with a hard rim on all sides."""
    shape = (np.abs(XS - 260) < 14) & (np.abs(YS - 180) < 17)
    soft = cv2.GaussianBlur(shape.astype(np.float32), (0, 0), blur_mm)[..., None]
    assert not find_hidden(draw_table(table) * (1 - 0.65 * soft), draw_table(table)).any()


@pytest.mark.parametrize("sleeve", ["a white sleeve", "a blue sleeve", "pale skin"])
@pytest.mark.parametrize("depth", [0.45, 0.6])
def test_a_shadow_that_is_hard_at_the_fingers_and_soft_at_the_wrist_hides_nothing(sleeve: str, depth: float) -> None:
    """The hand lies on the table, and the arm comes from above it."""
    arm = draw_arm()
    above = np.clip((XS - 200) / 120, 0, 1)[..., None]
    left = (1 - above) * cast(arm, 7, depth, (62, -10)) + above * cast(arm, 18, depth, (62, -10))
    now = smooth_table() * left
    now[arm] = SLEEVES[sleeve]
    hidden = find_hidden(now, smooth_table())
    assert hidden[to_cells(arm) > 0.95].mean() > 0.95
    assert hidden[far_from(arm)].mean() < 0.005


@pytest.mark.parametrize("table", ["laminate", "wood", "gingham"])
def test_shade_is_told_where_it_is_wider_than_the_shadow_of_a_tile(table: str) -> None:
    """Beside a tile the shade would cut into its rim."""
    for wide_mm, told in ((18, False), (70, True)):
        shape = (np.abs(XS - 260) < wide_mm / 2) & (np.abs(YS - 180) < 60)
        soft = cv2.GaussianBlur(shape.astype(np.float32), (0, 0), 3.0)[..., None]
        shade = find_drawn_occlusion(draw_table(table) * (1 - 0.6 * soft), draw_table(table)).shade
        assert (shade[to_cells(shape) == 1].mean() > 0.9) == told
        assert shade.any() == told


def test_a_hard_shadow_on_a_smooth_table_counts_as_hidden() -> None:
    """Nothing tells it from a grey thing."""
    arm = draw_arm()
    now = smooth_table() * cast(arm, 1, 0.6, (50, 0))
    now[arm] = SLEEVES["pale skin"]
    hidden = find_hidden(now, smooth_table())
    assert hidden[to_cells(np.roll(arm, (50, 0), (0, 1))) > 0.99].mean() > 0.9


@pytest.mark.parametrize(("wide_mm", "sharp"), [(1.0, True), (3.0, True), (PENUMBRA_MM + 4, False), (30.0, False)])
@pytest.mark.parametrize("seed", [11, 12])
def test_a_rim_is_sharp_if_the_light_changes_within_a_penumbra(wide_mm: float, sharp: bool, seed: int) -> None:
    ramp = np.clip((XS - 260) / wide_mm, 0, 1)
    noise = np.random.default_rng(seed).normal(0, 1, (2, HIGH, WIDE))
    then = np.clip(np.round(150 + noise[0]), 0, 255).astype(np.uint8)
    now = np.clip(np.round(150 * (1 - 0.4 * ramp) + noise[1]), 0, 255).astype(np.uint8)
    level = to_cells(2.2 * np.log(1 - 0.4 * ramp)).astype(np.float32)
    found = find_sharp_cells(level, compare_textures(now, then).steepness)
    beside = slice(int(260 / TIMES) - 1, int((260 + wide_mm) / TIMES) + 2)
    assert found[:, beside].any(1).mean() == pytest.approx(float(sharp), abs=0.05)
    found[:, beside] = False
    assert found.mean() < 0.01


DARK_CLOTHS = {
    "red felt": (0.006, 0.005, 0.10),
    "green felt": (0.006, 0.03, 0.004),
    "a blue cloth": (0.06, 0.012, 0.005),
}


@pytest.mark.parametrize("cloth", DARK_CLOTHS)
@pytest.mark.parametrize("depth", [0.45, 0.7])
@pytest.mark.parametrize("seed", [21, 22])
def test_the_shadow_of_an_arm_hides_nothing_on_a_cloth_with_nearly_black_channels(
    cloth: str, depth: float, seed: int
) -> None:
    """There the ratio of two pictures is far from that of the light."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, (HIGH, WIDE)), (0, 0), 1.2)[..., None]
    table = np.array(DARK_CLOTHS[cloth]) * (1 + 0.3 * grain)
    arm = draw_arm(-0.2)
    now = table * cast(arm, 12, depth, (-50, -20))
    now[arm] = SLEEVES["pale skin"]
    hidden = find_hidden(now, table)
    assert hidden[to_cells(arm) > 0.95].mean() > 0.95
    assert hidden[far_from(arm)].mean() < 0.005


@pytest.mark.parametrize("cloth", DARK_CLOTHS)
@pytest.mark.parametrize(
    "colour", [pytest.param((0.02, 0.02, 0.02), id="dark grey"), pytest.param((0.003, 0.003, 0.003), id="black")]
)
def test_a_dark_thing_hides_a_dark_cloth(cloth: str, colour: tuple[float, float, float]) -> None:
    table = np.array(DARK_CLOTHS[cloth]) * np.ones((HIGH, WIDE, 1))
    thing = (np.abs(XS - 260) < 40) & (np.abs(YS - 180) < 50)
    now = table.copy()
    now[thing] = colour
    assert find_hidden(now, table)[to_cells(thing) > 0.99].mean() > 0.95
