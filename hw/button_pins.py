"""The GPIO pins of the push buttons, each between its pin and ground: reports every edge with its time."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self

from engine.text import say
from hw.button_presses import Button, Edge, NoButtons

DEFAULT_PINS = {Button.UP: 5, Button.DOWN: 6, Button.OK: 13, Button.BACK: 19}
"""Default GPIO numbers: none that the screen needs, adjacent on the header, with a ground pin beside them."""
I2C_PINS = (2, 3)
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
        from gpiozero import Button as Contact

        self._contacts: list[Contact] = []
        if taken := [pin for pin in pins.values() if pin in I2C_PINS]:
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
    from gpiozero import Device

    Device.ensure_pin_factory()
    return Device.pin_factory


def _emit_edge(emit: Callable[[Edge], None], clock: Callable[[], float], button: Button, down: bool) -> None:
    emit(Edge(button, down, clock()))
