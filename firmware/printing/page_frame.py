"""The frame of every sheet: a head, a control line to measure, and cut marks."""

from collections.abc import Iterable, Sequence

from firmware.printing.paper_sizes import Paper
from firmware.printing.pdf_canvas import INK, SOFT, Point, Sheets, Size

MARGIN_MM = 10.0
"""Free mm at each edge: most printers cannot print the outermost 5 mm."""

HEAD_MM, FOOT_MM = 12.0, 12.0
CONTROL_MM = 100.0
CONTROL_ADVICE = '100 mm. Measure it: if it is not, print again at 100 % ("actual size"), not "fit to page".'


def draw_head(sheets: Sheets, paper: Paper, title: str, note: str, page: int, pages: int) -> None:
    """Draw the title line of a sheet; the contents start ``MARGIN + HEAD`` from its edge."""
    base = MARGIN_MM + 4
    sheets.text((MARGIN_MM, base), "Oxeye", size=3.2, bold=True)
    sheets.text((MARGIN_MM + 16, base), title, size=3.2)
    sheets.text((paper.width - MARGIN_MM, base), f"sheet {page} of {pages}", size=2.1, align="right", colour=SOFT)
    sheets.text((MARGIN_MM + 16, base + 4), note, size=1.9, colour=SOFT)


def draw_control_line(sheets: Sheets, at: Point, turn: float = 0.0, words: bool = True) -> None:
    """Draw a ruler of exactly 100 mm that starts at ``at``: to the right, or with ``turn=-90`` up the sheet."""
    along, across = ((1.0, 0.0), (0.0, 1.0)) if turn == 0 else ((0.0, -1.0), (1.0, 0.0))

    def place(reach: float, aside: float) -> Point:
        return (
            at[0] + reach * along[0] + aside * across[0],
            at[1] + reach * along[1] + aside * across[1],
        )

    sheets.line([place(0, 0), place(CONTROL_MM, 0)], width=0.25)
    for step in range(0, 101, 10):
        tick = 2.0 if step % 100 == 0 else 1.2 if step % 50 == 0 else 0.7
        sheets.line([place(step, -tick), place(step, tick if step % 100 == 0 else 0)], width=0.25)
    if words:
        sheets.text(place(0, 4.4), CONTROL_ADVICE, size=1.7, colour=SOFT, turn=turn)


def draw_foot(sheets: Sheets, paper: Paper) -> None:
    draw_control_line(sheets, (MARGIN_MM, paper.height - MARGIN_MM - 5))


def draw_corner_ticks(sheets: Sheets, at: Point, size: Size, reach: float = 1.6, gap: float = 0.4) -> None:
    """Draw cut marks just outside the corners of a piece, so that none stays on it."""
    left, top = at
    right, bottom = left + size[0], top + size[1]
    for x, out in ((left, -1), (right, 1)):
        for y, up in ((top, -1), (bottom, 1)):
            sheets.line([(x + out * gap, y), (x + out * (gap + reach), y)], colour=SOFT)
            sheets.line([(x, y + up * gap), (x, y + up * (gap + reach))], colour=SOFT)


def draw_edge_ticks(sheets: Sheets, xs: Iterable[float], ys: Iterable[float], box: Sequence[float]) -> None:
    """Draw cut marks outside a block of pieces for a guillotine; ``box`` is its left, top, right and bottom."""
    left, top, right, bottom = box
    for x in xs:
        sheets.line([(x, top - 0.5), (x, top - 3.5)], colour=INK)
        sheets.line([(x, bottom + 0.5), (x, bottom + 3.5)], colour=INK)
    for y in ys:
        sheets.line([(left - 0.5, y), (left - 3.5, y)], colour=INK)
        sheets.line([(right + 0.5, y), (right + 3.5, y)], colour=INK)


def draw_arrow(sheets: Sheets, tail: Point, tip: Point, head: float = 1.2) -> None:
    """Draw a thin line with a filled head at its tip."""
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    long = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / long, dy / long
    base = (tip[0] - ux * head, tip[1] - uy * head)
    sheets.line([tail, base], colour=SOFT)
    sheets.shape(
        [
            tip,
            (base[0] - uy * head / 3, base[1] + ux * head / 3),
            (base[0] + uy * head / 3, base[1] - ux * head / 3),
        ],
        SOFT,
    )
