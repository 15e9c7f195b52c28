"""What has changed on the table beside the record of a game of SIX, in cells."""

from collections import Counter
from dataclasses import dataclass

from engine.axial import Cell
from engine.game import Doubtful
from engine.games.six.board import COLOURS, Tile
from engine.games.six.moves import Act, Move, Regroup
from engine.games.six.state import State
from engine.games.six.zones import parse_zone
from engine.table import Gap

MOST_HIDDEN_TILES = 1
"""A laid tile is accepted while at most this many tiles of the other colour are hidden."""
Story = Act | tuple[Act, ...] | Doubtful[Act]
"""The next move, several that were made between two looks, or such as only a player can confirm."""


@dataclass(frozen=True, slots=True)
class TileChange:
    """New tiles on the board, tiles of the game that are not at their cells, and hidden ones.

    ``free`` are hidden cells that may hold other tiles. ``seen`` is the board as it would be with all this.
    """

    new: tuple[Tile, ...]
    away: frozenset[Tile]
    dark: frozenset[Tile]
    free: frozenset[Cell]
    seen: frozenset[Tile]

    @classmethod
    def of(cls, state: State, gap: Gap) -> "TileChange":
        new = tuple((parse_zone(place), piece) for piece, place in gap.extra if place.startswith("cell:"))
        away, dark = (
            frozenset((parse_zone(z), p) for p, z in placed if z.startswith("cell:")) & state.tiles
            for placed in (gap.missing, gap.veiled)
        )
        free = frozenset(map(parse_zone, gap.seen.hidden)) - {cell for cell, _ in state.lying}
        return cls(new, away, dark, free, (state.tiles - away) | frozenset(new))

    @property
    def colours(self) -> frozenset[str]:
        """Of the new tiles."""
        return frozenset(colour for _, colour in self.new)

    @property
    def is_in_passing(self) -> bool:
        """A hand that hides several tiles may have laid more than one, and a hidden one of the same colour may be the
        tile itself: wait until they are visible again.
        """
        return len(self.dark) > MOST_HIDDEN_TILES or any(colour in self.colours for _, colour in self.dark)

    @property
    def has_exchanged(self) -> bool:
        """Does a tile of the other colour lie where one of the record was?"""
        return not {cell for cell, _ in self.new}.isdisjoint(cell for cell, _ in self.away)

    def list_carries(self, tile: Tile) -> list[Move]:
        """The moves of a tile of this colour to where the new one lies."""
        target, colour = tile
        return [Move(*source, *target) for source, kind in sorted(self.away) if kind == colour]

    def count_carried(self) -> int:
        """How many of the new tiles may be such as are away."""
        came, went = (Counter(colour for _, colour in tiles) for tiles in (self.new, self.away))
        return (came & went).total()

    def regroup(self) -> Regroup:
        return Regroup(
            *(tuple(n for cell, own in sorted(self.seen) if own == colour for n in cell) for colour in COLOURS)
        )
