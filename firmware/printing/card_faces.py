"""Parts of the faces and backs of plain cards: numbers, bull heads and a plain back, all drawn by us."""

import math

from firmware.printing.pdf_canvas import WHITE, Colour, Point, Sheets, Size


def draw_back(sheets: Sheets, at: Point, card: Size, sticker: float) -> None:
    """A plain pattern around the sticker for backs."""
    wide, high = card
    sheets.box((at[0] + 4, at[1] + 4), (wide - 8, high - 8), edge=(150, 164, 190), width=0.5, corner=3)
    step = 6.0
    for row in range(2, int(high / step) - 1):
        for col in range(2, int(wide / step) - 1):
            x, y = at[0] + (col + 0.25) * step, at[1] + (row + 0.25) * step
            if max(abs(x - at[0] - wide / 2), abs(y - at[1] - high / 2)) > sticker / 2 + 3:
                sheets.disc((x, y), 0.8, (196, 206, 224))


def draw_corners(sheets: Sheets, at: Point, card: Size, number: str, tone: Colour) -> None:
    """Numbers top left for overlapping rows, top right for a fan, and bottom right upside down."""
    wide, high = card
    reach = sheets.wide(number, 6, bold=True)
    for right, turn in ((reach + 4, 0), (wide - 4, 0), (wide - 4, 180)):
        base = 10.2 if turn == 0 else high - 10.2
        start = right if turn == 180 else right - reach
        sheets.text((at[0] + start, at[1] + base), number, size=6, colour=tone, bold=True, turn=turn)
        if turns_into_another(number):
            under = base + 0.8 if turn == 0 else base - 1.4
            sheets.box((at[0] + right - reach, at[1] + under), (reach, 0.6), fill=tone)


def draw_number(sheets: Sheets, at: Point, number: str, size: float, tone: Colour) -> None:
    sheets.text(at, number, size=size, align="centre", colour=tone, bold=True)
    if turns_into_another(number):
        half = sheets.wide(number, size, bold=True) / 2
        sheets.box((at[0] - half, at[1] + size * 0.12), (2 * half, size * 0.06), fill=tone)


def turns_into_another(number: str) -> bool:
    """Would it read as another number upside down? Such numbers are underlined."""
    return set(number) <= set("0689") and bool(set(number) & set("69"))


def draw_bull(sheets: Sheets, centre: Point, size: float, tone: Colour) -> None:
    """A bull head; ``size`` is its width with the horns."""

    def put(*points: Point) -> list[Point]:
        return [(centre[0] + x * size / 2, centre[1] + y * size / 2) for x, y in points]

    def both(*points: Point) -> None:
        sheets.shape(put(*points), tone)
        sheets.shape(put(*((-x, y) for x, y in points)), tone)

    outside = [(0.98 - 0.62 * t**1.6 - 0.1 * math.sin(math.pi * t), -0.9 + 0.78 * t) for t in (n / 8 for n in range(9))]
    inside = [(0.98 - 0.7 * t**0.62, -0.9 + 0.52 * t**1.5) for t in (n / 8 for n in range(8, -1, -1))]
    both(*outside, *inside)
    both((0.34, -0.12), (0.78, -0.16), (0.62, 0.14), (0.36, 0.14))
    sheets.shape(
        put((-0.4, -0.38), (0.4, -0.38), (0.42, 0.05), (0.3, 0.45), (0.34, 0.7), (0.2, 0.88))
        + put((-0.2, 0.88), (-0.34, 0.7), (-0.3, 0.45), (-0.42, 0.05)),
        tone,
    )
    for side in (-1, 1):
        sheets.disc(put((side * 0.2, 0.02))[0], size * 0.035, WHITE)
        sheets.disc(put((side * 0.13, 0.7))[0], size * 0.028, WHITE)
