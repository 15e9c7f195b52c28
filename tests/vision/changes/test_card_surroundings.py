"""What sticks out from under cards, on a part of a table: the same as on the whole of it."""

from functools import cache

import cv2
import numpy as np
import pytest

from engine.table import Area
from tests.support.true_calibration import calibrate_by_truth
from vision.changes.card_edges import CardPlace
from vision.changes.card_stacks import CardStacks, ReadCard
from vision.changes.card_surroundings import TablePicture, find_paper_at_cards
from vision.changes.cell_evidence import measure_change
from vision.changes.top_view import project_top_view
from vision.frame import Picture, shrink_frame, to_grey
from vision.live.frame_reading import view_empty_table
from vision.render import DrawnCard, RenderCamera, Scene, Sensor, render_scene

SIZE = (57.0, 87.0)
WHOLE = Area(0, 0, 420, 260)
CAMERA = RenderCamera.over(Area(-20, -20, 440, 280), 2.4, tilt=6, towards=60)
CALIBRATION = calibrate_by_truth(CAMERA, WHOLE)
PLACES = ((60.0, 60.0), (200.0, 70.0), (330.0, 180.0))
BELOW = (212.0, 74.0)
"""An unread card below the second one."""
NO_CODE = np.zeros((4, 2))
CARDS = [ReadCard(f"card {n}", CardPlace(x, y, 0.0, SIZE), NO_CODE) for n, (x, y) in enumerate(PLACES)]


@cache
def photograph(seed: int, *places: tuple[float, float]) -> Picture:
    cards = tuple(DrawnCard("nimmt", str(n + 1), x, y, style="framed") for n, (x, y) in enumerate(places))
    return render_scene(Scene(CAMERA, "wood", 4, cards=cards, sensor=Sensor(), seed=seed))


def clip(area: Area, place: Area) -> Area:
    return Area(
        max(area.left, place.left),
        max(area.top, place.top),
        min(area.right, place.right),
        min(area.bottom, place.bottom),
    )


def take(*places: tuple[float, float], times: int = 1) -> TablePicture:
    """The table as the camera sees it; its colours may have fewer pixels."""
    bare, picture = photograph(1), photograph(2, *places)
    grey, full = to_grey(picture), (picture.shape[0], picture.shape[1])
    empty = view_empty_table(to_grey(bare), CALIBRATION, shrink_frame(bare))
    view = project_top_view(shrink_frame(picture), CALIBRATION, full)
    light = measure_change(view, empty).light
    fewer = np.asarray(cv2.resize(picture, None, fx=1 / times, fy=1 / times, interpolation=cv2.INTER_AREA), np.uint8)
    return TablePicture(grey, CALIBRATION, empty, view, light, lambda: fewer)


@pytest.mark.parametrize("times", [1, 2], ids=["colours of all pixels", "colours of half the size"])
def test_paper_is_found_where_it_lies(times: int) -> None:
    found = find_paper_at_cards(take(BELOW, *PLACES, times=times), WHOLE, CARDS, CardStacks())
    assert found
    for area in found:
        assert area.overlaps(Area(BELOW[0] - 29, BELOW[1] - 44, BELOW[0] + 29, BELOW[1] + 44))
    assert any(area.contains(239, 80) for area in found)


@pytest.mark.parametrize("times", [1, 2], ids=["colours of all pixels", "colours of half the size"])
def test_nothing_is_found_at_cards_that_lie_alone(times: int) -> None:
    assert find_paper_at_cards(take(*PLACES, times=times), WHOLE, CARDS, CardStacks()) == ()


def test_a_part_of_the_table_shows_what_the_whole_shows_there() -> None:
    picture = take(BELOW, *PLACES)
    whole = find_paper_at_cards(picture, WHOLE, CARDS, CardStacks())
    for place in (Area(0, 0, 140, 130), Area(140, 0, 280, 130), Area(150, 60, 420, 260), Area(280, 130, 420, 260)):
        part = find_paper_at_cards(picture, place, CARDS, CardStacks())
        assert set(part) == {clip(area, place) for area in whole if area.overlaps(place)}


def test_what_lies_in_the_next_place_is_not_in_this_one() -> None:
    """Rectangles are coarse: one that covers the paper may reach a few mm too far."""
    picture = take(BELOW, *PLACES)
    (right,) = {round(max(area.right for area in find_paper_at_cards(picture, WHOLE, CARDS, CardStacks())))}
    assert find_paper_at_cards(picture, Area(right - 4, 0, 420, 260), CARDS, CardStacks()) == ()


def test_a_part_without_cards_shows_nothing() -> None:
    assert find_paper_at_cards(take(BELOW, *PLACES), Area(0, 200, 80, 260), CARDS, CardStacks()) == ()


def test_what_is_explained_is_not_reported() -> None:
    below = CardPlace(*BELOW, 0.0, SIZE).outline(3.0)
    assert find_paper_at_cards(take(BELOW, *PLACES), WHOLE, CARDS, CardStacks(), [below]) == ()
