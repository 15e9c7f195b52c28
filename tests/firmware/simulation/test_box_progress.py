"""When the log of the box has caught up with the simulated table."""

import pytest

from engine.games import GAMES
from engine.games.six.zones import place
from engine.log import Log
from engine.referee import Follows, judge
from firmware.simulation.table import has_caught_up

LAID = ["lay red 0 1", "lay black 2 -1", "lay red 2 -2", "lay black 1 1", "lay red 3 -2"]


def log(*entries):
    record = Log(GAMES["six"], {})
    for entry in entries:
        record = record.add(record.parse(entry))
    return record


def lies(record):
    return place(record.state, record.game.layout(record.state))


TABLE = lies(log("start 265 195 560 313", *LAID))
CASES = {
    "the same": (["start 265 195 560 313", *LAID], True),
    "the last tile is not seen yet": (["start 265 195 560 313", *LAID[:-1]], False),
    "all tiles, but two of them told roughly where the board lies": (["start 264 197 509 298", *LAID], True),
    "the last tile is not seen yet, and the board only roughly": (["start 264 197 545 310", *LAID[:-1]], False),
}


@pytest.mark.parametrize(("entries", "known"), CASES.values(), ids=CASES)
def test_the_box_has_caught_up_when_no_piece_is_missing_in_its_record(entries, known):
    assert has_caught_up(log(*entries), TABLE) is known


def test_where_the_board_lies_may_still_be_measured_better():
    verdict = judge(log("start 264 197 509 298", *LAID), TABLE)
    assert isinstance(verdict, Follows)
    assert [type(move).__name__ for move in verdict.moves] == ["Slide"]
