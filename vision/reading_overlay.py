"""The overlay that ``oxeye read`` draws on a picture: names of cards and tiles, hidden areas, notes."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.table_calibration import TableCalibration
from vision.changes.occlusion import Polygon
from vision.frame import Grey
from vision.live.frame_reading import FrameReading
from vision.tags.placement import PlacedTag, outline_piece

Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]

SURE_COLOUR: Colour = (60, 200, 60)
DOUBT_COLOUR: Colour = (0, 150, 255)
AREA_COLOUR: Colour = (255, 190, 60)
HIDDEN_COLOUR: Colour = (60, 60, 230)
WIDEST_PX = 1920


def draw_overlay(grey: Grey, reading: FrameReading, tiles: Iterable[tuple[str, Polygon]] = ()) -> Picture:
    """Draw area, pieces, unseen areas and notes on the picture in grey, at most 1920 px wide.

    ``tiles`` are names and outlines, in pixels, of pieces without a tag.
    """
    scale = min(1.0, WIDEST_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    # paler, so that the drawing stands out
    drawn = cv2.cvtColor(np.asarray(60 + small * 0.65, np.uint8), cv2.COLOR_GRAY2BGR)
    pen = _Pen(np.asarray(drawn, np.uint8), scale)
    if reading.calibration is not None:
        for area in reading.table.unseen:
            pen.hatch(_ring(reading.calibration, ((area.left, area.top), (area.right, area.bottom))))
        pen.outline(reading.calibration.to_px(np.array(reading.calibration.corners)), AREA_COLOUR, 2)
    for name, ring in tiles:
        pen.outline(np.array(ring), SURE_COLOUR, 2)
        pen.label(name, np.mean(ring, 0), SURE_COLOUR)
    lying = {(seen.piece, seen.x, seen.y) for seen in reading.table.seen}
    for piece in reading.pieces:
        # a card in no zone is in a hand: private
        if piece.mm is None or piece.doubtful or (piece.piece, *piece.mm) in lying:
            _draw(pen, piece, reading.calibration)
    pen.lines([str(note) for note in reading.notes])
    return pen.paper


def _draw(pen: "_Pen", piece: PlacedTag, calibration: TableCalibration | None) -> None:
    colour = DOUBT_COLOUR if piece.doubtful else SURE_COLOUR
    corners = np.array(piece.tag.corners)
    pen.outline(corners, colour, 2)
    if calibration is not None and piece.mm is not None:
        pen.outline(calibration.to_px(np.array(outline_piece(piece))), colour, 1)
    name = piece.piece + ("?" if piece.doubtful else "")
    # beside the tag, so that name and tag can be compared
    middle = corners.mean(0)
    pen.label(name, middle - (corners[3] - corners[0]) * 1.1, colour)


def _ring(calibration: TableCalibration, box: tuple[tuple[float, float], tuple[float, float]]) -> NDArray[np.float64]:
    (left, top), (right, bottom) = box
    return calibration.to_px(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))


class _Pen:
    """Draws in the pixels of the full picture on a smaller one."""

    def __init__(self, paper: Picture, scale: float) -> None:
        self.paper, self.scale = paper, scale
        self.letter = max(0.45, max(paper.shape) / 2200)

    def outline(self, ring: NDArray[np.float64], colour: Colour, wide: int) -> None:
        at = np.round(((ring + 0.5) * self.scale - 0.5) * 16).astype(np.int32)
        cv2.polylines(self.paper, [at], True, colour, wide, cv2.LINE_AA, 4)

    def hatch(self, ring: NDArray[np.float64]) -> None:
        mask = np.zeros(self.paper.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(ring * self.scale).astype(np.int32)], 255)
        ys, xs = np.nonzero(mask)
        stripe = (xs + ys) % 12 < 4
        part = self.paper[ys[stripe], xs[stripe]] * 0.35 + np.array(HIDDEN_COLOUR) * 0.65
        self.paper[ys[stripe], xs[stripe]] = part.astype(np.uint8)

    def label(self, text: str, middle: NDArray[np.float64], colour: Colour) -> None:
        (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, self.letter, 2)
        x, y = (middle * self.scale).astype(int).tolist()
        x = min(max(0, x - wide // 2), max(0, self.paper.shape[1] - wide))
        y = min(max(high, y + high // 2), self.paper.shape[0] - 4)
        cv2.rectangle(self.paper, (x - 3, y - high - 4), (x + wide + 3, y + 5), (30, 30, 30), -1)
        cv2.putText(self.paper, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, self.letter, colour, 2, cv2.LINE_AA)

    def lines(self, texts: list[str]) -> None:
        step = round(34 * self.letter)
        for row, text in enumerate(texts):
            at = (8, step * (row + 1))
            size = self.letter * 0.9
            cv2.putText(self.paper, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (20, 20, 20), 5, cv2.LINE_AA)
            cv2.putText(self.paper, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 2, cv2.LINE_AA)
