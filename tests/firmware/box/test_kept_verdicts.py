"""What the desk keeps of a look is its verdict alone, and nothing of the stack on which it was judged."""

import weakref

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.referee import judge
from engine.table import Area, Piece, Table
from firmware.box.referee_desk import RefereeDesk, step_desk
from tests.firmware.box.test_kept_looks import ASKED, ask
from tests.support.nimmt import begin, look
from tests.support.six import begin as begin_six
from tests.support.six import look as look_six
from vision.live.perception_events import TableSeen


class Frame:
    """What the caller of the desk holds while a look is judged."""


PAIR = {(0, 0): "red", (1, 0): "black"}
WAITS, ASKS = Log(GAMES["nimmt"], {"players": 2}), ask().log
HIGH, LOW = begin(shown=(41, 55)), begin(shown=(5, 55))
CASES = [
    pytest.param(WAITS, look(WAITS, ((10,), (20,))), id="it waits for more start cards"),
    pytest.param(HIGH, look(HIGH, ((10,), (20,), (30, 55), (40,)), {1: 41}), id="a card is in the wrong row"),
    pytest.param(LOW, look(LOW, ((10,), (20,), (30,), (40, 5)), {2: 55}), id="a low card lies behind a row"),
    pytest.param(ASKS, look(ASKS, ASKED), id="it asks about a card that came and went"),
    pytest.param(begin_six(PAIR, (20, 20)), look_six({**PAIR, (5, 0): "black"}), id="a tile lies apart"),
    pytest.param(
        Log(GAMES["thegame"], {"players": 2}),
        Table(frozenset({Piece("50", 300, 300)}), (Area(0, 0, 9, 9),)),
        id="a card of The Game lies before the start cards",
    ),
]


@pytest.mark.parametrize(("log", "table"), CASES)
def test_a_verdict_holds_no_stack(log, table):
    def judge_before():
        held = Frame()
        return judge(log, table), weakref.ref(held)

    verdict, held = judge_before()
    assert held() is None, verdict


@pytest.mark.parametrize(("log", "table"), CASES)
def test_of_many_looks_the_desk_keeps_no_earlier_stack(log, table):
    desk = RefereeDesk(log)

    def show():
        held.append(weakref.ref(frame := Frame()))
        after = step_desk(desk, TableSeen(table, desk.now + 1))[0]
        assert frame is not None
        return after

    held = []
    for _ in range(20):
        desk = show()
    assert not any(frame() for frame in held)
