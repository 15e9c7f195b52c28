"""The stack of flows: what the four buttons do, and which alert is shown."""

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware.box.alert_delays import ANSWER_SHOWN_S, FOUL_DELAY_S
from firmware.box.button_actions import OK_DELAY_S
from firmware.box.effects import PowerOff, Restart
from firmware.box.events import Pressed, Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.operation_types import WriteEntries
from hw.button_presses import Button, Press, PressKind
from tests.support import six
from tests.support.nimmt import DEAL, begin, look
from tests.support.stack import run_box
from vision.live.fault_sources import FAULT_SOURCES
from vision.live.perception_events import FaultChanged, TableSeen

UP, DOWN, OK, BACK = (Press(button, PressKind.SHORT) for button in (Button.UP, Button.DOWN, Button.OK, Button.BACK))
MENU = Press(Button.BACK, PressKind.LONG)


def box_with(log):
    return Box(Context(), (Home(), play_from(log)))


def low_card():
    return box_with(begin(shown=(5, 90)))


def test_up_and_down_choose_among_the_offers_and_ok_takes_one():
    box, _ = run_box(low_card(), Pressed(DOWN, 0.0), Pressed(DOWN, 0.1), Pressed(UP, 0.2))
    shown = show_box(box)
    assert shown.offers[shown.cursor].move == "take 2"
    box, done = run_box(box, Pressed(OK, 0.3))
    assert done == [WriteEntries(("take 2",), "button")]
    assert show_box(box).cursor == 0


def test_a_cursor_that_was_moved_stays_on_its_offer_when_others_come():
    log = begin(shown=(5, 90))
    box, _ = run_box(
        box_with(log), Pressed(DOWN, 0.0), TableSeen(look(log, ((10,), (20,), (30, 5), (40,)), {2: 90}), 0.5)
    )
    box, _ = run_box(box, Ticked(2.0))
    shown = show_box(box)
    assert (shown.alert is None, shown.offers[shown.cursor].move) == (False, "take 2")


def test_the_cursor_goes_round():
    box, _ = run_box(low_card(), Pressed(UP, 0.0))
    assert show_box(box).cursor == len(show_box(box).offers) - 1


def test_an_offer_that_has_just_changed_by_itself_is_not_taken_by_a_press_meant_for_another():
    log = begin(shown=(33, 25))
    wrong = TableSeen(look(log, ((10, 25), (20,), (30,), (40,)), {1: 33}), 0.0)
    box, _ = run_box(box_with(log), wrong, Ticked(FOUL_DELAY_S * 0.9))
    assert not show_box(box).alert
    box, done = run_box(box, Ticked(FOUL_DELAY_S), Pressed(OK, FOUL_DELAY_S + OK_DELAY_S / 2))
    assert show_box(box).alert
    assert not done
    box, done = run_box(box, Pressed(OK, FOUL_DELAY_S + 1.1 * OK_DELAY_S))
    assert len(done) == 1


def test_the_game_goes_on_behind_its_menu_and_nothing_there_is_pressed_by_accident():
    log = begin(shown=(33, 25))
    box, _ = run_box(box_with(log), Pressed(MENU, 0.0))
    assert show_box(box).prompt.id == "game_menu"
    box, done = run_box(box, TableSeen(look(log, ((10,), (20, 25), (30,), (40,)), {1: 33}), 0.5))
    assert done == [WriteEntries(("lay 25 2",), "seen")]
    assert show_box(run_box(box, Pressed(BACK, 1.0))[0]).prompt.id == "lay_behind"


def test_back_closes_what_is_open_and_nothing_else():
    box, done = run_box(box_with(begin()), *(Pressed(BACK, n) for n in range(5)))
    assert (len(box.flows), done) == (2, [])


def test_perception_reads_what_the_topmost_reading_flow_requests():
    box, _ = run_box(box_with(begin()), Pressed(MENU, 0.0))
    assert find_read_request(box).game == "nimmt"
    assert find_read_request(Box(Context(), (Home(),))) is None


def test_a_trouble_is_shown_until_it_is_over_and_the_game_goes_on_by_hand():
    gone = say("camera_gone")
    box = box_with(Log(GAMES["nimmt"], {"players": 2}))
    box, _ = run_box(box, FaultChanged("camera", gone, 0.0))
    assert show_box(box).alert == gone
    box, done = run_box(box, parse_told("deal 10,20,30,40", "button", 1.0), FaultChanged("camera", None, 2.0))
    assert done == [WriteEntries(("deal 10,20,30,40",), "button")]
    assert show_box(box).alert is None


def test_of_several_troubles_the_gravest_is_shown_and_none_hides_what_lies_wrong_or_a_question():
    box = low_card()
    asked = show_box(box)
    for source in reversed(FAULT_SOURCES):
        box, _ = run_box(
            box, FaultChanged(source, say("journal_full") if source == "journal" else say("camera_gone"), 0.0)
        )
        shown = show_box(box)
        offers = shown.offers[: len(asked.offers)]  # one more is to go on by hand
        assert replace(shown, offers=offers) == replace(asked, alert=box.known.faults[0][1])
    assert show_box(box).alert == say("journal_full")
    box, _ = run_box(box, FaultChanged("journal", None, 1.0))
    assert show_box(box).alert == say("camera_gone")
    box, _ = run_box(box, parse_told("lay 33 3", "web", 2.0))
    assert show_box(box).alert not in (None, say("camera_gone"))
    assert [source for source, _ in box.known.faults] == [*FAULT_SOURCES[1:]]


PILES = Log(GAMES["thegame"], {"players": 2})
NEWS = {
    "draws": PILES.add(*map(PILES.parse, ("play 12 up:1", "play 90 down:1", "done 1 2"))),
    "near_border": Log(GAMES["six"], {}, origin=six.state({(0, 0): "red", (1, 0): "black"}, anchor=(20, 20, 0, 380))),
}


