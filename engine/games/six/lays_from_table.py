"""Phase 1: the tiles laid since the last look, read as one set, for their order cannot be seen."""

from collections.abc import Iterator

from engine.axial import join_cells
from engine.games.six.lay_order import order_lays
from engine.games.six.moves import Away, Gone, Lay, Veiled
from engine.games.six.plies_from_table import (
    can_be_played,
    count_gone,
    list_changed_colours,
    read_last_plies,
    tell_gone_tiles,
    tell_turn,
)
from engine.games.six.ply_search import MOST_PLIES
from engine.games.six.rules import Position
from engine.games.six.state import State
from engine.games.six.tile_change import Story, TileChange


def read_lays(state: State, game: Position, change: TileChange) -> Iterator[Story]:
    """Hidden tiles may be what makes the others right; a tile away may be in the air, or phase 2 has begun.

    Then tiles may have been cut off, and lie there or are gone.
    """
    order = order_lays(game, change.new)
    lays = tuple(Lay(colour, *cell) for cell, colour in order)
    whole = len(order) == len(change.new)
    carried = [move for tile in change.new for move in change.list_carries(tile)]
    begun = _may_have_begun(game, change)
    if change.is_in_passing:
        yield Veiled()
    elif whole and not carried:
        yield from tell_turn(state, lays)
    elif (change.free and _may_join(state, change)) or (begun and change.dark):
        yield Veiled()
    elif begun and (plies := list(read_last_plies(state, game, change))):
        yield from plies
    elif whole and change.count_carried() < len(change.new):
        yield Away(min(colour for _, colour in change.away if colour in change.colours))
        yield from tell_gone_tiles(state, game, change) if begun else ()
    elif begun and not change.has_exchanged and (lost := list(tell_gone_tiles(state, game, change))):
        yield Gone(count_gone(game, change))
        yield from lost
    elif carried:
        yield from carried
        yield from tell_gone_tiles(state, game, change) if sum(game.hands) <= _count_changes(change) else ()
    elif not change.away and can_be_played(state, change.regroup()):
        yield change.regroup()  # tiles that the camera had not seen were laid before those of the record
    elif lays:
        yield lays
    else:
        yield from (Lay(colour, *cell) for cell, colour in change.new)


def _may_have_begun(game: Position, change: TileChange) -> bool:
    """May phase 2 have begun, and tiles been moved? All are laid then: those not in sight were cut off with others."""
    held, laid = sum(game.hands), len(change.new)
    if held < laid:
        return True
    if change.has_exchanged or len(list_changed_colours(game, change)) < 2:
        return False  # a player has only moved too early
    several = laid > 2 or len(change.away) - change.count_carried() > 1
    return held == laid or (several and held <= _count_changes(change))


def _count_changes(change: TileChange) -> int:
    """The number of new tiles and of those that are gone, at most ``MOST_PLIES``."""
    return min(len(change.new) + len(change.away), MOST_PLIES)


def _may_join(state: State, change: TileChange) -> bool:
    """May tiles that the camera has not seen join every new tile to the board?"""
    cells = {cell for cell, _ in change.new}
    return cells <= join_cells({cell for cell, _ in state.tiles}, cells | change.free)
