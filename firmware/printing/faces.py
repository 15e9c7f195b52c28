"""The faces and backs of plain cards: numbers, bull heads and arrows of our own drawing."""

import math

from engine.games.nimmt.cards import HEADS
from firmware.printing.canvas import INK, SOFT, WHITE, Colour, Point, Sheets, Size
from firmware.printing.selection import MEANINGS, NAMES
from firmware.printing.stickers import draw_sticker
from vision.pieces import NIMMT, PIECES, THE_GAME
from vision.tags.codebook import EDGE_MM, Code

TONES: dict[int, Colour] = {
    1: (72, 84, 100),
    2: (30, 106, 168),
    3: (206, 126, 14),
    5: (190, 46, 38),
    7: (112, 50, 138),
}
SPECIAL: Colour = (20, 118, 104)
UP: Colour = (190, 46, 38)
DOWN: Colour = (30, 106, 168)


def face(sheets: Sheets, at: Point, code: Code, sticker: float) -> None:
    """One card with its top left corner at ``at``, the code where a sticker would be."""
    kind = code.piece.split(".")[0]
    if kind in NAMES:
        _special(sheets, at, kind, sticker)
    elif code.game == "thegame":
        _pile_card(sheets, at, int(kind))
    else:
        _row_card(sheets, at, int(kind))
    _, high = PIECES[code.game].size
    draw_sticker(sheets, (at[0] + EDGE_MM, at[1] + high - EDGE_MM - sticker), code, sticker)


def back(sheets: Sheets, at: Point, card: Size, tag: Code, sticker: float) -> None:
    """A quiet pattern with the back tag in its middle."""
    wide, high = card
    sheets.box((at[0] + 4, at[1] + 4), (wide - 8, high - 8), edge=(150, 164, 190), width=0.5, corner=3)
    step = 6.0
    for row in range(2, int(high / step) - 1):
        for col in range(2, int(wide / step) - 1):
            x, y = at[0] + (col + 0.25) * step, at[1] + (row + 0.25) * step
            if max(abs(x - at[0] - wide / 2), abs(y - at[1] - high / 2)) > sticker / 2 + 3:
                sheets.disc((x, y), 0.8, (196, 206, 224))
    draw_sticker(sheets, (at[0] + (wide - sticker) / 2, at[1] + (high - sticker) / 2), tag, sticker)


def _row_card(sheets: Sheets, at: Point, number: int) -> None:
    wide, high = NIMMT.size
    count = HEADS[number]
    tone = TONES[count]
    _corners(sheets, at, (wide, high), str(number), tone)
    size = 7.4
    rows = (4, 3) if count == 7 else (count,)
    for line, share in enumerate(rows):
        for n in range(share):
            middle = at[0] + wide / 2 + (n - (share - 1) / 2) * (size + 1.2)
            bull(sheets, (middle, at[1] + 20 + line * (size + 0.4)), size, tone)
    _number(sheets, (at[0] + wide / 2, at[1] + high * 0.65), str(number), 22 if number < 100 else 18, tone)


def _pile_card(sheets: Sheets, at: Point, number: int) -> None:
    wide, high = THE_GAME.size
    tone = {1: UP, 100: DOWN}.get(number, INK)
    _corners(sheets, at, (wide, high), str(number), tone)
    middle = at[0] + wide / 2
    _number(sheets, (middle, at[1] + high * 0.6), str(number), 24 if number < 100 else 17, tone)
    if number in (1, 100):
        turn = -1 if number == 1 else 1
        for n in range(3):
            y = at[1] + 15.5 + n * 4.4
            sheets.shape([(middle - 6, y - turn * 2), (middle + 6, y - turn * 2), (middle, y + turn * 2.6)], tone)
        words = "rising: 2 to 99" if number == 1 else "falling: 99 to 2"
        sheets.text((at[0] + wide - 5, at[1] + high * 0.72), words, size=2.4, align="right", colour=SOFT)


def _special(sheets: Sheets, at: Point, kind: str, sticker: float) -> None:
    wide, _ = NIMMT.size
    sheets.box((at[0] + 4, at[1] + 4), (wide - 8, 9), fill=SPECIAL, corner=2)
    size = 4.2
    sheets.text((at[0] + wide / 2, at[1] + 10.6), NAMES[kind], size=size, align="centre", colour=WHITE, bold=True)
    symbol(sheets, (at[0] + wide / 2, at[1] + 27.5), kind)
    y = at[1] + 46.5
    for line in sheets.lines(MEANINGS[kind], wide - 10, 2.5):
        sheets.text((at[0] + wide / 2, y), line, size=2.5, align="centre")
        y += 4.6


