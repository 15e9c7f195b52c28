"""What the screen says about a table that stays as it is: the piece and the place of every act."""

import cmath
import math

import pytest

from engine.advice import Act
from engine.axial import NEIGHBOURS, SIXTH_TURN
from engine.games import GAMES
from engine.log import Log
from engine.table import BACK, Layout
from firmware.box.advice_texts import describe_acts
from firmware.box.alert_delays import FOUL_DELAY_S, HINT_DELAY_S
from firmware.box.events import Ticked
from firmware.box.referee_desk import RefereeDesk, show_desk, step_desk
from tests.support.nimmt import DEAL, GAME, begin, look
from tests.support.six import look as look_six
from tests.support.six import state as state_of_six
from vision.live.perception_events import TableSeen

ROWS = ((10, 12), (20,), (30,), (40,))
FULL = ((1, 2, 3, 4, 5), (20,), (30,), (40,))
HOME = {1: 33, 2: 25}
BLOCKED = ("special 1 block", "mark block 1")


def show(log, table, waited):
    desk, _ = step_desk(RefereeDesk(log), TableSeen(table, 0.0))
    return show_desk(step_desk(desk, Ticked(waited))[0])


def turn(rows=ROWS, *entries, shown=(33, 25), **more):
    log = begin(rows, shown=shown, **more)
    return log.add(*map(log.game.parse, entries))


def match(name, *entries):
    game = GAMES[name]
    return Log(game, {}).add(*map(game.parse, entries))


def lie(log, away=(), **more):
    """The table of the record without the zones ``away``, and with these pieces: ``up_1="40 35"``."""
    zones = {zone: held for zone, held in log.game.layout(log.state).zones.items() if zone not in (*away, "anchor")}
    zones |= {zone.replace("_", ":"): tuple(held.split()) for zone, held in more.items()}
    return log.game.place(log.state, Layout(zones))


def nimmt(*says, log=None, rows=ROWS, seats=None, **more):
    log = log or turn()
    return log, look(log, rows, HOME if seats is None else seats, **more), says


def tile(*says, away=(), add=None):
    log = match("six", "start 450 350 0 380", "lay red 0 -1", "lay black 2 0", "lay red 2 -1")
    zones = {zone: held for zone, held in log.game.layout(log.state).zones.items() if zone not in (*away, "anchor")}
    return log, log.game.place(log.state, Layout(zones | (add or {}))), says


def pile(*says, **lies):
    log = match("thegame", "play 40 up:1", "play 60 down:1", "play 70 up:2")
    return log, lie(log, away=[zone.replace("_", ":") for zone, held in lies.items() if not held], **lies), says


SEATS_OFF = Log(GAME, {"players": 3, "seats": "off"}).add(
    *map(GAME.parse, ("deal 10,20,30,40", "reveal 0 12", "lay 12 1"))
)
BARE = match("thegame", "play 40 up:1", "play 60 down:1", "play 70 up:2", "bare 99 down:1")

SWAPPED_HALF = match("thegame", "play 96 down:1", "play 19 up:2", "play 34 up:2")

