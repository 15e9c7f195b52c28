"""Driver of a wide OLED with an SSD1322 on the SPI bus; sends only changed rows."""

from contextlib import suppress
from typing import Any

from gpiozero import OutputDevice
from luma.core.error import Error
from luma.core.interface.serial import spi
from luma.oled.device import ssd1322
from PIL import Image

from engine.text import say
from hw.panel.panel import Brightness, NoDisplay, Panel

SIZE = (256, 64)
OFF, ON = 0xAE, 0xAF
COLUMNS, ROWS, WRITE, CURRENT = 0x15, 0x75, 0x5C, 0xC7
FIRST, LAST = 0x1C, 0x5B
"""Visible memory columns, four dots each."""
MASTER = {Brightness.BRIGHT: 0x0F, Brightness.DIM: 0x01, Brightness.OFF: 0x01}
NIBBLES = [
    bytes(((byte >> high & 1) * 0xF0) | ((byte >> high - 1 & 1) * 0x0F) for high in (7, 5, 3, 1)) for byte in range(256)
]
"""Eight dots of one bit to eight dots of four bits."""
DATA_PIN, RESET_PIN = 24, 25


class WidePanel(Panel):
    """SPI has no acknowledgement: a missing panel is not noticed, and ``renew`` restores one that lost its power.

    ``bus`` and ``pins`` have the interfaces of spidev's SpiDev and of RPi.GPIO.
    """

    def __init__(self, *, bus: Any = None, pins: Any = None) -> None:
        try:
            self._wire = spi(spi=bus, gpio=pins or _Pins(), gpio_DC=DATA_PIN, gpio_RST=RESET_PIN)
            self._device = ssd1322(self._wire, *SIZE, mode="1")
        except Exception as why:  # luma, spidev and the GPIO libraries raise errors of their own
            raise NoDisplay(say("panel_no_spi")) from why
        self._light = Brightness.BRIGHT
        self._shown = Image.new("1", SIZE)

    def show(self, image: Image.Image) -> None:
        wanted = image.convert("1")
        for top, bottom in find_changed_rows(self._shown, wanted):
            self._send(wanted, top, bottom)
        self._shown = wanted

    def renew(self, image: Image.Image) -> None:
        self._device._init_sequence()
        self._shown = image.convert("1")
        self._send(self._shown, 0, SIZE[1] - 1)
        self.set_brightness(self._light)

    def set_brightness(self, light: Brightness) -> None:
        self._light = light
        self._device.command(CURRENT, MASTER[light])
        self._device.command(OFF if light == Brightness.OFF else ON)

    def close(self) -> None:
        with suppress(Error, OSError):
            self._device.hide()
        self._wire.cleanup()

    def _send(self, image: Image.Image, top: int, bottom: int) -> None:
        self._device.command(COLUMNS, FIRST, LAST)
        self._device.command(ROWS, top, bottom)
        self._device.command(WRITE)
        dots = image.crop((0, top, SIZE[0], bottom + 1)).tobytes()
        self._device.data([nibbles for byte in dots for nibbles in NIBBLES[byte]])


def find_changed_rows(before: Image.Image, after: Image.Image) -> list[tuple[int, int]]:
    """The first and last row of each group of changed rows."""
    wide = SIZE[0] // 8
    old, new = before.tobytes(), after.tobytes()
    rows = [y for y in range(SIZE[1]) if old[y * wide : (y + 1) * wide] != new[y * wide : (y + 1) * wide]]
    groups: list[tuple[int, int]] = []
    for row in rows:
        if groups and row == groups[-1][1] + 1:
            groups[-1] = (groups[-1][0], row)
        else:
            groups.append((row, row))
    return groups


class _Pins:
    """The part of RPi.GPIO that luma uses, on gpiozero, because RPi.GPIO does not support every Pi."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self) -> None:
        self._pins: dict[int, OutputDevice] = {}

    def setup(self, pin: int, direction: str) -> None:
        self._pins[pin] = OutputDevice(pin)

    def output(self, pin: int, value: int) -> None:
        self._pins[pin].value = value

    def cleanup(self, pins: list[int]) -> None:
        for pin in pins:
            self._pins.pop(pin).close()
