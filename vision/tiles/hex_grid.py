"""Hexagons on an axial grid: places of cells, and their names in another grid."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.axial import Cell, find_cell, turn_cell

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class HexGrid:
    """Place of cell (0, 0), distance of neighbours, and direction to cell (1, 0) in degrees clockwise."""

    x: float
    y: float
    pitch: float
    angle: float

    def find_centre(self, cell: Cell) -> Spot:
        dx, dy = offset_cell(self.pitch, self.angle, cell)
        return self.x + dx, self.y + dy

    def find_cell(self, x: float, y: float) -> Cell:
        """The cell that holds a point."""
        turn = math.radians(self.angle)
        along = (math.cos(turn) * (x - self.x) + math.sin(turn) * (y - self.y)) / self.pitch
        down = (math.cos(turn) * (y - self.y) - math.sin(turn) * (x - self.x)) / self.pitch
        return find_cell(complex(along, down))


def offset_cell(pitch: float, angle: float, cell: Cell) -> Spot:
    """The offset from the centre of cell (0, 0) to that of ``cell``."""
    turn = math.radians(angle)
    along, down = pitch * (cell[0] + cell[1] / 2), pitch * cell[1] * math.sqrt(3) / 2
    return along * math.cos(turn) - down * math.sin(turn), along * math.sin(turn) + down * math.cos(turn)


def outline_hexagon(x: float, y: float, grid: HexGrid, scale: float = 1.06) -> NDArray[np.int32]:
    """The corners of a tile and half of the gap around it, or of a share of its pitch, in whole px."""
    at = np.radians(grid.angle + 30 + 60 * np.arange(6))
    corners = np.stack([np.cos(at), np.sin(at)], 1) * grid.pitch * scale / math.sqrt(3) + [x, y]
    return np.round(corners).astype(np.int32)


def mask_hexagon(
    shape: tuple[int, ...], spot: Spot, grid: HexGrid, scale: float = 1.06
) -> tuple[tuple[slice, slice], NDArray[np.uint8]]:
    """The part of a picture of this shape around such an outline, and a mask of 1 within the outline in it."""
    outline = outline_hexagon(*spot, grid, scale)
    left, top = (max(0, int(v)) for v in outline.min(0))
    right, bottom = (int(v) + 1 for v in outline.max(0))
    cut = slice(top, max(top, min(bottom, shape[0]))), slice(left, max(left, min(right, shape[1])))
    place = np.zeros((cut[0].stop - top, cut[1].stop - left), np.uint8)
    cv2.fillPoly(place, [outline - [left, top]], 1)
    return cut, place


def rename_cells(
    spots: Mapping[Cell, Spot], known: Sequence[tuple[Cell, Spot]], reach: float
) -> dict[Cell, Cell] | None:
    """New names for cells, so that as many as possible agree with tiles whose names and places are known.

    Both are the same lattice, turned by sixths and shifted. None if no tile is within ``reach`` of a known place.
    """
    pairs = [
        (cell, name) for name, (kx, ky) in known for cell, (x, y) in spots.items() if math.hypot(x - kx, y - ky) < reach
    ]
    votes: dict[tuple[int, Cell], int] = {}
    for cell, name in pairs:
        for sixths in range(6):
            q, r = turn_cell(cell, sixths)
            way = (sixths, (name[0] - q, name[1] - r))
            votes[way] = votes.get(way, 0) + 1
    if not votes:
        return None
    sixths, slide = max(votes, key=lambda way: (votes[way], -way[0]))
    names = {}
    for cell in spots:
        q, r = turn_cell(cell, sixths)
        names[cell] = (q + slide[0], r + slide[1])
    return names
