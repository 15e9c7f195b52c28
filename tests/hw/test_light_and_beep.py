"""Events at the table reach the light, the buzzer and the voice; each of them may be absent."""

import stat
from dataclasses import replace
from itertools import pairwise
from threading import Event, Thread

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hw.buzzer import DummyBuzzer, NoBuzzer, open_buzzer
from hw.lamp import DummyLamp, NoLamp, open_lamp
from hw.light_and_beep_patterns import (
    AMBER,
    DARK,
    DIM_WHITE,
    PATTERNS,
    RED,
    SEAT_COLOURS,
    WHITE,
    Signal,
    SignalPattern,
    colour_at,
    next_change,
    tone_at,
)
from hw.light_and_beep_thread import SignalThread
from hw.voice import PACE, VOICES, DummyVoice, EspeakVoice, open_voice


@pytest.fixture
def factory():
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


ONCE = SignalPattern(((0.5, RED), (0.25, DARK)), ((0.25, 440),))
FOREVER = replace(ONCE, repeats=True)
MOMENTS = {
    "start": (ONCE, 0.0, RED, 440, 0.25),
    "the tone ends first": (ONCE, 0.3, RED, 0, 0.5),
    "dark step": (ONCE, 0.5, DARK, 0, 0.75),
    "end": (ONCE, 0.75, None, 0, float("inf")),
    "first repeat": (FOREVER, 0.8, RED, 0, 1.25),
    "tenth repeat": (FOREVER, 7.6, RED, 0, 8.0),
    "without a tone": (SignalPattern(((1.0, RED),)), 0.0, RED, 0, 1.0),
    "without a light": (SignalPattern((), ((1.0, 440),)), 0.5, None, 440, 1.0),
}


@pytest.mark.parametrize(("sign", "after", "light", "tone", "then"), MOMENTS.values(), ids=MOMENTS)
def test_a_pattern_has_a_colour_a_tone_and_a_next_change(sign, after, light, tone, then):
    assert (colour_at(sign, after), tone_at(sign, after)) == (light, tone)
    assert next_change(sign, after) == pytest.approx(then)


@pytest.mark.parametrize("signal", Signal)
def test_every_signal_has_its_own_pattern(signal):
    sign = PATTERNS[signal]
    assert [other for other in Signal if PATTERNS[other] == sign] == [signal]
    assert sign.lights
    assert sum(seconds for seconds, _ in sign.tones) < 1.0, "a sound must not outlast the moment"
    steps, at = [], 0.0
    while at < 5.0:
        steps.append(at)
        at = next_change(sign, at)
    assert all(after - before > 0.01 for before, after in pairwise(steps))


class Table:
    """A light and a buzzer with a settable clock."""

    def __init__(self):
        self.now = 0.0
        self.lamp, self.buzzer = DummyLamp(), DummyBuzzer()
        self.signaller = SignalThread(self.lamp, self.buzzer, clock=lambda: self.now)

    def at(self, second):
        self.now = second
        self.signaller.step()
        return self.lamp.colour, self.buzzer.hertz


def test_the_steady_colour_returns_after_a_signal():
    table = Table()
    table.signaller.set_steady(SEAT_COLOURS[2])
    assert table.at(0.0) == (SEAT_COLOURS[2], 0)
    table.signaller.play(Signal.TURN)
    assert table.at(0.01) == (WHITE, 880)
    assert table.at(0.06) == (WHITE, 0)
    assert table.at(0.09) == (SEAT_COLOURS[2], 0)


def test_an_alert_blinks_until_it_is_cleared():
    table = Table()
    table.signaller.play(Signal.WRONG)
    assert [table.at(second)[0] for second in (0.0, 0.3, 100.0, 100.3)] == [RED, DARK, RED, DARK]
    assert table.at(100.0)[1] == 0
    table.signaller.play(None)
    assert table.at(100.4) == (DIM_WHITE, 0)


class WatchedLamp(DummyLamp):
    """A light that sets an event when it shows amber or red."""

    def __init__(self):
        super().__init__()
        self.on = Event()

    def show(self, colour):
        super().show(colour)
        if colour in (AMBER, RED):
            self.on.set()


