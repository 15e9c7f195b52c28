"""The black limit: raised by a lamp mirrored beside a tile, and unchanged without one."""

import numpy as np
import pytest

from vision.tiles.glare import DARK_L, find_black_limit

HIGH, WIDE = 960, 1440
YS, XS = np.mgrid[0:HIGH, 0:WIDE].astype(np.float32)
PATCH = np.exp(-((XS - 900) ** 2 + (YS - 400) ** 2) / 2 / 220**2)[..., None]
TILE = (slice(370, 430), slice(870, 930))
WOOD, GREY = (0.08, 0.16, 0.28), (0.16, 0.16, 0.16)


def picture(
    table: tuple[float, float, float], veil: float = 0.0, *, warm: float = 0.0, tile: bool = False
) -> np.ndarray:
    """A table of a given blue, green and red, a lamp mirrored in its middle, and a black tile there."""
    grain = 1 + 0.1 * np.sin(YS / 3)[..., None]
    light = np.array(table) * grain
    if tile:
        light[TILE] = 0.02
    light = light * np.array([1 - warm, 1.0, 1 + warm]) + veil * PATCH
    return np.asarray(np.clip(255 * light ** (1 / 2.2) + 0.5, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("now", "empty"),
    [
        pytest.param(picture(WOOD), picture(WOOD), id="no lamp"),
        pytest.param(picture(WOOD, warm=0.15), picture(WOOD), id="a warmer light"),
        pytest.param(picture(GREY, 0.2), picture(GREY), id="a grey table"),
        pytest.param(picture(WOOD), None, id="no picture of the empty table"),
        pytest.param(picture(WOOD), picture(WOOD)[::2], id="a picture of another camera"),
    ],
)
def test_black_is_dark_where_no_lamp_is_known(now: np.ndarray, empty: np.ndarray | None) -> None:
    assert find_black_limit(now, empty, np.eye(3), (WIDE, HIGH)) == DARK_L


@pytest.mark.parametrize("warm", [0.0, 0.12])
def test_the_black_limit_rises_under_a_mirrored_lamp(warm: float) -> None:
    now = picture(WOOD, 0.2, warm=warm, tile=True)
    found = np.asarray(find_black_limit(now, picture(WOOD), np.eye(3), (WIDE, HIGH)))
    light = 116 * np.cbrt(0.02 + 0.2) - 16
    assert light < found[400, 900] < light + 9
    assert found[20, 20] == pytest.approx(DARK_L, abs=1)


def test_a_camera_that_has_moved_compares_the_same_places() -> None:
    now, empty = picture(WOOD, 0.2, tile=True), np.roll(picture(WOOD), 60, axis=1)
    back = np.array([[1.0, 0, -60], [0, 1, 0], [0, 0, 1]])
    found = np.asarray(find_black_limit(now, empty, np.eye(3), (WIDE, HIGH), np.eye(3), back))
    still = np.asarray(find_black_limit(now, picture(WOOD), np.eye(3), (WIDE, HIGH)))
    assert abs(found - still)[:, 100:1300].max() < 2
