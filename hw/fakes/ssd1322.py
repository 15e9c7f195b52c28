"""A simulated SPI bus with an SSD1322: interprets the commands and keeps the dots."""

from collections.abc import Sequence

from PIL import Image

from hw.panel.oled_ssd1322 import DATA_PIN, FIRST, RESET_PIN

WIDTH, HEIGHT = 256, 64
MEMORY = 480 // 4


class FakeSsd1322:
    """Has the interfaces of spidev's SpiDev and of RPi.GPIO, whose data pin tells data from commands."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self) -> None:
        self.bytes = 0
        self.max_speed_hz = 0
        self._data = False
        self.power_up()

    def power_up(self) -> None:
        """Dark and uninitialised."""
        self._memory = [bytearray(2 * MEMORY) for _ in range(HEIGHT)]
        self._on = self._unlocked = False
        self.brightness = 0x0F
        self._verb, self._args = 0, list[int]()
        self._columns, self._rows = (0, MEMORY - 1), (0, HEIGHT - 1)
        self._at, self._row = 0, 0

    def image(self) -> Image.Image:
        """The visible picture."""
        if not (self._on and self._unlocked):
            return Image.new("1", (WIDTH, HEIGHT))
        glass = (row[2 * FIRST : 2 * FIRST + WIDTH // 2] for row in self._memory)
        dots = bytes(255 * (nibble > 7) for row in glass for byte in row for nibble in (byte >> 4, byte & 0x0F))
        return Image.frombytes("L", (WIDTH, HEIGHT), dots).convert("1")

    def open(self, port: int, device: int) -> None:
        """Always succeeds."""

    def close(self) -> None:
        """There is nothing to release."""

    def setup(self, pin: int, direction: str) -> None:
        """Every pin exists."""

    def output(self, pin: int, value: int) -> None:
        if pin == DATA_PIN:
            self._data = bool(value)
        elif pin == RESET_PIN and not value:
            self.power_up()

    def cleanup(self, pins: Sequence[int]) -> None:
        """There is nothing to release."""

    def writebytes(self, data: Sequence[int]) -> None:
        self.bytes += len(data)
        for byte in data:
            if self._data:
                self._take(byte)
            else:
                self._verb, self._args = byte, []
                self._on = {0xAF: True, 0xAE: False}.get(byte, self._on)
                if byte == 0x5C:
                    self._at, self._row = 2 * self._columns[0], self._rows[0]

    def _take(self, byte: int) -> None:
        if self._verb == 0x5C:
            self._memory[self._row][self._at] = byte
            self._at += 1
            if self._at == 2 * (self._columns[1] + 1):
                self._at = 2 * self._columns[0]
                self._row = self._rows[0] if self._row == self._rows[1] else self._row + 1
            return
        self._args.append(byte)
        match self._verb, self._args:
            case 0xFD, [0x12]:
                self._unlocked = True
            case 0xC7, [current]:
                self.brightness = current
            case 0x15, [first, last]:
                self._columns = (first, last)
            case 0x75, [first, last]:
                self._rows = (first, last)
