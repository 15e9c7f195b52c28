"""A QR code on the right of a screen, with modules large enough for a phone, or none if it does not fit."""

from PIL import ImageDraw

MIN_MODULE_DOTS = 2
"""Dots for a module: a single dot is too small for most phones."""
QUIET_MODULES = 2
"""Quiet zone: less than on paper, because a screen is dark around it."""

QrRows = tuple[str, ...]
"""A string for each row, ``1`` for a dark module."""


def qr_size(code: QrRows, height: int) -> int:
    """Side length in dots, 0 if it does not fit."""
    whole = len(code) + 2 * QUIET_MODULES
    return whole * (height // whole) if code and height // whole >= MIN_MODULE_DOTS else 0


def draw_qr(pen: ImageDraw.ImageDraw, x: int, y: int, wide: int, code: QrRows) -> None:
    """Draw it dark on light, as phones expect."""
    dots = wide // (len(code) + 2 * QUIET_MODULES)
    pen.rectangle((x, y, x + wide - 1, y + wide - 1), fill=1)
    for down, row in enumerate(code):
        for across, module in enumerate(row):
            if module == "1":
                left, top = x + (across + QUIET_MODULES) * dots, y + (down + QUIET_MODULES) * dots
                pen.rectangle((left, top, left + dots - 1, top + dots - 1), fill=0)
