"""The tiles that are in play, on a lattice without borders: where a tile may be laid, and which tiles leave."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.axial import Cell
from engine.game import Illegal
from engine.games.six.groups import add_neighbours, may_split, split_groups, touches
from engine.games.six.shapes import REACH, STRIDE

RED, BLACK = "red", "black"
COLOURS = (RED, BLACK)
Tile = tuple[Cell, str]
NOWHERE = -1
_LOW = 2 * REACH
_HALF = STRIDE // 2


def other_colour(colour: str) -> str:
    return BLACK if colour == RED else RED


@dataclass(frozen=True, slots=True)
class Lifted:
    """What is left when one tile is in the air: ``stay`` are the largest groups, ``lost`` leave in any case."""

    rest: int
    stay: tuple[int, ...]
    lost: int


@dataclass(frozen=True, slots=True)
class Board:
    """One number for each colour with one bit for each tile; ``q, r`` is the cell of the lowest tile.

    So equal tables are equal boards. A ``spot`` is the number of a bit; it holds for this board alone.
    """

    red: int
    black: int
    q: int
    r: int

    @classmethod
    def of(cls, red: Iterable[Cell], black: Iterable[Cell]) -> "Board":
        """The board with these tiles; ``Illegal`` if a cell is named twice or they lie too far apart to be a group."""
        cells = (tuple(red), tuple(black))
        every = cells[0] + cells[1]
        if not every:
            return cls(0, 0, 0, 0)
        if len(set(every)) < len(every):
            raise Illegal("S-3", "occupied", "one_tile_a_cell")
        r, q = min((r, q) for q, r in every)
        if max(max(abs(a - q), b - r) for a, b in every) >= _HALF:
            raise Illegal("S-14", "not_adjacent", "one_group")
        bits = [sum(1 << _LOW + (a - q) + STRIDE * (b - r) for a, b in own) for own in cells]
        return cls(bits[0], bits[1], q, r)

    @property
    def all(self) -> int:
        return self.red | self.black

    def own(self, colour: str) -> int:
        return self.red if colour == RED else self.black

    def count(self, colour: str) -> int:
        return self.own(colour).bit_count()

    def spot(self, cell: Cell) -> int:
        """The bit of this cell, or ``NOWHERE`` if it is too far off to touch a tile."""
        q, r = cell[0] - self.q, cell[1] - self.r
        return _LOW + q + STRIDE * r if -_HALF < q < _HALF and -2 < r < _HALF else NOWHERE

    def has(self, cell: Cell) -> bool:
        spot = self.spot(cell)
        return spot != NOWHERE and bool(self.all >> spot & 1)

    def cell(self, spot: int) -> Cell:
        r, q = divmod(spot - _LOW + _HALF, STRIDE)
        return self.q + q - _HALF, self.r + r

    def cells(self, bits: int) -> Iterator[Cell]:
        while bits:
            low = bits & -bits
            yield self.cell(low.bit_length() - 1)
            bits ^= low

    def tiles(self, bits: int) -> Iterator[Tile]:
        for colour in COLOURS:
            for cell in self.cells(self.own(colour) & bits):
                yield cell, colour

    def edge(self) -> int:
        """Every free cell that shares a side with a tile."""
        tiles = self.red | self.black
        return add_neighbours(tiles) & ~tiles

    def fits(self, spot: int) -> None:
        """May a tile be laid here? ``Illegal`` if not."""
        tiles = self.red | self.black
        if spot == NOWHERE or not touches(tiles, spot):
            raise Illegal("S-3", "not_adjacent", "share_a_side")
        if tiles >> spot & 1:
            raise Illegal("S-3", "occupied", "cell_taken")

    def lay(self, colour: str, spot: int) -> "Board":
        self.fits(spot)
        tile = 1 << spot
        return self._with(self.red | tile, self.black) if colour == RED else self._with(self.red, self.black | tile)

    def lift(self, colour: str, spot: int) -> Lifted:
        """Groups are judged now, with the tile in the air: it belongs to none."""
        if spot == NOWHERE or not self.own(colour) >> spot & 1:
            raise Illegal("S-11", "not_own", "move_own_tile", colour=colour)
        rest = (self.red | self.black) ^ 1 << spot
        if not may_split(rest, spot):
            return Lifted(rest, (rest,), 0)
        groups = split_groups(rest)
        most = max(group.bit_count() for group in groups)
        stay = tuple(group for group in groups if group.bit_count() == most)
        return Lifted(rest, stay, rest ^ sum(stay))

    def move(self, colour: str, source: int, target: int, keep: int, lift: Lifted | None = None) -> tuple["Board", int]:
        """The tile laid elsewhere, and all that leaves. ``keep`` is in the group the mover chose, or ``NOWHERE``.

        Not chosen, the group the tile is laid against stays; if it touches several of the largest, none leaves yet.
        """
        lift = lift or self.lift(colour, source)
        if target == source:
            raise Illegal("S-12", "same_place", "lay_elsewhere")
        if target != NOWHERE and lift.rest >> target & 1:
            raise Illegal("S-11", "occupied", "cell_taken")
        if target == NOWHERE or not touches(lift.rest, target):
            raise Illegal("S-11", "not_adjacent", "share_a_side")
        stay = tuple(g for g in lift.stay if touches(g, target) and (keep == NOWHERE or g >> keep & 1))
        if not stay:
            raise Illegal("S-15", "not_adjacent", "against_what_stays")
        left = sum(stay)
        own, foreign = self.own(colour) & left | 1 << target, self.own(other_colour(colour)) & left
        after = self._with(own, foreign) if colour == RED else self._with(foreign, own)
        return after, lift.rest ^ left

    def without(self, bits: int) -> "Board":
        return self._with(self.red & ~bits, self.black & ~bits)

    def _with(self, red: int, black: int) -> "Board":
        tiles = red | black
        low = (tiles & -tiles).bit_length() - 1
        if low == _LOW:
            return Board(red, black, self.q, self.r)
        q, r = self.cell(low)
        if low < _LOW:
            return Board(red << _LOW - low, black << _LOW - low, q, r)
        return Board(red >> low - _LOW, black >> low - _LOW, q, r)
