"""What the light shows, the buzzer beeps and the voice says after each event at the table."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.text import Text
from engine.view import View
from firmware.runtime.companion import Happened
from firmware.texts.render import render
from hw.buzzer import Buzzer, DummyBuzzer, NoBuzzer, open_buzzer
from hw.lamp import DummyLamp, Lamp, NoLamp, open_lamp
from hw.light_and_beep_patterns import AMBER, DIM_WHITE, RED, SEAT_COLOURS, Colour, Signal
from hw.light_and_beep_thread import SignalThread
from hw.voice import DummyVoice, Voice, open_voice


@dataclass(frozen=True, slots=True)
class IndicatorOptions:
    """Pins of a light (one, or red, green and blue) and of a buzzer, whether a voice speaks, and the language."""

    light: tuple[int, ...] = ()
    buzzer: int | None = None
    voice: bool = False
    language: str = "en"


class Indicators:
    """``update`` gets each event; ``run`` is the thread of light and buzzer, until ``close``."""

    def __init__(self, lamp: Lamp, buzzer: Buzzer, voice: Voice, language: str = "en") -> None:
        self._lamp, self._buzzer, self._voice = lamp, buzzer, voice
        self._language = language
        self._signaller = SignalThread(lamp, buzzer)
        self._stays = False

    def update(self, what: Happened) -> None:
        signal = choose_signal(what.before, what.view)
        if signal is not None:
            self._signaller.play(signal)
        elif what.before.alert is not None and what.view.alert is None:
            self._signaller.play(None)
        self._signaller.set_steady(steady_colour(what.view))
        if texts := list_spoken_texts(what.before, what.view):
            said = ". ".join(render(text, self._language, what.names) for text in texts)
            self._voice.say(said, self._language)

    def run(self) -> None:
        self._signaller.run()
        if not self._stays:
            self._lamp.close()
        self._buzzer.close()

    def leave(self) -> tuple[int, ...]:
        """Show that power must stay on, even after ``close``; the pins that stay lit."""
        self._stays = True
        self._signaller.play(Signal.STOPPING)
        return self._lamp.lit_pins(AMBER)

    def close(self) -> None:
        self._signaller.close()
        self._voice.close()


def choose_signal(before: View, after: View) -> Signal | None:
    """The most important change, or None."""
    if after.over and not before.over:
        return Signal.MATCH_OVER
    if after.alert is not None and after.alert != before.alert:
        return Signal.WRONG
    if after.prompt.id == "round_over" != before.prompt.id:
        return Signal.ROUND_OVER
    if any(now.cards > was.cards and now.now > was.now for was, now in zip(before.pads, after.pads, strict=False)):
        return Signal.TAKEN
    return Signal.TURN if after.turn is not None and after.turn != before.turn else None


def steady_colour(view: View) -> Colour:
    """The colour between signals: red for an alert, else the colour of the player to act, else dim white."""
    if view.alert is not None:
        return RED
    return SEAT_COLOURS[(view.turn - 1) % len(SEAT_COLOURS)] if view.turn else DIM_WHITE


def list_spoken_texts(before: View, after: View) -> tuple[Text, ...]:
    """What the voice says about a change: a new alert alone, else news and a new prompt."""
    if after.alert is not None and after.alert != before.alert:
        return (after.alert,)
    prompt = (after.prompt,) if after.prompt != before.prompt else ()
    return (*after.news_since(before), *prompt)


def open_indicators(signs: IndicatorOptions, tell: Callable[[Text], None]) -> Indicators:
    """Open the devices; report and leave out those that fail."""
    lamp: Lamp = DummyLamp()
    buzzer: Buzzer = DummyBuzzer()
    try:
        lamp = open_lamp(signs.light)
    except NoLamp as why:
        tell(why.text)
    try:
        buzzer = open_buzzer(signs.buzzer)
    except NoBuzzer as why:
        tell(why.text)
    return Indicators(lamp, buzzer, open_voice() if signs.voice else DummyVoice(), signs.language)
