"""A QR code in dots large enough for a phone, at the right of a screen; none where they would be too small."""

from PIL import ImageDraw

LEAST = 2
"""Dots to a module: one alone is too small for most phones."""
QUIET = 2
"""Modules of light around it: less than on paper, for around a screen it is dark anyway."""

Code = tuple[str, ...]
"""A word for each row, ``1`` for a dark module."""


def side(code: Code, height: int) -> int:
    """Dots it takes, 0 where it does not fit."""
    whole = len(code) + 2 * QUIET
    return whole * (height // whole) if code and height // whole >= LEAST else 0


def put_square(pen: ImageDraw.ImageDraw, x: int, y: int, wide: int, code: Code) -> None:
    """Dark on light, as phones expect it."""
    dots = wide // (len(code) + 2 * QUIET)
    pen.rectangle((x, y, x + wide - 1, y + wide - 1), fill=1)
    for down, row in enumerate(code):
        for across, module in enumerate(row):
            if module == "1":
                left, top = x + (across + QUIET) * dots, y + (down + QUIET) * dots
                pen.rectangle((left, top, left + dots - 1, top + dots - 1), fill=0)