def _corners(sheets: Sheets, at: Point, card: Size, number: str, tone: Colour) -> None:
    """Top left for rows pushed together, top right for a fan, bottom right upside down."""
    wide, high = card
    reach = sheets.wide(number, 6, bold=True)
    for right, turn in ((reach + 4, 0), (wide - 4, 0), (wide - 4, 180)):
        base = 10.2 if turn == 0 else high - 10.2
        start = right if turn == 180 else right - reach
        sheets.text((at[0] + start, at[1] + base), number, size=6, colour=tone, bold=True, turn=turn)
        if turns_into_another(number):
            under = base + 0.8 if turn == 0 else base - 1.4
            sheets.box((at[0] + right - reach, at[1] + under), (reach, 0.6), fill=tone)


def _number(sheets: Sheets, at: Point, number: str, size: float, tone: Colour) -> None:
    sheets.text(at, number, size=size, align="centre", colour=tone, bold=True)
    if turns_into_another(number):
        half = sheets.wide(number, size, bold=True) / 2
        sheets.box((at[0] - half, at[1] + size * 0.12), (2 * half, size * 0.06), fill=tone)


def turns_into_another(number: str) -> bool:
    """Would it be read as another card upside down? Then a line says where its foot is."""
    return set(number) <= set("0689") and bool(set(number) & set("69"))


def bull(sheets: Sheets, centre: Point, size: float, tone: Colour) -> None:
    """A bull's head as wide as ``size``, horns included."""

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


def symbol(sheets: Sheets, centre: Point, kind: str) -> None:
    """Rows of little cards that show what the special does; the filled ones are what changes."""
    wide, high, step = 4.4, 6.6, 5.6
    x, y = centre

    def card(col: float, row: float, *, on: bool = False, ghost: bool = False) -> None:
        at = (x + col * step - wide / 2, y + row * (high + 1.6) - high / 2)
        edge = (170, 200, 196) if ghost else SPECIAL
        sheets.box(at, (wide, high), fill=SPECIAL if on else WHITE, edge=edge, width=0.4, corner=0.8)

    def stroke(*points: Point, width: float = 0.7) -> None:
        sheets.line([(x + px * step, y + py * (high + 1.6)) for px, py in points], SPECIAL, width)

    match kind:
        case "fifth":
            for row in (-1.0, 0.0):
                for col in (-2.0, -1.0, 0.0, 1.0):
                    card(col + 0.5, row)
            card(-1.5, 1, on=True)
        case "seven":
            for col in (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0):
                card(col + 0.2, 0, on=col == 2)
            sheets.text((x + 3.35 * step, y + 2.4), "7", size=5, align="centre", colour=SPECIAL, bold=True)
        case "insert":
            for col in (-2.0, -1.0, 1.0, 2.0):
                card(col, 0.4)
            card(0, -0.6, on=True)
            stroke((0, 0.0), (0, 0.8))
            stroke((-0.25, 0.5), (0, 0.8), (0.25, 0.5))
        case "block":
            for col in (-2.0, -1.0, 0.0):
                card(col, 0)
            stroke((0.9, -0.55), (0.9, 0.55), width=1.6)
            stroke((1.4, -0.4), (2.2, 0.4))
            stroke((1.4, 0.4), (2.2, -0.4))
        case "replace":
            card(-1.4, 0, ghost=True)
            card(1.4, 0, on=True)
            stroke((-0.7, 0.0), (0.6, 0.0))
            stroke((0.3, -0.2), (0.6, 0.0), (0.3, 0.2))
        case "move":
            for col in (-2.0, -1.0):
                card(col, -0.55)
            for col in (-2.0, -1.0, 0.0):
                card(col, 0.55)
            card(0, -0.55, ghost=True)
            card(1, 0.55, on=True)
            stroke((0.6, -0.55), (1, -0.55), (1, -0.1))
            stroke((0.75, -0.3), (1, -0.05), (1.25, -0.3))
        case _:
            stroke((-1.9, 0), (-1.1, 0), width=1.6)
            stroke((-0.4, -0.14), (0.4, -0.14), width=1.6)
            stroke((-0.4, 0.14), (0.4, 0.14), width=1.6)
            stroke((1.1, 0), (1.9, 0), width=1.6)
            stroke((1.5, -0.27), (1.5, 0.27), width=1.6)
