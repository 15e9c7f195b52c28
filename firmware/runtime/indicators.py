"""Light, buzzer and voice: events at the table become signals on the devices that exist."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.text import Text
from firmware.runtime.companion import Happened
from firmware.texts.render import render
from hw.buzzer import Buzzer, DummyBuzzer, NoBuzzer, open_buzzer
from hw.lamp import DummyLamp, Lamp, NoLamp, open_lamp
from hw.signal_thread import SignalThread
from hw.signals import AMBER, Signal, choose_signal, spoken_text, steady_colour
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
        if text := spoken_text(what.before, what.view):
            self._voice.say(render(text, self._language, what.names), self._language)

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
