"""Tiles left on the table: the set-up names them, and never a tile on a table that has none."""

from dataclasses import replace
from functools import cache

import pytest

from engine.table import Area
from hw.cameras.images import make_frame
from hw.frame import Frame
from tests.support.frames import BARE, CAMERA, HIGH, MARKERS, WIDE, card
from vision.live.perception import Perception
from vision.live.perception_events import CameraMeasured
from vision.live.read_request import ReadRequest
from vision.render import Arm, DrawnTile, SceneLight, StrayObject, render_scene

PACE_S = 0.2
PAIR = (DrawnTile("red", 130, 110), DrawnTile("black", 168, 110))
LATER = replace(BARE, seed=7)


@cache
def colours(scene):
    return render_scene(scene)


def measure(earlier, now, frames=4):
    """The last check of the camera over a table whose picture was taken ``earlier``."""
    eyes = Perception(None if earlier is None else colours(earlier))
    for n in range(frames):
        items = eyes.update(make_frame(colours(now), n * PACE_S), ReadRequest("aim"))
    (last,) = (item.check for item in items if isinstance(item, CameraMeasured))
    return last


@pytest.mark.parametrize(
    ("now", "count"),
    [
        pytest.param(LATER, 0, id="none"),
        pytest.param(replace(LATER, tiles=PAIR[:1]), 1, id="a red one"),
        pytest.param(replace(LATER, tiles=PAIR[1:]), 1, id="a black one"),
        pytest.param(replace(LATER, tiles=PAIR), 2, id="the start pair"),
        pytest.param(replace(LATER, tiles=(*PAIR, DrawnTile("red", 40, 40, 20.0))), 3, id="one apart too"),
        pytest.param(replace(LATER, tiles=PAIR, camera=replace(CAMERA, x=CAMERA.x + 9)), 2, id="the camera has moved"),
        pytest.param(replace(LATER, tiles=PAIR, light=SceneLight(gain=0.7)), 2, id="in darker light"),
        pytest.param(replace(LATER, light=SceneLight(gain=0.6)), 0, id="bare in darker light"),
        pytest.param(replace(LATER, camera=replace(CAMERA, x=CAMERA.x + 9)), 0, id="bare, and the camera has moved"),
        pytest.param(replace(LATER, objects=(StrayObject("phone", 150, 110, 20),)), 0, id="a telephone is no tile"),
        pytest.param(replace(LATER, objects=(StrayObject("mug", 150, 110, 0),)), 0, id="a mug is no tile"),
        pytest.param(replace(LATER, arms=(Arm((150, 500), (150, 100)),)), 0, id="an arm is no tile"),
        pytest.param(replace(LATER, ground_seed=5), 0, id="another place of the wood"),
        *(
            pytest.param(replace(LATER, ground=ground), 0, id=f"another table: {ground}")
            for ground in ("white", "felt", "darkwood", "dark", "clutter")
        ),
        *(
            pytest.param(replace(LATER, ground=ground, markers=MARKERS, tiles=PAIR), 0, id=f"tiles on it: {ground}")
            for ground in ("clutter",)
        ),
    ],
)
def test_set_up_counts_the_tiles_that_the_earlier_picture_does_not_show(now, count):
    assert len(measure(BARE, now).tiles) == count


@pytest.mark.parametrize("ground", ["white", "felt", "darkwood", "dark", "clutter"])
def test_no_tile_is_told_on_bare_wood_where_the_earlier_picture_was_of_another_table(ground):
    assert measure(replace(BARE, ground=ground), LATER).tiles == ()


def test_a_tile_that_the_earlier_picture_shows_by_mistake_is_not_told_when_it_is_gone():
    assert measure(replace(BARE, tiles=PAIR), LATER).tiles == ()


@pytest.mark.parametrize(
    "earlier",
    [
        pytest.param(None, id="no earlier picture"),
        pytest.param(replace(BARE, cards=(card("nimmt", "33"),)), id="an earlier one with a card"),
    ],
)
def test_set_up_works_with_any_earlier_picture(earlier):
    assert measure(earlier, LATER).tiles == ()


def test_a_camera_without_colours_tells_no_tiles():
    eyes = Perception(colours(BARE))
    grey = make_frame(colours(replace(LATER, tiles=PAIR)), 0.0).grey
    for n in range(4):
        (*_, measured) = eyes.update(Frame(grey, n * PACE_S), ReadRequest("aim"))
    assert measured.check.tiles == ()


def test_the_picture_of_the_empty_table_is_taken_once_the_tiles_are_gone():
    kept = []
    eyes = Perception(colours(BARE), on_empty=kept.append)
    eyes.keep_empty()
    for n in range(9):
        shown = colours(replace(LATER, tiles=PAIR)) if n < 5 else colours(LATER)
        measured = eyes.update(make_frame(shown, n * PACE_S), ReadRequest("aim"))[-1]
        assert bool(kept) == measured.kept
        assert not (n < 5 and kept)
    assert measured.kept
    assert (kept[0] == colours(LATER)).all()


FIXED = ReadRequest("aim", fixed=((131.0, 109.0),))
DISC = replace(LATER, tiles=PAIR[:1])


def keep(eyes, *scenes, request=FIXED):
    """The last check of the camera over these tables, one after the other."""
    frames = [make_frame(colours(scene), n * PACE_S) for n, scene in enumerate(scenes)]
    return [eyes.update(frame, request)[-1] for frame in frames][-1]


def test_what_belongs_to_the_table_is_in_the_new_picture_and_is_not_told_again():
    kept = []
    eyes = Perception(colours(BARE), on_empty=kept.append)
    eyes.keep_empty()
    assert keep(eyes, *[DISC] * 3).kept
    assert (kept[0] == colours(DISC)).all()
    assert keep(Perception(kept[0]), *[replace(DISC, seed=9)] * 3, request=ReadRequest("aim")).check.tiles == ()


def test_a_tile_beside_what_belongs_to_the_table_is_told():
    eyes = Perception(colours(BARE))
    eyes.keep_empty()
    measured = keep(eyes, *[replace(LATER, tiles=PAIR)] * 3)
    assert not measured.kept
    assert [round(x) for x, _ in measured.check.tiles] == [168]


def test_a_tile_that_was_kept_as_a_part_of_the_table_leaves_a_place_that_is_not_seen():
    """When it is lifted in a game its place is unseen: the box reads neither a tile nor bare table there."""
    eyes = Perception(colours(DISC))
    request = ReadRequest("read", "six", {"board": Area(0, 0, WIDE, HIGH)})
    tables = [eyes.update(make_frame(colours(LATER), n * PACE_S), request)[-1].table for n in range(9)]
    assert tables[-1].seen == frozenset()
    assert any(area.contains(PAIR[0].x, PAIR[0].y) for area in tables[-1].unseen)
