"""Sheets of stickers, each with the name of its piece below it, and instructions."""

from collections.abc import Sequence

from firmware.printing.camera_range import AREAS_MM, CAMERAS, camera_ranges
from firmware.printing.page_frame import FOOT_MM, HEAD_MM, MARGIN_MM, draw_corner_ticks, draw_foot, draw_head
from firmware.printing.paper_sizes import Paper
from firmware.printing.pdf_canvas import INK, SOFT, Point, Sheets
from firmware.printing.piece_selection import caption_code, format_count, game_titles
from firmware.printing.sticker_grid import StickerGrid
from firmware.printing.sticker_position import describe_position, draw_sticker_position
from vision.tags.codebook import CODE_MODULES, QUIET_MODULES, Code, draw_pattern

GUIDE_MM = 46.0
"""Height in mm of the instructions on the first sheet."""

CAPTION_MM = 6.0
STICKER_GAP_MM = 4.5


def draw_stickers(codes: Sequence[Code], sticker: float, paper: Paper) -> Sheets:
    """As many stickers as fit between the margins, to cut out; the first sheet has instructions."""
    sheets = Sheets(f"{game_titles(codes)} stickers")
    pages = _paged(codes, sticker, paper)
    for number, (top, share) in enumerate(pages, 1):
        sheets.page(paper)
        note = f"{format_count(len(codes), 'sticker')} of {sticker:g} x {sticker:g} mm, white border included"
        draw_head(sheets, paper, sheets.title, note, number, len(pages))
        if number == 1:
            _guide(sheets, paper, codes[0], sticker)
        for code, at in zip(share, _rows(paper, sticker, top).places, strict=False):
            draw_sticker(sheets, at, code, sticker)
            draw_corner_ticks(sheets, at, (sticker, sticker))
            _below(sheets, at, code, sticker)
        draw_foot(sheets, paper)
    return sheets


def draw_sticker(sheets: Sheets, at: Point, code: Code, sticker: float) -> None:
    """Draw the code; the top left corner of its white border is at ``at``."""
    module = sticker / (CODE_MODULES + 2 * QUIET_MODULES)
    sheets.modules(draw_pattern(code.payload), (at[0] + QUIET_MODULES * module, at[1] + QUIET_MODULES * module), module)


def _rows(paper: Paper, sticker: float, top: float) -> StickerGrid:
    pitch_x, pitch_y = sticker + STICKER_GAP_MM, sticker + CAPTION_MM + 1
    wide = paper.width - 2 * MARGIN_MM
    cols = int((wide + STICKER_GAP_MM) // pitch_x)
    rows = int((paper.height - MARGIN_MM - FOOT_MM - top + 1) // pitch_y)
    left = MARGIN_MM + (wide - cols * pitch_x + STICKER_GAP_MM) / 2
    return StickerGrid(cols, rows, left, top, pitch_x, pitch_y)


def _paged(codes: Sequence[Code], sticker: float, paper: Paper) -> list[tuple[float, Sequence[Code]]]:
    pages: list[tuple[float, Sequence[Code]]] = []
    done = 0
    while done < len(codes):
        top = MARGIN_MM + HEAD_MM + (0 if pages else GUIDE_MM)
        room = len(_rows(paper, sticker, top).places)
        pages.append((top, codes[done : done + room]))
        done += room
    return pages


def _below(sheets: Sheets, at: Point, code: Code, sticker: float) -> None:
    name, detail = caption_code(code)
    size = 2.4
    while size > 1.2 and sheets.wide(name, size, bold=True) + sheets.wide(f"  {detail}", 1.4) > sticker - 2.4:
        size -= 0.1
    base = at[1] + sticker + 3.6
    sheets.text((at[0] + 1.2, base), name, size=size, bold=True)
    sheets.text((at[0] + sticker - 1.2, base), detail, size=1.4, align="right", colour=SOFT)


def _guide(sheets: Sheets, paper: Paper, code: Code, sticker: float) -> None:
    top = MARGIN_MM + HEAD_MM
    wide = draw_sticker_position(sheets, (MARGIN_MM, top), GUIDE_MM - 6, code, sticker)
    left = MARGIN_MM + wide + 6
    steps = (
        "Print on matt paper or matt labels, at 100 %. Measure the line at the foot.",
        "Cut along the marks. The white border belongs to the sticker.",
        describe_position(code),
        "The name of the card is below each sticker. No two stickers are the same.",
    )
    y = top + 3.5
    table = 76.0
    for number, step in enumerate(steps, 1):
        sheets.text((left, y), f"{number}", size=2.4, bold=True)
        for line in sheets.lines(step, paper.width - MARGIN_MM - left - table - 10, 1.9):
            sheets.text((left + 5, y), line, size=1.9)
            y += 3.5
        y += 1.6
    _reach(sheets, (paper.width - MARGIN_MM - table, top + 3.5), sticker)
    sheets.line([(MARGIN_MM, top + GUIDE_MM - 4), (paper.width - MARGIN_MM, top + GUIDE_MM - 4)], colour=SOFT)


def _reach(sheets: Sheets, at: Point, sticker: float) -> None:
    """Draw the reading range of this size as a small table 76 mm wide."""
    sheets.text(at, f"{sticker:g} mm under a camera that just sees the area:", size=1.9)
    cols = (44.0, 60.0, 76.0)
    for col, (wide, high) in zip(cols, AREAS_MM, strict=True):
        sheets.text((at[0] + col, at[1] + 5), f"{wide} x {high}", size=1.6, align="right", colour=SOFT)
    every = camera_ranges(sticker)
    for line, (camera, _, _) in enumerate(CAMERAS):
        y = at[1] + 9 + 4 * line
        sheets.text((at[0], y), camera, size=1.7)
        for col, found in zip(cols, (r for r in every if r.camera == camera), strict=True):
            fine = found.px_module >= 2.0
            words = f"{found.verdict} {found.px_module:.1f}"
            sheets.text((at[0] + col, y), words, size=1.7, align="right", bold=fine, colour=INK if fine else SOFT)
    sheets.text((at[0], at[1] + 22), "Pixels a module; 2.5 reads well, 1.5 is the least.", size=1.5, colour=SOFT)
    sheets.text((at[0], at[1] + 25), "A camera leaning 20 degrees keeps two thirds of it.", size=1.5, colour=SOFT)
