"""Which pixels are tiles: painted tiles and shadows on tables with and without texture."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tiles.test_light_on_tiles import encode_gamma
from vision.tiles.colour_masks import sort_colours
from vision.tiles.table_light import GAIN_STEP_PX, TableLight

HIGH, WIDE = 240, 320
LIGHT = TableLight(np.zeros((HIGH // GAIN_STEP_PX, WIDE // GAIN_STEP_PX, 3), np.float32))
Plane = NDArray[np.float32]


def make_table(grain: float, streak: float = 1.0) -> Plane:
    """Linear light; the texture varies by ``grain``, and is ``streak`` times longer than high."""
    rng = np.random.default_rng(3)
    texture = cv2.GaussianBlur(rng.normal(0, 1, (HIGH, WIDE)), (0, 0), 2.0 * streak, sigmaY=2.0)
    plane = np.exp(grain * texture / texture.std())
    return np.asarray(np.array([0.12, 0.2, 0.28]) * plane[..., None], np.float32)


def dim_around(reach: float, left: float) -> Plane:
    """A shadow that is darkest in its middle, and brighter and brighter outside."""
    y, x = np.mgrid[0:HIGH, 0:WIDE]
    depth = np.exp(-(((x - WIDE / 2) ** 2 + (y - HIGH / 2) ** 2) / (2 * reach**2)))
    return np.asarray(1 - (1 - left) * depth, np.float32)[..., None]


def photograph(light: Plane, seed: int) -> NDArray[np.uint8]:
    noise = np.random.default_rng(seed).normal(0, 1.3, light.shape)
    return np.asarray(np.clip(encode_gamma(light) + noise, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("grain", "streak"), [(0.12, 1.0), (0.2, 1.0), (0.2, 6.0)], ids=["fine grain", "grain", "streaks"]
)
@pytest.mark.parametrize("reach", [25.0, 40.0])
@pytest.mark.parametrize("left", [0.25, 0.4])
def test_a_texture_that_is_seen_in_a_shadow_with_a_gradient_is_table(
    grain: float, streak: float, reach: float, left: float
) -> None:
    table = make_table(grain, streak)
    masks = sort_colours(photograph(table * dim_around(reach, left), 1), photograph(table, 2), LIGHT)
    assert cv2.countNonZero(masks.red | masks.black | masks.other) == 0


@pytest.mark.parametrize("grain", [0.0, 0.12, 0.2])
@pytest.mark.parametrize(("colour", "name"), [((0.02, 0.02, 0.3), "red"), ((0.015, 0.015, 0.015), "black")])
def test_a_tile_on_such_a_table_is_a_tile(grain: float, colour: tuple[float, ...], name: str) -> None:
    table = make_table(grain)
    tile = np.zeros((HIGH, WIDE), np.uint8)
    cv2.circle(tile, (WIDE // 2, HIGH // 2), 32, 1, -1)
    now = np.where(tile[..., None] > 0, np.array(colour, np.float32), table)
    masks = sort_colours(photograph(now, 1), photograph(table, 2), LIGHT)
    found = masks.red if name == "red" else masks.black
    inside = cv2.erode(tile, np.ones((9, 9), np.uint8))
    assert cv2.countNonZero(found & inside) > 0.95 * cv2.countNonZero(inside)
    assert (
        cv2.countNonZero((masks.red | masks.black | masks.other) & (1 - cv2.dilate(tile, np.ones((9, 9), np.uint8))))
        == 0
    )
