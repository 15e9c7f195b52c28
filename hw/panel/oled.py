"""A 128x64 OLED on the I2C bus, driven by an SSD1306 or an SH1106."""

from contextlib import suppress
from typing import Any

from luma.core.error import Error
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from engine.text import say
from hw.panel.panel import NoDisplay, Panel
from hw.panel.screen import HEIGHT, WIDTH

CHIPS = {"ssd1306": ssd1306, "sh1106": sh1106}
NOTHING = 0xE3
"""A command that does nothing, to hear whether anybody answers."""


class OledPanel(Panel):
    """A panel that lost its power has forgotten how it was set up: after ``NoDisplay`` open a new one."""

    def __init__(self, chip: str, *, port: int = 1, address: int = 0x3C, bus: Any = None) -> None:
        self._lost = NoDisplay(say("panel_silent", value=f"0x{address:02X}"))
        try:
            self._wire = i2c(bus=bus, address=address) if bus is not None else i2c(port=port, address=address)
        except (Error, OSError) as why:
            raise NoDisplay(say("panel_no_i2c", port=port)) from why
        try:
            self._wire.command(NOTHING)  # luma keeps a device for good, so ask before making one
            self._device = CHIPS[chip](serial_interface=self._wire, width=WIDTH, height=HEIGHT)
        except (Error, OSError) as why:
            self._wire.cleanup()
            raise self._lost from why

    def show(self, image: Image.Image) -> None:
        try:
            self._device.display(image)
        except (Error, OSError) as why:
            raise self._lost from why

    def close(self) -> None:
        with suppress(Error, OSError):
            self._device.hide()
        self._wire.cleanup()
