"""Games that wait, from the buttons to the disk: paused, left for another, cut off, and all of them resumed."""

import numpy as np
import pytest

from engine.games import GAMES
from firmware.app.restore import restore_session
from firmware.box.events import parse_told
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.journal.journal import open_journal
from firmware.runtime.companion import Companion
from vision.live.perception import Perception

LIT = []
"""Boxes with the power on, which none is when its test is over."""


class Box4:
    """A box that is switched on over a journal, and the words somebody tells it."""

    def __init__(self, path):
        self.journal = open_journal(path)
        LIT.append(self)
        known, _ = restore_session(self.journal, 0.0)
        self.companion = Companion(Box(known, (Home(),)), Perception(np.zeros((48, 64), np.uint8)), self.journal)

    def tell(self, *words):
        for said in words:
            self.companion.handle(parse_told(said, "button", 1.0))
        return self

    def cut(self):
        """The power goes: nothing is said to anybody. What was confirmed is on the disk."""
        self.journal._shut()
        self.journal.close()

    @property
    def waiting(self):
        return {stopped.id: stopped.paused for stopped in self.companion.box.known.stopped}

    def moves(self, game):
        return [str(move) for move in self.journal.load(game, GAMES).moves]


@pytest.fixture
def path(tmp_path):
    yield tmp_path / "journal.sqlite"
    while LIT:
        LIT.pop().cut()


BEGIN = "game:begin thegame players=2"


def test_a_paused_game_is_resumed_after_another_was_played(path):
    box = Box4(path).tell(BEGIN, "play 12 up:1", "game:pause", "yes game:pause", "back")
    assert box.waiting == {1: True}
    box.tell("game:begin six", "lay red 9 9", "game:give-up", "yes game:give-up")
    box.tell("game:resume 1", "table:all-is-right", "play 13 up:1")
    assert box.waiting == {}
    assert box.moves(1) == ["play 12 up:1", "play 13 up:1"]
    assert [played.how for played in box.journal.history()] == [None, "given up"]


def test_after_a_power_cut_every_game_is_still_there(path):
    box = Box4(path).tell(BEGIN, "play 12 up:1", "game:pause", "yes game:pause", "back")
    box.tell(BEGIN, "play 90 down:1").cut()
    box = Box4(path)
    assert box.waiting == {1: True, 2: False}
    box.tell("game:resume 2", "table:all-is-right", "play 80 down:1")
    assert box.waiting == {1: True}
    box.tell("game:new", "yes game:new").cut()
    box = Box4(path)
    assert box.waiting == {1: True, 2: True}
    assert (box.moves(1), box.moves(2)) == (["play 12 up:1"], ["play 90 down:1", "play 80 down:1"])


def test_a_power_cut_behind_the_question_leaves_the_game_running(path):
    Box4(path).tell(BEGIN, "play 12 up:1", "game:pause").cut()
    assert Box4(path).waiting == {1: False}


def test_a_game_that_was_over_too_soon_is_resumed_like_any_other(path):
    box = Box4(path).tell("game:begin thegame players=1", "cannot 1")
    assert [played.how for played in box.journal.history()] == ["finished"]
    box.tell("verify 2,3,4,5,6,7,8,9", "resume", "play 2 up:1")
    assert [played.how for played in box.journal.history()] == [None]
    box.cut()
    box = Box4(path)
    assert box.waiting == {1: False}
    assert box.moves(1)[-1] == "play 2 up:1"


def test_names_stay_with_their_game(path):
    box = Box4(path).tell(BEGIN, "people:rename 1", "name:set Ana", "game:pause", "yes game:pause", "back")
    box.tell(BEGIN, "people:rename 1", "name:set Ben", "game:pause", "yes game:pause", "back")
    box.tell("game:resume 1")
    assert box.companion.box.known.names[1] == "Ana"
    box.cut()
    assert [dict(stopped.names)[1] for stopped in Box4(path).companion.box.known.stopped] == ["Ben", "Ana"]
