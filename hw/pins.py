"""Buttons between a pin and ground: every edge with its time, to whoever wants it."""

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
"""Pins of the wire to the screen: a button there would silence it."""


class Pins:
    """``emit`` is called from the thread of the pins, so let it only put the edge into a queue.

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
            factory = factory or made_factory()
        except Exception as why:  # every library for pins has errors of its own
            raise NoButtons(say("buttons_no_pins")) from why
        for button, pin in pins.items():
            try:
                contact = Contact(pin, pull_up=True, pin_factory=factory)
            except Exception as why:
                self.close()
                raise NoButtons(say("buttons_no_pin", value=f"GPIO{pin}")) from why
            self._contacts.append(contact)
            contact.when_pressed = partial(_tell, emit, clock, button, True)
            contact.when_released = partial(_tell, emit, clock, button, False)

    def close(self) -> None:
        for contact in self._contacts:
            contact.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def made_factory() -> Any:
    """What all pins of this program come from; whatever its library raises if that cannot be."""
    Device.ensure_pin_factory()
    return Device.pin_factory


def _tell(emit: Callable[[Edge], None], clock: Callable[[], float], button: Button, down: bool) -> None:
    emit(Edge(button, down, clock()))
