"""Input state: presses, presses that only wake the screen, stuck buttons, and transient messages."""

from dataclasses import replace

import pytest

from engine.text import say
from engine.view import Offer, Pad, View
from firmware.runtime.button_and_screen_state import ButtonAndScreenState
from hw.button_presses import STUCK_AFTER_S, Button, Edge, Press, PressKind
from hw.panel.panel import Brightness
from hw.panel.screen_saver import DIM_AFTER_S, OFF_AFTER_S
from hw.panel.transient_messages import announce_heads

GAME = View(say("lay_behind", card=4, row=1, behind=3), 1, (Pad(1, now=3, cards=5), Pad(2)))
ASKING = replace(GAME, offers=tuple(Offer(say("take_row", row=row, n=2), str(row)) for row in (1, 2, 3, 4)))


def tap(button, at):
    return [Edge(button, True, at), Edge(button, False, at + 0.1)]


TAPS = {
    "bright": (1.0, GAME, [Press(Button.OK, PressKind.SHORT)]),
    "dim": (DIM_AFTER_S + 1, GAME, [Press(Button.OK, PressKind.SHORT)]),
    "dark": (OFF_AFTER_S + 1, GAME, []),
    "bright during a question": (OFF_AFTER_S + 1, ASKING, [Press(Button.OK, PressKind.SHORT)]),
}


@pytest.mark.parametrize(("at", "view", "heard"), TAPS.values(), ids=TAPS)
def test_a_tap_acts_unless_it_wakes_the_screen(at, view, heard):
    attending, presses = ButtonAndScreenState().felt(tap(Button.OK, at), view, at + 0.2)
    assert [*presses] == heard
    assert attending.light(view, at + 0.3) == Brightness.BRIGHT
    again, presses = attending.felt(tap(Button.OK, at + 1), view, at + 1.2)
    assert [*presses] == [Press(Button.OK, PressKind.SHORT)]
    assert again.light(view, at + 1.3) == Brightness.BRIGHT


def test_releasing_the_button_that_woke_the_screen_does_nothing():
    at = OFF_AFTER_S + 1
    attending, presses = ButtonAndScreenState().felt([Edge(Button.OK, True, at)], GAME, at + 0.05)
    assert (attending.light(GAME, at + 0.05), presses) == (Brightness.BRIGHT, ())
    attending, presses = attending.felt([Edge(Button.OK, False, at + 0.3)], GAME, at + 0.4)
    assert presses == ()


@pytest.mark.parametrize(("at", "view", "heard"), TAPS.values(), ids=TAPS)
def test_a_key_acts_unless_it_wakes_the_screen(at, view, heard):
    attending, acts = ButtonAndScreenState().pressed(view, at)
    assert acts == bool(heard)
    assert attending.light(view, at) == Brightness.BRIGHT


def test_an_accepted_card_wakes_the_screen_and_a_bar_does_not():
    late = OFF_AFTER_S + 1
    assert ButtonAndScreenState().saw(GAME, replace(GAME, turn=2), late).light(GAME, late) == Brightness.BRIGHT
    assert ButtonAndScreenState().saw(GAME, replace(GAME, bar=0.3), late).light(GAME, late) == Brightness.OFF


def test_a_stuck_button_is_named_and_does_not_wake_the_screen():
    attending, _ = ButtonAndScreenState().felt([Edge(Button.OK, True, 0.0)], GAME, 1.0)
    assert attending.stuck(1.0) is None
    for second in range(2, int(OFF_AFTER_S + STUCK_AFTER_S) + 30, 10):
        attending, _ = attending.felt((), GAME, float(second))
    assert attending.stuck(second) == say("button_stuck", value="OK")
    assert attending.light(GAME, second) == Brightness.OFF


def test_a_held_button_fills_a_bar():
    attending, _ = ButtonAndScreenState().felt([Edge(Button.BACK, True, 0.0)], GAME, 0.4)
    assert attending.holding(0.4).part == pytest.approx(0.5)


TAKES = {
    "no change": ({}, ()),
    "a row": ({"pads": (Pad(1, now=15, cards=10), Pad(2))}, (say("took_heads", player=1, n=12),)),
    "one head": ({"pads": (Pad(1, now=3, cards=5), Pad(2, now=1, cards=1))}, (say("took_heads", player=2, n=1),)),
    "a correction": ({"pads": (Pad(1, now=0, cards=0), Pad(2))}, ()),
    "another game": ({"pads": (Pad(0, total=90, cards=8),)}, ()),
    "the round was counted": ({"pads": (Pad(1, total=3, cards=0), Pad(2))}, ()),
}


@pytest.mark.parametrize(("change", "texts"), TAKES.values(), ids=TAKES)
def test_taken_rows_are_shown_as_messages(change, texts):
    after = replace(GAME, **change)
    assert announce_heads(GAME, after) == texts
    attending, note = ButtonAndScreenState().saw(GAME, after, 0.0).note(after, 0.0)
    assert note == (texts[0] if texts else None)
    assert attending.note(after, 5.0)[1] is None


def test_news_is_a_message_that_is_shown_once_and_raises_no_alert():
    early = replace(GAME, news=(say("shown_early", player=1),))
    both = replace(GAME, news=(say("shown_early", player=1), say("shown_early", player=2)))
    state, note = ButtonAndScreenState().saw(GAME, early, 0.0).note(early, 0.0)
    assert note == early.news[0]
    state, note = state.saw(early, both, 5.0).note(both, 5.0)
    assert note == both.news[1]
    assert state.saw(both, both, 10.0).note(both, 10.0)[1] is None
