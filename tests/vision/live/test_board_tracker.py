"""Tracking of tiles: the board while an arm hides most of it, and tiles below something that moves."""

import math
from dataclasses import replace

import cv2
import pytest

from engine.table import Area
from firmware.simulation.table.camera_position import place_camera, place_markers
from hw.cameras.images import make_frame
from vision.live.board_tracker import SKIP_S, BoardTracker, find_covered, halve_picture
from vision.live.frame_reading import read_frame
from vision.live.perception import Perception
from vision.live.perception_events import FaultChanged
from vision.live.read_request import ReadRequest
from vision.render import DrawnTile as Shape
from vision.render import Scene, render_scene
from vision.tiles.finder import FoundTile, FoundTiles

ROW = tuple(FoundTile("red", (0.0, 0.0), (100.0 + 40 * n, 100.0), 0.0, True, (n, 0)) for n in range(5))
ARM = Area(130, 50, 400, 150)


def test_hidden_tiles_of_the_board_are_remembered_and_removed_ones_are_not():
    found = FoundTiles(ROW[:1])
    assert tuple(find_covered(ROW, found, [ARM])) == ROW[1:]
    assert tuple(find_covered(ROW, found, [Area(130, 50, 200, 150)])) == ROW[1:3]
    assert tuple(find_covered(ROW, found, [])) == ()


def test_a_tile_that_is_seen_is_not_remembered_twice():
    assert tuple(find_covered(ROW, FoundTiles(ROW), [ARM])) == ()


PASSES, ON = Area(150, 100, 215, 300), Area(265, 100, 320, 300)
"""A hand over the first of three tiles, and over the last."""


WHOLE = Area(0, 0, 700, 500)
EMPTY = Scene(place_camera(WHOLE, 1.4, tilt=0.0, towards=0.0, turn=0.0), "wood", 3, markers=place_markers(WHOLE))


def moved(right):
    tiles = (Shape("red", 200 + right, 200), Shape("black", 236 + right, 200), Shape("red", 272 + right, 200))
    return replace(EMPTY, tiles=tiles)


@pytest.fixture(scope="module")
def table():
    """Three tiles in a row: the empty table, a frame, and readings without motion."""
    bare, picture = render_scene(EMPTY), render_scene(moved(0))
    return (
        bare,
        make_frame(picture, 0.0),
        read_frame(make_frame(bare, 0.0).grey),
        read_frame(make_frame(picture, 0.0).grey),
    )


@pytest.mark.parametrize(
    ("passes", "seen_tiles", "sure"),
    [
        pytest.param(((0.2, ()),), 3, True, id="nothing moves: all are there"),
        pytest.param(((0.2, (PASSES,)),), 2, False, id="a tile below a hand is neither seen nor gone"),
        pytest.param(((0.2, (PASSES,)), (0.4, (ON,))), 1, False, id="nor when the hand has moved on"),
        pytest.param(((0.2, (PASSES,)), (0.4, ())), 3, True, id="when nothing moves they are detected"),
        pytest.param(((0.2, (PASSES,)), (SKIP_S, (PASSES,))), 3, True, id="and once a second while something moves"),
    ],
)
def test_tiles_below_a_moving_hand_are_neither_seen_nor_gone(table, passes, seen_tiles, sure):
    bare, frame, empty, still = table
    board = BoardTracker(bare, empty.calibration)
    board.update(frame, still)
    for at, moving in passes:
        seen, _, unsure = board.update(replace(frame, at=at), replace(still, moving=moving))
    assert (len(seen), not any(area.contains(200, 200) for area in unsure)) == (seen_tiles, sure)


HEAPED = replace(moved(0), tiles=(*moved(0).tiles, Shape("red", 222, 216, 20.0)))
ACROSS = replace(EMPTY, tiles=tuple(Shape("red", 200 + 18 * (n % 2), 2 + 31.2 * n) for n in range(5)))


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        pytest.param(HEAPED, "tiles_unclear", id="one lies on others"),
        pytest.param(ACROSS, "tiles_at_rim", id="they lie across the edge of the area"),
    ],
)
def test_the_advice_on_unclear_tiles_is_shown_until_they_are_clear(table, scene, why):
    bare, _, empty, _ = table
    board, eyes, said = BoardTracker(bare, empty.calibration), Perception(bare), []
    for n, lies in enumerate((moved(0), scene, moved(0))):
        shot = make_frame(render_scene(lies), 10.0 * n)
        board.update(shot, read_frame(shot.grey))
        assert (board.unclear and board.unclear.id) == (why if lies is scene else None)
        for at in (0.0, 0.2, 0.4, 0.6, 2.2, 2.4, 2.6, 2.8):
            items = eyes.update(replace(shot, at=10.0 * n + at), ReadRequest("read", "six", {"table": WHOLE}))
            said += [item.text and item.text.id for item in items if isinstance(item, FaultChanged)]
    assert said == [why, None]


def test_a_board_pushed_as_a_whole_is_found_at_its_new_place(table):
    bare, frame, empty, still = table
    board = BoardTracker(bare, empty.calibration)
    board.update(frame, still)
    pushed = make_frame(render_scene(moved(90)), 2.0)
    seen, _, _ = board.update(pushed, replace(read_frame(pushed.grey), moving=(Area(150, 100, 420, 300),)))
    assert sorted(round(one.x / 10) for one in seen) == [29, 33, 36]


NEAR = Area(0, 0, 240, 180)
CLOSE = Scene(place_camera(NEAR, 3.4, tilt=0.0, towards=0.0, turn=0.0), "wood", 3, markers=place_markers(NEAR))


def test_half_the_size_of_a_large_picture_gives_the_same_tiles():
    tiles = (Shape("red", 80, 80), Shape("black", 116, 80), Shape("red", 152, 80, 8.0))
    frame = make_frame(render_scene(replace(CLOSE, tiles=tiles)), 0.0)
    bare, asked = render_scene(CLOSE), []

    def half():
        asked.append(frame)
        return cv2.resize(frame.colour(), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)

    still = read_frame(frame.grey)
    calibration = read_frame(make_frame(bare, 0.0).grey).calibration
    less = halve_picture(bare, calibration)
    assert less.shape == (bare.shape[0] // 2, bare.shape[1] // 2, 3)
    plain = BoardTracker(bare, calibration).update(frame, still)[0]
    for given in (frame, replace(frame, halved=half)):
        small = BoardTracker(less, calibration, half=True).update(given, still)[0]
    assert len(asked) == 1
    assert sorted(seen.piece for seen in small) == ["black", "red", "red"]
    for one in plain:
        assert min(math.dist((one.x, one.y), (it.x, it.y)) for it in small if it.piece == one.piece) < 0.8


def test_a_small_picture_is_not_halved(table):
    bare, _, empty, _ = table
    assert halve_picture(bare, empty.calibration) is None
