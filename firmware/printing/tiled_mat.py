"""A mat on several sheets of ordinary paper, to trim and join."""

import math
from collections.abc import Mapping

from engine.table import Area
from firmware.printing.markers import draw_marker
from firmware.printing.mat import DEFAULT_AREA_MM, Mat, check_mat_area, draw_mat
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
from firmware.printing.pdf_canvas import FAINT, INK, SOFT, Point, Sheets, Size
from vision.tags.codebook import MARKERS

OVERLAP_MM = 10.0


def draw_tiled_mat(paper: Paper, area: Size | None, plan: Mapping[str, Area], marker: float) -> Sheets:
    """An overview, then the sheets; each overlaps the one to its left and the one above."""
    mat = Mat(check_mat_area(area or DEFAULT_AREA_MM, plan), plan, marker)
    cut = min((TiledMat(mat, paper), TiledMat(mat, paper.turned())), key=lambda found: found.cols * found.rows)
    sheets = Sheets(f"mat, area {mat.area[0]:g} x {mat.area[1]:g} mm")
    _overview(sheets, mat, cut, paper)
    for row in range(cut.rows):
        for col in range(cut.cols):
            cut.draw(sheets, col, row)
    return sheets


class TiledMat:
    """A mat cut into sheets with a fixed overlap; spare room is the same on both sides."""

    def __init__(self, mat: Mat, paper: Paper) -> None:
        self.mat, self.paper = mat, paper
        self.inner = (paper.width - 2 * MARGIN_MM, paper.height - 2 * MARGIN_MM)
        self.step = (self.inner[0] - OVERLAP_MM, self.inner[1] - OVERLAP_MM)
        self.cols = max(1, math.ceil((mat.size[0] - OVERLAP_MM) / self.step[0]))
        self.rows = max(1, math.ceil((mat.size[1] - OVERLAP_MM) / self.step[1]))
        span = (self.cols * self.step[0] + OVERLAP_MM, self.rows * self.step[1] + OVERLAP_MM)
        self.spare = ((span[0] - mat.size[0]) / 2, (span[1] - mat.size[1]) / 2)

    def name(self, col: int, row: int) -> str:
        return f"{chr(ord('A') + row)}{col + 1}"

    def draw(self, sheets: Sheets, col: int, row: int) -> None:
        paper = self.paper
        sheets.page(paper)
        at = (
            MARGIN_MM + self.spare[0] - col * self.step[0],
            MARGIN_MM + self.spare[1] - row * self.step[1],
        )
        with sheets.window((MARGIN_MM, MARGIN_MM), self.inner):
            draw_mat(sheets, self.mat, at)
            for x, y in self.marks():
                _join_mark(sheets, (at[0] + x, at[1] + y))
        right, bottom = paper.width - MARGIN_MM, paper.height - MARGIN_MM
        if col:
            sheets.line([(MARGIN_MM, MARGIN_MM), (MARGIN_MM, bottom)], SOFT, 0.2, 1.0)
        if row:
            sheets.line([(MARGIN_MM, MARGIN_MM), (right, MARGIN_MM)], SOFT, 0.2, 1.0)
        orders = ["trim along the dashed line" if col or row else "do not trim"]
        if col:
            orders.append(f"put the left edge on {self.name(col - 1, row)}")
        if row:
            orders.append(f"the upper edge on {self.name(col, row - 1)}")
        sheets.text((MARGIN_MM, 7.4), f"Sheet {self.name(col, row)}", size=2.6, bold=True)
        sheets.text((MARGIN_MM + 22, 7.4), "; ".join(orders), size=1.8, colour=SOFT)
        draw_control_line(sheets, (MARGIN_MM, paper.height - 6.6), words=False)
        sheets.text((MARGIN_MM + CONTROL_MM + 4, paper.height - 5.6), "100 mm: measure it", size=1.7, colour=SOFT)

    def marks(self) -> list[Point]:
        """Marks in the overlaps, from the corner of the mat: both sheets print them, to align the sheets."""
        seams_x = [col * self.step[0] + OVERLAP_MM / 2 - self.spare[0] for col in range(1, self.cols)]
        seams_y = [row * self.step[1] + OVERLAP_MM / 2 - self.spare[1] for row in range(1, self.rows)]
        beside = [
            row * self.step[1] + share * self.inner[1] - self.spare[1]
            for row in range(self.rows)
            for share in (0.2, 0.8)
        ]
        along = [
            col * self.step[0] + share * self.inner[0] - self.spare[0]
            for col in range(self.cols)
            for share in (0.2, 0.8)
        ]
        places = [(x, y) for x in seams_x for y in beside] + [(x, y) for x in along for y in seams_y]
        return [at for at in places if not self._on_marker(at)]

    def _on_marker(self, at: Point) -> bool:
        clear = self.mat.frame + 8
        return all(min(place, size - place) < clear for place, size in zip(at, self.mat.size, strict=True))


