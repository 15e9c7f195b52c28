"""Wooden hexagons on an open table: where each lies, how the board is pushed, and what an arm covers."""

import math
import random
from dataclasses import dataclass, field

from engine.table import Area, Piece, Table
from tests.tabletop.six_rules import Cell

ROOT3 = math.sqrt(3)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where cell 0,0 is in millimetres, which way cell 1,0 lies from it in degrees clockwise, and how far."""

    x: float
    y: float
    angle: float
    pitch: float

    def spot(self, cell: Cell) -> tuple[float, float]:
        along, across = self.pitch * (cell[0] + cell[1] / 2), self.pitch * cell[1] * ROOT3 / 2
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + cos * along - sin * across, self.y + sin * along + cos * across


@dataclass(slots=True, eq=False)
class Tile:
    colour: str
    x: float
    y: float
    angle: float

    def distance(self, x: float, y: float) -> float:
        return math.hypot(self.x - x, self.y - y)


@dataclass(slots=True)
class TileTable:
    """``slack`` is how far a hand lays a tile beside its place, in millimetres."""

    rng: random.Random
    frame: Frame
    slack: float
    width: float
    height: float
    tiles: list[Tile] = field(default_factory=list)
    arms: list[Area] = field(default_factory=list)

    def put(self, colour: str, cell: Cell) -> Tile:
        x, y = self.frame.spot(cell)
        return self.put_at(colour, x + self._slip(), y + self._slip())

    def put_at(self, colour: str, x: float, y: float) -> Tile:
        tile = Tile(colour, x, y, self.frame.angle + self.rng.uniform(-4, 4))
        self.tiles.append(tile)
        return tile

    def _slip(self) -> float:
        return max(-self.slack, min(self.slack, self.rng.gauss(0, self.slack / 2)))

    def find(self, cell: Cell, colour: str | None = None) -> Tile | None:
        """The tile in this cell."""
        x, y = self.frame.spot(cell)
        near = [
            tile for tile in self.tiles if colour in (None, tile.colour) and tile.distance(x, y) < self.frame.pitch / 2
        ]
        return min(near, key=lambda tile: tile.distance(x, y), default=None)

    def push(self, right: float, down: float, turn: float) -> None:
        """All tiles together, turned about the middle of the board."""
        middle_x = sum(tile.x for tile in self.tiles) / len(self.tiles)
        middle_y = sum(tile.y for tile in self.tiles) / len(self.tiles)
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

        def moved(x: float, y: float) -> tuple[float, float]:
            x, y = x - middle_x, y - middle_y
            return middle_x + right + cos * x - sin * y, middle_y + down + sin * x + cos * y

        for tile in self.tiles:
            tile.x, tile.y = moved(tile.x, tile.y)
            tile.angle += turn
        x, y = moved(self.frame.x, self.frame.y)
        self.frame = Frame(x, y, self.frame.angle + turn, self.frame.pitch)

    def reach_over(self, x: float, y: float) -> None:
        """An arm from the near side rests over this spot; a tile of which a part is covered is not read."""
        half, rest = self.rng.uniform(25, 55), self.frame.pitch / 2
        self.arms.append(Area(x - half - rest, y - self.rng.uniform(20, 60) - rest, x + half + rest, self.height + 50))

    def is_in_sight(self, tile: Tile) -> bool:
        return not any(arm.contains(tile.x, tile.y) for arm in self.arms)

    def picture(self) -> Table:
        """What the camera reads of it, each tile half a millimetre beside where it lies."""
        off = self.rng.uniform
        seen = (
            Piece(t.colour, t.x + off(-0.5, 0.5), t.y + off(-0.5, 0.5), (t.angle + off(-1, 1)) % 60)
            for t in self.tiles
            if self.is_in_sight(t)
        )
        return Table(frozenset(seen), tuple(self.arms))
