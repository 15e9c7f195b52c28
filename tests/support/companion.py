"""Run ``oxeye run`` on a pseudo terminal: press its keys and read its small screen pixel by pixel."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import httpx
from PIL import Image, ImageDraw

from hw.panel.braille import BITS, EMPTY
from hw.panel.font import SMALL, TALL, TINY, Font
from hw.panel.terminal import HOME

ROWS, COLUMNS = 24, 80
SERVED = re.compile(r"phones: (http://[\w.:]+)")
PATIENCE = 30.0


@dataclass
class Terminal:
    """A pseudo terminal with the program; ``told`` is the end of its output."""

    process: subprocess.Popen[bytes]
    master: int
    told: str = ""
    url: str = ""
    heard: threading.Condition = field(default_factory=threading.Condition)

    def listen(self) -> None:
        part = b""
        while True:
            try:
                part += os.read(self.master, 1 << 16)
            except OSError:
                return
            with self.heard:
                whole = part.decode(errors="ignore")
                self.told, part = (self.told + whole)[-200_000:], part[len(whole.encode()) :]
                self.heard.notify_all()

    def until(self, found: Callable[[str], str | None]) -> str:
        """Wait until the output holds what ``found`` finds; fails after a timeout."""
        with self.heard:
            assert self.heard.wait_for(lambda: found(self.told) is not None, PATIENCE), self.told[-3000:]
            return str(found(self.told))

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def code(self) -> str:
        """The six-digit code on the screen."""
        return self.until(lambda told: next((code for image in screens(told)[-1:] if (code := code_on(image))), None))

    def choose(self, words: str) -> None:
        """Move the cursor down to this offer with the buttons and choose it."""
        latest = time.monotonic() + PATIENCE
        while words not in (offers := self._offers()):
            assert time.monotonic() < latest, offers
            threading.Event().wait(0.05)
        self.press("d" * self._offers().index(words) + "o")

    def _offers(self) -> list[str]:
        return [offer["words"] for offer in httpx.get(f"{self.url}/api/state", verify=False).json()["offers"]]


def served_at(told: str) -> str | None:
    found = SERVED.search(told)
    return found[1] if found else None


@contextmanager
def companion(folder: Path, *options: str) -> Iterator[Terminal]:
    """Run ``oxeye run`` with these options until the context ends."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    run = [sys.executable, "-c", "from firmware.cli import main; main()", "run", "--state", str(folder), *options]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "TERM": "xterm"}
    process = subprocess.Popen(run, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True)
    os.close(slave)
    terminal = Terminal(process, master)
    ear = threading.Thread(target=terminal.listen)
    ear.start()
    try:
        terminal.url = terminal.until(served_at)
        yield terminal
    finally:
        process.terminate()
        process.wait(20)
        ear.join(5)
        os.close(master)


def screens(told: str) -> list[Image.Image]:
    """The pictures of the small screen, which the terminal shows as framed lines of Braille characters."""
    pages = (page.split("\x1b[J")[0] for page in told.split(HOME)[1:] if "\x1b[J" in page)
    framed = ([line for line in re.findall(r"│([\u2800-\u28ff]+)│", page)] for page in pages)
    return [dots(lines) for lines in framed if len(lines) == 16]


def dots(lines: list[str]) -> Image.Image:
    image = Image.new("1", (len(lines[0]) * 2, len(lines) * 4))
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            for y, x in product(range(4), range(2)):
                if (ord(letter) - EMPTY) & BITS[y][x]:
                    image.putpixel((column * 2 + x, row * 4 + y), 1)
    return image


def code_on(image: Image.Image) -> str | None:
    """The six digits in two groups of three, in one of the fonts of the screen; None if there are none."""
    lit = image.load()
    for font in (TALL, SMALL, TINY):
        digits = [(str(n), drawn(font, str(n))) for n in range(10)]
        for y, x in product(range(image.height - font.height), range(image.width)):
            read, here = "", x
            while len(read) < 6:
                seen = next((n for n, shape in digits if fits(lit, image.size, shape, here, y)), None)
                if seen is None:
                    break
                read, here = read + seen, here + font.advance(seen) + (font.advance(" ") if len(read) == 2 else 0)
            if len(read) == 6:
                return read
    return None


def drawn(font: Font, digit: str) -> list[list[bool]]:
    """The pixels of a digit with an empty column on both sides, because a digit may look like part of another."""
    image = Image.new("1", (font.width(digit) + 2, font.height))
    font.write(ImageDraw.Draw(image), 1, 0, digit)
    return [[bool(image.getpixel((x, y))) for x in range(image.width)] for y in range(image.height)]


def fits(lit: object, size: tuple[int, int], shape: list[list[bool]], x: int, y: int) -> bool:
    if x < 1 or x - 1 + len(shape[0]) > size[0] or y + len(shape) > size[1]:
        return False
    return all(
        bool(lit[x - 1 + right, y + down]) == ink  # type: ignore[index]
        for down, row in enumerate(shape)
        for right, ink in enumerate(row)
    )
