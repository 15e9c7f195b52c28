"""The four corner markers: their size and the corner of each."""

from collections.abc import Mapping
from types import MappingProxyType

from firmware.printing.page_frame import HEAD_MM, MARGIN_MM, draw_arrow, draw_corner_ticks, draw_foot, draw_head
from firmware.printing.paper_sizes import Paper
from firmware.printing.pdf_canvas import INK, SOFT, WHITE, Point, Sheets
from vision.tags.codebook import MARKERS, draw_marker_modules

BORDER_MODULES = 1
"""White modules around the black square, which belong to the marker."""

CORNER_NAMES: Mapping[str, str] = MappingProxyType(
    {"TL": "top left", "TR": "top right", "BR": "bottom right", "BL": "bottom left"}
)


def outer_size(size: float) -> float:
    """Side of a marker with its white border, for a black square of ``size`` mm."""
    return size * (6 + 2 * BORDER_MODULES) / 6


def draw_marker(sheets: Sheets, at: Point, corner: str, size: float) -> None:
    """Draw the black square with its top left corner at ``at``."""
    sheets.modules(draw_marker_modules(corner), at, size / 6)


def draw_marker_sheets(size: float, paper: Paper) -> Sheets:
    """All four markers on as few sheets as possible; the first sheet has instructions."""
    sheets = Sheets("corner markers")
    full, below = outer_size(size), 16.0
    guide = 52.0
    cols = max(1, int((paper.width - 2 * MARGIN_MM + 8) // (full + 8)))
    rows = int((paper.height - 2 * MARGIN_MM - HEAD_MM - guide - 12) // (full + below))
    first = max(1, min(cols, 2) * min(rows, 2))
    across = min(cols, 2)
    corners = ("TL", "TR", "BL", "BR")
    pages = [corners[:first], *(corners[n : n + 2 * across] for n in range(first, 4, 2 * across))]
    for number, share in enumerate(pages, 1):
        sheets.page(paper)
        note = f"black square {size:g} x {size:g} mm; the white border belongs to the marker"
        draw_head(sheets, paper, "Corner markers", note, number, len(pages))
        top = MARGIN_MM + HEAD_MM + (guide if number == 1 else 4)
        if number == 1:
            _guide(sheets, (MARGIN_MM, MARGIN_MM + HEAD_MM), paper.width - 2 * MARGIN_MM)
        step = (paper.width - 2 * MARGIN_MM) / across
        for order, corner in enumerate(share):
            x = MARGIN_MM + order % across * step + (step - full) / 2
            _one(sheets, (x, top + order // across * (full + below)), corner, size)
        draw_foot(sheets, paper)
    return sheets


def _one(sheets: Sheets, at: Point, corner: str, size: float) -> None:
    full, edge = outer_size(size), (outer_size(size) - size) / 2
    draw_marker(sheets, (at[0] + edge, at[1] + edge), corner, size)
    draw_corner_ticks(sheets, at, (full, full), reach=3)
    sheets.text((at[0] + full / 2, at[1] + full + 6), CORNER_NAMES[corner], size=3.2, align="centre", bold=True)
    words = f"{corner}, number {MARKERS[corner]}, {size:g} mm, this way up"
    sheets.text((at[0] + full / 2, at[1] + full + 10), words, size=1.7, align="centre", colour=SOFT)


def _guide(sheets: Sheets, at: Point, width: float) -> None:
    """Draw the table from above with a marker in each corner, and the instructions."""
    wide, high, mark = 62.0, 40.0, 7.0
    x, y = at[0] + 2, at[1] + 2
    sheets.box((x - 3, y - 3), (wide + 6, high + 6), fill=(240, 236, 226), edge=SOFT, corner=2)
    for corner in CORNER_NAMES:
        left = x if corner[1] == "L" else x + wide - mark
        top = y if corner[0] == "T" else y + high - mark
        sheets.box((left - 1, top - 1), (mark + 2, mark + 2), fill=WHITE)
        draw_marker(sheets, (left, top), corner, mark)
        beside = left + mark + 2 if corner[1] == "L" else left - 2
        align = "left" if corner[1] == "L" else "right"
        sheets.text((beside, top + mark / 2 + 1), CORNER_NAMES[corner], size=1.7, align=align, colour=SOFT)
    inner = (x + mark, y + mark), (x + wide - mark, y + high - mark)
    sheets.line([inner[0], (inner[1][0], inner[0][1]), inner[1], (inner[0][0], inner[1][1]), inner[0]], INK, 0.25, 1.2)
    sheets.text((x + wide / 2, y + high / 2 + 0.8), "area", size=2.4, align="centre")
    draw_arrow(sheets, (x + wide / 2 + 6, y + high / 2 - 3), (inner[1][0] - 0.5, inner[0][1] + 0.5))
    steps = (
        'Tape one marker flat in each corner of the area, all the same way up. "Top" is the far side, '
        "seen from where the screen is read.",
        "The area is what their inner corners span. It need not be an exact rectangle.",
        "Keep the markers free of cards and hands during play; three visible markers are enough for a while.",
        "Use four markers from the same print: the camera measures the table by them.",
    )
    left, line_y = x + wide + 10, y + 2
    for number, step in enumerate(steps, 1):
        sheets.text((left, line_y), f"{number}", size=2.4, bold=True)
        for line in sheets.lines(step, at[0] + width - left - 6, 2.0):
            sheets.text((left + 5, line_y), line, size=2.0)
            line_y += 3.8
        line_y += 2
