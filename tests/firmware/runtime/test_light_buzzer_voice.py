"""Events at the table reach the light, buzzer and voice that exist, and no device stops a game."""

from dataclasses import replace
from threading import Event, Thread

import click
import pytest

from engine.text import say
from engine.view import Pad, View
from firmware.box.events import Ticked
from firmware.cli.run import _pins
from firmware.runtime.companion import Happened
from firmware.runtime.light_buzzer_voice import (
    IndicatorOptions,
    Indicators,
    choose_signal,
    list_spoken_texts,
    open_indicators,
    steady_colour,
)
from hw.buzzer import DummyBuzzer
from hw.lamp import DummyLamp
from hw.light_and_beep_patterns import DARK, DIM_WHITE, RED, SEAT_COLOURS, Signal
from hw.voice import DummyVoice

GAME = View(say("turn_up"), 1, (Pad(1), Pad(2)))
NAMES = {1: "Ada", 2: "Bob"}


def happening(before, after):
    return Happened(Ticked(0.0), before, (), after, NAMES)


PLAYED = View(say("lay_behind", card=4, row=1, behind=3), 1, (Pad(1, now=3, cards=5), Pad(2)))
TOOK = (Pad(1, now=3, cards=5), Pad(2, now=7, cards=5))
CHANGES = {
    "no change": ({}, None),
    "the next player": ({"turn": 2}, Signal.TURN),
    "no player to act": ({"turn": None}, None),
    "an alert": ({"alert": say("row_full", row=2), "turn": 2}, Signal.WRONG),
    "a player took a row": ({"pads": TOOK, "turn": 2}, Signal.TAKEN),
    "the round is over": ({"prompt": say("round_over", round=1), "pads": TOOK}, Signal.ROUND_OVER),
    "the match is over": ({"over": True, "pads": TOOK}, Signal.MATCH_OVER),
    "a card in a team game": ({"pads": (Pad(0, total=50, cards=48),)}, None),
}


@pytest.mark.parametrize(("change", "signal"), CHANGES.values(), ids=CHANGES)
def test_a_change_of_the_view_has_the_expected_signal(change, signal):
    assert choose_signal(PLAYED, replace(PLAYED, **change)) == signal


def test_an_alert_is_signalled_once():
    wrong = replace(PLAYED, alert=say("row_full", row=2))
    assert choose_signal(wrong, wrong) is None
    assert choose_signal(wrong, PLAYED) is None
    assert choose_signal(wrong, replace(wrong, alert=say("row_full", row=3))) == Signal.WRONG


def test_the_steady_light_has_the_colour_of_the_player_to_act():
    assert [steady_colour(replace(PLAYED, turn=n)) for n in range(1, 11)] == [*SEAT_COLOURS]
    assert len(set(SEAT_COLOURS)) == 10
    assert steady_colour(replace(PLAYED, turn=None)) == DIM_WHITE
    assert steady_colour(replace(PLAYED, alert=say("camera_silent"))) == RED


def test_the_voice_speaks_the_alert_before_the_prompt():
    wrong = replace(PLAYED, alert=say("row_full", row=2), prompt=say("turn_up"))
    assert list_spoken_texts(PLAYED, wrong) == (wrong.alert,)
    assert list_spoken_texts(wrong, wrong) == ()
    assert list_spoken_texts(PLAYED, replace(PLAYED, prompt=say("turn_up"))) == (say("turn_up"),)
    assert list_spoken_texts(wrong, replace(wrong, alert=None)) == ()


def test_the_voice_speaks_news_once_and_then_the_prompt():
    drawn = replace(PLAYED, news=(say("draws", player=1, n=2),), prompt=say("lay_cards", n=2))
    assert list_spoken_texts(PLAYED, drawn) == (say("draws", player=1, n=2), say("lay_cards", n=2))
    assert list_spoken_texts(drawn, drawn) == ()


def test_news_are_neither_signalled_nor_lit_as_a_fault():
    drawn = replace(PLAYED, news=(say("draws", player=1, n=2),))
    assert choose_signal(PLAYED, drawn) is None
    assert steady_colour(drawn) == SEAT_COLOURS[0]


class Awaited(DummyLamp):
    """A light that sets an event when it shows a given colour."""

    def __init__(self, colour):
        super().__init__()
        self._wanted, self.there = colour, Event()

    def show(self, colour):
        super().show(colour)
        if colour == self._wanted:
            self.there.set()


@pytest.mark.parametrize(
    ("after", "colour"),
    [(replace(GAME, turn=2), SEAT_COLOURS[1]), (replace(GAME, alert=say("row_full", row=2)), RED)],
    ids=["the colour of the next player", "red during an alert"],
)
def test_a_change_of_the_view_reaches_the_light(after, colour):
    lamp, buzzer = Awaited(colour), DummyBuzzer()
    signing = Indicators(lamp, buzzer, DummyVoice())
    thread = Thread(target=signing.run)
    thread.start()
    signing.update(happening(GAME, after))
    assert lamp.there.wait(5)
    signing.close()
    thread.join(5)
    assert (lamp.colour, buzzer.hertz) == (DARK, 0)


def test_the_voice_speaks_texts_with_names():
    voice = DummyVoice()
    Indicators(DummyLamp(), DummyBuzzer(), voice).update(
        happening(GAME, replace(GAME, prompt=say("pick_card", player=2)))
    )
    assert voice.said == "Bob picks a card"


def test_a_device_that_cannot_be_opened_is_reported_and_skipped(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nosuchchip")
    told = []
    signing = open_indicators(IndicatorOptions(light=(17, 27, 22), buzzer=12), told.append)
    assert [text.id for text in told] == ["lamp_no_pin", "buzzer_no_pin"]
    signing.update(happening(GAME, replace(GAME, turn=2)))
    signing.close()


PINS = {"": (), "17": (17,), "17,27,22": (17, 27, 22)}


@pytest.mark.parametrize(("text", "pins"), PINS.items(), ids=lambda value: str(value) or "none")
def test_a_light_has_zero_one_or_three_pins(text, pins):
    assert _pins(text) == pins


@pytest.mark.parametrize("text", ["17,27", "red", "17,,22", "28", "-1"])
def test_invalid_pins_are_refused_with_a_remedy(text):
    with pytest.raises(click.BadParameter, match="one pin, or three"):
        _pins(text)
