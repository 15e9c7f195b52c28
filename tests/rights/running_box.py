"""A real ``oxeye run`` whose buttons are pressed and whose screen is read, from start to start on one state folder."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any, ClassVar

import httpx

from hw.panel.terminal import HOME
from tests.support.companion import ESCAPES, code_on, companion, free_port

ROOT = Path(__file__).parents[2]
PROGRAM = "from firmware.cli import main; main()"
KEY_S = 1.5
"""So long a press may take to change the screen; one that changes nothing takes as long."""
STEP_S = 0.03
READ_S = 0.5
"""A press so soon after a new question is no answer to it, for the box as for people."""
MOST_PRESSES = 40
GONE_S = 6.0
"""So long the program may take to end after it was told to."""
FROM_ANYWHERE = ("", "B", "b", "b", "b", "b", "B")
"""Presses after each of which an entry is looked for: here, in the menu, one step back and so on."""
State = Mapping[str, Any]


class NotOffered(Exception):
    """The box does not offer this entry, so that it cannot be chosen."""


class RunningBox:
    """``has_buttons``: a screen and buttons, else neither; ``named`` are the words that any box has offered so far."""

    named: ClassVar[set[str]] = set()

    def __init__(self, folder: Path, *options: str, has_buttons: bool = True) -> None:
        self._folder = folder
        self._options = (*options, "--no-browser", "--page", f"127.0.0.1:{free_port()}")
        if not has_buttons:
            self._options += ("--panel", "dummy", "--buttons", "none")
        self.has_buttons = has_buttons
        self._stack = ExitStack()
        self.start()

    def start(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._stack.close()
        self._terminal = self._stack.enter_context(companion(self._folder, *self._options))
        self.address = self._terminal.url
        self._client = httpx.Client(base_url=self.address, timeout=10)
        self._stack.callback(self._client.close)

    def stop(self) -> None:
        self._stack.close()

    @property
    def process_id(self) -> int:
        return self._terminal.process.pid

    def is_alive(self) -> bool:
        """Whether it answers; a program that is ending does not."""
        try:
            return self._terminal.process.poll() is None and self._client.get("/api/state").is_success
        except httpx.TransportError:
            return False

    def has_ended(self) -> bool:
        """Whether the program ends by itself within some seconds."""
        latest = time.monotonic() + GONE_S
        while self._terminal.process.poll() is None and time.monotonic() < latest:
            Event().wait(STEP_S)
        return self._terminal.process.poll() is not None

    def state(self) -> State:
        state: State = self._client.get("/api/state").json()
        self.named.update(offer["words"].split()[0] for offer in state["offers"])
        return state

    def screen(self) -> str:
        """What was drawn last; nothing marks the end of a page that is not yet drawn again."""
        return ESCAPES.sub("", self._terminal.told.rpartition(HOME)[2])

    def press(self, key: str) -> None:
        before = self.state()["version"]
        self._terminal.press(key)
        latest = time.monotonic() + KEY_S
        while self._is_unchanged(before) and time.monotonic() < latest:
            Event().wait(STEP_S)

    def _is_unchanged(self, version: int) -> bool:
        try:
            return bool(self.state()["version"] == version)
        except httpx.TransportError:  # the program ends
            return False

    def offers(self) -> list[str]:
        return [offer["words"] for offer in self.state()["offers"]]

    def choose(self, words: str) -> None:
        """Move the cursor to this offer and press OK."""
        for _ in range(MOST_PRESSES):
            state = self.state()
            offers = [offer["words"] for offer in state["offers"]]
            if words not in offers:
                raise NotOffered(words)
            if state["cursor"] == offers.index(words):
                Event().wait(READ_S)
                self.press("o")
                return
            self.press("d" if state["cursor"] < offers.index(words) else "u")
        raise NotOffered(f"{words}: the cursor does not reach it")

    def find(self, words: str) -> None:
        """Choose this offer, also from the menu of the game or from the first screen."""
        for key in FROM_ANYWHERE:
            if key:
                self.press(key)
            else:
                self._wait_for(words)
            if words in self.offers():
                self.choose(words)
                return
        raise NotOffered(words)

    def _wait_for(self, words: str) -> None:
        """The screen may still change after the last press."""
        latest = time.monotonic() + READ_S
        while words not in self.offers() and time.monotonic() < latest:
            Event().wait(STEP_S)

    @contextmanager
    def showing_pairing_code(self) -> Iterator[str]:
        """The code on the screen, which leaves the screen when the context ends."""
        self.find("phone:pair")
        yield self._terminal.code()
        self.press("b")

    def print_pairing_code(self) -> str:
        """What ``oxeye pair`` prints on the box itself."""
        command = [sys.executable, "-c", PROGRAM, "pair", "--state", str(self._folder)]
        said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=60).stdout
        code = code_on(re.sub(r"https?://\S+", "", said))
        if code is None:
            raise NotOffered(f"a pairing code in: {said}")
        return code
