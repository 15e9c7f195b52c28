"""The PDF document of a print, and its drawing operations in millimetres."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

import numpy as np
from fpdf import FPDF
from fpdf.drawing import PaintedPath
from fpdf.prefs import ViewerPreferences
from numpy.typing import NDArray

from firmware.printing.paper_sizes import Paper

Colour = tuple[int, int, int]
Point = tuple[float, float]
Size = tuple[float, float]

INK: Colour = (28, 30, 36)
SOFT: Colour = (110, 114, 124)
FAINT: Colour = (176, 180, 188)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
HAIRLINE_MM = 0.15
CAPITAL_SHARE = 0.718
"""Height of capitals and digits of Helvetica as a share of the font size."""
POINT_MM = 25.4 / 72


class Sheets:
    """A PDF document; every coordinate is in mm from the top left corner of its sheet."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._pdf = FPDF(unit="mm", format="a4")
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.set_title(f"Oxeye: {title}")
        self._pdf.set_creator("Oxeye")
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None")

    @property
    def pages(self) -> int:
        return self._pdf.page

    def page(self, paper: Paper) -> None:
        self._pdf.add_page(format=(paper.width, paper.height))

    def finished(self) -> bytes:
        return bytes(self._pdf.output())

    def line(
        self, points: Sequence[Point], colour: Colour = INK, width: float = HAIRLINE_MM, dash: float = 0.0
    ) -> None:
        self._pdf.set_draw_color(*colour)
        self._pdf.set_line_width(width)
        self._pdf.set_dash_pattern(dash=dash, gap=dash)
        self._pdf.polyline(list(points))
        self._pdf.set_dash_pattern()

    def shape(self, points: Sequence[Point], fill: Colour) -> None:
        self._pdf.set_fill_color(*fill)
        self._pdf.polygon(list(points), style="F")

    def box(
        self,
        at: Point,
        size: Size,
        *,
        fill: Colour | None = None,
        edge: Colour | None = None,
        width: float = HAIRLINE_MM,
        corner: float = 0.0,
    ) -> None:
        if fill is not None:
            self._pdf.set_fill_color(*fill)
        if edge is not None:
            self._pdf.set_draw_color(*edge)
            self._pdf.set_line_width(width)
        style = ("D" if edge is not None else "") + ("F" if fill is not None else "")
        self._pdf.rect(*at, *size, style=style, round_corners=corner > 0, corner_radius=corner)

    def disc(self, centre: Point, radius: float, fill: Colour) -> None:
        self._pdf.set_fill_color(*fill)
        self._pdf.circle(*centre, radius, style="F")

    def text(
        self,
        at: Point,
        words: str,
        *,
        size: float = 3.2,
        align: str = "left",
        colour: Colour = INK,
        bold: bool = False,
        turn: float = 0.0,
    ) -> None:
        """Text with its base line through ``at``; ``size`` is the height of a capital, ``turn`` goes clockwise."""
        if not words:
            return
        self._font(size, bold)
        self._pdf.set_text_color(*colour)
        back = {"left": 0.0, "centre": 0.5, "right": 1.0}[align] * self._pdf.get_string_width(words)
        with self._pdf.rotation(-turn, *at) if turn else nullcontext():
            self._pdf.text(at[0] - back, at[1], words)

    def wide(self, words: str, size: float = 3.2, bold: bool = False) -> float:
        self._font(size, bold)
        return float(self._pdf.get_string_width(words))

    def lines(self, words: str, width: float, size: float) -> list[str]:
        """The text broken into lines no wider than ``width``."""
        broken = [""]
        for word in words.split():
            longer = f"{broken[-1]} {word}".strip()
            if broken[-1] and self.wide(longer, size) > width:
                broken.append(word)
            else:
                broken[-1] = longer
        return broken

    def modules(self, dark: NDArray[np.bool_], at: Point, module: float) -> None:
        """Draw all dark modules as one path, so that no viewer leaves seams between neighbours."""
        path = PaintedPath()
        path.style.stroke_color = None
        path.style.fill_color = "#000000"
        for row, first, last in dark_runs(dark):
            path.rectangle(at[0] + first * module, at[1] + row * module, (last - first) * module, module)
        with self._pdf.drawing_context() as drawing:
            drawing.add_item(path, clone=False)  # a clone would take longer than all other drawing

    @contextmanager
    def window(self, at: Point, size: Size) -> Iterator[None]:
        """Clip everything drawn in this context to a rectangle."""
        with self._pdf.rect_clip(*at, *size):
            yield

    def _font(self, size: float, bold: bool) -> None:
        self._pdf.set_font("Helvetica", "B" if bold else "", size / CAPITAL_SHARE / POINT_MM)


def dark_runs(dark: NDArray[np.bool_]) -> Iterator[tuple[int, int, int]]:
    """Row, first column and column past the last of every run of dark modules."""
    for row, cells in enumerate(dark):
        steps = np.diff(np.concatenate(([0], cells.astype(np.int8), [0])))
        for first, last in zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True):
            yield row, int(first), int(last)
