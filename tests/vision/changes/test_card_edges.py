"""Edges in a card from above: its own sides, and the edge of something on it."""

from math import radians, tan

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.changes.card_edges import (
    PX_MM,
    RIM_MM,
    CardPlace,
    find_crossing_edge,
    find_edges,
    measure_noise,
    patch_size,
    refine_place,
)

SIZE = (57.0, 87.0)
WIDE, HIGH = patch_size(SIZE)
CLAIMED = CardPlace(0.0, 0.0, 0.0, SIZE)
Patch = NDArray[np.float32]


def blur(levels: NDArray[np.uint8]) -> Patch:
    noise = np.random.default_rng(4).normal(0, 1.0, levels.shape)
    return np.asarray(cv2.GaussianBlur(levels.astype(np.float32), (0, 0), 0.8) + noise, np.float32)


def fill(polygon: NDArray[np.float64], table: int = 90, paper: int = 200) -> Patch:
    """Paper on a table, seen in the frame of a card; its corners are in mm from the centre of the card."""
    levels = np.full((HIGH, WIDE), table, np.uint8)
    at = (polygon + np.array(SIZE) / 2 + RIM_MM) * PX_MM - 0.5
    cv2.fillPoly(levels, [np.round(at * 16).astype(np.int32)], paper, cv2.LINE_8, 4)
    return blur(levels)


@pytest.mark.parametrize("turn", [0.0, 3.0, -6.0])
@pytest.mark.parametrize("slip", [(0.0, 0.0), (2.5, -1.5), (-4.0, 3.0)])
def test_a_card_is_found_where_its_sides_are(slip: tuple[float, float], turn: float) -> None:
    true = CLAIMED.shift(*slip, turn)
    patch = fill(true.outline())
    noise = measure_noise(patch)
    down, across = find_edges(patch, noise), find_edges(np.ascontiguousarray(patch.T), noise)
    found, sure = refine_place(CLAIMED, down, across)
    assert sure
    assert np.abs(found.outline() - true.outline()).max() < 1.5


def test_a_place_without_sides_stays_where_the_sticker_claims() -> None:
    patch = blur(np.full((HIGH, WIDE), 120, np.uint8))
    noise = measure_noise(patch)
    down, across = find_edges(patch, noise), find_edges(np.ascontiguousarray(patch.T), noise)
    assert refine_place(CLAIMED, down, across) == (CLAIMED, False)


def lay_on(at: float, lean: float, first: float = -60.0, last: float = 60.0) -> Patch:
    """Another card covers what is to the right of a line: so far from the middle, leaning by so many degrees."""
    ys = np.array([first, last])
    xs = at + tan(radians(lean)) * ys
    right = np.array([[xs[0], ys[0]], [60.0, ys[0]], [60.0, ys[1]], [xs[1], ys[1]]])
    return fill(right, 200, 150)


EVERYWHERE = np.ones((HIGH, WIDE), np.bool_)


@pytest.mark.parametrize("lean", [0.0, 4.0, -8.0])
@pytest.mark.parametrize("at", [-15.0, 0.0, 12.0])
def test_the_edge_of_a_card_on_top_is_found_in_its_full_length(at: float, lean: float) -> None:
    patch = lay_on(at, lean)
    edge = find_crossing_edge(find_edges(patch, measure_noise(patch)), EVERYWHERE)
    assert edge is not None
    # a line fits that shows the edge in most of its bands: its ends are not exact
    for x, y in (edge.start, edge.end):
        assert x == pytest.approx(at + tan(radians(lean)) * y, abs=3.0)
    assert abs(edge.end[1] - edge.start[1]) > 75


@pytest.mark.parametrize(
    ("patch", "visible", "least"),
    [
        pytest.param(lay_on(0, 0, -10, 25), EVERYWHERE, 0.0, id="a short edge in the middle is print"),
        pytest.param(lay_on(0, 20), EVERYWHERE, 0.0, id="it leans too much for a card of a row"),
        pytest.param(lay_on(0, 0), np.zeros_like(EVERYWHERE), 0.0, id="nothing of the face is in view"),
        pytest.param(lay_on(0, 0, -60, 15), EVERYWHERE, 68.0, id="it is shorter than was asked for"),
    ],
)
def test_what_is_no_edge_of_a_card_is_not_found(patch: Patch, visible: NDArray[np.bool_], least: float) -> None:
    assert find_crossing_edge(find_edges(patch, measure_noise(patch)), visible, least) is None
