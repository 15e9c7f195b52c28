"""The dots of a screen as block characters at a fixed place of a terminal."""

import sys
from typing import TextIO

from PIL import Image

from hw.panel.panel import Panel

HOME = "\x1b[H"
BLOCKS = " ▀▄█"


def to_blocks(image: Image.Image) -> str:
    """Two rows of dots give one line of text."""
    dots = image.convert("1")
    rows = [[bool(dots.getpixel((x, y))) for x in range(dots.width)] for y in range(dots.height)]
    if len(rows) % 2:
        rows.append([False] * dots.width)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(BLOCKS[a + 2 * b] for a, b in zip(*pair, strict=True)) for pair in pairs)


class TerminalPanel(Panel):
    """Into a file or pipe the pictures are written one below the other."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout

    def show(self, image: Image.Image) -> None:
        self._out.write(f"{HOME if self._out.isatty() else ''}{to_blocks(image)}\n")
        self._out.flush()
