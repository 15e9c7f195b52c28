"""Several plies of phase 2 between two looks: a legal way to play them that leads to the table seen."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from engine.axial import Cell
from engine.games.six.board import COLOURS, Board, Tile, other_colour
from engine.games.six.groups import add_neighbours, split_groups, touches
from engine.games.six.moves import Act, Clear, Keep, Lay, Move
from engine.games.six.rules import Position
from engine.games.six.shapes import STRIDE

MOST_PLIES = 8
"""More plies between two looks count as a mess."""
MOST_TRIES = 200
"""So many tiles are lifted or laid in one search: about 2 ms."""
SPARE_PLIES = 2
"""A tile may have been moved twice, or have left with a group after its move."""
MOST_DETOURS = 2
"""So many free cells are tried for a tile that was moved twice."""


@lru_cache(maxsize=16)
def find_plies(
    game: Position, tiles: frozenset[Tile], announced: tuple[Cell, Cell] | None, spare: int = SPARE_PLIES
) -> tuple[tuple[Act, ...], ...]:
    """Legal ways to these tiles, with as few plies as possible; none if there is none, or too long a search.

    One move may lead to a board without some tiles that still lie there, also after the last tiles of phase 1 if all
    tiles are in sight and these lie apart. After several moves it is not certain which these are: a way leads to a
    board of all tiles. Cached, because one table is compared with the same states for the verdict and for advice.
    """
    new = tiles - frozenset(game.board.tiles(game.board.all))
    own = sum(colour == game.turn for _, colour in new)
    other = len(new) - own
    lays = sum(game.hands)
    least = max(2 * own - 1, 2 * other, lays + 1)
    if not new or len(new) > MOST_PLIES:
        return ()
    target = Board.of(*([cell for cell, colour in tiles if colour == kind] for kind in COLOURS))
    joined = len(split_groups(target.all)) == 1
    whole = len(tiles) == game.board.all.bit_count() + lays
    for plies in range(least, least + spare + 1):
        for litter in (False, True):
            if joined if not litter else plies == 1 or (plies == lays + 1 and whole and not joined):
                way = _Search(tiles, target, litter, MOST_TRIES).find(game, plies, announced)
                if way:
                    return (way,)
    return ()


@dataclass(slots=True)
class _Search:
    """A search in depth; ``dead`` are positions from which the target is not reached with so many plies."""

    tiles: frozenset[Tile]
    target: Board
    litter: bool
    tries: int
    dead: set[tuple[Position, int]] = field(default_factory=set)

    def find(self, game: Position, plies: int, announced: tuple[Cell, Cell] | None = None) -> tuple[Act, ...]:
        if plies > MOST_PLIES or (game, plies) in self.dead or self._is_short(game, plies):
            return ()
        for acts, after, lost in self._list_plies(game, plies, announced):
            self.tries -= 1
            if self.tries < 0:
                return ()
            if plies == 1:
                if self._is_reached(after, lost):
                    return acts
            elif after.end is None and not after.split:
                rest = self.find(after, plies - 1)
                if rest:
                    return (*acts, *((Clear(),) if lost else ()), *rest)
        self.dead.add((game, plies))
        return ()

    def _aligned(self, board: Board, colour: str) -> int:
        """The target's tiles of this colour as bits of this board."""
        shift = board.q - self.target.q + STRIDE * (board.r - self.target.r)
        bits = self.target.own(colour)
        return bits >> shift if shift >= 0 else bits << -shift

    def _is_short(self, game: Position, plies: int) -> bool:
        """Are there more new tiles of a colour than it has plies?"""
        board = game.board
        for colour, most in ((game.turn, (plies + 1) // 2), (other_colour(game.turn), plies // 2)):
            if (self._aligned(board, colour) & ~board.own(colour)).bit_count() > most:
                return True
        return False

    def _is_reached(self, after: Position, lost: frozenset[Tile]) -> bool:
        """Does the table show this position, with what has left if there is ``litter``?"""
        if self.litter and not lost:
            return False
        gone = lost if self.litter else frozenset()
        return frozenset(after.board.tiles(after.board.all)) == self.tiles - gone

    def _list_plies(
        self, game: Position, plies: int, announced: tuple[Cell, Cell] | None
    ) -> Iterator[tuple[tuple[Act, ...], Position, frozenset[Tile]]]:
        board, colour = game.board, game.turn
        wanted = self._aligned(board, colour)
        own = board.own(colour)
        new = wanted & ~own & ~board.all
        spare = (wanted & ~own).bit_count() < (plies + 1) // 2
        if any(game.hands):
            cells = board.edge()
            for cell in (*board.cells(new & cells), *(self._list_detours(board, cells, plies) if spare else ())):
                yield (Lay(colour, *cell),), game.lay(colour, cell), frozenset()
            return
        everything = self._aligned(board, COLOURS[0]) | self._aligned(board, COLOURS[1])
        doomed = board.all & ~everything
        lifts = []
        cutters = own & wanted & add_neighbours(doomed) if spare else 0
        for cell in board.cells(own & ~wanted | cutters):
            self.tries -= 1
            lift = game.lift(cell)
            lifted = 1 << board.spot(cell)
            for keep in lift.stay:
                leaves = lift.rest & ~keep
                if plies == 1 and doomed & ~lifted & ~leaves:
                    continue  # more would have to leave
                if wanted & lifted and not leaves & doomed:
                    continue  # it lies there: it was lifted and another laid in its place only to cut a group off
                lifts.append(((leaves & everything).bit_count(), -leaves.bit_count(), cell, keep, lift))
        for odd, _, source, keep, lift in sorted(lifts, key=lambda lifted: lifted[:3]):
            if plies > 1 and odd > plies:
                continue  # tiles that left would have to be laid again
            chosen = announced[1] if announced and announced[0] == source else None
            if chosen and not keep >> board.spot(chosen) & 1:
                continue
            edge = add_neighbours(keep) & ~board.all
            for target in (*board.cells(new & edge), *(self._list_detours(board, edge, plies) if spare else ())):
                spot = board.spot(target)
                named = None
                if not chosen and sum(touches(group, spot) for group in lift.stay) > 1:
                    named = min(board.cells(keep))
                    if plies == 1 and keep == lift.stay[0]:  # it is not said which group goes
                        yield (Move(*source, *target),), *game.move(source, target)
                after, lost = game.move(source, target, chosen or named)
                yield (*((Keep(*source, *named),) if named else ()), Move(*source, *target)), after, lost

    def _list_detours(self, board: Board, edge: int, plies: int) -> Iterator[Cell]:
        """Free cells for a tile that leaves with a group later, or is moved again."""
        everything = self._aligned(board, COLOURS[0]) | self._aligned(board, COLOURS[1])
        free = edge & ~everything
        doomed = add_neighbours(board.all & ~everything) & free
        away = doomed & ~add_neighbours(board.all & everything)
        for bits in (away, doomed & ~away, free & ~doomed) if plies > 1 else ():
            for n, cell in enumerate(board.cells(bits)):
                if n == MOST_DETOURS:
                    break
                yield cell
