"""Which tiles touch: groups of tiles side by side, each on a grid of its own."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.axial import NEIGHBOURS, Cell, list_neighbours
from vision.tiles.hex_grid import offset_cell


@dataclass(frozen=True, slots=True)
class LaidTile:
    """The centre of a tile, and the direction that one of its flats faces, in degrees."""

    x: float
    y: float
    angle: float


def join_tiles(tiles: Sequence[LaidTile], pitch: float) -> tuple[dict[Cell, int], ...]:
    """Groups of tiles side by side, the largest first: cell -> index of the tile.

    A neighbour may be a fifth of the pitch off its place and turned by 13 degrees. Expected places follow the tiles
    already joined, so a lattice may drift.
    """
    left = set(range(len(tiles)))
    found: list[dict[Cell, int]] = []
    while left:
        first = min(left)
        left.remove(first)
        group = {(0, 0): first}
        angle = tiles[first].angle
        edge: list[Cell] = [(0, 0)]
        while edge:
            cell = edge.pop(0)
            for beside in list_neighbours(cell):
                if beside in group:
                    continue
                spots = list(_expect_places(tiles, group, beside, pitch, angle))
                x, y, turn = (sum(axis) / len(spots) for axis in zip(*spots, strict=True))
                near = min(left, key=lambda i: math.hypot(tiles[i].x - x, tiles[i].y - y), default=None)
                if near is None or math.hypot(tiles[near].x - x, tiles[near].y - y) > 0.2 * pitch:
                    continue
                if abs((tiles[near].angle - turn + 30) % 60 - 30) > 13:
                    continue
                left.remove(near)
                group[beside] = near
                edge.append(beside)
        found.append(group)
    return tuple(sorted(found, key=lambda group: -len(group)))


def _expect_places(
    tiles: Sequence[LaidTile], group: Mapping[Cell, int], cell: Cell, pitch: float, angle: float
) -> Iterator[tuple[float, float, float]]:
    for way in NEIGHBOURS:
        beside = (cell[0] - way[0], cell[1] - way[1])
        if beside in group:
            tile = tiles[group[beside]]
            turn = angle + ((tile.angle - angle + 30) % 60 - 30)
            dx, dy = offset_cell(pitch, turn, way)
            yield tile.x + dx, tile.y + dy, turn
