"""A small OLED on the I2C bus, driven by an SSD1306 or an SH1106, to which only what has changed is sent."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from luma.core.error import Error
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from engine.text import say
from hw.panel.dirty import DirtyRun, Stripes, changes, stripes
from hw.panel.panel import Brightness, NoDisplay, Panel

CHIPS = {"ssd1306": ssd1306, "sh1106": sh1106}
NOTHING, OFF, ON = 0xE3, 0xAE, 0xAF
"""A command that does nothing, to hear whether anybody answers; and the two that switch the dots."""
CONTRAST = {Brightness.BRIGHT: 0xCF, Brightness.DIM: 0x01, Brightness.OFF: 0x01}
MARGIN = 2
"""Columns of an SH1106 to the left of the glass."""


def silent(address: int) -> NoDisplay:
    return NoDisplay(say("panel_silent", value=f"0x{address:02X}"))


def reach(port: int, address: int, bus: Any = None) -> Any:
    """The wire to a chip that answers; ``NoDisplay`` if none does. What it shows stays as it is."""
    try:
        wire = i2c(bus=bus, address=address) if bus is not None else i2c(port=port, address=address)
    except (Error, OSError) as why:
        raise NoDisplay(say("panel_no_i2c", port=port)) from why
    try:
        wire.command(NOTHING)
    except (Error, OSError) as why:
        wire.cleanup()
        raise silent(address) from why
    return wire


class OledPanel(Panel):
    """A panel that lost its power has forgotten all: ``renew`` tells it again, without a flicker if it has not."""

    def __init__(
        self,
        chip: str,
        *,
        size: tuple[int, int] = (128, 64),
        port: int = 1,
        address: int = 0x3C,
        bus: Any = None,
    ) -> None:
        self._chip = chip
        self._size = size
        self._lost = silent(address)
        self._light = Brightness.BRIGHT
        self._wire = _Heard(reach(port, address, bus))  # luma keeps a device for good, so ask before making one
        try:
            self._device = CHIPS[chip](serial_interface=self._wire, width=size[0], height=size[1])
        except (Error, OSError) as why:
            self._wire.cleanup()
            raise self._lost from why
        self._set_up = self._wire.told()
        self._shown: Stripes = stripes(Image.new("1", size))

    def show(self, image: Image.Image) -> None:
        wanted = stripes(image)
        with self._answering():
            for run in changes(self._shown, wanted):
                self._send(run)
        self._shown = wanted

    def shine(self, light: Brightness) -> None:
        self._light = light
        with self._answering():
            self._device.contrast(CONTRAST[light])
            self._wire.command(OFF if light == Brightness.OFF else ON)

    def ask(self) -> None:
        with self._answering():
            self._wire.command(NOTHING)

    def renew(self, image: Image.Image) -> None:
        wanted = stripes(image)
        with self._answering():
            for command in self._set_up:
                self._wire.command(*command)
            for stripe, data in enumerate(wanted):
                self._send(DirtyRun(stripe, 0, data))
        self._shown = wanted
        self.shine(self._light)

    def leave(self) -> None:
        self._device.persist = True  # luma's, who else switches it off at the very end
        self._wire.cleanup()

    def close(self) -> None:
        with suppress(Error, OSError):
            self._device.hide()
        self._wire.cleanup()

    def _send(self, run: DirtyRun) -> None:
        if self._chip == "sh1106":
            column = run.column + MARGIN
            self._wire.command(0xB0 | run.stripe, column & 0x0F, 0x10 | column >> 4)
        else:
            last = run.column + len(run.data) - 1
            self._wire.command(0x21, run.column, last, 0x22, run.stripe, run.stripe)
        self._wire.data(list(run.data))

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except (Error, OSError) as why:
            raise self._lost from why


class _Heard:
    """A wire that remembers what luma says to set a chip up, to say it again without switching it off."""

    def __init__(self, wire: Any) -> None:
        self._wire = wire
        self._said: list[tuple[int, ...]] = []
        self._listening = True

    def told(self) -> tuple[tuple[int, ...], ...]:
        """Everything before the first dots."""
        return tuple(command[1:] if command[0] == OFF else command for command in self._said)

    def command(self, *command: int) -> None:
        if self._listening:
            self._said.append(command)
        self._wire.command(*command)

    def data(self, data: list[int]) -> None:
        self._listening = False
        self._wire.data(data)

    def cleanup(self) -> None:
        self._wire.cleanup()
