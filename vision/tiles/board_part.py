"""Which of the groups of tiles is the board, if something hides a part of the table."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.axial import NEIGHBOURS
from engine.table import Area
from vision.changes.top_view import CELL_MM
from vision.tiles.colour_masks import Mask
from vision.tiles.hex_grid import HexGrid, Spot, offset_cell
from vision.tiles.touching_tiles import LaidTile

BOARD_TILES = 4
"""So many tiles side by side are the board: reserve tiles lie one by one, or in short rows."""
HIDDEN_SHARE = 0.5
"""A cell may hold a hidden tile if at least this share of it is unclear: of other tiles enough would be seen."""

BESIDE_PITCHES = 1.2
"""A tile this near to a tile of the board, but off its grid, may have been meant for it: it nearly touches."""


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """Indices of groups: of the board, if it is certain, and of those that may be part of it."""

    board: int | None
    doubtful: frozenset[int]


def choose_board(parts: Sequence[Sequence[LaidTile]], pitch: float, unclear: Mask) -> BoardChoice:
    """Choose among groups of tiles, the largest first. ``unclear`` are the pixels that may hide tiles.

    A small group is the board only if nothing that is hidden can be larger. A group that touches the board off its
    grid, or that hidden tiles may connect to it, is doubtful; around the others the table is bare.
    """
    if not parts:
        return BoardChoice(None, frozenset())
    _, blobs = cv2.connectedComponents(unclear)
    touched = [_list_touched(part, pitch, np.asarray(blobs, np.int32)) for part in parts]
    hidden = cv2.countNonZero(unclear) / (pitch * pitch * math.sqrt(3) / 2)
    if len(parts[0]) < min(BOARD_TILES, hidden):
        return BoardChoice(None, frozenset(range(len(parts))))
    rest = {i for i in range(1, len(parts)) if not _is_beside(parts[i], parts[0], pitch)}
    joined = touched[0].union(*(touched[i] for i in range(1, len(parts)) if i not in rest))
    while more := {i for i in rest if touched[i] & joined}:
        joined = joined.union(*(touched[i] for i in more))
        rest -= more
    return BoardChoice(0, frozenset(range(1, len(parts))) - rest)


def find_cut_off(stock: Sequence[Spot], board: Sequence[Spot], hidden: Iterable[Area], pitch: float) -> list[Spot]:
    """The tiles beside the board, in mm, that may belong to it: one hidden part of the table adjoins both, or another
    tile that may. Tiles that are not seen may connect them, as in the light of a lamp that is mirrored on the table.
    """
    areas = list(hidden)
    if not stock or not board or not areas:
        return []
    reach = BESIDE_PITCHES * pitch
    right, bottom = (max(spot[way] for spot in (*stock, *board)) + 2 * reach for way in (0, 1))
    plane = np.zeros((math.ceil(bottom / CELL_MM), math.ceil(right / CELL_MM)), np.uint8)
    for area in areas:
        rows = slice(math.floor(max(area.top, 0) / CELL_MM), max(0, math.ceil(area.bottom / CELL_MM)))
        plane[rows, math.floor(max(area.left, 0) / CELL_MM) : max(0, math.ceil(area.right / CELL_MM))] = 1
    _, parts = cv2.connectedComponents(plane)
    joined = _list_parts(board, np.asarray(parts, np.int32), reach)
    touched = {spot: _list_parts([spot], np.asarray(parts, np.int32), reach) for spot in stock}
    found: set[Spot] = set()
    while more := {
        spot
        for spot in touched.keys() - found
        if touched[spot] & joined or any(math.dist(spot, other) < reach for other in found)
    }:
        found |= more
        joined = joined.union(*(touched[spot] for spot in more))
    return sorted(found)


def _list_parts(
    spots: Iterable[Spot], parts: np.ndarray[tuple[int, ...], np.dtype[np.int32]], reach: float
) -> frozenset[int]:
    """The hidden parts within reach of the middles of these tiles."""
    around = np.zeros(parts.shape, np.uint8)
    for x, y in spots:
        cv2.circle(around, (round(x / CELL_MM - 0.5), round(y / CELL_MM - 0.5)), round(reach / CELL_MM), 1, -1)
    return frozenset(np.unique(parts[around > 0]).tolist()) - {0}


def _is_beside(part: Sequence[LaidTile], board: Sequence[LaidTile], pitch: float) -> bool:
    return any(math.hypot(a.x - b.x, a.y - b.y) < BESIDE_PITCHES * pitch for a in part for b in board)


def _list_touched(
    part: Sequence[LaidTile], pitch: float, blobs: np.ndarray[tuple[int, ...], np.dtype[np.int32]]
) -> frozenset[int]:
    """The unclear patches that may hold a neighbour of one of these tiles."""
    high, wide = blobs.shape[:2]
    y, x = np.mgrid[-round(pitch / 2) : round(pitch / 2) + 1 : 2, -round(pitch / 2) : round(pitch / 2) + 1 : 2]
    inside = np.hypot(x, y) < pitch / 2
    found: set[int] = set()
    for tile in part:
        grid = HexGrid(tile.x, tile.y, pitch, tile.angle)
        for way in NEIGHBOURS:
            dx, dy = offset_cell(pitch, grid.angle, way)
            xs = np.clip(np.rint(tile.x + dx + x[inside]), 0, wide - 1).astype(np.intp)
            ys = np.clip(np.rint(tile.y + dy + y[inside]), 0, high - 1).astype(np.intp)
            held = blobs[ys, xs]
            if np.count_nonzero(held) >= HIDDEN_SHARE * held.size:
                found |= set(np.unique(held).tolist()) - {0}
    return frozenset(found)
