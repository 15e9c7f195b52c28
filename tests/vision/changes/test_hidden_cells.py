"""Cells of drawn tables in colour: other light and shadows are seen through, objects of any colour hide the table."""

import numpy as np
import pytest

from tests.support.drawn_tables import (
    COLUMNS,
    ROWS,
    TIMES,
    WHOLE,
    draw_table,
    empty_view,
    find_hidden,
    grey_of,
    photograph,
    view,
)
from vision.changes.cell_evidence import is_burnt, measure_change
from vision.changes.occlusion import fill_outlines, find_occlusion
from vision.changes.texture import compare_textures
from vision.changes.top_view import CELL_MM, TopView

BOX = (slice(25 * TIMES, 60 * TIMES), slice(40 * TIMES, 80 * TIMES))
INNER, OUTER = (slice(27, 58), slice(42, 78)), (slice(21, 64), slice(36, 84))
"""Cells well within the box, and all that are near it: beyond 15 mm nothing may be hidden."""
COLOURS = ("laminate", "wood", "gingham", "plain")


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


@pytest.mark.parametrize("seed", range(40, 46))
def test_a_mixture_of_colours_hides_nothing_on_a_patchwork_of_strong_ones(seed: int) -> None:
    """A tenth of a bright colour doubles a dark one."""
    rng = np.random.default_rng(seed)
    strong = rng.permutation(np.array([[0.3, 0.05, 0.01], [0.02, 0.2, 0.02], [0.01, 0.02, 0.2], [0.35, 0.4, 0.4]]))
    patches = np.kron(strong.reshape(2, 2, 3), np.ones((ROWS * TIMES // 2, COLUMNS * TIMES // 2, 1)))
    table = patches * rng.normal(1, 0.08, (*patches.shape[:2], 1))
    mixing = rng.uniform(0, 0.1, (3, 3))
    np.fill_diagonal(mixing, 0)
    mixing += np.diag(1 - mixing.sum(1))
    relit = table @ (np.diag(rng.uniform(0.6, 1.6, 3)) @ mixing).T
    assert not find_hidden(relit, table).any()
    relit[BOX] = np.array([0.16, 0.22, 0.42])
    assert find_hidden(relit, table)[INNER].mean() > 0.9


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
