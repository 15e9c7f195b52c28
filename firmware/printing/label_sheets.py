"""Stickers on sheets of ready-cut labels, and a key sheet on plain paper that shows which label is which."""

from collections.abc import Sequence

from firmware.printing.page_frame import (
    CONTROL_MM,
    FOOT_MM,
    HEAD_MM,
    MARGIN_MM,
    draw_control_line,
    draw_foot,
    draw_head,
)
from firmware.printing.paper_sizes import Paper
from firmware.printing.pdf_canvas import FAINT, SOFT, Sheets
from firmware.printing.piece_selection import caption_code, game_titles
from firmware.printing.sticker_grid import LabelsOffSheet, StickerGrid
from firmware.printing.sticker_position import describe_position, draw_sticker_position
from firmware.printing.sticker_sheets import draw_sticker
from vision.tags.codebook import Code

DRAWING_MM = 46.0
CONTROL_LINE_MM = 3.2
"""mm that a control line needs across its direction."""

NAME_ASIDE_MM, NAME_BELOW_MM = 7.0, 2.0
"""mm between labels from which a name fits beside its code, or below it."""


def draw_labels(codes: Sequence[Code], sticker: float, paper: Paper, grid: StickerGrid, start: int = 1) -> Sheets:
    """The key first, then the label sheets; the first ``start - 1`` labels stay empty."""
    grid.check(paper, sticker)
    room = grid.cols * grid.rows
    if start > room:
        raise LabelsOffSheet(f"A sheet has {room} labels; the first free one cannot be number {start} (--start).")
    sheets = Sheets(f"{game_titles(codes)} stickers on labels")
    slots: list[Code | None] = [None] * (start - 1)
    slots += codes
    pages = [slots[first : first + room] for first in range(0, len(slots), room)]
    _key(sheets, paper, codes, sticker, grid, pages)
    for page in pages:
        sheets.page(paper)
        for at, code in zip(grid.places, page, strict=False):
            if code is not None:
                draw_sticker(sheets, at, code, sticker)
                _beside(sheets, at, code, sticker, grid)
        _measure(sheets, paper, sticker, grid)
    return sheets


def _beside(sheets: Sheets, at: tuple[float, float], code: Code, sticker: float, grid: StickerGrid) -> None:
    """Draw the name to the right of its code or below it, where the labels leave room."""
    name, detail = caption_code(code)
    room_x, room_y = grid.pitch_x - sticker, grid.pitch_y - sticker
    if room_x >= NAME_ASIDE_MM:
        size = 2.4
        while size > 1.0 and sheets.wide(name, size, bold=True) > room_x - 2:
            size -= 0.1
        sheets.text((at[0] + sticker + 1, at[1] + sticker / 2), name, size=size, bold=True)
        sheets.text((at[0] + sticker + 1, at[1] + sticker / 2 + 2.6), detail, size=1.2, colour=SOFT)
    elif room_y >= NAME_BELOW_MM:
        words = f"{name} {detail}".strip()
        size = min(2.2, room_y - 0.8)
        while size > 0.8 and sheets.wide(words, size) > sticker:
            size -= 0.1
        sheets.text((at[0] + sticker / 2, at[1] + sticker + size + 0.2), words, size=size, align="centre")


def _measure(sheets: Sheets, paper: Paper, sticker: float, grid: StickerGrid) -> None:
    """Draw the control line in the widest strip without labels, even a narrow one."""
    aside = grid.pitch_x - sticker >= NAME_ASIDE_MM
    right = paper.width - grid.right(sticker) - (NAME_ASIDE_MM if aside else 0)
    bottom = paper.height - grid.bottom(sticker) - (0 if aside else NAME_BELOW_MM)
    strips = {"below": bottom, "above": grid.top, "left": grid.left, "right": right}
    best = max(strips, key=lambda side: strips[side])
    wide = strips[best]
    words = wide >= 12
    across = (paper.width - CONTROL_MM) / 2
    along = (paper.height + CONTROL_MM) / 2
    match best:
        case "below":
            y = paper.height - (11 if words else max(bottom / 2 - 1, CONTROL_LINE_MM / 2))
            draw_control_line(sheets, (across, y), words=words)
        case "above":
            draw_control_line(sheets, (across, min(6.0, max(wide / 2, CONTROL_LINE_MM / 2))), words=words)
        case "left":
            draw_control_line(sheets, (min(6.0, max(wide / 2, CONTROL_LINE_MM / 2)), along), turn=-90, words=words)
        case _:
            x = paper.width - (11 if words else max(wide / 2, CONTROL_LINE_MM / 2))
            draw_control_line(sheets, (x, along), turn=-90, words=words)


def _key(
    sheets: Sheets,
    paper: Paper,
    codes: Sequence[Code],
    sticker: float,
    grid: StickerGrid,
    pages: Sequence[Sequence[Code | None]],
) -> None:
    sheets.page(paper)
    draw_head(
        sheets,
        paper,
        sheets.title,
        "This sheet on plain paper, the next ones on the labels",
        1,
        len(pages) + 1,
    )
    top = MARGIN_MM + HEAD_MM
    left = MARGIN_MM + draw_sticker_position(sheets, (MARGIN_MM, top), DRAWING_MM - 6, codes[0], sticker) + 6
    steps = (
        describe_position(codes[0]),
        "Print one sheet of labels on plain paper first and hold it against the labels in front of a window.",
        "Every sheet has a 100 mm line: measure it.",
    )
    y = top + 4
    for step in steps:
        for line in sheets.lines(step, paper.width - left - MARGIN_MM, 2.2):
            sheets.text((left, y), line, size=2.2)
            y += 4.2
        y += 1.5
    _map(sheets, paper, grid, pages, top + DRAWING_MM)
    draw_foot(sheets, paper)


def _map(sheets: Sheets, paper: Paper, grid: StickerGrid, pages: Sequence[Sequence[Code | None]], top: float) -> None:
    """Draw every label sheet in small, each label with its name."""
    across = min(3, len(pages))
    down = -(-len(pages) // across)
    wide = (paper.width - 2 * MARGIN_MM - 8 * (across - 1)) / across
    high = (paper.height - top - MARGIN_MM - FOOT_MM - 6 * down) / down
    scale = min(wide / paper.width, high / paper.height)
    for number, page in enumerate(pages):
        x = MARGIN_MM + number % across * (wide + 8)
        y = top + 4 + number // across * (high + 6)
        sheets.text((x, y - 1), f"Label sheet {number + 1}", size=2.0, bold=True)
        sheets.box((x, y), (paper.width * scale, paper.height * scale), edge=SOFT)
        cell = (max(grid.pitch_x, 1) * scale, max(grid.pitch_y, 1) * scale)
        for at, code in zip(grid.places, page, strict=False):
            spot = (x + at[0] * scale, y + at[1] * scale)
            sheets.box(spot, (cell[0] * 0.92, cell[1] * 0.92), edge=FAINT, width=0.1)
            if code is not None:
                name = " ".join(caption_code(code)).strip()
                size = min(2.2, cell[1] * 0.5)
                while size > 0.5 and sheets.wide(name, size) > cell[0] * 0.85:
                    size -= 0.1
                middle = (spot[0] + cell[0] * 0.46, spot[1] + cell[1] * 0.46 + size / 2)
                sheets.text(middle, name, size=size, align="centre")
