"""Cells of drawn tables in colour: other light and shadows are seen through, objects of any colour hide the table."""

import cv2
import numpy as np
import pytest

from vision.changes.cell_evidence import is_burnt, measure_change
from vision.changes.occlusion import CellBox, fill_outlines, find_occlusion
from vision.changes.texture import TextureShares, compare_textures
from vision.changes.top_view import CELL_MM, FINE_PER_CELL, EmptyView, TopView

ROWS, COLUMNS = 90, 130
TIMES = FINE_PER_CELL
WHOLE = np.ones((ROWS, COLUMNS), np.bool_)
BOX = (slice(25 * TIMES, 60 * TIMES), slice(40 * TIMES, 80 * TIMES))
INNER, OUTER = (slice(27, 58), slice(42, 78)), (slice(21, 64), slice(36, 84))
"""Cells well within the box, and all that are near it: beyond 15 mm nothing may be hidden."""
NOISE_LEVELS = 1.0
COLOURS = ("laminate", "wood", "gingham", "plain")


def draw_table(name: str) -> np.ndarray:
    """Linear light of a table, one pixel for each mm."""
    rng = np.random.default_rng(5)
    high, wide = ROWS * TIMES, COLUMNS * TIMES
    ys, xs = np.mgrid[0:high, 0:wide]
    grain = cv2.GaussianBlur(rng.normal(0, 1, (high, wide)), (0, 0), 1.0)[..., None] * 3.5
    if name == "laminate":
        return np.array([0.24, 0.27, 0.28]) * (1 + 0.04 * grain)
    if name == "wood":
        return np.array([0.08, 0.14, 0.24]) * (1 + 0.2 * np.sin(ys / 5)[..., None] + 0.05 * grain)
    if name == "gingham":
        check = (xs // 20) % 2 + (ys // 20) % 2
        return np.array([[0.42, 0.42, 0.42], [0.21, 0.18, 0.3], [0.06, 0.04, 0.18]])[check] * (1 + 0.03 * grain)
    return np.array([0.24, 0.27, 0.28]) * np.ones((high, wide, 1))


def photograph(linear: np.ndarray, seed: int) -> np.ndarray:
    linear = np.clip(linear, 0, 1)
    levels = 255 * np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    noise = np.random.default_rng(seed).normal(0, NOISE_LEVELS, linear.shape)
    return np.clip(np.round(levels + noise), 0, 255).astype(np.uint8)


def view(picture: np.ndarray) -> TopView:
    return TopView(np.asarray(cv2.resize(picture, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), np.uint8), WHOLE)


def grey_of(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def empty_view(picture: np.ndarray) -> EmptyView:
    bare = view(picture)
    soft = bare.levels.astype(np.float32)
    slopes = np.hypot(*(np.gradient(soft, axis=axis) / 2 for axis in (0, 1)))
    return EmptyView(bare, slopes.astype(np.float32), grey_of(picture))


def find_hidden(now: np.ndarray, empty: np.ndarray) -> np.ndarray:
    bare, fine = empty_view(photograph(empty, 1)), grey_of(photograph(now, 2))
    assert bare.fine is not None
    then = bare.fine

    def textures(cells: CellBox) -> TextureShares:
        left, top, right, bottom = (TIMES * cell for cell in cells)
        return compare_textures(fine[top:bottom, left:right], then[top:bottom, left:right])

    seen = view(photograph(now, 2))
    return find_occlusion(seen, bare, ~WHOLE, measure_change(seen, bare), textures).hidden


def put(table: np.ndarray, colour: tuple[float, float, float]) -> np.ndarray:
    now = table.copy()
    now[BOX] = colour
    return now


@pytest.mark.parametrize("table", COLOURS)
@pytest.mark.parametrize("seed", range(4))
def test_another_light_hides_nothing(table: str, seed: int) -> None:
    """A factor of 0.6 to 1.6 for each colour, and half of the lights mix the colours."""
    rng = np.random.default_rng(seed)
    mixing = np.eye(3) if seed % 2 else np.eye(3) * 0.85 + rng.uniform(0, 0.1, (3, 3))
    relit = draw_table(table) @ (np.diag(rng.uniform(0.6, 1.6, 3)) @ mixing).T
    assert not find_hidden(relit, draw_table(table)).any()


@pytest.mark.parametrize("table", COLOURS)
@pytest.mark.parametrize(
    "colour",
    [
        pytest.param((0.05, 0.30, 0.42), id="a yellow card as bright as laminate"),
        pytest.param((0.16, 0.22, 0.42), id="a hand"),
        pytest.param((0.015, 0.015, 0.015), id="a black mug"),
        pytest.param((0.75, 0.75, 0.75), id="white paper"),
    ],
)
def test_an_object_hides_the_table_and_has_no_ring(table: str, colour: tuple[float, float, float]) -> None:
    hidden = find_hidden(put(draw_table(table), colour), draw_table(table))
    assert hidden[INNER].mean() > 0.97
    hidden[OUTER] = False
    assert not hidden.any()


@pytest.mark.parametrize("table", ["laminate", "wood", "gingham"])
@pytest.mark.parametrize("left", [0.3, 0.5, 0.75])
def test_a_shadow_with_a_hard_rim_is_seen_through_where_the_table_has_texture(table: str, left: float) -> None:
    now = draw_table(table)
    now[BOX] *= np.array([1.05, 1.0, 0.95]) * left
    hidden = find_hidden(now, draw_table(table))
    middle = (slice(32, 53), slice(47, 73))
    assert not hidden[middle].any()
    assert hidden.sum() < 0.25 * (35 * 40)


def test_a_dark_place_with_a_hard_rim_is_hidden_where_the_table_has_no_texture() -> None:
    now = draw_table("plain")
    now[BOX] *= 0.4
    assert find_hidden(now, draw_table("plain"))[INNER].all()


@pytest.mark.parametrize("table", COLOURS)
def test_a_soft_shadow_hides_nothing(table: str) -> None:
    ys, xs = np.mgrid[0 : ROWS * TIMES, 0 : COLUMNS * TIMES]
    shade = 1 - 0.55 / (1 + np.exp((np.hypot(xs - 240, ys - 170) - 80) / 8))
    assert not find_hidden(draw_table(table) * shade[..., None], draw_table(table)).any()


def test_warm_light_that_leaves_one_colour_is_burnt_out() -> None:
    """Red and green at the limit of the sensor, blue at 180: brightness alone would be 234."""
    levels = np.full((2, 3, 3), 100, np.uint8)
    levels[0, 0] = 180, 255, 255
    levels[1, 1] = 180, 180, 255
    assert is_burnt(TopView(levels, np.ones((2, 3), np.bool_))).sum() == 1


def test_a_grey_frame_is_compared_with_the_brightness_of_an_empty_table_in_colour() -> None:
    empty = empty_view(photograph(draw_table("wood"), 1))
    now = view(photograph(put(draw_table("wood"), (0.7, 0.7, 0.7)), 2)).to_grey()
    change = measure_change(now, empty)
    assert change.rest.shape[0] == 1
    hidden = find_occlusion(now, empty, ~WHOLE, change).hidden
    assert hidden[INNER].all()
    assert hidden.mean() < 0.2


def test_explained_cells_are_not_hidden() -> None:
    left, top, right, bottom = 40 * CELL_MM, 25 * CELL_MM, 80 * CELL_MM, 60 * CELL_MM
    explained = fill_outlines([((left, top), (right, top), (right, bottom), (left, bottom))], (ROWS, COLUMNS))
    empty = empty_view(photograph(draw_table("wood"), 1))
    now = view(photograph(put(draw_table("wood"), (0.7, 0.7, 0.7)), 2))
    assert not find_occlusion(now, empty, explained, measure_change(now, empty, explained)).hidden.any()


@pytest.mark.parametrize("light", [0.3, 1.0, 2.0])
def test_a_texture_is_kept_in_any_light_and_lost_below_an_object(light: float) -> None:
    table = draw_table("laminate")
    then = grey_of(photograph(table, 1))
    kept = compare_textures(grey_of(photograph(table * light, 2)), then).weigh()
    lost = compare_textures(grey_of(photograph(put(table, (0.24, 0.27, 0.28)), 2)), then).weigh()
    assert np.median(kept) < -2
    assert np.median(lost[INNER]) > 2


def test_a_table_without_texture_tells_nothing() -> None:
    table = draw_table("plain")
    weight = compare_textures(grey_of(photograph(table, 2)), grey_of(photograph(table, 1))).weigh()
    assert abs(np.median(weight)) < 0.5
