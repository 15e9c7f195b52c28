"""Driver of a small OLED with an SSD1306 or SH1106 on the I2C bus; sends only changed bytes."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from luma.core.error import Error
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from engine.text import say
from hw.panel.dirty_regions import DirtyRun, Pages, find_changed_runs, to_pages
from hw.panel.panel import Brightness, NoDisplay, Panel

CHIPS = {"ssd1306": ssd1306, "sh1106": sh1106}
NOTHING, OFF, ON = 0xE3, 0xAE, 0xAF
"""No operation (a probe), display off and display on."""
CONTRAST = {Brightness.BRIGHT: 0xCF, Brightness.DIM: 0x01, Brightness.OFF: 0x01}
MARGIN = 2
"""Invisible memory columns of an SH1106 on the left."""


def no_answer(address: int) -> NoDisplay:
    return NoDisplay(say("panel_silent", value=f"0x{address:02X}"))


def open_wire(port: int, address: int, bus: Any = None) -> Any:
    """Connect to a chip that answers, else raise ``NoDisplay``. The picture on the panel does not change."""
    try:
        wire = i2c(bus=bus, address=address) if bus is not None else i2c(port=port, address=address)
    except (Error, OSError) as why:
        raise NoDisplay(say("panel_no_i2c", port=port)) from why
    try:
        wire.command(NOTHING)
    except (Error, OSError) as why:
        wire.cleanup()
        raise no_answer(address) from why
    return wire


class OledPanel(Panel):
    """A panel that lost its power is uninitialised: ``renew`` initialises it again, without flicker if it was not."""

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
        self._lost = no_answer(address)
        self._light = Brightness.BRIGHT
        self._wire = _RecordingWire(open_wire(port, address, bus))  # luma cannot release a device, so probe first
        try:
            self._device = CHIPS[chip](serial_interface=self._wire, width=size[0], height=size[1])
        except (Error, OSError) as why:
            self._wire.cleanup()
            raise self._lost from why
        self._set_up = self._wire.initialisation()
        self._shown: Pages = to_pages(Image.new("1", size))

    def show(self, image: Image.Image) -> None:
        wanted = to_pages(image)
        with self._answering():
            for run in find_changed_runs(self._shown, wanted):
                self._send(run)
        self._shown = wanted

    def set_brightness(self, light: Brightness) -> None:
        self._light = light
        with self._answering():
            self._device.contrast(CONTRAST[light])
            self._wire.command(OFF if light == Brightness.OFF else ON)

    def probe(self) -> None:
        with self._answering():
            self._wire.command(NOTHING)

    def renew(self, image: Image.Image) -> None:
        wanted = to_pages(image)
        with self._answering():
            for command in self._set_up:
                self._wire.command(*command)
            for page, data in enumerate(wanted):
                self._send(DirtyRun(page, 0, data))
        self._shown = wanted
        self.set_brightness(self._light)

    def detach(self) -> None:
        self._device.persist = True  # otherwise luma switches the panel off at exit
        self._wire.cleanup()

    def close(self) -> None:
        with suppress(Error, OSError):
            self._device.hide()
        self._wire.cleanup()

    def _send(self, run: DirtyRun) -> None:
        if self._chip == "sh1106":
            column = run.column + MARGIN
            self._wire.command(0xB0 | run.page, column & 0x0F, 0x10 | column >> 4)
        else:
            last = run.column + len(run.data) - 1
            self._wire.command(0x21, run.column, last, 0x22, run.page, run.page)
        self._wire.data(list(run.data))

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except (Error, OSError) as why:
            raise self._lost from why


class _RecordingWire:
    """Records the initialisation that luma sends, to repeat it later without switching the panel off."""

    def __init__(self, wire: Any) -> None:
        self._wire = wire
        self._commands: list[tuple[int, ...]] = []
        self._recording = True

    def initialisation(self) -> tuple[tuple[int, ...], ...]:
        """All commands before the first data."""
        return tuple(command[1:] if command[0] == OFF else command for command in self._commands)

    def command(self, *command: int) -> None:
        if self._recording:
            self._commands.append(command)
        self._wire.command(*command)

    def data(self, data: list[int]) -> None:
        self._recording = False
        self._wire.data(data)

    def cleanup(self) -> None:
        self._wire.cleanup()
