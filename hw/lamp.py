"""The status light: three pins for an RGB LED, or one pin for a single-colour LED that shows the brightness."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from gpiozero import PWMLED, RGBLED

from engine.text import say
from hw.errors import DeviceError
from hw.light_and_beep_patterns import Colour


class NoLamp(DeviceError):
    """The pins cannot be used for an LED."""


class Lamp(ABC):
    @abstractmethod
    def show(self, colour: Colour) -> None:
        """Show this colour until further notice."""

    def lit_pins(self, colour: Colour) -> tuple[int, ...]:
        """The pins to switch on for the nearest colour without PWM."""
        return ()

    def close(self) -> None:  # noqa: B027  nothing to release
        """Switch the light off and release the pins."""


class DummyLamp(Lamp):
    """For a box without a light: stores the colour."""

    def __init__(self) -> None:
        self.colour: Colour | None = None

    def show(self, colour: Colour) -> None:
        self.colour = colour


class PinLamp(Lamp):
    """One pin or three. ``common_anode``: the LED's common leg is on 3.3 V."""

    def __init__(self, pins: Sequence[int], *, common_anode: bool = False, factory: Any = None) -> None:
        self._pins = tuple(pins)
        self._one = len(pins) == 1
        try:
            make = PWMLED if self._one else RGBLED
            self._led = make(*pins, active_high=not common_anode, pin_factory=factory)
        except Exception as why:  # every GPIO library raises errors of its own
            raise NoLamp(say("lamp_no_pin", value=" ".join(map(str, pins)))) from why

    def show(self, colour: Colour) -> None:
        self._led.value = max(colour) if self._one else colour

    def lit_pins(self, colour: Colour) -> tuple[int, ...]:
        return self._pins if self._one else tuple(pin for pin, part in zip(self._pins, colour, strict=True) if part)

    def close(self) -> None:
        self._led.close()


def open_lamp(pins: Sequence[int], *, common_anode: bool = False, factory: Any = None) -> Lamp:
    """The light on these pins, or a dummy without pins."""
    return PinLamp(pins, common_anode=common_anode, factory=factory) if pins else DummyLamp()
