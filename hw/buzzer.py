"""A buzzer on one pin: a passive one that plays any tone, or an active one with a tone of its own."""

from abc import ABC, abstractmethod
from typing import Any

from gpiozero import Buzzer as ActiveBuzzer
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
        """Play this tone until further notice; 0 is silence."""

    def close(self) -> None:  # noqa: B027  nothing to release
        """Silence the buzzer and release the pin."""


class DummyBuzzer(Buzzer):
    """For a box without a buzzer: stores the tone."""

    def __init__(self) -> None:
        self.hertz = 0

    def sound(self, hertz: int) -> None:
        self.hertz = hertz


class PinBuzzer(Buzzer):
    """``own_tone``: an active buzzer, which is only switched on and off."""

    def __init__(self, pin: int, *, own_tone: bool = False, factory: Any = None) -> None:
        self._own_tone = own_tone
        try:
            if own_tone:
                self._device = ActiveBuzzer(pin, pin_factory=factory)
            else:
                self._device = TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory)
        except Exception as why:  # every GPIO library raises errors of its own
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
    """The buzzer on this pin, or a dummy without a pin."""
    return DummyBuzzer() if pin is None else PinBuzzer(pin, own_tone=own_tone, factory=factory)
