"""A change against the empty table that has the outline of a card."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.table import Area
from tests.support.true_calibration import calibrate_by_truth
from vision.changes.card_edges import CardPlace
from vision.changes.card_outlines import LEVEL_PX_MM, CardChange, confirm_card
from vision.render import RenderCamera

AREA = Area(0, 0, 240, 220)
SIZE = (57.0, 87.0)
CAMERA = RenderCamera.over(Area(-25, -25, 265, 245), 2.2, tilt=0)
CALIBRATION = calibrate_by_truth(CAMERA, AREA)
CARD = CardPlace(120, 110, 14, SIZE)
NEAR = CardPlace(126, 106, 15, SIZE)
"""Where a search would take the card to be."""
TABLE_LEVEL = 120
Map = NDArray[np.uint8]


def fill(plane: Map, mm: NDArray[np.float64], level: int) -> Map:
    """A polygon in a map of the area."""
    cv2.fillPoly(plane, [np.round((mm * LEVEL_PX_MM - 0.5) * 16).astype(np.int32)], level, shift=4)
    return plane


def change(*polygons: NDArray[np.float64]) -> Map:
    plane = np.zeros((round(AREA.bottom), round(AREA.right)), np.uint8)
    for mm in polygons:
        fill(plane, mm, 1)
    return plane


def grey(*cards: tuple[NDArray[np.float64], int]) -> Map:
    """The picture of a plain table with polygons of a brightness."""
    side = round(2.2 * 290), round(2.2 * 270)
    picture = np.full((side[1], side[0]), TABLE_LEVEL, np.uint8)
    for mm, level in cards:
        cv2.fillPoly(picture, [np.round(CALIBRATION.to_px(mm) * 16).astype(np.int32)], level, cv2.LINE_AA, 4)
    noise = np.random.default_rng(1).normal(0, 1.2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)


def box(left: float, top: float, right: float, bottom: float) -> NDArray[np.float64]:
    """In the frame of the card."""
    return CARD.to_table(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))


ROUND = CARD.to_table(40 * np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 60)]))
WHOLE, UPPER = CARD.outline(), box(-28.5, -43.5, 28.5, 10)
SHADOW = box(0, -43.5, 33, 43.5)

CASES = {
    "a card of another brightness": (change(WHOLE), grey((WHOLE, 60)), True),
    "a card as bright as the table, of another colour": (change(WHOLE), grey(), True),
    "a card with its shadow at one side": (change(WHOLE, SHADOW), grey((SHADOW, 85), (WHOLE, 60)), True),
    "a card as bright as the table of which a hand covers an end": (change(WHOLE, box(-20, 20, 20, 80)), grey(), False),
    "a card that looks like the table at one end": (change(UPPER), grey((WHOLE, 135)), True),
    "half a card": (change(UPPER), grey((UPPER, 60)), False),
    "a larger card": (change(CARD.outline(4.0)), grey(), False),
    "a smaller card": (change(CARD.outline(-5.0)), grey(), False),
    "a disc of its size": (change(ROUND), grey((ROUND, 60)), False),
    "edges around nothing": (change(), grey((WHOLE, 60)), False),
}


@pytest.mark.parametrize("name", CASES)
def test_a_card_has_four_sides_and_is_filled(name: str) -> None:
    changed, picture, expected = CASES[name]
    found = confirm_card(picture, CALIBRATION, CardChange(changed, AREA), NEAR)
    assert (found is not None) == expected
    if found is not None:
        assert (found.x, found.y) == (pytest.approx(CARD.x, abs=2), pytest.approx(CARD.y, abs=2))
        assert found.angle == pytest.approx(CARD.angle, abs=1.5)


def test_nothing_has_changed_beyond_the_area() -> None:
    everywhere = CardChange(np.ones((20, 20), np.uint8), Area(100, 100, 120, 120))
    places = np.array([[99.0, 110.0], [100.5, 110.0], [119.5, 119.5], [110.0, 121.0]])
    assert everywhere.look_up(places).tolist() == [0, 1, 1, 0]
