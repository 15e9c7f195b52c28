"""SIX: moves that a player may try with one tile, and the layout after each."""

from engine.games.six import Six
from engine.games.six import zones as sight
from engine.games.six.moves import Lay, Move
from engine.table import Layout

GAME = Six()
OPTIONS = [{}, {"first": "black", "first_tile_restriction": 1}]


def attempts(state, rng):
    """(move, layout) pairs: a tile of either colour beside the others, or one carried elsewhere."""
    game = state.game
    if game is None or game.end or game.split or state.litter or state.announced:
        return
    zones = dict(GAME.layout(state).zones)
    board = game.board
    free = list(board.cells(board.edge()))
    for colour in ("red", "black"):
        to = rng.choice(free)
        there = {sight.format_zone(to): (colour,)}
        if any(game.hands):
            yield Lay(colour, *to), Layout(zones | there)
        else:
            source = rng.choice(list(board.cells(board.own(colour))))
            rest = {zone: held for zone, held in zones.items() if zone != sight.format_zone(source)}
            yield Move(*source, *to), Layout(rest | there)


def commuting(state):
    return []
