"""A simulated I2C bus with an SSD1306 or SH1106: interprets the commands and keeps the dots."""

import errno
from collections.abc import Callable, Iterable, Sequence

from PIL import Image

from hw.panel.dirty_regions import REVERSED

WIDTH, HEIGHT, PAGES = 128, 64, 8
WITH_ONE = frozenset({0x20, 0x81, 0x8D, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB})
WITH_TWO = frozenset({0x21, 0x22, 0xA3})
ON, OFF = 0xAF, 0xAE
COMMAND, DATA = 0x00, 0x40
MARGIN = {"ssd1306": 0, "sh1106": 2}
"""Columns of memory to the left of the glass."""
LARGEST = 32
"""Bytes in one message."""


class FakeSsd1306:
    """Has the interface of smbus2's SMBus. Unplugged it does not answer; plugged in again it is dark and uninitialised.

    ``disturb`` is called before each message; if it returns True, the message breaks off in the middle. ``bytes`` and
    ``messages`` count the traffic on the bus, addresses included.
    """

    def __init__(
        self,
        chip: str = "ssd1306",
        address: int = 0x3C,
        *,
        size: tuple[int, int] = (WIDTH, HEIGHT),
        disturb: Callable[[], bool] = lambda: False,
    ) -> None:
        self.bytes = self.messages = 0
        self.disturb = disturb
        self._size = size
        self._margin = MARGIN[chip]
        self._columns = WIDTH + 2 * self._margin
        self._address = address
        self._plugged = True
        self._power_up()

    def unplug(self) -> None:
        self._plugged = False

    def plug(self) -> None:
        self._plugged = True
        self._power_up()

    def seconds(self, hertz: int) -> float:
        """How long the bus was busy: nine bits for each byte, a start and a stop for each message."""
        return (9 * self.bytes + 2 * self.messages) / hertz

    def image(self) -> Image.Image:
        """The visible picture."""
        if not (self._on and self._set_up):
            return Image.new("1", self._size)
        pages = [page[self._margin : self._margin + WIDTH].translate(REVERSED) for page in self._memory]
        columns = bytes(byte for column in zip(*pages[: self._size[1] // 8], strict=True) for byte in column)
        return Image.frombytes("1", (self._size[1], WIDTH), columns).transpose(Image.Transpose.TRANSPOSE)

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        if len(data) > LARGEST:
            raise ValueError(f"{len(data)} bytes in a message: {LARGEST} at most")
        if not self._plugged or address != self._address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        broken = self.disturb()
        heard = data[: len(data) // 2] if broken else data
        self.messages += 1
        self.bytes += 2 + len(heard)
        if register == DATA:
            self._take_data(heard)
        else:
            self._take_commands(heard)
        if broken:
            self._open.clear()
            raise OSError(errno.EREMOTEIO, "Remote I/O error")

    def close(self) -> None:
        """There is nothing to release."""

    def _power_up(self) -> None:
        self._memory = [bytearray(self._columns) for _ in range(PAGES)]
        self._on = self._set_up = False
        self.contrast = 0x7F
        self._column, self._page = 0, 0
        self._window = (0, self._columns - 1, 0, PAGES - 1)
        self._rows_along = False
        self._open: list[int] = []

    def _take_commands(self, data: Iterable[int]) -> None:
        for byte in data:
            self._open.append(byte)
            verb, *args = self._open
            if len(args) == (1 if verb in WITH_ONE else 2 if verb in WITH_TWO else 0):
                self._open = []
                self._do(verb, args)

    def _do(self, verb: int, args: list[int]) -> None:
        left, right, top, bottom = self._window
        match verb, args:
            case (0x20, [mode]):
                self._rows_along = mode == 0
            case (0x81, [contrast]):
                self.contrast = contrast
            case (0xA8, _):  # the number of lines: part of every initialisation
                self._set_up = True
            case (0x21, [first, last]):
                self._window, self._column = (first, last, top, bottom), first
            case (0x22, [first, last]):
                self._window, self._page = (left, right, first, last), first
            case ((0xAE | 0xAF), _):
                self._on = verb == ON
            case _ if verb <= 0x0F:
                self._column = self._column & 0xF0 | verb
            case _ if verb <= 0x1F:
                self._column = self._column & 0x0F | (verb & 0x0F) << 4
            case _ if 0xB0 <= verb <= 0xB7:
                self._page = verb & 7

    def _take_data(self, data: Iterable[int]) -> None:
        left, right, top, bottom = self._window
        for byte in data:
            if self._column < self._columns:
                self._memory[self._page][self._column] = byte
            self._column += 1
            if self._rows_along and self._column > right:
                self._column = left
                self._page = top if self._page >= bottom else self._page + 1
