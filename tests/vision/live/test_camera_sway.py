"""A camera that swings after a touch: cards are told all the same, and a camera that stays displaced is noticed."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.table import Area
from hw.frame import Frame
from tests.benchmarks.wobble import film_touch, is_told, make_touch, old_rule
from tests.support.frames import BARE, HIGH, WIDE, card, picture
from vision.changes.sway import KINDS, KNOTS, Sway
from vision.frame import SMALL_PX
from vision.live.camera_sway import REST_SWAY_PX, STEADY_FRAMES, CameraSway
from vision.live.empty_table import measure_empty
from vision.live.table_watcher import TableWatcher
from vision.render import Arm
from vision.render.sensor import Wobble, swing_picture

PACE = 0.1
ZONES = {"row:1": Area(0, 0, WIDE, HIGH / 2), "row:2": Area(0, HIGH / 2, WIDE, HIGH)}
CARDS = replace(BARE, cards=(card("nimmt", "33"), card("nimmt", "61", 200, 160)))
PX = max(picture(BARE).shape) / SMALL_PX
"""Pixels of the full picture to one of the low-resolution stream."""


@pytest.mark.parametrize("seed", [11, 26], ids=["0.3 px, seven frames a second", "0.8 px, seven frames a second"])
def test_cards_are_told_soon_after_a_hand_has_shaken_the_camera(seed):
    touch = make_touch(seed)
    frames = list(film_touch(touch, seed, small_stream=True))
    with old_rule():
        before = is_told(touch, frames)
    now = is_told(touch, frames)
    assert not before.told
    assert now.told
    assert not now.wrong


class Watched:
    """A table watcher, and noise for each frame."""

    def __init__(self):
        empty = measure_empty(picture(BARE), 18.0)
        self.watcher = TableWatcher("nimmt", ZONES, empty)
        self.noise = np.random.default_rng(7)
        self.at = 0.0
        self.readings = []

    def watch(self, grey, seconds=PACE):
        for _ in range(round(seconds / PACE)):
            self.at += PACE
            noisy = np.clip(grey + self.noise.normal(0, 1.5, grey.shape), 0, 255).astype(np.uint8)
            self.seen = {piece.piece: piece for piece in self.watcher.update(Frame(noisy, self.at), None).seen}
            self.readings.append(self.watcher.reading)
        return set(self.seen)


def swing(watched, scene, wobble, seconds=1.5):
    """What is told over this time, frame by frame."""
    grey = picture(scene)
    return [watched.watch(swing_picture(grey, wobble, 0.05 + n * PACE)) for n in range(round(seconds / PACE))]


def test_a_swing_unsettles_no_zone():
    watched = Watched()
    assert watched.watch(picture(CARDS), 1.0) == {"33", "61"}
    assert all(told == {"33", "61"} for told in swing(watched, CARDS, Wobble(0.8, 7.0, 30.0)))
    assert not any(reading.moving for reading in watched.readings[1:])


def test_an_arm_is_seen_while_the_camera_swings():
    watched = Watched()
    watched.watch(picture(CARDS), 1.0)
    arm = replace(CARDS, arms=(Arm((200, 400), (200, 150)),))
    told = swing(watched, arm, Wobble(0.8, 7.0, 30.0), 0.5)
    assert all("33" in some for some in told)
    assert watched.watcher.reading.table.unseen


@pytest.mark.parametrize("reach", [0.0, 0.2])
def test_a_card_that_slides_by_a_millimetre_is_movement_once_the_camera_rests(reach):
    watched = Watched()
    watched.watch(picture(CARDS), 1.0)
    slid = replace(CARDS, cards=(replace(CARDS.cards[0], x=CARDS.cards[0].x + 1.0), CARDS.cards[1]))
    swing(watched, slid, Wobble(reach, 7.0, 30.0, decay_s=0.2), 1.0)
    watched.watch(picture(slid), 1.0)
    assert any(reading.moving for reading in watched.readings[1:])
    assert watched.watch(picture(slid), 1.0) == {"33", "61"}
    assert watched.watcher.reading.pieces[0].mm is not None


def displace(grey, by):
    rows, columns = grey.shape
    move = np.array([[1, 0, by * PX], [0, 1, 0.5 * by * PX]], np.float32)
    return cv2.warpAffine(grey, move, (columns, rows), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("by", [0.2, 0.7, 1.5])
def test_a_camera_that_stays_displaced_is_compared_with_where_it_stands(by):
    watched = Watched()
    grey = picture(CARDS)
    watched.watch(grey, 1.0)
    there = displace(grey, by)
    assert watched.watch(there, 0.1 * (STEADY_FRAMES + 3)) == {"33", "61"}
    kept = watched.watcher.reading
    assert watched.watch(there, 0.3) == {"33", "61"}
    assert watched.watcher.reading is kept
    assert not any(reading.moving for reading in watched.readings[1:])


def test_a_camera_that_stays_far_displaced_is_calibrated_anew():
    watched = Watched()
    grey = picture(CARDS)
    watched.watch(grey, 1.0)
    before = watched.watcher.reading.calibration
    watched.watch(displace(grey, 2.0), 1.0)
    after = watched.watcher.reading.calibration
    moved = after.to_px(np.array([[50.0, 50.0]])) - before.to_px(np.array([[50.0, 50.0]]))
    assert moved[0] == pytest.approx([2.0 * PX, PX], abs=0.4)


def move_all(by: float) -> Sway:
    knots = np.zeros((KINDS, KNOTS))
    knots[0] = by
    return Sway(knots)


RESTING = {
    "at rest, where it was": (CameraSway(), None),
    "at rest, hardly displaced": (CameraSway(move_all(REST_SWAY_PX - 0.05)), None),
    "at rest, displaced": (CameraSway(move_all(REST_SWAY_PX + 0.05)), REST_SWAY_PX + 0.05),
    "in a small swing": (CameraSway(None, move_all(REST_SWAY_PX - 0.05)), REST_SWAY_PX - 0.05),
    "in a small swing about a small displacement": (CameraSway(move_all(0.1), move_all(0.1)), 0.2),
}


@pytest.mark.parametrize(("sway", "undone"), RESTING.values(), ids=RESTING)
def test_a_frame_is_shifted_back_only_while_the_camera_swings_or_stands_elsewhere(sway, undone):
    assert (None if sway.total is None else pytest.approx(sway.total.largest())) == undone
