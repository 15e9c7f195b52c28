"""Tests for the light that a mirrored lamp adds to the picture of a table."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tiles.veiling_light import fit_veil

Linear = NDArray[np.float32]
ROWS, COLUMNS = 83, 104
WOOD, BLACK_TILE, RED_TILE, SKIN = (0.05, 0.12, 0.24), (0.01, 0.01, 0.01), (0.02, 0.02, 0.3), (0.25, 0.32, 0.55)
NEAR = 0.03
"""Linear light; less than a sixth of the lamps in these cases."""


def draw_table() -> Linear:
    grain = np.random.default_rng(1).normal(1, 0.06, (ROWS, 1, 1)).repeat(COLUMNS, 1)
    return (np.array(WOOD) * grain).astype(np.float32)


def draw_lamp(strength: float, radius: float = 18.0) -> Linear:
    """A patch with a flat top, as strong as ``strength`` in its middle."""
    ys, xs = np.mgrid[:ROWS, :COLUMNS].astype(np.float32)
    fall = np.exp(-((xs - 60) ** 2 + (ys - 35) ** 2) / radius**2)
    return (strength * np.minimum(1.6 * fall, 1)).astype(np.float32)


def place(table: Linear, colour: tuple[float, float, float], top: int, left: int, rows: int, columns: int) -> None:
    table[top : top + rows, left : left + columns] = colour


@pytest.mark.parametrize("strength", [0.1, 0.2, 0.5])
def test_the_light_of_a_mirrored_lamp_is_found(strength: float) -> None:
    table, lamp = draw_table(), draw_lamp(strength)
    veil = fit_veil(table + lamp[..., None], table)
    assert veil is not None
    assert float(np.abs(veil - lamp).max()) < NEAR * max(1, strength / 0.2)


@pytest.mark.parametrize("colours", [(BLACK_TILE,), (RED_TILE,), (BLACK_TILE, RED_TILE), (SKIN,)], ids=str)
def test_objects_in_the_patch_do_not_change_its_light(colours: tuple[tuple[float, float, float], ...]) -> None:
    table, lamp = draw_table(), draw_lamp(0.2)
    now = table.copy()
    for n in range(6):
        place(now, colours[n % len(colours)], 26 + n // 3 * 7, 50 + n % 3 * 7, 5, 5)
    veil = fit_veil(now + lamp[..., None], table)
    assert veil is not None
    assert float(np.abs(veil - lamp).max()) < 2 * NEAR


@pytest.mark.parametrize(
    ("colour", "rows", "columns"),
    [
        pytest.param((0.6, 0.6, 0.6), 26, 37, id="a sheet of paper"),
        pytest.param((0.3, 0.3, 0.3), 26, 37, id="a grey sheet"),
        pytest.param((0.6, 0.6, 0.6), 12, 9, id="a card"),
        pytest.param(SKIN, 40, 20, id="an arm"),
        pytest.param(RED_TILE, 25, 25, id="a board of red tiles"),
        pytest.param(BLACK_TILE, 25, 25, id="a board of black tiles"),
    ],
)
def test_an_object_with_an_edge_is_no_veil(colour: tuple[float, float, float], rows: int, columns: int) -> None:
    table = draw_table()
    now = table.copy()
    place(now, colour, 20, 30, rows, columns)
    veil = fit_veil(now, table)
    assert veil is None or float(veil[20 : 20 + rows, 30 : 30 + columns].max()) < NEAR


def test_a_sheet_of_paper_beside_a_lamp_stays_an_object() -> None:
    table, lamp = draw_table(), draw_lamp(0.2)
    now = table + lamp[..., None]
    place(now, (0.7, 0.7, 0.7), 45, 5, 26, 37)
    veil = fit_veil(now, table)
    assert veil is not None
    assert float(np.abs(veil - lamp)[45:71, 5:42].max()) < 2 * NEAR


def test_light_that_has_not_changed_has_no_veil() -> None:
    table = draw_table()
    noise = np.random.default_rng(2).normal(0, 0.004, table.shape).astype(np.float32)
    assert fit_veil(table + noise, table) is None
