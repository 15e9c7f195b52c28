"""Paper that sticks out from under cards that were read."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.changes.unread_paper import fill_polygons, find_unread_paper

SHAPE = (160, 240)
CARD = np.array([[80.0, 40.0], [137.0, 40.0], [137.0, 127.0], [80.0, 127.0]])
Picture = NDArray[np.uint8]


def paint_table(level: float, *, seed: int = 5, rough: float = 4.0) -> Picture:
    """A table with a grain of a few mm."""
    grain = np.random.default_rng(seed).normal(0, 1, (SHAPE[0] // 3 + 1, SHAPE[1] // 3 + 1)).astype(np.float32)
    wide = cv2.resize(grain, (SHAPE[1], SHAPE[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(level + rough * wide, 0, 255), np.uint8)


def lay_card(table: Picture, level: int = 190) -> Picture:
    now = table.copy()
    now[40:127, 80:137] = level
    return now


def find(now: Picture, table: Picture, *, gain: float = 0.0) -> bool:
    """Is anything found at the card? The card itself is explained, with a margin."""
    noise = np.random.default_rng(8).normal(0, 1.2, SHAPE)
    seen = np.clip(cv2.GaussianBlur(now.astype(np.float32), (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)
    margin = np.array([[-1.5, -1.5], [1.5, -1.5], [1.5, 1.5], [-1.5, 1.5]])
    level = np.full((SHAPE[0] // 4, SHAPE[1] // 4), gain, np.float32)
    nothing = np.zeros(SHAPE, np.bool_)
    return bool(find_unread_paper(seen, table, level, fill_polygons([CARD + margin], SHAPE), nothing))


def draw_strip(now: Picture, level: int, wide: int, *, away: int = 0) -> None:
    now[45:122, 137 + away : 137 + away + wide] = level


@pytest.mark.parametrize(
    ("table", "paper", "wide"),
    [
        pytest.param(90, 200, 4, id="brighter than the table, 4 mm"),
        pytest.param(90, 200, 12, id="brighter than the table, 12 mm"),
        pytest.param(30, 60, 5, id="dark paper on a darker table"),
        pytest.param(200, 90, 7, id="darker than the table, 7 mm"),
    ],
)
def test_a_strip_of_a_card_below_is_found(table: int, paper: int, wide: int) -> None:
    bare = paint_table(table)
    now = lay_card(bare)
    draw_strip(now, paper, wide)
    assert find(now, bare)


def test_paper_as_bright_as_the_table_is_found_by_its_rim_and_its_print() -> None:
    bare = paint_table(214, rough=1.0)
    now = lay_card(bare, 214)
    draw_strip(now, 214, 9)
    now[45:122, 145] = 170
    now[60:64, 138:142] = 40
    assert find(now, bare)


def draw_nothing(now: Picture) -> None:
    pass


def draw_contact_shadow(now: Picture) -> None:
    now[40:130, 137:140] = now[40:130, 137:140] * 0.55


def draw_distant_object(now: Picture) -> None:
    now[45:122, 165:175] = 230


@pytest.mark.parametrize("table", [40, 110, 205])
@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(draw_nothing, id="a bare table"),
        pytest.param(draw_contact_shadow, id="a thin shadow along a side"),
        pytest.param(draw_distant_object, id="something away from the card"),
    ],
)
def test_nothing_is_found_beside_a_card_that_lies_alone(draw: object, table: int) -> None:
    bare = paint_table(table, seed=table)
    now = lay_card(bare)
    assert callable(draw)
    draw(now)
    assert not find(now, bare)


@pytest.mark.parametrize("gain", [-0.6, 0.5], ids=["darker", "brighter"])
def test_nothing_is_found_in_another_light(gain: float) -> None:
    bare = paint_table(110)
    linear = np.power(bare / 255, 2.2) * np.exp(gain)
    now = lay_card(np.asarray(np.clip(255 * np.power(linear, 1 / 2.2), 0, 255), np.uint8))
    assert not find(now, bare, gain=gain)


def test_a_noisy_picture_of_a_dark_table_shows_no_paper() -> None:
    bare = paint_table(24, rough=1.0)
    noise = np.random.default_rng(3).normal(0, 3.0, SHAPE)
    now = np.asarray(np.clip(lay_card(bare) + noise, 0, 255), np.uint8)
    assert not find(now, bare)


@pytest.mark.parametrize(("tint", "found"), [(0.9, True), (0.2, False)], ids=["coloured paper", "a shadow"])
def test_a_thin_dark_strip_is_paper_only_if_it_has_a_colour(tint: float, found: bool) -> None:
    bare = paint_table(200)
    now = lay_card(bare)
    draw_strip(now, 120, 5)
    colours = np.full((*SHAPE, 3), -1.0, np.float32)
    colours[..., 0] += tint
    nothing, level = np.zeros(SHAPE, np.bool_), np.zeros((SHAPE[0] // 4, SHAPE[1] // 4), np.float32)
    assert (
        bool(find_unread_paper(now, bare, level, fill_polygons([CARD], SHAPE), nothing, np.moveaxis(colours, 2, 0)))
        == found
    )


@pytest.mark.parametrize("left", [0.75, 0.5, 0.3])
def test_a_wide_shadow_over_a_table_with_texture_is_no_paper_but_paper_in_it_is(left: float) -> None:
    table = paint_table(120, rough=12)
    shaded = np.round(table * left ** (1 / 2.2)).astype(np.uint8)
    assert not find(lay_card(shaded), table)
    paper = lay_card(shaded)
    draw_strip(paper, 200, 9)
    assert find(paper, table)
