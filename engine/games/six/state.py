"""Everything known about a match of SIX: the game that runs, where it lies, and how earlier ones ended."""

from dataclasses import dataclass
from functools import lru_cache

from engine.axial import Cell
from engine.games.six.board import Board, Tile, other_colour
from engine.games.six.rules import Position

Anchor = tuple[int, int, int, int]
"""Position of cell 0,0: x, y in mm, direction in tenths of a degree, pitch in tenths of a mm."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the players chose before the first game."""

    first: str
    spaced: bool
    notice: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class State:
    """``game`` is None until the start pair is on the table.

    ``litter`` are tiles that left the game and are still on the table. ``announced`` is a tile to be
    lifted and a cell of the group that then stays. ``past`` holds the positions of phase 2 that can still be repeated,
    the present one last.
    """

    terms: Terms
    starter: str
    game: Position | None = None
    anchor: Anchor = (0, 0, 0, 0)
    litter: frozenset[Tile] = frozenset()
    announced: tuple[Cell, Cell] | None = None
    past: tuple[tuple[int, int, str], ...] = ()
    winners: tuple[str, ...] = ()

    @property
    def tiles(self) -> frozenset[Tile]:
        """The tiles in play."""
        return _tiles(self.game.board) if self.game else frozenset()

    @property
    def lying(self) -> frozenset[Tile]:
        return self.tiles | self.litter

    def player(self, colour: str) -> int:
        """Player 1 has the colour that started the first game."""
        return 1 if colour == self.terms.first else 2

    def colours(self) -> tuple[str, str]:
        return self.terms.first, other_colour(self.terms.first)


@lru_cache(maxsize=64)
def _tiles(board: Board) -> frozenset[Tile]:
    """Cached, because every table reading asks for the tiles of the last few boards."""
    return frozenset(board.tiles(board.all))
