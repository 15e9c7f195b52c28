"""After the camera fails the last table causes no alert; the next table is judged as usual."""

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware.box.alert_delays import HINT_DELAY_S
from firmware.box.events import Pressed, Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.operation_types import WriteEntries
from hw.button_presses import Button, Press, PressKind
from tests.support import nimmt, six
from tests.support.stack import run_box
from vision.live.fault_sources import BLINDING_SOURCES
from vision.live.perception_events import FaultChanged, TableSeen

LONG = 60.0
SILENT = say("camera_silent")
WAYS_OUT = {"step_back", "table_is_right", "record_is_right"}

CARDS = nimmt.begin(shown=(33, 25))
PAIR = {(0, 0): "red", (1, 0): "black"}
PILES = Log(GAMES["thegame"], {"players": 2})
PILES = PILES.add(PILES.parse("play 12 up:1"))
TILES = six.begin(PAIR, hands=(20, 20))
TURNS = {
    # where a game stands, how that looks, and what is told then
    "nimmt": (CARDS, nimmt.look(CARDS, nimmt.DEAL, {1: 33, 2: 25}), ("lay 25 2", "lay 33 3", "reveal 1 50")),
    "thegame": (PILES, PILES.game.place(PILES.state, PILES.game.layout(PILES.state)), ("play 14 up:1", "play 20 up:1")),
    "six": (TILES, six.look(PAIR), ("lay red 0 1", "lay black 1 1")),
}
FOUL = nimmt.look(CARDS, ((10, 25), (20,), (30,), (40,)), {1: 33})


def begun(log, table):
    box, _ = run_box(Box(Context(), (Home(), play_from(log))), TableSeen(table, 1.0), Ticked(9.0))
    return box


def ways_out(box):
    return {offer.label.id for offer in show_box(box).offers} & WAYS_OUT


@pytest.mark.parametrize("source", sorted(BLINDING_SOURCES))
@pytest.mark.parametrize("game", sorted(TURNS))
def test_manual_entry_announces_no_foul_of_the_table_before_the_camera_failed(game, source):
    log, table, entries = TURNS[game]
    box, _ = run_box(begun(log, table), FaultChanged(source, SILENT, 10.0), parse_told("game:by-hand", "button", 11.0))
    for n, entry in enumerate(entries, 1):
        box, done = run_box(box, parse_told(entry, "button", n * LONG), Ticked((n + 1) * LONG - 1))
        assert [write.entries for write in done] == [(entry,)]
        assert (show_box(box).alert, show_box(box).ruling, ways_out(box)) == (SILENT, "", set())


@pytest.mark.parametrize("source", sorted(BLINDING_SOURCES))
def test_a_foul_is_withdrawn_when_the_camera_can_no_longer_see_it(source):
    box = begun(CARDS, FOUL)
    assert show_box(box).alert.id == "belongs_in_row"
    box, _ = run_box(box, FaultChanged(source, SILENT, 10.0))
    assert (show_box(box).alert, ways_out(box)) == (SILENT, set())
    offered = [offer.move for offer in show_box(run_box(box, parse_told("menu", "button", 11.0))[0]).offers]
    assert not {"table:is-right", "table:overrule"} & set(offered)


@pytest.mark.parametrize("game", sorted(TURNS))
def test_what_is_seen_when_the_camera_is_back_is_judged_as_ever(game):
    log, table, (entry, *_) = TURNS[game]
    box, _ = run_box(begun(log, table), FaultChanged("camera", SILENT, 10.0), parse_told(entry, "button", 11.0))
    box, _ = run_box(box, FaultChanged("camera", None, LONG), Ticked(LONG + 9))
    assert (show_box(box).alert, ways_out(box)) == (None, set())
    box, _ = run_box(box, TableSeen(table, 2 * LONG), Ticked(3 * LONG))
    assert "step_back" in ways_out(box)


def test_lines_to_put_right_are_not_ticked_by_what_was_seen_before():
    box, _ = run_box(begun(CARDS, FOUL), parse_told("table:rebuild", "button", 10.0))
    before = len(show_box(box).lines)
    box, _ = run_box(box, FaultChanged("camera", SILENT, 11.0))
    assert len(show_box(box).lines) > before


def test_a_fault_of_the_light_does_not_hide_a_foul():
    box, _ = run_box(begun(CARDS, FOUL), FaultChanged("picture", say("picture_light"), 10.0))
    assert show_box(box).alert.id == "belongs_in_row"


# told before it is done


def told_early():
    """OK is pressed for a card that still lies at its seat."""
    box, done = run_box(begun(CARDS, TURNS["nimmt"][1]), Pressed(Press(Button.OK, PressKind.SHORT), 10.0))
    assert done == [WriteEntries(("lay 25 2",), "button")]
    return box


@pytest.mark.parametrize(
    ("looks", "at", "accused"),
    [
        pytest.param((), 10.0 + LONG, False, id="never-by-a-look-that-is-older"),
        pytest.param((10.2, 10.4), 10.6, False, id="not-at-once"),
        pytest.param((10.2, 9.9 + HINT_DELAY_S), 9.9 + HINT_DELAY_S, False, id="not-while-it-may-be-on-its-way"),
        pytest.param((10.2, 10.0 + HINT_DELAY_S), 10.0 + HINT_DELAY_S, True, id="when-it-has-stayed-where-it-was"),
    ],
)
def test_an_entry_made_before_the_act_leaves_time_for_it(looks, at, accused):
    box, _ = run_box(told_early(), *(TableSeen(TURNS["nimmt"][1], when) for when in looks), Ticked(at))
    assert (show_box(box).alert is not None, "step_back" in ways_out(box)) == (accused, accused)


def test_a_foul_after_an_entry_is_announced_without_extra_delay():
    wrong = TableSeen(nimmt.look(CARDS, ((10, 25), (20,), (30,), (40,)), {1: 33}), 11.0)
    box, _ = run_box(told_early(), TableSeen(TURNS["nimmt"][1], 10.2), wrong, Ticked(11.5))
    assert show_box(box).alert is not None


def test_a_foul_that_stands_is_not_excused_by_telling_something_else():
    log = nimmt.begin()
    box = begun(log, nimmt.look(log, ((10, 20), (), (30,), (40,))))
    accused = show_box(box).alert
    box, done = run_box(box, parse_told("choose 1", "button", 10.0), Ticked(10.2))
    assert (len(done), show_box(box).alert) == (1, accused)
    assert accused is not None
