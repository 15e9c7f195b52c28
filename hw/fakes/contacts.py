"""Push buttons without hardware: close and open contacts on gpiozero's mock pins."""

from collections.abc import Mapping
from typing import Any

from gpiozero.pins.mock import MockFactory

from hw.button_presses import Button


class Contacts:
    """``factory`` is the pin factory to pass to ``ButtonPins``."""

    def __init__(self, pins: Mapping[Button, int]) -> None:
        self.factory: Any = MockFactory()
        self._pins = pins

    def down(self, button: Button) -> None:
        """The contact closes to ground."""
        self.factory.pin(self._pins[button]).drive_low()

    def up(self, button: Button) -> None:
        self.factory.pin(self._pins[button]).drive_high()
