"""Tiles on the simulated table: each a little off its cell, and all moved when the group is pushed."""

import random
from collections.abc import Mapping
from math import cos, pi, sin

from engine.table import Area, Layout
from firmware.simulation.players.piece_handling import TileCells, TileFrame
from firmware.simulation.table.free_space import LaidPiece, Spot
from firmware.simulation.table.placing_accuracy import SimulatedHand

TILE_GAP_MM = 0.6
"""Difference between the width of a cell and that of a tile, in mm."""
LOOSE_TRIES = 6000


class SimulatedTiles:
    """Like ``SimulatedPieces``, for pieces without a name."""

    def __init__(self, area: Area, rng: random.Random, hand: SimulatedHand, cells: TileCells) -> None:
        self._cells = cells
        self._area = area
        self._rng = rng
        self._hand = hand
        self.pieces: dict[str, LaidPiece] = {}
        self._frame: TileFrame | None = None
        self.cramped = 0

    @property
    def size(self) -> float:
        return abs(self._frame.side) - TILE_GAP_MM if self._frame else 0.0

    @property
    def flats(self) -> float:
        """Direction of the flat sides of the tiles, in degrees."""
        return self._frame.anchor[2] / 10 if self._frame else 0.0

    def lay_out(self, layout: Layout, spread: Mapping[str, Spot]) -> tuple[Spot, ...]:
        before = dict(self.pieces)
        if "anchor" in layout.zones:
            self._push(self._cells.frame(layout.zones["anchor"][0]))
        wanted = {zone: held[0] for zone, held in layout.zones.items() if zone.startswith("cell:")}
        wanted |= {f"loose {n}": piece for n, piece in enumerate(layout.zones.get("loose", ()))}
        for name, lies in list(self.pieces.items()):
            if wanted.get(name) != lies.piece:
                del self.pieces[name]
        for name, piece in sorted(
            wanted.items()
        ):  # sorted, so that random numbers are drawn in the same order every time
            if name not in self.pieces:
                self._lay(name, piece)
        changed = [self.pieces.get(n) or before[n] for n in before.keys() | self.pieces.keys()
                   if before.get(n) != self.pieces.get(n)]  # fmt: skip
        return tuple(sorted({lies.spot for lies in changed}))

    def restore(self, before: Mapping[str, LaidPiece]) -> tuple[Spot, ...]:
        """Put every tile back to where it was; return the spots that hands touched."""
        now, self.pieces = self.pieces, dict(before)
        changed = [now.get(n) or before[n] for n in now.keys() | before.keys() if now.get(n) != before.get(n)]
        return tuple(sorted({lies.spot for lies in changed}))

    def _push(self, to: TileFrame) -> None:
        """Move all tiles with the group."""
        old, self._frame = self._frame, to
        if old is None or old == to:
            return
        turn = to.side / old.side
        degrees = (to.anchor[2] - old.anchor[2]) / 10
        for name, lies in self.pieces.items():
            z = to.base + (complex(lies.x, lies.y) - old.base) * turn
            self.pieces[name] = LaidPiece(name, lies.piece, lies.zone, z.real, z.imag, lies.angle + degrees, lies.over)

    def _lay(self, name: str, piece: str) -> None:
        lies = self._frame
        assert lies is not None
        if name.startswith("loose"):
            z, angle = self._beside(lies), self._rng.uniform(0, 60)
        else:
            off = min(abs(self._rng.gauss(0, self._hand.tile_offset_mm)), 2.2 * self._hand.tile_offset_mm)
            way = self._rng.uniform(0, 2 * pi)
            z = lies.at(self._cells.cell(name)) + complex(off * cos(way), off * sin(way))
            angle = self.flats + self._rng.gauss(0, self._hand.tile_turn_deg)
        self.pieces[name] = LaidPiece(name, piece, name, z.real, z.imag, angle, len(self.pieces))

    def _beside(self, lies: TileFrame) -> complex:
        """A spot beside another tile, as far as possible from every cell centre."""
        others = [complex(t.x, t.y) for t in self.pieces.values()]
        pitch = abs(lies.side)
        best, least = lies.base, 0.0
        for _ in range(LOOSE_TRIES):
            z = self._rng.choice(others) + pitch * self._rng.uniform(1.04, 1.2) * complex(
                cos(way := self._rng.uniform(0, 2 * pi)), sin(way)
            )
            off = lies.snap(z)[1]
            if off > least and min(abs(z - other) for other in others) > 1.03 * pitch:
                best, least = z, off
        return best
