"""Axial coordinates: the six neighbours, distances and turns agree with the geometry of the plane."""

import cmath
import math

import pytest

from engine.axial import NEIGHBOURS, count_steps, find_cell, find_centre, list_neighbours, surround, turn_cell

CELLS = [(q, r) for q in range(-4, 5) for r in range(-4, 5)]


def test_every_neighbour_is_one_pitch_away_and_a_sixth_of_a_turn_on():
    for number, step in enumerate(NEIGHBOURS):
        assert cmath.isclose(find_centre(step), cmath.rect(1, number * math.pi / 3), abs_tol=1e-12)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_a_neighbour_is_one_step_away(cell):
    assert {count_steps(cell, other) for other in list_neighbours(cell)} == {1}
    assert {other for other in CELLS if count_steps(cell, other) == 1} == set(list_neighbours(cell)) & set(CELLS)


@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.parametrize("sixths", range(-1, 7))
def test_a_turn_of_cells_is_a_turn_of_the_plane(cell, sixths):
    turned = find_centre(cell) * cmath.rect(1, sixths * math.pi / 3)
    assert cmath.isclose(find_centre(turn_cell(cell, sixths)), turned, abs_tol=1e-12)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_a_point_within_half_a_pitch_belongs_to_the_cell(cell):
    for angle in range(0, 360, 5):
        assert find_cell(find_centre(cell) + cmath.rect(0.499, math.radians(angle))) == cell


def test_a_point_is_in_the_nearest_cell():
    for x in range(-15, 16):
        for y in range(-15, 16):
            point = complex(x * 0.137, y * 0.141)
            nearest = min(abs(find_centre(cell) - point) for cell in CELLS)
            assert abs(find_centre(find_cell(point)) - point) == pytest.approx(nearest)


def test_two_cells_side_by_side_are_surrounded_by_eight():
    assert surround([(0, 0), (1, 0)]) == set(list_neighbours((0, 0))) | set(list_neighbours((1, 0)))
    assert len(surround([(0, 0), (1, 0)]) - {(0, 0), (1, 0)}) == 8
