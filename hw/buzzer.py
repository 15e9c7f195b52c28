"""A buzzer on one pin: one that sings any tone, or one that only knows its own."""

from abc import ABC, abstractmethod
from typing import Any

from gpiozero import Buzzer as Whistle
from gpiozero import TonalBuzzer
from gpiozero.tones import Tone

from engine.text import say
from hw.errors import DeviceError

OCTAVES = 3


class NoBuzzer(DeviceError):
    """The pin cannot be used for a buzzer."""


class Buzzer(ABC):
    @abstractmethod
    def sound(self, hertz: int) -> None:
        """This tone from now on, 0 is silence."""

    def close(self) -> None:  # noqa: B027  nothing to let go
        """Silent, and the pin is free."""


class Silence(Buzzer):
    """For a box without one: keeps the tone and plays it to nobody."""

    def __init__(self) -> None:
        self.hertz = 0

    def sound(self, hertz: int) -> None:
        self.hertz = hertz


class PinBuzzer(Buzzer):
    """``own_tone``: the buzzer has an oscillator inside and is only switched on and off."""

    def __init__(self, pin: int, *, own_tone: bool = False, factory: Any = None) -> None:
        self._own_tone = own_tone
        try:
            if own_tone:
                self._device = Whistle(pin, pin_factory=factory)
            else:
                self._device = TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory)
        except Exception as why:  # every library for pins has errors of its own
            raise NoBuzzer(say("buzzer_no_pin", value=f"GPIO{pin}")) from why

    def sound(self, hertz: int) -> None:
        if self._own_tone:
            self._device.value = bool(hertz)
        elif hertz:
            self._device.play(Tone.from_frequency(hertz))
        else:
            self._device.stop()

    def close(self) -> None:
        self._device.close()


def open_buzzer(pin: int | None, *, own_tone: bool = False, factory: Any = None) -> Buzzer:
    """No pin, no sound."""
    return Silence() if pin is None else PinBuzzer(pin, own_tone=own_tone, factory=factory)
