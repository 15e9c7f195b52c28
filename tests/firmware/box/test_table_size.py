"""A game keeps its moves on a table of another size; only its zones change."""

import random
from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.table import Table
from firmware.box.events import Ticked, parse_told
from firmware.box.flow_context import Context, Stopped
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.camera_setup import STILL_FOR_S, CameraSetup
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing, play_from
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.players import PLAYERS
from vision.calibration.camera_check import CameraCheck
from vision.live.perception_events import CameraMeasured, TableSeen

BEGUN = (900, 600)
SPECIALS = {"variant": "anniversary", "players": 4}


def tell(box, *items):
    """Commands and events, a second each."""
    done = []
    for item in items:
        box, effects = step_box(box, parse_told(item, "button", box.known.now + 1) if isinstance(item, str) else item)
        done += effects
    return box, done


def see(box, table):
    at = box.known.now
    return tell(box, TableSeen(table, at + 1), Ticked(at + 9))


def played(game, moves, *before, area=BEGUN, **options):
    """A game that was played on a table of this size, and its players."""
    log = Log(GAMES[game], {**options, **dict(zip(("width", "height"), area, strict=True))})
    log = log.add(*map(log.parse, before))
    players = PLAYERS[game](log.options, random.Random(5))
    for _ in range(moves):
        log = log.add(players.next(log.state))
    return log, players


def resumed(log, area):
    return tell(Box(Context(area=area, stopped=(Stopped(4, {}, log),)), (Home(),)), "game:resume 4")[0]


def now(box):
    return next(flow for flow in box.flows if isinstance(flow, Playing))


def game_view(log):
    return log.game.view(log.state)


def elsewhere(log, area):
    """The same match as it would be, had it been played on a table of this size from the start."""
    return Log(log.game, {**log.options, **dict(zip(("width", "height"), area, strict=True))}, log.entries)


def as_recorded(log, shift=(0, 0)):
    table = log.game.place(log.state, log.game.layout(log.state))
    return Table(frozenset(replace(seen, x=seen.x + shift[0], y=seen.y + shift[1]) for seen in table.seen))


@pytest.mark.parametrize(
    ("game", "options", "area", "shift"),
    [
        pytest.param("nimmt", {"players": 3}, (700, 460), (0, 0), id="base-on-fewer-millimetres"),
        pytest.param("nimmt", {"players": 3}, (594, 420), (0, 0), id="base-with-fewer-seats"),
        pytest.param("nimmt", {"players": 3, "seats": "off"}, (594, 420), (0, 0), id="without-seats"),
        pytest.param("nimmt", {"players": 2, "variant": "professional"}, (700, 460), (0, 0), id="professional"),
        pytest.param("nimmt", {"players": 4, "variant": "halves"}, (1200, 800), (0, 0), id="halves"),
        pytest.param("nimmt", SPECIALS, (1200, 800), (0, 0), id="anniversary"),
        pytest.param("thegame", {"players": 3}, (600, 450), (0, 0), id="the-game"),
        pytest.param("six", {}, (600, 450), (-150, -75), id="six"),
    ],
)
def test_a_game_taken_up_on_another_table_goes_on_there(game, options, area, shift):
    log, players = played(game, 33, **options)
    there = elsewhere(log, area)
    box = resumed(log, area)
    assert find_read_request(box).zones == there.game.plan(there.options).zones
    assert now(box).guide is not None
    box, written = see(box, as_recorded(there, shift))
    assert now(box).guide is None
    assert show_box(box).alert == game_view(now(box).log).alert
    further = there.add(players.next(there.state))
    box, more = see(box, as_recorded(further, shift))
    after = now(box).log
    assert len(after.moves) > len(log.moves)
    entries = [entry for write in (*written, *more) if isinstance(write, WriteEntries) for entry in write.entries]
    stored = log.add(*map(log.parse, entries))
    assert stored.moves == after.moves
    assert game_view(stored).pads == game_view(after).pads


@pytest.mark.parametrize("area", [BEGUN, (893, 606)], ids=["to-the-millimetre", "measured-anew"])
def test_on_the_same_table_nothing_changes(area):
    log, _ = played("nimmt", 33, players=3)
    box = resumed(log, area)
    assert now(box).log is log
    assert find_read_request(box).zones == log.game.plan(log.options).zones


def test_a_game_begun_by_hand_is_read_once_the_camera_has_been_set_up():
    box, _ = tell(Box(Context(), (Home(),)), "game:begin nimmt players=3", "menu", "camera:set-up")
    assert isinstance(box.flows[-1], CameraSetup)
    bare = CameraCheck((), focus=0.9, px_module=2.2, area=BEGUN, nearer_cm=0, larger_mm=0, tilt=3.0, still=True)
    box, _ = tell(
        box,
        CameraMeasured(bare, 4.0),
        "camera:keep-empty-table",
        CameraMeasured(bare, 6.0),
        CameraMeasured(bare, 6.1 + STILL_FOR_S),
        CameraMeasured(bare, 6.8 + STILL_FOR_S, kept=True),
        Ticked(7.0),
    )
    there, _ = played("nimmt", 0, players=3)
    assert find_read_request(box).zones == there.game.plan(there.options).zones
    box, done = see(box, as_recorded(there.add(there.parse("deal 10,20,30,40"))))
    assert done == [WriteEntries(("deal 10,20,30,40",), "seen")]


TOO_SMALL = [
    pytest.param("nimmt", SPECIALS, (), (700, 460), (841, 594), id="anniversary"),
    pytest.param("thegame", {"players": 2}, (), (594, 420), (600, 450), id="the-game"),
    pytest.param("six", {}, (), (500, 420), (600, 450), id="six"),
    pytest.param("nimmt", {"players": 2}, ("sit 1 9",), (594, 420), (700, 460), id="somebody-sits-at-a-far-seat"),
]


@pytest.mark.parametrize(("game", "options", "more", "area", "least"), TOO_SMALL)
def test_a_table_that_is_too_small_says_how_large_it_must_be_and_nothing_is_lost(game, options, more, area, least):
    log, players = played(game, 6, *more, **options)
    box = resumed(log, area)
    alert = show_box(box).alert
    assert (alert.id, alert.get("least_width"), alert.get("least_height")) == ("area_too_small", *least)
    assert find_read_request(box) is None
    box, done = see(box, as_recorded(log))
    assert not done
    assert now(box).guide is not None
    box, _ = tell(box, "table:all-is-right")
    assert show_box(box).alert == alert
    assert "game:by-hand" in [offer.move for offer in show_box(box).offers]
    entry = str(players.next(log.state))
    box, done = tell(box, "game:by-hand", entry)
    assert done == [WriteEntries((entry,), "button")]
    box, _ = tell(Box(replace(box.known, area=(1000, 700)), box.flows), Ticked(99.0))
    assert show_box(box).alert == game_view(now(box).log).alert
    assert find_read_request(box).zones == log.game.plan({**log.options, "width": 1000, "height": 700}).zones


def test_what_was_decided_on_a_larger_table_is_stored_for_every_table():
    log, _ = played("nimmt", 0, area=(594, 420), players=2)
    _, done = tell(Box(Context(area=BEGUN), (Home(), play_from(log))), "sit 1 9")
    assert done == [WriteEntries(("sit 1 9",), "button")]
    assert log.add(log.parse("sit 1 9")).state.seats == (9, 2)


def test_a_seat_that_this_table_does_not_have_is_refused():
    box, done = tell(Box(Context(area=(594, 420)), (Home(),)), "game:begin nimmt players=2", "sit 1 9")
    assert (show_box(box).alert.id, len(done)) == ("no_such_seat", 1)
