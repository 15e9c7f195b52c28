"""Phase 1: the tiles laid since the last look, read as one set, for their order cannot be seen."""

from collections.abc import Iterator

from engine.axial import join_cells
from engine.games.six.lay_order import order_lays
from engine.games.six.moves import Away, Lay, Veiled
from engine.games.six.plies_from_table import can_be_played, find_last_plies, tell_turn
from engine.games.six.rules import Position
from engine.games.six.state import State
from engine.games.six.tile_change import Story, TileChange


def read_lays(state: State, game: Position, change: TileChange) -> Iterator[Story]:
    """Hidden tiles may be what makes the others right; a tile away may be in the air, or phase 2 has begun."""
    order = order_lays(game, change.new)
    lays = tuple(Lay(colour, *cell) for cell, colour in order)
    whole = len(order) == len(change.new)
    carried = [move for tile in change.new for move in change.list_carries(tile)]
    held = sum(game.hands)
    if change.is_in_passing:
        yield Veiled()
    elif whole and not carried:
        yield from tell_turn(state, lays)
    elif change.free and _may_join(state, change):
        yield Veiled()
    elif carried and held < len(change.new) and (plies := list(find_last_plies(state, game, change))):
        yield from plies
    elif whole and change.count_carried() < len(change.new):
        yield Away(min(colour for _, colour in change.away if colour in change.colours))
    elif carried:
        yield from carried
    elif not change.away and can_be_played(state, change.regroup()):
        yield change.regroup()  # tiles that the camera had not seen were laid before those of the record
    elif lays:
        yield lays
    else:
        yield from (Lay(colour, *cell) for cell, colour in change.new)


def _may_join(state: State, change: TileChange) -> bool:
    """May tiles that the camera has not seen join every new tile to the board?"""
    cells = {cell for cell, _ in change.new}
    return cells <= join_cells({cell for cell, _ in state.tiles}, cells | change.free)
