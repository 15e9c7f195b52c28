"""Tiles of SIX that do not hang together with the board: which the rules are to hear of, and which are stock."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.table import Area
from vision.tiles.finder import FoundTile, FoundTiles

NEAR_TILES = 3.4
"""So many tiles' widths from the board a tile that has just come to lie there may be meant for it."""

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StockTracker:
    """Where stock was found so far, and where tiles lie that were part of the board once: in mm.

    ``parted`` are those of them that do not hang together with it now.
    """

    stock: tuple[Spot, ...] | None = None
    once: tuple[Spot, ...] = ()
    parted: tuple[FoundTile, ...] = ()

    def after(self, found: FoundTiles, hidden: Sequence[Area]) -> tuple[tuple[FoundTile, ...], "StockTracker"]:
        """The tiles to be heard of: those near the board that have just come, and those that have been part of it.

        Near to a part of the board that is hidden is near as well. What has been lying beside the board is stock, but
        for a part of the board that an arm over the tiles between has cut off. A game taken up again may begin with
        stock anywhere.
        """
        board = [tile.mm for tile in found.board if tile.mm]
        if not board or found.size is None:  # all of it may be covered
            return (), replace(self, parted=())
        same = found.size / 2
        apart = [(tile, tile.mm) for tile in found.tiles if tile.mm and not tile.board]
        parted = [(tile, mm) for tile, mm in apart if _among(mm, self.once, same)]
        board += [mm for _, mm in parted]
        others = [(tile, mm) for tile, mm in apart if not _among(mm, self.once, same)]
        seen = [tile.mm for tile in found.tiles if tile.mm]

        def covered(spots: Sequence[Spot]) -> list[Spot]:
            return [mm for mm in spots if not _among(mm, seen, same) and any(area.holds(*mm) for area in hidden)]

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