@pytest.mark.parametrize("source", FAULT_SOURCES)
@pytest.mark.parametrize("news", NEWS)
def test_what_a_game_announces_is_no_alert_and_hides_no_fault(news, source):
    box = box_with(NEWS[news])
    announced = show_box(box).news
    assert ([text.id for text in announced], show_box(box).alert) == ([news], None)
    trouble = say("journal_full")
    box, _ = run_box(box, FaultChanged(source, trouble, 1.0))
    for at in range(1, 60):
        shown = show_box(run_box(box, Ticked(float(at)))[0])
        assert (shown.news, shown.alert) == (announced, trouble)
    assert show_box(run_box(box, FaultChanged(source, None, 60.0))[0]).alert is None


def test_a_foul_and_a_journal_fault_are_shown_in_turn():
    log, full = begin(shown=(33, 25)), say("journal_full")
    box, _ = run_box(box_with(log), TableSeen(look(log, ((10, 25), (20,), (30,), (40,)), {1: 33}), 0.0))
    box, _ = run_box(box, FaultChanged("journal", full, 1.0))
    said = []
    for at in range(1, 61):
        box, _ = run_box(box, Ticked(float(at)))
        said.append((show_box(box).alert.id, show_box(box).ruling))
    assert set(said) == {("belongs_in_row", "N-10"), ("journal_full", "")}
    assert said.count(("journal_full", "")) == 15
    assert len([now for was, now in pairwise(said) if was != now]) == 6  # each is said long enough to be read
    box, _ = run_box(box, FaultChanged("journal", None, 61.0))
    assert {show_box(run_box(box, Ticked(61.0 + n))[0]).alert.id for n in range(20)} == {"belongs_in_row"}


@pytest.mark.parametrize("at", range(20, 40, 2))
def test_an_answer_is_shown_to_its_end_beside_a_fault(at):
    box, _ = run_box(box_with(begin(shown=(33, 25))), FaultChanged("camera", say("camera_gone"), 1.0))
    box, _ = run_box(box, parse_told("lay 33 3", "button", float(at)), Ticked(at + 0.9 * ANSWER_SHOWN_S))
    assert show_box(box).alert.id == "laid_before"
    said = {show_box(run_box(box, Ticked(at + ANSWER_SHOWN_S + n))[0]).alert.id for n in range(20)}
    assert said == {"laid_before", "camera_gone"}


def test_no_rule_is_cited_for_what_ails_the_picture():
    full = ((1, 2, 3, 4, 5), (20,), (30,), (40,))
    log = begin(full, shown=(6, 90))
    box, _ = run_box(box_with(log), TableSeen(look(log, ((*full[0], 6), *full[1:]), {2: 90}), 0.0))
    assert show_box(box).ruling == "N-12"
    box, _ = run_box(box, FaultChanged("picture", say("picture_light"), 0.5))
    assert (show_box(box).alert, show_box(box).ruling) == (None, "N-12")  # cards are read all the same
    dark = say("picture_dark")
    box, _ = run_box(box, FaultChanged("picture", dark, 1.0))
    assert (show_box(box).alert, show_box(box).ruling) == (dark, "")
    unclear = say("tiles_unclear")
    box, _ = run_box(box, FaultChanged("picture", unclear, 2.0))
    assert (show_box(box).alert, show_box(box).ruling) == (unclear, "S-3")


def test_the_cause_of_a_blind_camera_replaces_the_alert_that_it_is_blind():
    log = begin(shown=(33, 25))
    rows = log.game.plan(log.options).zones
    hidden = replace(look(log, ((10,), (20,), (30,), (40,)), {1: 33, 2: 25}), unseen=tuple(rows.values()))
    box, _ = run_box(box_with(log), TableSeen(hidden, 0.0), TableSeen(hidden, 9.0))
    assert show_box(box).alert.id == "cannot_see_table"
    twice = say("card_seen_twice", card="33")
    assert show_box(run_box(box, FaultChanged("picture", twice, 9.5))[0]).alert == twice
    assert show_box(run_box(box, FaultChanged("power", say("power_low"), 9.5))[0]).alert.id == "cannot_see_table"


@pytest.mark.parametrize("words", ["fly", "lay 33 3"], ids=["no-move", "not-his-turn"])
def test_a_refusal_is_shown_until_the_next_action(words):
    box, done = run_box(box_with(begin(shown=(33, 25))), parse_told(words, "web", 0.0))
    assert show_box(box).alert
    assert not done
    assert show_box(run_box(box, Pressed(BACK, 1.0))[0]).alert is None


def test_ok_and_back_held_together_start_the_program_anew():
    assert run_box(box_with(begin()), Pressed(Press(Button.OK, PressKind.RESTART), 0.0))[1] == [Restart()]


@pytest.mark.parametrize("button", [Button.BACK, Button.POWER])
def test_a_button_held_for_as_long_switches_off(button):
    assert run_box(box_with(begin()), Pressed(Press(button, PressKind.OFF), 0.0))[1] == [PowerOff()]


def test_a_card_put_back_is_taken_back_with_one_press():
    log = begin(shown=(33, 25))
    laid = TableSeen(look(log, ((10,), (20, 25), (30,), (40,)), {1: 33}), 0.0)
    back = TableSeen(look(log, DEAL, {1: 33, 2: 25}), 1.0)
    box, _ = run_box(box_with(log), laid, back, Ticked(3.0))
    assert show_box(box).offers[0].label.id == "step_back"
    box, done = run_box(box, Pressed(OK, 4.0))
    assert done == [WriteEntries((f"amend {len(log.moves)} {len(log.moves) + 1}",), "button")]
