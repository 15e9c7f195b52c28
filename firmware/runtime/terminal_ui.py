"""The full-screen page in a terminal: the picture of the panel, the scores, the last events and the keys."""

import os
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TextIO

from engine.view import Pad, View
from firmware.journal.operation_types import Names
from firmware.runtime.display_thread import ScreenFrame, draw_picture
from firmware.texts.names_times_errors import format_player
from hw.panel.braille import to_braille
from hw.panel.screen import HEIGHT, WIDTH
from hw.panel.terminal import HOME, to_blocks

LEAST_SIZE = (80, 24)
BLOCK_SIZE = (WIDTH + 2 + 24, HEIGHT // 2 + 2 + 10)
"""Columns and lines from which every dot gets its own block; smaller pages use Braille."""
OPEN_PAGE, CLOSE_PAGE = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Switch to the alternate screen without cursor and line wrap, and back."""
LINE_END, CLEAR_BELOW = "\x1b[K", "\x1b[J"
BOLD, DIM, ALERT_COLOUR, RESET = "\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[0m"
KEY_HELP = "u d ↑ ↓ choose · o ↵ OK · b ⌫ back · B menu · R restart · ^C quit"
PAD_COLUMNS = 20
"""Columns for name and total; the points of each round come behind them."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log; an alert is highlighted."""

    says: str
    alert: bool = False


class Console:
    """A context manager: ``note`` adds a line to the log, ``draw`` draws the page.

    Output of libraries on stderr would spoil the page: it is kept and printed when the page is left.
    """

    def __init__(self, title: str, out: TextIO | None = None, errors: int = 2) -> None:
        self.title = title
        self._out = out or sys.stdout
        self._errors = errors
        self._log: deque[LogLine] = deque(maxlen=200)
        self._pads: View | None = None

    def note(self, says: str, alert: bool = False) -> None:
        self._log.append(LogLine(says, alert))

    def draw(self, shown: ScreenFrame) -> None:
        size = os.get_terminal_size(self._out.fileno())
        if shown.view.pads:
            self._pads = shown.view
        rows = draw_page((size.columns, size.lines), self.title, shown, self._pads, tuple(self._log))
        self._write(HOME + f"{LINE_END}\r\n".join(rows) + LINE_END + CLEAR_BELOW)

    def __enter__(self) -> "Console":
        self._true_errors = os.dup(self._errors)
        self._kept = tempfile.TemporaryFile()
        os.dup2(self._kept.fileno(), self._errors)
        self._write(OPEN_PAGE)
        return self

    def __exit__(self, *_: object) -> None:
        self._write(CLOSE_PAGE)
        os.dup2(self._true_errors, self._errors)
        os.close(self._true_errors)
        with self._kept as kept:
            kept.seek(0)
            while part := kept.read(1 << 16):
                os.write(self._errors, part)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


def draw_page(
    size: tuple[int, int], title: str, shown: ScreenFrame, last: View | None, log: Sequence[LogLine]
) -> list[str]:
    """The lines of the page, cut to its size. ``last`` is the newest view with scores."""
    columns, lines = size
    if columns < LEAST_SIZE[0] or lines < LEAST_SIZE[1]:
        small = f"This window has {columns} x {lines}: make it {LEAST_SIZE[0]} x {LEAST_SIZE[1]} or larger."
        return wrap(small, max(columns, 1))[:lines]
    roomy = columns >= BLOCK_SIZE[0] and lines >= BLOCK_SIZE[1]
    image = draw_picture(shown)
    screen = _framed((to_blocks if roomy else to_braille)(image).split("\n"))
    beside = columns - len(screen[0]) - 2
    pads = _pads(last or shown.view, shown.names, beside, len(screen))
    top = [f"{BOLD}{title[:columns]}{RESET}"]
    top += [f"{row}  {pad}" for row, pad in zip(screen, pads, strict=True)]
    room = lines - len(top) - 1
    told = [row for one in log[-room:] for row in _folded(one, columns)][-room:]
    return [*top, *told, *([""] * (room - len(told))), f"{DIM}{KEY_HELP[:columns]}{RESET}"]


def _framed(rows: list[str]) -> list[str]:
    wide = len(rows[0])
    return [f"╭{'─' * wide}╮", *(f"│{row}│" for row in rows), f"╰{'─' * wide}╯"]


def _folded(one: LogLine, columns: int) -> list[str]:
    mark, colour = ("!", ALERT_COLOUR) if one.alert else (" ", "")
    rows = wrap(one.says, columns - 2) or [""]
    return [f"{colour}{mark if not n else ' '} {row}{RESET if colour else ''}" for n, row in enumerate(rows)]


def _pads(view: View, names: Names, columns: int, lines: int) -> list[str]:
    """A line for each player, with the points of every round where there is room."""
    rows = [_pad(pad, view, names, columns) for pad in view.pads]
    head = [] if not rows else [""]
    return [*head, *rows, *([""] * lines)][:lines]


def _pad(pad: Pad, view: View, names: Names, columns: int) -> str:
    mark = "*" if pad.player in view.winners else ">" if pad.player == view.turn else " "
    total = str(pad.total + pad.now)
    name = format_player(pad.player, names)
    short = f"{mark}{name[: columns - 2 - len(total)]:{max(columns - 2 - len(total), 0)}} {total}"
    rounds = " ".join(f"{points:3}" for points in pad.rounds)
    if columns < PAD_COLUMNS:
        return short
    room = columns - PAD_COLUMNS
    return f"{mark}{name[:10]:10} {total:>5}  {rounds[-room:] if room > 0 else ''}"
