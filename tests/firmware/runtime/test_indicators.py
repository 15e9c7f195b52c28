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
from firmware.runtime.indicators import IndicatorOptions, Indicators, open_indicators
from hw.buzzer import DummyBuzzer
from hw.lamp import DummyLamp
from hw.signals import DARK, RED, SEATS
from hw.voice import DummyVoice

GAME = View(say("turn_up"), 1, (Pad(1), Pad(2)))
NAMES = {1: "Ada", 2: "Bob"}


def happening(before, after):
    return Happened(Ticked(0.0), before, (), after, NAMES)


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
    [(replace(GAME, turn=2), SEATS[1]), (replace(GAME, alert=say("row_full", row=2)), RED)],
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
