"""The camera of the studio, its shapes and its boards."""

import numpy as np
import pytest

from tests.studio import meshes
from tests.studio.boards import change_board, grow_board, is_connected
from tests.studio.camera import aim_camera, find_plane_homography, to_world
from tests.studio.scene import PlacedCard
from tests.studio.truth import sticker_corners
from vision.tags.codebook import offset_to_card_centre

AREA = (700.0, 460.0)


@pytest.fixture
def camera():
    return aim_camera(
        (2304, 1296), 66.0, AREA, border_mm=47, margin_mm=10, tilt_deg=6, azimuth_deg=250, roll_deg=1.5, k=-0.015
    )


def test_the_camera_sees_the_area_with_its_border_and_little_more(camera):
    rim = 57.0
    corners = np.array([[x, y] for x in (-rim, AREA[0] + rim) for y in (-rim, AREA[1] + rim)])
    px = camera.project(to_world(AREA, corners))
    room = np.minimum(px, np.array([2304, 1296]) - px)
    assert 0 <= room.min() < 1


@pytest.mark.parametrize("z", [0.0, 0.009])
def test_the_homography_agrees_with_the_projection(camera, z):
    mm = np.array([[0.0, 0.0], [700, 0], [123, 321], [700, 460]])
    ahead = np.column_stack([mm, np.ones(4)]) @ find_plane_homography(camera, AREA, z).T
    assert ahead[:, :2] / ahead[:, 2:] == pytest.approx(camera.pinhole(to_world(AREA, mm, z)), abs=1e-6)


def test_undistorting_is_the_inverse_of_distorting(camera):
    px = np.array([[0.0, 0.0], [1152, 648], [2304, 1296], [40, 1200]])
    assert camera.undistort(camera.distort(px)) == pytest.approx(px, abs=1e-3)


def test_up_on_the_table_is_up_in_the_picture(camera):
    left, right, low = camera.project(to_world(AREA, np.array([[100.0, 100.0], [600.0, 100.0], [100.0, 400.0]])))
    assert left[0] < right[0]
    assert left[1] < low[1]


def test_a_sticker_is_where_the_printed_instructions_put_it():
    card = PlacedCard("nimmt", "44", "1N044P8GPX", (0, 0), 0, 0, (0, 0, 0), (57, 87), "row:1", 0)
    middle = sticker_corners(card).mean(axis=0)
    assert -middle == pytest.approx(offset_to_card_centre("nimmt", 18.0))


@pytest.mark.parametrize("angle", [0.0, 90.0, 180.0])
def test_a_card_turns_clockwise_as_the_camera_sees_it(camera, angle):
    card = PlacedCard("nimmt", "44", "1N044P8GPX", (300, 200), angle, 0, (0, 0, 0), (57, 87), "row:1", 0)
    middle, top = camera.project(card.surface(AREA, np.array([[0.0, 0.0], [0.0, -40.0]])))
    seen = np.degrees(np.arctan2(top[0] - middle[0], middle[1] - top[1]))
    assert (seen - angle + 180) % 360 - 180 == pytest.approx(0, abs=4)


@pytest.mark.parametrize("bend", [(0.002, 0, 0), (-0.002, 0.0005, 0), (0.001, -0.0005, 0.0003)])
def test_no_part_of_a_bent_card_is_below_the_table(bend):
    card = meshes.make_card((0.057, 0.087), bend)
    assert card.vertices[:, 2].min() > -2e-4
    assert card.vertices[:, 2].max() < 0.005


def test_a_tile_is_as_wide_as_its_pitch():
    tile = meshes.make_tile(0.038, 0.009, 0.0015)
    assert np.ptp(tile.vertices[:, 0]) == pytest.approx(0.038, abs=1e-5)
    assert tile.vertices[:, 2].max() == pytest.approx(0.009)


@pytest.mark.parametrize("act", ["place", "move", "exchange", "take", "slide"])
def test_a_board_stays_connected_and_changes_by_one_act(act):
    rng = np.random.default_rng(7)
    for count in (6, 17, 40):
        board = grow_board(rng, count)
        after, cell = change_board(rng, board, act)
        assert is_connected(board)
        assert is_connected(after)
        assert len(after) - len(board) == {"place": 1, "take": -1}.get(act, 0)
        assert board.get(cell) != after.get(cell)
