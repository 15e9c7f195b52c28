"""The faces of the special cards of 6 nimmt!: a name, a symbol drawn by us, and the effect of the card."""

from collections.abc import Mapping
from types import MappingProxyType

from firmware.printing.pdf_canvas import WHITE, Colour, Point, Sheets, Size

SPECIAL_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "fifth": "5th Row",
        "seven": "Take-at-7",
        "insert": "Insert",
        "block": "Block",
        "replace": "Replace",
        "move": "Move",
        "negpos": "Neg=Pos",
    }
)
SPECIAL_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "fifth": "Your card starts a fifth row. You take nothing.",
        "seven": "This row holds a sixth card: only the seventh takes it.",
        "insert": "Place your card inside a row or before it, not at its end.",
        "block": "No card may be added here until another row is taken.",
        "replace": "Take your card back and play another one.",
        "move": "First move any one card to another row.",
        "negpos": "One card of the row you take counts against your heads.",
    }
)
SPECIAL_COLOUR: Colour = (20, 118, 104)


def draw_special(sheets: Sheets, at: Point, size: Size, kind: str) -> None:
    wide, _ = size
    sheets.box((at[0] + 4, at[1] + 4), (wide - 8, 9), fill=SPECIAL_COLOUR, corner=2)
    sheets.text(
        (at[0] + wide / 2, at[1] + 10.6), SPECIAL_NAMES[kind], size=4.2, align="centre", colour=WHITE, bold=True
    )
    draw_symbol(sheets, (at[0] + wide / 2, at[1] + 27.5), kind)
    y = at[1] + 46.5
    for line in sheets.lines(SPECIAL_MEANINGS[kind], wide - 10, 2.5):
        sheets.text((at[0] + wide / 2, y), line, size=2.5, align="centre")
        y += 4.6


def draw_symbol(sheets: Sheets, centre: Point, kind: str) -> None:
    """Draw rows of small cards that show the effect of the special card; the filled ones change."""
    wide, high, step = 4.4, 6.6, 5.6
    x, y = centre

    def card(col: float, row: float, *, on: bool = False, ghost: bool = False) -> None:
        at = (x + col * step - wide / 2, y + row * (high + 1.6) - high / 2)
        edge = (170, 200, 196) if ghost else SPECIAL_COLOUR
        sheets.box(at, (wide, high), fill=SPECIAL_COLOUR if on else WHITE, edge=edge, width=0.4, corner=0.8)

    def stroke(*points: Point, width: float = 0.7) -> None:
        sheets.line([(x + px * step, y + py * (high + 1.6)) for px, py in points], SPECIAL_COLOUR, width)

    match kind:
        case "fifth":
            for row in (-1.0, 0.0):
                for col in (-2.0, -1.0, 0.0, 1.0):
                    card(col + 0.5, row)
            card(-1.5, 1, on=True)
        case "seven":
            for col in (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0):
                card(col + 0.2, 0, on=col == 2)
            sheets.text((x + 3.35 * step, y + 2.4), "7", size=5, align="centre", colour=SPECIAL_COLOUR, bold=True)
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
