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


CASES = [
    pytest.param(lambda: (fresh := Log(GAMES["nimmt"], {"players": 2}), look(fresh, ((10,), (20,)))), id="it waits for more start cards"),
    pytest.param(lambda: (log := begin(shown=(41, 55)), look(log, ((10,), (20,), (30, 55), (40,)), {1: 41})), id="a card in the wrong row"),
    pytest.param(lambda: (log := begin(shown=(5, 55)), look(log, ((10,), (20,), (30,), (40, 5)), {2: 55})), id="a low card behind a row"),
    pytest.param(lambda: (log := ask().log, look(log, ASKED)), id="a question about a card that came and went"),
    pytest.param(lambda: (log := begin_six({(0, 0): "red", (1, 0): "black"}, (20, 20)), look_six({(0, 0): "red", (1, 0): "black", (5, 0): "black"})), id="a tile apart"),
    pytest.param(lambda: (Log(GAMES["thegame"], {"players": 2}), Table(frozenset({Piece("50", 300, 300)}), (Area(0, 0, 9, 9),))), id="a card of The Game before the piles"),
]  # fmt: skip


@pytest.mark.parametrize("find", CASES)
def test_a_verdict_holds_no_stack(find):
    log, table = find()

    def judge_before():
        held = Frame()
        return judge(log, table), weakref.ref(held)

    verdict, held = judge_before()
    assert held() is None, verdict


@pytest.mark.parametrize("find", CASES)
def test_of_many_looks_the_desk_keeps_no_earlier_stack(find):
    log, table = find()
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
