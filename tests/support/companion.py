"""Run ``oxeye run`` on a pseudo terminal: press its keys and read its page."""

import fcntl
import os
import pty
import re
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from hw.panel.terminal import HOME

ROWS, COLUMNS = 24, 80
SERVED = re.compile(r"(http://[\w.]+:\d+)\b")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
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
        return self.until(lambda told: code_on(last_page(told)))

    def choose(self, words: str) -> None:
        """Move the cursor down to this offer with the buttons and choose it."""
        latest = time.monotonic() + PATIENCE
        while words not in (offers := self._offers()):
            assert time.monotonic() < latest, offers
            threading.Event().wait(0.05)
        self.press("d" * self._offers().index(words) + "o")

    def _offers(self) -> list[str]:
        return [offer["words"] for offer in httpx.get(f"{self.url}/api/state", verify=False).json()["offers"]]


def free_port() -> int:
    """A port of this computer that nothing uses now."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


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


def last_page(told: str) -> str:
    """The newest page of the terminal that is complete, as text."""
    pages = re.split(re.escape(HOME), told)[1:-1]
    return ESCAPES.sub("", pages[-1]) if pages else ""


def code_on(page: str) -> str | None:
    """The six digits in two groups of three; None if there are none."""
    found = re.search(r"\b(\d{3}) (\d{3})\b", page)
    return found[1] + found[2] if found else None
