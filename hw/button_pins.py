"""Push buttons between a GPIO pin and ground: report every edge with its time."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self

from gpiozero import Button as Contact
from gpiozero import Device

from engine.text import say
from hw.buttons import Button, Edge, NoButtons

I2C = (2, 3)
"""Pins of the I2C bus: a button there would block the screen."""


class ButtonPins:
    """``emit`` is called in gpiozero's thread, so it must only put the edge into a queue.

    A button that is down when the pins are opened counts from its next press.
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        emit: Callable[[Edge], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        factory: Any = None,
    ) -> None:
        self._contacts: list[Contact] = []
        if taken := [pin for pin in pins.values() if pin in I2C]:
            raise NoButtons(say("buttons_i2c_pin", value=f"GPIO{taken[0]}"))
        try:
            factory = factory or ensure_pin_factory()
        except Exception as why:  # every GPIO library raises errors of its own
            raise NoButtons(say("buttons_no_pins")) from why
        for button, pin in pins.items():
            try:
                contact = Contact(pin, pull_up=True, pin_factory=factory)
            except Exception as why:
                self.close()
                raise NoButtons(say("buttons_no_pin", value=f"GPIO{pin}")) from why
            self._contacts.append(contact)
            contact.when_pressed = partial(_emit_edge, emit, clock, button, True)
            contact.when_released = partial(_emit_edge, emit, clock, button, False)

    def close(self) -> None:
        for contact in self._contacts:
            contact.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def ensure_pin_factory() -> Any:
    """gpiozero's pin factory, created once; raises whatever the GPIO library raises."""
    Device.ensure_pin_factory()
    return Device.pin_factory


def _emit_edge(emit: Callable[[Edge], None], clock: Callable[[], float], button: Button, down: bool) -> None:
    emit(Edge(button, down, clock()))
