"""Which places stay unclear beside a doubtful one, and which areas of the table they are."""

import cv2
import numpy as np
import pytest

from engine.table import Area
from vision.tiles.colour_masks import ColourMasks
from vision.tiles.groups import FoundGroups, TileGroup
from vision.tiles.hex_grid import HexGrid, outline_hexagon
from vision.tiles.unclear_places import cover_pixels, draw_unclear_places

HIGH, WIDE, PITCH = 300, 400, 60.0
GRID = HexGrid(150.0, 150.0, PITCH, 0.0)
LIGHT, DARK = (150, 160, 165), (22, 20, 20)
PLANES = ("red", "black", "mute", "other", "shade")


def draw_around(plane, share, table, *, lost=None):
    """What is unclear if ``share`` of the doubtful place, from its left, is in this plane."""
    masks = {name: np.zeros((HIGH, WIDE), np.uint8) for name in PLANES}
    cv2.fillPoly(masks[plane], [outline_hexagon(150, 150, GRID)], 1)
    masks[plane][:, round(150 - PITCH * 0.53 + share * PITCH * 1.06) :] = 0
    found = FoundGroups(
        (TileGroup(GRID, {}, {}, ((150.0, 150.0),)),), np.zeros((HIGH, WIDE), np.uint8) if lost is None else lost
    )
    picture = None if table is None else np.full((HIGH, WIDE, 3), table, np.uint8)
    return draw_unclear_places(found, ColourMasks(**masks), PITCH, picture)


@pytest.mark.parametrize("plane", ["red", "black", "other", "shade"])
def test_what_has_changed_at_a_doubtful_place_is_unclear_and_the_bare_rest_of_it_is_not(plane):
    unclear = draw_around(plane, 0.3, LIGHT)
    assert unclear[150, 125]
    assert not unclear[150, 160]
    assert not unclear[150, 180]


@pytest.mark.parametrize(
    ("plane", "share", "table", "whole"),
    [
        pytest.param("red", 0.7, LIGHT, True, id="a place of which most has changed is unclear as a whole"),
        pytest.param("black", 0.7, LIGHT, True, id="a lamp mirrored in a black tile may be as light as the table"),
        pytest.param("mute", 0.7, DARK, True, id="a place is unclear on a table as dark as a black tile"),
        pytest.param("mute", 0.7, LIGHT, False, id="a light place is no black tile whatever the others look like"),
        pytest.param("red", 0.1, None, True, id="a place is unclear where black tiles look like the table"),
        pytest.param("red", 0.1, LIGHT, False, id="the rim of a neighbour does not make a place unclear"),
    ],
)
def test_a_doubtful_place_is_unclear_as_a_whole_where_a_tile_may_be(plane, share, table, whole):
    assert bool(draw_around(plane, share, table)[150, 172]) == whole


def test_nothing_is_unclear_farther_than_a_tile_that_does_not_fit_the_grid():
    unclear = draw_around("red", 0.1, None)
    rows, columns = np.nonzero(unclear)
    assert max(150 - rows.min(), rows.max() - 150, 150 - columns.min(), columns.max() - 150) <= 0.6 * PITCH + 1


def test_a_heap_that_fits_no_grid_is_unclear():
    lost = np.zeros((HIGH, WIDE), np.uint8)
    lost[20:40, 300:340] = 1
    unclear = draw_around("red", 0.3, LIGHT, lost=lost)
    assert unclear[20:40, 300:340].all()
    assert not unclear[60:100, 300:340].any()


@pytest.mark.parametrize("seed", range(6))
def test_the_areas_hold_every_unclear_pixel_and_little_else(seed):
    rng = np.random.default_rng(seed)
    mask, area, fine = np.zeros((320, 480), np.uint8), Area(40.0, 60.0, 340.0, 260.0), 1.6
    for _ in range(4):
        x, y, size = rng.integers(0, 440), rng.integers(0, 280), rng.integers(3, 40)
        mask[y : y + size, x : x + size] = 1
    areas = cover_pixels(mask, fine, area)
    rows, columns = np.nonzero(mask)
    for y, x in list(zip(rows.tolist(), columns.tolist(), strict=True))[::37]:
        spot = (x + 0.5) / fine + area.left, (y + 0.5) / fine + area.top
        assert any(one.contains(*spot) for one in areas)
    far = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5) / fine
    for one in areas:
        middle = (one.left + one.right) / 2, (one.top + one.bottom) / 2
        y, x = (min(size - 1, round((way - low) * fine)) for way, low, size in zip(
            (middle[1], middle[0]), (area.top, area.left), mask.shape, strict=True
        ))  # fmt: skip
        assert far[y, x] < 12


def test_nothing_unclear_is_no_area():
    assert cover_pixels(np.zeros((100, 100), np.uint8), 1.6, Area(0, 0, 60, 60)) == ()
