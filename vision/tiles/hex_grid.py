"""Hexagons on an axial grid: places of cells, neighbours, and names of cells in another grid."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.axial import NEIGHBOURS, Cell, find_cell, list_neighbours, turn_cell

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