@pytest.mark.parametrize(
    ("signal", "left"),
    [(Signal.WRONG, DARK), (Signal.STOPPING, AMBER)],
    ids=["dark", "lit while the plug must stay in"],
)
def test_the_thread_plays_a_signal_and_ends_silent_and(signal, left):
    lamp, buzzer = WatchedLamp(), DummyBuzzer()
    signaller = SignalThread(lamp, buzzer)
    thread = Thread(target=signaller.run)
    thread.start()
    signaller.play(signal)
    assert lamp.on.wait(5)
    signaller.close()
    thread.join(5)
    assert not thread.is_alive()
    assert (lamp.colour, buzzer.hertz) == (left, 0)


def test_three_pins_show_the_colour_and_one_pin_its_brightness(factory):
    rgb, one = open_lamp((17, 27, 22), factory=factory), open_lamp((5,), factory=factory)
    for lamp in (rgb, one):
        lamp.show((1.0, 0.45, 0.0))
    assert [factory.pin(n).state for n in (17, 27, 22, 5)] == pytest.approx([1.0, 0.45, 0.0, 1.0])
    one.show(DIM_WHITE)
    assert factory.pin(5).state == pytest.approx(0.15)
    rgb.close()
    one.close()


def test_a_common_anode_inverts_the_pins(factory):
    lamp = open_lamp((17, 27, 22), common_anode=True, factory=factory)
    lamp.show(RED)
    assert [factory.pin(n).state for n in (17, 27, 22)] == [0.0, 1.0, 1.0]
    lamp.close()


def test_a_passive_buzzer_plays_tones_and_an_active_one_switches(factory):
    sings, own = open_buzzer(12, factory=factory), open_buzzer(13, own_tone=True, factory=factory)
    for hertz in {hertz for sign in PATTERNS.values() for _, hertz in sign.tones}:
        sings.sound(hertz)
        own.sound(hertz)
        assert factory.pin(13).state == bool(hertz)
        if hertz:
            assert factory.pin(12).frequency == pytest.approx(hertz, rel=0.03)
    sings.sound(0)
    assert factory.pin(12).frequency is None
    sings.close()
    own.close()


def test_absent_devices_are_replaced_by_dummies(monkeypatch):
    monkeypatch.setenv("PATH", "")
    lamp, buzzer, voice = open_lamp(()), open_buzzer(None), open_voice()
    lamp.show(RED)
    buzzer.sound(440)
    voice.say("Lay a card")
    assert (lamp.colour, buzzer.hertz, voice.said) == (RED, 440, "Lay a card")
    assert isinstance(voice, DummyVoice)
    for device in (lamp, buzzer, voice):
        device.close()


def test_a_used_pin_is_named(factory):
    lamp = open_lamp((17,), factory=factory)
    with pytest.raises(NoLamp, match="lamp_no_pin value=17 27 22"):
        open_lamp((17, 27, 22), factory=factory)
    with pytest.raises(NoBuzzer, match="buzzer_no_pin value=GPIO17"):
        open_buzzer(17, factory=factory)
    lamp.close()


@pytest.fixture
def program(tmp_path):
    """A stub of espeak-ng that writes its arguments and its input to files."""
    path = tmp_path / "espeak-ng"
    path.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/args\ncat > {tmp_path}/sentence\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.parametrize("language", VOICES)
def test_a_sentence_is_spoken_in_its_language(program, language, monkeypatch):
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    voice = open_voice()
    voice.say("-q Ștefan: așază 44", language)
    voice._speaking.wait()
    voice.close()
    assert (program.parent / "sentence").read_text() == "-q Ștefan: așază 44"
    assert (program.parent / "args").read_text().split() == [
        *("-v", VOICES[language], "-s", str(PACE)),
        *("-b", "1", "--stdin"),
    ]


def test_a_new_sentence_stops_the_old_one(tmp_path):
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    voice = EspeakVoice(str(slow))
    voice.say("one")
    first = voice._speaking
    voice.say("two")
    assert first.returncode is not None
    voice.close()


def test_a_missing_voice_program_is_ignored(tmp_path):
    voice = EspeakVoice(str(tmp_path / "nothing"))
    voice.say("Lay a card")
    assert voice._speaking is None
