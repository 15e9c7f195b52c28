"""Which dark places are the shadows of tiles: those to one side of all of them."""

import math

import cv2
import numpy as np
import pytest

from vision.changes.cast_shadows import find_cast_shadows

ROWS, COLUMNS = 90, 120
TILES = ((30, 40), (40, 40), (60, 35), (75, 55), (84, 55))


def draw_tiles(*, count: int = len(TILES), grown: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    plane = np.zeros((ROWS, COLUMNS), np.uint8)
    for x, y in TILES[:count]:
        cv2.circle(plane, (x, y), 5 + grown, 1, -1)
    return plane > 0


THICK, MARGIN = draw_tiles(), draw_tiles(grown=1)


def cast(angle: float, cells: float, *, left_out: int | None = None) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    plane = np.zeros((ROWS, COLUMNS), np.uint8)
    for n, (x, y) in enumerate(TILES):
        if n != left_out:
            for share in np.linspace(0, 1, 12):
                way = math.radians(angle)
                at = round(x + share * cells * math.cos(way)), round(y + share * cells * math.sin(way))
                cv2.circle(plane, at, 5, 1, -1)
    return plane > 0


def darken(
    *places: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    level = np.random.default_rng(3).normal(0, 0.02, (ROWS, COLUMNS)).astype(np.float32)
    for place in places:
        level[place] -= 0.9
    return level


@pytest.mark.parametrize("cells", [4, 6, 8])
@pytest.mark.parametrize("angle", range(0, 360, 40))
def test_the_shadows_of_all_tiles_lie_to_one_side(angle: int, cells: int) -> None:
    shadows = cast(angle, cells) & ~MARGIN
    found = find_cast_shadows(THICK, ~MARGIN, darken(shadows))
    near = cv2.dilate(found.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    assert (shadows & near).sum() > 0.85 * shadows.sum()
    assert (found & ~shadows).sum() < 0.2 * shadows.sum()


def test_what_is_dark_elsewhere_is_no_shadow_of_theirs() -> None:
    shadows, other = cast(0, 6) & ~MARGIN, np.zeros((ROWS, COLUMNS), np.bool_)
    other[60:75, 20:50] = True
    found = find_cast_shadows(THICK, ~MARGIN, darken(shadows, other))
    assert not (found & other & ~cv2.dilate(shadows.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)).any()


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_dark_beside_a_few_of_many_tiles_is_another_thing(count: int) -> None:
    beside = np.zeros((ROWS, COLUMNS), np.bool_)
    for x, y in TILES[:count]:
        beside[y - 4 : y + 5, x - 16 : x] = True
    assert not find_cast_shadows(THICK, ~MARGIN, darken(beside & ~MARGIN)).any()


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_dark_beside_one_or_two_tiles_alone_may_be_another_thing(count: int) -> None:
    tiles, around = draw_tiles(count=count), draw_tiles(count=count, grown=1)
    shadows = np.zeros((ROWS, COLUMNS), np.bool_)
    for x, y in TILES[:count]:
        shadows[y - 5 : y + 6, x : x + 11] = True
    assert not find_cast_shadows(tiles, ~around, darken(shadows & ~around)).any()


@pytest.mark.parametrize("level", [0.0, 0.6], ids=["as light as the table", "lighter"])
def test_without_darker_places_there_are_no_shadows(level: float) -> None:
    assert not find_cast_shadows(THICK, ~MARGIN, darken() + np.float32(level)).any()


def test_without_tiles_there_are_no_shadows() -> None:
    nothing = np.zeros((ROWS, COLUMNS), np.bool_)
    assert not find_cast_shadows(nothing, ~nothing, darken(MARGIN)).any()
