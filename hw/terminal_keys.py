"""Terminal keys as buttons: a terminal reports no release, so each key is one complete press."""

import os
import select
import termios
import tty
from contextlib import suppress
from types import TracebackType
from typing import Self

from engine.text import say
from hw.button_presses import Button, NoButtons, Press, PressKind

KEY_PRESSES = {
    "\x1b[A": Press(Button.UP, PressKind.SHORT),
    "\x1b[B": Press(Button.DOWN, PressKind.SHORT),
    "\x1bOA": Press(Button.UP, PressKind.SHORT),
    "\x1bOB": Press(Button.DOWN, PressKind.SHORT),
    "\r": Press(Button.OK, PressKind.SHORT),
    "\n": Press(Button.OK, PressKind.SHORT),
    "\x7f": Press(Button.BACK, PressKind.SHORT),
    "\b": Press(Button.BACK, PressKind.SHORT),
    "u": Press(Button.UP, PressKind.SHORT),
    "d": Press(Button.DOWN, PressKind.SHORT),
    "o": Press(Button.OK, PressKind.SHORT),
    "b": Press(Button.BACK, PressKind.SHORT),
    "O": Press(Button.OK, PressKind.LONG),
    "B": Press(Button.BACK, PressKind.LONG),
    "R": Press(Button.OK, PressKind.RESTART),
    "P": Press(Button.POWER, PressKind.OFF),
}
"""Arrows, Enter and Backspace; or first letters: a capital is a long press, R restarts, P switches off."""


def read_keys(text: str) -> tuple[tuple[Press, ...], str]:
    """The presses, and the beginning of an incomplete escape sequence. Other keys are ignored."""
    presses: list[Press] = []
    while text:
        key = next((key for key in KEY_PRESSES if text.startswith(key)), None)
        if key is None and any(longer.startswith(text) for longer in KEY_PRESSES):
            break
        if key is not None:
            presses.append(KEY_PRESSES[key])
        text = text[len(key or text[0]) :]
    return tuple(presses), text


class TerminalKeys:
    """A terminal in cbreak mode; ``close`` restores its mode."""

    def __init__(self, terminal: int = 0) -> None:
        self._terminal = terminal
        self._rest = ""
        try:
            self._before = termios.tcgetattr(terminal)
        except termios.error as why:
            raise NoButtons(say("keys_no_terminal")) from why
        tty.setcbreak(terminal)

    def read(self, timeout: float) -> tuple[Press, ...]:
        ready, _, _ = select.select([self._terminal], [], [], timeout)
        if ready:
            self._rest += self._more().decode("utf-8", "ignore")
        presses, self._rest = read_keys(self._rest)
        return presses

    def _more(self) -> bytes:
        try:
            data = os.read(self._terminal, 64)
        except OSError as why:
            raise NoButtons(say("keys_no_terminal")) from why
        if not data:
            raise NoButtons(say("keys_no_terminal"))
        return data

    def close(self) -> None:
        with suppress(termios.error):  # the terminal window may be closed already
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.close()