REFUSED = {
    "shown cards exchanged are swapped": nimmt(
        "act_swap piece=33 partner=25 source=home:2 target=home:1", seats={1: 25, 2: 33}
    ),
    "rows exchanged are exchanged again": nimmt(
        "act_swap_zones source=row:2 piece=10 target=row:1 partner=20", rows=((20,), (10, 12), (30,), (40,))
    ),
    "a card in the wrong row goes to its row": nimmt(
        "belongs_in_row card=25 row=2 behind=20", rows=((10, 12, 25), *ROWS[1:]), seats={1: 33}
    ),
    "two cards in wrong rows are both named": nimmt(
        "act_move piece=25 source=row:1 target=row:2",
        "act_move piece=33 source=row:2 target=row:3",
        rows=((10, 12, 25), (20, 33), (30,), (40,)),
        seats={},
    ),
    "a card laid before its turn goes back, and what lies right stays": nimmt(
        "act_move piece=33 source=row:3 target=home:1", rows=(*ROWS[:2], (30, 33), (40,)), seats={2: 25}
    ),
    "a second card shown at a seat goes back, and the first stays": (
        turn(),
        lie(turn(), seat_1="33 77"),
        ("act_take pieces=77 zone=home:1",),
    ),
    "a low card waits until its player has taken a row": nimmt(
        "act_move piece=5 source=row:1 target=home:1",
        log=turn(shown=(5, 25)),
        rows=((10, 12, 5), *ROWS[1:]),
        seats={2: 25},
    ),
    "a card of a row goes back to it": nimmt(
        "act_move piece=12 source=row:3 target=row:1", rows=((10,), (20,), (30, 12), (40,))
    ),
    "cards of a row out of order": nimmt("act_behind zone=row:1 piece=12 after=10", rows=((12, 10), *ROWS[1:])),
    "a card of another deck is taken away from where it lies": nimmt(
        "act_take pieces=x7 zone=row:2", rows=((10, 12), (20, "x7"), (30,), (40,))
    ),
    "a card that was not shown goes back": nimmt("act_take pieces=77 zone=row:3", rows=(*ROWS[:2], (30, 77), (40,))),
    "a card where no player sits": nimmt("act_take pieces=77 zone=spot:5", seats=HOME | {5: 77}),
    "a Block at the wrong row": nimmt(
        "act_move piece=block source=row:4 target=row:1",
        log=turn(DEAL, *BLOCKED, shown=(25, 33, 90), variant="anniversary"),
        rows=DEAL,
        seats={1: 25, 2: 33, 3: 90},
        marks={4: ["block"]},
    ),
    "a card of a pile goes back to it": pile("card_stays card=70 zone=up:2", up_1="40 70", up_2=""),
    "tops exchanged are swapped": pile(
        "act_swap piece=40 partner=70 source=up:2 target=up:1", up_1="40 70", up_2="70 40"
    ),
    "a lower card of a pile goes back under the card that lies on it": (
        SWAPPED_HALF,
        lie(SWAPPED_HALF, up_2="34", down_1="96 19"),
        ("act_under zone=up:2 piece=19 above=34",),
    ),
    "a card that does not fit is taken back": (
        BARE,
        lie(BARE, down_1="60 99"),
        ("take_back card=99 top=60 zone=down:1",),
    ),
    "a tile out of turn": tile("act_take pieces=red zone=TL", add={"cell:0,-2": ("red",)}),
    "a tile moved within one part of the board is told by the direction": tile(
        "act_step zone=BR piece=black way=to_L", away=("cell:2,0",), add={"cell:3,0": ("black",)}
    ),
    "a tile beside no other": tile("act_take pieces=black zone=TR", add={"cell:5,-2": ("black",)}),
}
WAITING = {
    "the lower card in a hand is laid first": nimmt(
        "act_lay pieces=25 zone=row:2", rows=(*ROWS[:2], (30, 33), (40,)), seats={}
    ),
    "a shown card turned again is turned up": nimmt("act_turn_up piece=25 zone=home:2", seats={1: 33, 2: BACK}),
    "a card of a row turned is turned up": nimmt("act_turn_up piece=12 zone=row:1", rows=((10, BACK), *ROWS[1:])),
    "a card gone comes back": nimmt("act_put pieces=12 zone=row:1", rows=((10,), *ROWS[1:])),
    "a row lifted that is not due comes back": nimmt(
        "act_put pieces=20 zone=row:2",
        log=turn(FULL, shown=(6, 90)),
        rows=(FULL[0], (), *FULL[2:]),
        seats={1: 6, 2: 90},
    ),
    "a Block gone comes back": nimmt(
        "act_put pieces=block zone=row:1",
        log=turn(DEAL, *BLOCKED, shown=(25, 33, 90), variant="anniversary"),
        rows=DEAL,
        seats={1: 25, 2: 33, 3: 90},
    ),
    "a top gone comes back": pile("act_put pieces=40 zone=up:1", up_1=""),
    "a top turned again is turned up": pile("act_turn_up piece=40 zone=up:1", up_1="back"),
    "a pile gone comes back with its top": (
        match("thegame", "play 40 up:1", "play 52 up:1"),
        lie(match("thegame", "play 40 up:1", "play 52 up:1"), away=["up:1"]),
        ("act_put pieces=52 zone=up:1",),
    ),
    "a tile gone comes back": tile("act_put pieces=black zone=BR", away=["cell:2,0"]),
}
ASKED_ALREADY = {
    "a low card: a row is lifted": nimmt(
        "low_card card=5", log=turn(shown=(5, 25)), rows=((10, 12), (), (30,), (40,)), seats={1: 5, 2: 25}
    ),
    "a full row is being lifted": nimmt(
        "take_row row=1 n=6", log=turn(FULL, shown=(6, 90)), rows=((1, 2, 3), *FULL[1:]), seats={1: 6, 2: 90}
    ),
    "the due card is in a hand": nimmt("lay_behind card=25 row=2 behind=20", seats={1: 33}),
    "a card face down is in a hand": nimmt(
        "turn_up", log=turn(shown=(33,)).add(*map(turn().game.parse, ["choose 2"])), seats={1: 33}
    ),
}


