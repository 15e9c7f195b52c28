"""Bands of a flickering lamp are light; an arm that lies along them, or things at equal distances, are not."""

import numpy as np
import pytest

from tests.support.drawn_tables import (
    COLUMNS,
    ROW_SHARES,
    ROWS,
    TIMES,
    draw_table,
    empty_view,
    find_hidden,
    photograph,
    view,
)
from vision.changes.cell_evidence import measure_change
from vision.changes.light_bands import count_bands, sample_waves

SHARES = (np.arange(ROWS * TIMES)[:, None, None] + 0.5) / (ROWS * TIMES)
BOX = (slice(30 * TIMES, 55 * TIMES), slice(70 * TIMES, 95 * TIMES))
INNER = (slice(32, 53), slice(72, 93))


def band(count: float, phase: float, depths: tuple[float, float, float]) -> np.ndarray:
    return np.asarray(1 + np.array(depths) * np.sin(2 * np.pi * (count * SHARES + phase)))


@pytest.mark.parametrize("table", ["laminate", "plain", "wood"])
@pytest.mark.parametrize("count", [1.8, 4.3, 9.0, 17.0])
@pytest.mark.parametrize(
    "depths",
    [
        pytest.param((0.08, 0.08, 0.08), id="weak"),
        pytest.param((0.25, 0.25, 0.25), id="strong"),
        pytest.param((0.10, 0.18, 0.28), id="a warm lamp beside daylight"),
    ],
)
def test_flicker_hides_nothing_and_no_object_hides_in_it(
    table: str, count: float, depths: tuple[float, float, float]
) -> None:
    """The picture of the empty table has bands too, in other places."""
    bare = draw_table(table)
    then, now = bare * band(count, 0.2, depths), bare.copy()
    assert not find_hidden(now * band(count, 0.65, depths), then).any()
    now[BOX] = bare.reshape(-1, 3).mean(0) * np.array([0.82, 1.0, 1.18])
    assert find_hidden(now * band(count, 0.65, depths), then)[INNER].mean() > 0.9


@pytest.mark.parametrize("table", ["laminate", "plain", "gingham"])
@pytest.mark.parametrize("wide_mm", [40, 90, 150])
@pytest.mark.parametrize(
    "colour", [pytest.param((0.2, 0.27, 0.4), id="skin"), pytest.param((0.05, 0.04, 0.04), id="a black sleeve")]
)
def test_an_arm_along_the_rows_is_no_band(table: str, wide_mm: int, colour: tuple[float, float, float]) -> None:
    now = draw_table(table)
    now[100 : 100 + wide_mm] = colour
    hidden = find_hidden(now, draw_table(table))
    top, bottom = 100 // TIMES + 1, (100 + wide_mm) // TIMES - 1
    assert hidden[top:bottom].mean() > 0.95
    hidden[top - 4 : bottom + 4] = False
    assert not hidden.any()


@pytest.mark.parametrize("table", ["laminate", "plain"])
@pytest.mark.parametrize("shade", [0.75, 1.3])
def test_strips_at_equal_distances_are_no_bands(table: str, shade: float) -> None:
    """Four strips of paper across the whole table, as regular as flicker, and of another colour than the table."""
    paper = np.asarray((np.arange(ROWS * TIMES) + 20) % 90 < 34)
    now = draw_table(table)
    now[paper] = draw_table(table).reshape(-1, 3).mean(0) * shade * np.array([0.75, 1.0, 1.25])
    hidden = find_hidden(now, draw_table(table))
    inner = np.asarray(paper.reshape(ROWS, TIMES).all(1))
    assert hidden[inner].mean() > 0.9


@pytest.mark.parametrize("count", [1.3, 2.1, 8.6, 23.0])
@pytest.mark.parametrize("seed", range(3))
def test_bands_are_counted(count: float, seed: int) -> None:
    rng = np.random.default_rng([seed, 77])
    rows = rng.uniform(0, 1, 600)
    rest = rng.normal(0, 0.03, (600, 3)) + sample_waves(count, rows) @ rng.normal(0, 0.06, (2, 3))
    rest[:200] += rng.normal(0, 1, 3)
    found = count_bands(rest, rows)
    assert found is not None
    assert found == pytest.approx(count, abs=0.15)


@pytest.mark.parametrize("seed", range(5))
def test_noise_has_no_bands(seed: int) -> None:
    rng = np.random.default_rng([seed, 78])
    assert count_bands(rng.normal(0, 0.03, (600, 3)), rng.uniform(0, 1, 600)) is None


def test_in_the_next_frame_only_the_place_of_the_bands_is_fitted() -> None:
    table = draw_table("laminate")
    empty = empty_view(photograph(table, 1))
    first = measure_change(view(photograph(table * band(6.2, 0.1, (0.2, 0.2, 0.2)), 2)), empty)
    assert first.light.bands is not None
    again = measure_change(view(photograph(table * band(6.2, 0.4, (0.2, 0.2, 0.2)), 3)), empty, before=first.light)
    assert again.light.bands is not None
    assert again.light.bands.count == first.light.bands.count
    assert float(np.abs(again.rest).mean()) < 0.03


def test_a_frame_without_flicker_has_no_bands() -> None:
    table = draw_table("wood")
    change = measure_change(view(photograph(table * 0.8, 4)), empty_view(photograph(table, 1)))
    assert change.light.bands is None
    assert ROW_SHARES.shape == (ROWS, COLUMNS)