def _join_mark(sheets: Sheets, at: Point) -> None:
    x, y = at
    sheets.line([(x - 4, y), (x + 4, y)], SOFT, 0.2)
    sheets.line([(x, y - 4), (x, y + 4)], SOFT, 0.2)
    sheets.line([(x - 2, y), (x, y - 2), (x + 2, y), (x, y + 2), (x - 2, y)], SOFT, 0.2)


def _overview(sheets: Sheets, mat: Mat, cut: TiledMat, paper: Paper) -> None:
    """Draw the whole mat in small with its sheets."""
    sheets.page(paper)
    count = cut.cols * cut.rows
    ready = f"{mat.size[0]:.0f} x {mat.size[1]:.0f} mm"
    note = f"{count} sheets: {cut.cols} across, {cut.rows} down; the finished mat is {ready}"
    draw_head(sheets, paper, f"Mat, area {mat.area[0]:g} x {mat.area[1]:g} mm", note, 1, count + 1)
    steps = (
        "Print at 100 % and measure the 100 mm line on every sheet.",
        "Trim along the dashed lines: left edges from column 2 on, upper edges from row B on.",
        "Put each sheet on its neighbours so that the crossed diamonds match, and tape them from below.",
        "Put the mat on a flat surface. Use matt paper: glossy foil reflects lamps.",
    )
    y = MARGIN_MM + HEAD_MM + 4
    for number, step in enumerate(steps, 1):
        sheets.text((MARGIN_MM, y), f"{number}", size=2.4, bold=True)
        for line in sheets.lines(step, paper.width - 2 * MARGIN_MM - 8, 2.2):
            sheets.text((MARGIN_MM + 6, y), line, size=2.2)
            y += 4.2
        y += 1.2
    room = (paper.width - 2 * MARGIN_MM, paper.height - MARGIN_MM - FOOT_MM - y - 6)
    span = (cut.cols * cut.step[0] + OVERLAP_MM, cut.rows * cut.step[1] + OVERLAP_MM)
    scale = min(room[0] / span[0], room[1] / span[1])
    left, top = MARGIN_MM + (room[0] - span[0] * scale) / 2, y + 2
    for row in range(cut.rows):
        for col in range(cut.cols):
            at = (left + col * cut.step[0] * scale, top + row * cut.step[1] * scale)
            size = (cut.inner[0] * scale, cut.inner[1] * scale)
            sheets.box(at, size, edge=SOFT, width=0.2)
            middle = (at[0] + size[0] / 2, at[1] + size[1] / 2 + 2)
            sheets.text(middle, cut.name(col, row), size=4, align="centre", colour=FAINT, bold=True)
    corner = (left + cut.spare[0] * scale, top + cut.spare[1] * scale)
    sheets.box(corner, (mat.size[0] * scale, mat.size[1] * scale), edge=INK, width=0.35)
    small, frame = mat.marker * scale, mat.frame * scale
    for name in MARKERS:
        x = frame - small if name[1] == "L" else (mat.size[0] - mat.frame) * scale
        down = frame - small if name[0] == "T" else (mat.size[1] - mat.frame) * scale
        draw_marker(sheets, (corner[0] + x, corner[1] + down), name, small)
    draw_foot(sheets, paper)
