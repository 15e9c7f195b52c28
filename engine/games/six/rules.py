"""The rules of SIX: one game without a table, with tiles, hands and whose turn it is. Their only source."""

from dataclasses import dataclass

from engine.axial import Cell
from engine.game import Illegal, Unfinished
from engine.games.six.board import NOWHERE, RED, Board, Lifted, Tile, other_colour
from engine.games.six.groups import add_neighbours
from engine.games.six.match_end import GameEnd, find_shortage
from engine.games.six.shapes import find_shape, find_shape_through

TILES_IN_HAND = 20


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that the rules of one game depend on. ``split`` are groups of which one must still be chosen to go."""

    board: Board
    turn: str
    hands: tuple[int, int] = (TILES_IN_HAND, TILES_IN_HAND)
    split: tuple[frozenset[Cell], ...] = ()
    end: GameEnd | None = None
    spaced: bool = False

    @property
    def phase(self) -> int:
        return 1 if any(self.hands) else 2

    def legal(self) -> int:
        """The free cells where the player to act may lay a tile in phase 1."""
        cells = self.board.edge()
        return cells & ~add_neighbours(self.board.own(self.turn)) if self._restricted() else cells

    def targets(self) -> frozenset[Cell]:
        """The free cells where the player to act may lay a lifted tile in phase 2."""
        board, found = self.board, 0
        for cell in board.cells(board.own(self.turn)):
            for group in self.lift(cell).stay:
                found |= find_free_cells(board, group)
        return frozenset(board.cells(found))

    def lay(self, colour: str, cell: Cell) -> "Position":
        self.open()
        if not any(self.hands):
            raise Illegal("S-11", "phase_2", "lift_own_tile")
        if colour != self.turn:
            raise Illegal("S-3", "not_your_turn", "turn_of", colour=self.turn)
        board = self.board
        spot = board.spot(cell)
        after = board.lay(colour, spot)
        if self._restricted() and add_neighbours(board.own(colour)) >> spot & 1:
            raise Illegal("S-4", "touches_own_start", "off_own_start")
        red, black = self.hands
        hands = (red - 1, black) if colour == RED else (red, black - 1)
        return self._passed_on(after, hands, find_shape_through(after.own(colour), after.spot(cell)))

    def lift(self, cell: Cell) -> Lifted:
        """The player to act lifts an own tile: which groups stay, and which tiles leave in any case."""
        self.open()
        if any(self.hands):
            raise Illegal("S-10", "phase_1", "no_moving_yet", n=sum(self.hands))
        return self.board.lift(self.turn, self.board.spot(cell))

    def move(self, source: Cell, target: Cell, keep: Cell | None = None) -> tuple["Position", frozenset[Tile]]:
        """Lift, lay, and lose what is cut off; also returns the tiles that left.

        ``keep`` names a cell of the group that stays, if it was entered before laying.
        """
        lift = self.lift(source)
        board = self.board
        chosen = self.choice(lift, keep) if keep else NOWHERE
        after, gone = board.move(self.turn, board.spot(source), board.spot(target), chosen, lift)
        lost = frozenset(board.tiles(gone)) if gone else frozenset()
        split = tuple(g for g in lift.stay if not g & gone)
        if len(split) > 1:
            named = tuple(sorted((frozenset(board.cells(g)) for g in split), key=min))
            return Position(after, self.turn, self.hands, named, None, self.spaced), lost
        return self._passed_on(after, self.hands, find_shape_through(after.own(self.turn), after.spot(target))), lost

    def lose(self, cell: Cell) -> tuple["Position", frozenset[Tile]]:
        """The mover laid against several of the largest groups: the one with this cell goes."""
        goes = next((group for group in self.split if cell in group), None)
        if goes is None or self.end:
            raise Illegal("S-16", "out_of_order", "no_choice_there")
        board = self.board
        lost = frozenset(tile for tile in board.tiles(board.all) if tile[0] in goes)
        split = tuple(group for group in self.split if group is not goes)
        left = board.without(sum(1 << board.spot(c) for c in goes))
        if len(split) > 1:
            return Position(left, self.turn, self.hands, split, None, self.spaced), lost
        return self._passed_on(left, self.hands, find_shape(left.own(self.turn))), lost

    def choice(self, lift: Lifted, keep: Cell) -> int:
        """The spot that names one of several largest groups, or ``Illegal``."""
        spot = self.board.spot(keep)
        if len(lift.stay) < 2 or spot == NOWHERE or not sum(lift.stay) >> spot & 1:
            raise Illegal("S-16", "out_of_order", "no_choice_there")
        return spot

    def open(self) -> None:
        """Nothing more may be done once the game has ended, nor before a group was chosen."""
        if self.end:
            raise Unfinished(self.end.ruling, "out_of_order", "press_for_rematch")
        if self.split:
            raise Unfinished("S-16", "out_of_order", "which_group_goes")

    def _restricted(self) -> bool:
        return self.spaced and self.hands == (TILES_IN_HAND, TILES_IN_HAND)

    def _passed_on(self, board: Board, hands: tuple[int, int], shape: str) -> "Position":
        end = None
        if shape:
            end = GameEnd(self.turn, "shape", shape)
        elif hands == (0, 0):
            end = find_shortage(board)
        return Position(board, other_colour(self.turn), hands, (), end, self.spaced)


def find_free_cells(board: Board, group: int) -> int:
    """The free cells along a group; the cell from which a tile was lifted does not count."""
    return add_neighbours(group) & ~board.all


def start_position(starter: str, spaced: bool = False) -> Position:
    """The start pair lies: red at 0,0 and black at 1,0."""
    return Position(_PAIR, starter, spaced=spaced)


_PAIR = Board.of(((0, 0),), ((1, 0),))
