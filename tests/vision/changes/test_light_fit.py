"""The light of a frame is found again where it is known: gains and casts put on a drawn table."""

import numpy as np
import pytest

from engine.table import Area
from vision.changes.light_fit import LEAST_SAMPLES, LightFit, Linear, decode_gamma, fit_light, unchanged_light

AREA = Area(0.0, 0.0, 900.0, 600.0)
ROWS, COLUMNS = 150, 225
EVERYWHERE = np.ones((ROWS, COLUMNS), np.bool_)
SAME_LOG = 0.03
"""A gain within 3 % of the true one is found: near black the offset of the ratio tells."""


def draw_table(seed: int) -> Linear:
    """Stripes of two colours with a grain."""
    rng = np.random.default_rng(seed)
    stripes = (np.add.outer(np.arange(ROWS), np.arange(COLUMNS)) // 9 % 2)[..., None]
    table = np.where(stripes, [0.30, 0.35, 0.45], [0.10, 0.22, 0.08])
    return (table * rng.normal(1, 0.05, (ROWS, COLUMNS, 1))).clip(0.01, 1).astype(np.float32)


def draw_gain(blue: float, green: float, red: float, slope: float = 0.0) -> Linear:
    """A gain for each colour that grows by ``slope`` from the left to the right edge."""
    across = 1 + slope * (np.arange(COLUMNS) / COLUMNS - 0.5)
    return (np.array([blue, green, red]) * across[None, :, None] * np.ones((ROWS, 1, 1))).astype(np.float32)


def error_of(fit: LightFit, gain: Linear) -> float:
    return float(np.abs(fit.log_gain(AREA, (ROWS, COLUMNS)) - np.log(gain)).max())


@pytest.mark.parametrize(
    "gain",
    [
        pytest.param(draw_gain(1, 1, 1), id="the same light"),
        pytest.param(draw_gain(0.6, 0.6, 0.6), id="dimmed to 60 %"),
        pytest.param(draw_gain(1.6, 1.0, 0.6), id="cast from warm to cold"),
        pytest.param(draw_gain(1.2, 1.1, 0.9, 0.5), id="a window at one side"),
    ],
)
def test_a_smooth_gain_is_found(gain: Linear) -> None:
    empty = draw_table(1)
    assert error_of(fit_light(empty * gain, empty, EVERYWHERE, AREA), gain) < SAME_LOG


@pytest.mark.parametrize("share", [0.2, 0.4, 0.55])
def test_objects_on_the_table_do_not_change_the_gain(share: float) -> None:
    rng = np.random.default_rng(2)
    empty, gain = draw_table(2), draw_gain(0.8, 0.9, 1.1, 0.2)
    now = empty * gain
    covered = np.kron(rng.random((10, 15)) < share, np.ones((15, 15), np.bool_))
    now[covered] = [0.5, 0.5, 0.05]
    assert error_of(fit_light(now, empty, EVERYWHERE, AREA), gain) < 2 * SAME_LOG


def test_cells_that_are_not_bare_are_left_out() -> None:
    empty, gain = draw_table(3), draw_gain(0.9, 1.0, 1.2)
    now, bare = empty * gain, EVERYWHERE.copy()
    now[:, :160], bare[:, :160] = 0.02, False
    assert error_of(fit_light(now, empty, bare, AREA), gain) < 0.1


def test_a_table_without_bare_cells_keeps_the_light_of_the_frame_before() -> None:
    empty = draw_table(4)
    before = fit_light(empty * 0.7, empty, EVERYWHERE, AREA)
    few = np.zeros_like(EVERYWHERE)
    few.reshape(-1)[: LEAST_SAMPLES - 1] = True
    assert fit_light(empty, empty, few, AREA, before) is before
    assert error_of(fit_light(empty, empty, few, AREA), draw_gain(1, 1, 1)) == 0


def test_the_fit_of_the_frame_before_is_improved_in_two_steps() -> None:
    empty, gain = draw_table(5), draw_gain(0.9, 0.9, 0.9, 0.3)
    start = fit_light(empty * draw_gain(0.93, 0.92, 0.9, 0.3), empty, EVERYWHERE, AREA)
    assert error_of(fit_light(empty * gain, empty, EVERYWHERE, AREA, start), gain) < SAME_LOG


def test_the_gain_of_a_part_of_the_table_is_that_of_the_whole() -> None:
    empty = draw_table(6)
    fit = fit_light(empty * draw_gain(1, 1, 1, 0.6), empty, EVERYWHERE, AREA)
    part = fit.log_gain(Area(400.0, 200.0, 600.0, 400.0), (50, 50))
    np.testing.assert_allclose(part, fit.log_gain(AREA, (ROWS, COLUMNS))[50:100, 100:150], atol=1e-5)


def test_the_relit_empty_table_looks_like_the_table_of_now() -> None:
    empty, gain = draw_table(7), draw_gain(1.3, 1.0, 0.7, 0.2)
    lit = np.exp(fit_light(empty * gain, empty, EVERYWHERE, AREA).relight(np.log(empty), AREA))
    assert float(np.abs(np.log(lit / (empty * gain))).max()) < 2 * SAME_LOG


@pytest.mark.parametrize("mixed", [True, False])
def test_colours_that_mix_are_relit_with_the_mixture_that_was_fitted(mixed: bool) -> None:
    empty = draw_table(8)
    now = (empty @ np.array([[0.7, 0.25, 0.05], [0.1, 0.8, 0.1], [0.0, 0.3, 0.7]]).T).astype(np.float32)
    fit = fit_light(now, empty, EVERYWHERE, AREA, mixed=mixed)
    rest = float(np.median(np.abs(fit.relight(np.log(empty), AREA) - np.log(now))))
    assert (fit.mixing is not None) == mixed
    assert (rest < SAME_LOG) == mixed


def test_unchanged_light_has_no_gain() -> None:
    assert not unchanged_light(AREA).log_gain(AREA, (4, 6)).any()


@pytest.mark.parametrize(("level", "light"), [(0, 0.0), (128, 0.2159), (255, 1.0)])
def test_levels_become_linear_light(level: int, light: float) -> None:
    assert decode_gamma(np.full((2, 2, 3), level, np.uint8)).max() == pytest.approx(light, abs=1e-3)
