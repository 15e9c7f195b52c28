"""Tiles of SIX that are not connected to the board: which of them are reported to the rules, and which are stock."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.table import Area
from vision.tiles.finder import FoundTile, FoundTiles

NEAR_TILES = 3.4
"""A tile that appears within this many tile widths of the board may be meant for it."""

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StockTracker:
    """Places, in mm, where stock was found so far, and of tiles that have been part of the board (``once``).

    ``parted`` are those of the latter that are not connected to the board now.
    """

    stock: tuple[Spot, ...] | None = None
    once: tuple[Spot, ...] = ()
    parted: tuple[FoundTile, ...] = ()

    def update(self, found: FoundTiles, hidden: Sequence[Area]) -> tuple[tuple[FoundTile, ...], "StockTracker"]:
        """The tiles to report: those that have just appeared near the board, and those that have been part of it.

        Near a hidden part of the board counts as near. A tile that has been beside the board from the start is stock,
        but a part of the board that an arm over the tiles between cuts off is not. A resumed game may begin with
        stock anywhere.
        """
        board = [tile.mm for tile in found.board if tile.mm]
        if not board or found.size is None:  # all of the board may be covered
            return (), replace(self, parted=())
        same = found.size / 2
        apart = [(tile, tile.mm) for tile in found.tiles if tile.mm and not tile.board]
        parted = [(tile, mm) for tile, mm in apart if _among(mm, self.once, same)]
        board += [mm for _, mm in parted]
        others = [(tile, mm) for tile, mm in apart if not _among(mm, self.once, same)]
        seen = [tile.mm for tile in found.tiles if tile.mm]

        def covered(spots: Sequence[Spot]) -> list[Spot]:
            return [mm for mm in spots if not _among(mm, seen, same) and any(area.contains(*mm) for area in hidden)]

        once = (*board, *covered(self.once))
        fresh = [
            (tile, mm)
            for tile, mm in others
            if self.stock is not None and _among(mm, once, NEAR_TILES * found.size) and not _among(mm, self.stock, same)
        ]
        stock = (*(mm for tile, mm in others if (tile, mm) not in fresh), *covered(self.stock or ()))
        return tuple(tile for tile, _ in (*parted, *fresh)), StockTracker(
            stock, once, tuple(tile for tile, _ in parted)
        )


def _among(mm: Spot, spots: Sequence[Spot], near: float) -> bool:
    return any(math.dist(mm, spot) < near for spot in spots)
