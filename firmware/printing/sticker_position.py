"""The drawing that shows the position of a sticker on its card."""

import math

from firmware.printing.page_frame import draw_arrow
from firmware.printing.pdf_canvas import FAINT, INK, SOFT, WHITE, Point, Sheets
from vision.pieces import NIMMT, PIECES
from vision.tags.codebook import CODE_MODULES, EDGE_MM, QUIET_MODULES, Code, draw_pattern


def draw_sticker_position(sheets: Sheets, at: Point, height: float, code: Code, sticker: float) -> float:
    """Draw it ``height`` mm high with its top left corner at ``at``; the width in mm."""
    match PIECES[code.game].kind:
        case "card":
            return _card(sheets, at, height, code, sticker)
        case "tile":
            return _tile(sheets, at, height, code, sticker)
        case "back":
            return _back(sheets, at, height, code, sticker)


def _code(sheets: Sheets, centre: Point, code: Code, size: float) -> None:
    module = size / (CODE_MODULES + 2 * QUIET_MODULES)
    sheets.box((centre[0] - size / 2, centre[1] - size / 2), (size, size), fill=WHITE, edge=SOFT)
    sheets.modules(
        draw_pattern(code.payload),
        (centre[0] - size / 2 + QUIET_MODULES * module, centre[1] - size / 2 + QUIET_MODULES * module),
        module,
    )


def _card(sheets: Sheets, at: Point, height: float, code: Code, sticker: float) -> float:
    wide, high = PIECES[code.game].size
    scale = (height - 5) / high
    left, top = at[0] + 7, at[1]
    width, foot = wide * scale, top + high * scale
    sheets.box((left, top), (width, high * scale), fill=WHITE, edge=INK, width=0.3, corner=3.5 * scale)
    name = code.piece if code.piece.isdecimal() else "?"
    sheets.text(
        (left + width / 2, top + 0.4 * high * scale),
        name,
        size=0.19 * high * scale,
        align="centre",
        colour=FAINT,
        bold=True,
    )
    inset = (EDGE_MM + sticker / 2) * scale
    _code(sheets, (left + inset, foot - inset), code, sticker * scale)
    edge = EDGE_MM * scale
    low = foot + 2.6  # below the card: the gap to its left edge; left of it: the gap to its bottom edge
    sheets.line([(left, foot + 0.6), (left, low + 0.8)], colour=SOFT)
    sheets.line([(left + edge, foot - edge + 0.2), (left + edge, low + 0.8)], colour=SOFT)
    draw_arrow(sheets, (left - 3.2, low), (left, low))
    draw_arrow(sheets, (left + edge + 3.2, low), (left + edge, low))
    sheets.text((left + edge + 3.8, low + 0.8), f"{EDGE_MM:g} mm", size=1.6, colour=SOFT)
    aside = left - 2.2
    sheets.line([(left - 0.6, foot), (aside - 0.8, foot)], colour=SOFT)
    sheets.line([(left + edge - 0.2, foot - edge), (aside - 0.8, foot - edge)], colour=SOFT)
    draw_arrow(sheets, (aside, foot - edge - 3.2), (aside, foot - edge))
    sheets.text((aside + 0.8, foot - edge - 4), f"{EDGE_MM:g} mm", size=1.6, colour=SOFT, turn=-90)
    return width + 10


def _tile(sheets: Sheets, at: Point, height: float, code: Code, sticker: float) -> float:
    radius = height / 2
    centre = (at[0] + radius, at[1] + radius)
    corners = [
        (centre[0] + radius * math.cos(math.radians(a)), centre[1] + radius * math.sin(math.radians(a)))
        for a in range(0, 360, 60)
    ]
    sheets.shape(corners, (176, 44, 40) if code.piece == "red" else (58, 58, 62))
    _code(sheets, centre, code, min(height * 0.62, sticker * height / 38))
    return 2 * radius + 2


def _back(sheets: Sheets, at: Point, height: float, code: Code, sticker: float) -> float:
    wide, high = NIMMT.size
    scale = height / high
    sheets.box(at, (wide * scale, height), fill=(214, 220, 230), edge=INK, width=0.3, corner=3.5 * scale)
    _code(sheets, (at[0] + wide * scale / 2, at[1] + height / 2), code, sticker * scale)
    return wide * scale + 2


def describe_position(code: Code) -> str:
    """The position as a sentence."""
    match PIECES[code.game].kind:
        case "card":
            return f"On the face, bottom left, code upright, {EDGE_MM:g} mm from both edges, as drawn."
        case "tile":
            return "In the middle of the tile's top."
        case "back":
            return "In the middle of the card's back."
