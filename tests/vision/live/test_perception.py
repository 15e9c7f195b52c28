"""Perception over time: the table at rest, the pose of the camera, and faults of the picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.table import Area
from hw.frame import Frame
from tests.support.frames import BARE, CAMERA, HIGH, MARKERS, READ, WIDE, card, picture
from vision.live.perception import CALM_S, MOVED_NOTICE_S, RELOCK_AFTER_S, Perception
from vision.live.perception_events import CameraMeasured, FaultChanged, TableSeen
from vision.live.picture_faults import LASTING_S, LONG_S
from vision.live.read_request import ReadRequest
from vision.render import Arm, DrawnCard, Sensor

PACE = 0.2


def bumped(scene):
    return replace(scene, camera=replace(CAMERA, x=CAMERA.x + 5, turn=0.6))


class Evening:
    """Feeds frames one after the other and collects what is reported."""

    def __init__(self, eyes):
        self.eyes = eyes
        self.at = 0.0
        self.items = []
        self.locks = []

    def watch(self, grey, seconds, request=READ):
        before = len(self.items)
        for _ in range(round(seconds / PACE)):
            self.at += PACE
            self.items += self.eyes.update(Frame(grey, self.at), request)
            if self.eyes.wants_lock:
                self.locks.append(round(self.at, 1))
        return self.items[before:]

    @property
    def trouble(self):
        told = [item.text and item.text.id for item in self.items if isinstance(item, FaultChanged)]
        return told[-1] if told else None


def evening():
    return Evening(Perception(picture(BARE)))


def pieces(items):
    return {seen.piece for seen in items[-1].table.seen}


def test_markers_and_stickers_of_other_sizes_give_the_same_places():
    """With everything 1.5 times as large the same picture shows a table 1.5 times as large."""
    as_it_is = evening()
    larger = Evening(Perception(picture(BARE), sticker_mm=27.0, marker_mm=60.0))
    grey = picture(replace(BARE, cards=(card("nimmt", "33"),)))
    assert pieces(as_it_is.watch(grey, 2)) == {"33"}
    zones = {zone: Area(*(1.5 * side for side in (a.left, a.top, a.right, a.bottom))) for zone, a in READ.zones.items()}
    seen = larger.watch(grey, 2, replace(READ, zones=zones))
    assert larger.eyes.area == pytest.approx([1.5 * side for side in as_it_is.eyes.area], abs=2)
    assert pieces(seen) == {"33"}


def test_a_table_at_rest_is_reported_without_faults():
    watched = evening()
    items = watched.watch(picture(replace(BARE, cards=(card("nimmt", "33"),))), 2)
    assert {type(item) for item in items} == {TableSeen}
    assert pieces(items) == {"33"}
    assert watched.eyes.area == pytest.approx((WIDE, HIGH), abs=2)


@pytest.mark.parametrize(
    ("empty", "why"),
    [
        pytest.param(None, "empty_none", id="never set up"),
        pytest.param(picture(replace(BARE, markers=MARKERS[:1])), "empty_no_markers", id="no markers on it"),
        pytest.param(cv2.resize(picture(BARE), None, fx=0.8, fy=0.8), "empty_other_camera", id="another camera's"),
    ],
)
def test_without_a_picture_of_the_empty_table_one_fault_is_reported_and_nothing_is_read(empty, why):
    watched = Evening(Perception(empty))
    items = watched.watch(picture(BARE), 1)
    assert [item.text.id for item in items] == [why]
    items = watched.watch(picture(BARE), 0.4, ReadRequest("aim"))
    assert [type(item) for item in items] == [FaultChanged, CameraMeasured, CameraMeasured]
    assert watched.trouble is None


def test_the_empty_table_is_kept_once_it_is_still_and_bare():
    kept = []
    watched = Evening(Perception(on_empty=kept.append))
    watched.watch(picture(BARE), 0.4, ReadRequest("aim"))
    watched.eyes.keep_empty()
    items = watched.watch(picture(replace(BARE, arms=(Arm((150, 500), (150, 100)),))), PACE, ReadRequest("aim"))
    items += watched.watch(picture(replace(BARE, cards=(card("nimmt", "33"),))), 3, ReadRequest("aim"))
    assert not kept
    assert not any(item.kept for item in items if isinstance(item, CameraMeasured))
    items = watched.watch(picture(BARE), 3 * PACE, ReadRequest("aim"))
    assert [(one == picture(BARE)).all() for one in kept] == [True]
    assert items[-1].kept
    assert pieces(watched.watch(picture(replace(BARE, cards=(card("nimmt", "33"),))), 2)) == {"33"}
    assert watched.trouble is None


@pytest.mark.parametrize("request_", [None, READ], ids=["no game", "a game"])
def test_once_set_up_was_left_no_picture_of_the_empty_table_is_taken(request_):
    kept = []
    watched = Evening(Perception(picture(BARE), on_empty=kept.append))
    watched.watch(picture(BARE), 1, ReadRequest("aim"))
    watched.eyes.keep_empty()
    watched.watch(picture(replace(BARE, cards=(card("nimmt", "33"),))), 1, request_)
    items = watched.watch(picture(BARE), 2, ReadRequest("aim"))
    assert not kept
    assert not items[-1].kept


def test_the_colours_of_the_empty_table_are_loaded_only_for_a_game_that_needs_them():
    fetched = []

    def again():
        fetched.append(bare)
        return bare

    bare = cv2.cvtColor(picture(BARE), cv2.COLOR_GRAY2BGR)
    watched = Evening(Perception(bare, reload=again))
    watched.watch(picture(replace(BARE, cards=(card("nimmt", "33"),))), 1)
    assert not fetched
    zones = {"table": next(iter(READ.zones.values()))}
    watched.eyes.update(Frame(picture(BARE), 2.0, colour=lambda: bare), ReadRequest("read", "six", zones))
    assert len(fetched) == 1
    assert watched.eyes.empty is watched.eyes.empty
    assert len(fetched) == 2


def test_an_empty_table_that_was_not_stored_stays_in_memory():
    watched = Evening(Perception(on_empty=lambda picture: None))
    watched.eyes.keep_empty()
    watched.watch(picture(BARE), 3, ReadRequest("aim"))
    assert (watched.eyes.empty == picture(BARE)).all()


@pytest.mark.parametrize(
    ("scene", "patience", "why"),
    [
        pytest.param(replace(BARE, light=replace(BARE.light, gain=0.01)), 2, "picture_dark", id="dark"),
        pytest.param(replace(bumped(BARE), markers=MARKERS[:2]), 2, "picture_lost", id="moved, two markers in sight"),
        pytest.param(replace(BARE, sensor=Sensor(blur=3.2)), 6, "picture_blurred", id="out of focus"),
        pytest.param(replace(BARE, markers=MARKERS[:3]), LONG_S + 5, "picture_marker", id="a marker covered"),
        pytest.param(
            replace(BARE, cards=(card("thegame", "33"),)), LASTING_S + 1, "other_game", id="another game's card"
        ),
        pytest.param(
            replace(BARE, cards=(card("nimmt", "33"), card("nimmt", "33", 200))),
            LASTING_S + 1,
            "card_seen_twice",
            id="one card twice",
        ),
    ],
)
def test_a_fault_of_the_picture_is_reported_and_withdrawn(scene, patience, why):
    watched = evening()
    watched.watch(picture(BARE), 1)
    items = watched.watch(picture(scene), patience)
    assert watched.trouble == why
    assert pieces(items) == set()
    watched.watch(picture(BARE), 6)
    assert watched.trouble is None


def test_a_short_fault_is_not_reported():
    watched = evening()
    watched.watch(picture(BARE), 1)
    watched.watch(picture(replace(BARE, cards=(card("thegame", "33"),))), 1)
    watched.watch(picture(BARE), 3)
    assert not [item for item in watched.items if isinstance(item, FaultChanged)]


def test_a_knocked_camera_is_followed_and_reported_once_it_is_still():
    scene = replace(BARE, cards=(card("nimmt", "33"),))
    watched = evening()
    watched.watch(picture(scene), 2)
    for n in range(6):
        watched.watch(picture(replace(scene, camera=replace(CAMERA, x=CAMERA.x + 4 * (-1) ** n))), 0.4)
        assert watched.trouble in (None, "picture_sways")
    assert watched.trouble == "picture_sways"
    items = watched.watch(picture(bumped(scene)), 3)
    assert watched.trouble == "picture_moved"
    assert pieces(items) == {"33"}
    watched.watch(picture(bumped(scene)), MOVED_NOTICE_S)
    assert watched.trouble is None


def test_a_knocked_camera_tells_a_face_down_card_from_bare_table_and_keeps_it_in_the_dark():
    seat = ReadRequest("read", "nimmt", {"seat:1": Area(20, 10, 140, 170), "row:1": Area(160, 0, WIDE, HIGH)})
    chosen = replace(BARE, cards=(DrawnCard("nimmt", "33", 80, 90, face_down=True),))
    watched = evening()
    assert pieces(watched.watch(picture(bumped(BARE)), 2, seat)) == set()
    assert pieces(watched.watch(picture(bumped(chosen)), 2, seat)) == {"back"}
    night = np.asarray(picture(bumped(chosen)) * 0.02, np.uint8)
    items = watched.watch(night, 3, seat)
    assert pieces(items) <= {"back"}
    assert all(any(area.overlaps(place) for area in items[-1].table.unseen) for place in seat.zones.values())
    assert pieces(watched.watch(picture(bumped(chosen)), 2, seat)) == {"back"}


def test_a_camera_that_sways_back_was_not_moved():
    watched = evening()
    watched.watch(picture(BARE), 1)
    for n in range(4):
        watched.watch(picture(replace(BARE, camera=replace(CAMERA, x=CAMERA.x + 5 * (-1) ** n))), PACE)
    watched.watch(picture(BARE), 3)
    told = [item.text and item.text.id for item in watched.items if isinstance(item, FaultChanged)]
    assert told == ["picture_sways", None]


def test_markers_at_other_places_require_a_new_set_up():
    watched = evening()
    apart = tuple(replace(marker, x=marker.x + (-25 if marker.name in (1, 2) else 0)) for marker in MARKERS)
    watched.watch(picture(replace(BARE, markers=apart)), 3)
    assert watched.trouble == "picture_markers_moved"


def test_changed_light_is_measured_again_at_intervals_while_cards_are_read():
    watched = evening()
    dim = np.asarray(picture(replace(BARE, cards=(card("nimmt", "33"),))) * 0.45, np.uint8)
    arm = np.asarray(picture(replace(BARE, arms=(Arm((150, 500), (150, 150)),))) * 0.45, np.uint8)
    for n in range(20):
        watched.watch((dim, arm)[n % 2], PACE)
    assert not watched.locks
    watched = evening()
    watched.watch(dim, LONG_S + 2)
    assert watched.trouble == "picture_light"
    items = watched.watch(dim, 2 * MOVED_NOTICE_S + RELOCK_AFTER_S - LONG_S)
    assert pieces(items) == {"33"}
    assert len(watched.locks) == 2
    assert watched.locks[1] - watched.locks[0] == pytest.approx(RELOCK_AFTER_S, abs=2 * PACE)
    assert watched.trouble is None


@pytest.mark.parametrize("asked", [None, READ], ids=["between games", "in a game"])
def test_the_light_is_measured_once_as_soon_as_nothing_moves(asked):
    watched = evening()
    arm = picture(replace(BARE, arms=(Arm((150, 500), (150, 150)),)))
    for n in range(10):
        watched.watch((picture(BARE), arm)[n % 2], PACE, asked)
    assert not watched.locks
    watched.watch(picture(BARE), 2 * RELOCK_AFTER_S, asked)
    assert len(watched.locks) == 1
    assert watched.locks[0] == pytest.approx(10 * PACE + CALM_S, abs=2 * PACE)


@pytest.mark.parametrize("how", ["no picture of the table", "being set up"])
def test_the_light_is_not_measured_before_set_up(how):
    watched = Evening(Perception()) if how == "no picture of the table" else evening()
    watched.watch(picture(BARE), 3, READ if how == "no picture of the table" else ReadRequest("aim"))
    watched.eyes.keep_empty()
    watched.watch(picture(BARE), 3, ReadRequest("aim"))
    watched.watch(picture(BARE), 3, READ)
    assert watched.eyes.area is not None
    assert not watched.locks
