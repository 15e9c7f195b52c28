"""Where the labels are on a ready-cut sheet, and whether a grid fits the paper."""

from dataclasses import dataclass

from engine.errors import InputError
from firmware.printing.paper_sizes import Paper
from firmware.printing.pdf_canvas import Point


class LabelsOffSheet(InputError):
    """The labels do not fit on the sheet; the text says what to change."""


@dataclass(frozen=True, slots=True)
class StickerGrid:
    """The positions of stickers on a sheet of labels, in mm from its top left corner."""

    cols: int
    rows: int
    left: float
    top: float
    pitch_x: float
    pitch_y: float

    @staticmethod
    def of(cols: float, rows: float, left: float, top: float, pitch_x: float, pitch_y: float) -> "StickerGrid":
        if cols != int(cols) or rows != int(rows):
            raise LabelsOffSheet(f"{cols:g} columns and {rows:g} rows are no grid: give whole numbers.")
        return StickerGrid(int(cols), int(rows), left, top, pitch_x, pitch_y)

    @property
    def places(self) -> list[Point]:
        return [
            (self.left + col * self.pitch_x, self.top + row * self.pitch_y)
            for row in range(self.rows)
            for col in range(self.cols)
        ]

    def right(self, sticker: float) -> float:
        return self.left + (self.cols - 1) * self.pitch_x + sticker

    def bottom(self, sticker: float) -> float:
        return self.top + (self.rows - 1) * self.pitch_y + sticker

    def check(self, paper: Paper, sticker: float) -> None:
        """``LabelsOffSheet`` if the grid cannot be printed on this paper."""
        if self.cols < 1 or self.rows < 1 or self.left < 0 or self.top < 0:
            raise LabelsOffSheet("A grid has at least one column and one row, and starts on the sheet.")
        sides = (
            ("column", "wide", self.cols, self.pitch_x, self.right(sticker), paper.width),
            ("row", "high", self.rows, self.pitch_y, self.bottom(sticker), paper.height),
        )
        for name, way, many, pitch, end, size in sides:
            if many > 1 and pitch < sticker:
                raise LabelsOffSheet(
                    f"Stickers of {sticker:g} mm overlap at a pitch of {pitch:g} mm. "
                    f"Print them at most {pitch:g} mm large (--size), or use labels with a larger pitch."
                )
            if end > size + 1e-6:
                raise LabelsOffSheet(
                    f"It does not fit {paper.name.upper()}: the last {name} ends at {end:g} mm "
                    f"and the sheet is {size:g} mm {way}. Use fewer {name}s or a smaller pitch."
                )