@pytest.mark.parametrize(("log", "table", "says"), REFUSED.values(), ids=REFUSED)
def test_an_alert_names_every_act(log, table, says):
    view = show(log, table, FOUL_DELAY_S)
    told = (str(view.alert), *map(str, view.lines))
    assert told[: len(says)] == says
    assert len(told) == len(says) + (told[0].startswith("act_"))  # last comes the reason


@pytest.mark.parametrize(("log", "table", "says"), WAITING.values(), ids=WAITING)
def test_after_patience_the_prompt_names_what_is_missed(log, table, says):
    view = show(log, table, HINT_DELAY_S)
    assert (str(view.prompt), *map(str, view.lines))[: len(says)] == says
    assert view.alert is None


@pytest.mark.parametrize(("log", "table", "says"), ASKED_ALREADY.values(), ids=ASKED_ALREADY)
def test_what_the_rules_ask_for_is_not_missed(log, table, says):
    assert (str(show(log, table, HINT_DELAY_S).prompt),) == says


WAYS = {
    "to_T": (0, -1), "to_TR": (1, -1), "to_R": (1, 0), "to_BR": (1, 1),
    "to_B": (0, 1), "to_BL": (-1, 1), "to_L": (-1, 0), "to_TL": (-1, -1),
}  # fmt: skip


@pytest.mark.parametrize("degrees", range(0, 60, 7))
@pytest.mark.parametrize("place", NEIGHBOURS, ids=str)
def test_a_tile_goes_into_the_direction_that_is_named(place, degrees):
    """A black tile in the middle of a board of six long arms lies one place off."""
    arms = {(q * n, r * n): ("red", "black")[n % 2] for n in range(2, 7) for q, r in NEIGHBOURS}
    arms |= {
        (q + a, r + b): "red"
        for q, r in NEIGHBOURS
        for a, b in NEIGHBOURS
        if max(map(abs, (q + a, r + b, q + a + r + b))) == 2
    }
    board = state_of_six({**arms, (0, 0): "black"}, anchor=(400, 300, 10 * degrees, 380))
    log = Log(GAMES["six"], {}, origin=board)
    act = Act("black", f"cell:{place[0]},{place[1]}", "cell:0,0")
    (text,) = describe_acts([act], log, look_six({**arms, place: "black"}, degrees=degrees))
    step = -cmath.rect(1, math.radians(degrees)) * (place[0] + place[1] * SIXTH_TURN)
    assert (text.id, text.get("zone")) == ("act_step", "C")
    assert abs(math.degrees(cmath.phase(step / complex(*WAYS[str(text.get("way"))])))) < 23


def test_a_row_that_was_taken_wrongly_comes_back_also_where_seats_are_off():
    view = show(SEATS_OFF, look(SEATS_OFF, ((10, 12), (20,), (25,), (40,))), HINT_DELAY_S)
    assert [str(view.alert or view.prompt), *map(str, view.lines)][:2] == [
        "act_move piece=25 source=row:3 target=row:2",
        "act_put pieces=30 zone=row:3",
    ]


def test_a_prompt_never_relies_on_a_card_that_is_not_there():
    log, table, _ = nimmt(rows=((10, 12), (), (30,), (40,)))
    assert str(show(log, table, 0.0).prompt) == "act_put pieces=20 zone=row:2"


def test_nor_beside_an_alert():
    log, table, _ = nimmt(rows=((10, 12, 25), (), (30,), (40,)), seats={1: 33})
    view = show(log, table, FOUL_DELAY_S)
    assert view.alert
    assert "act_move piece=25 source=row:1 target=row:2" in map(str, (view.alert, *view.lines))
    assert str(view.prompt) == "act_put pieces=20 zone=row:2"
