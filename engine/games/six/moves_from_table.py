"""What a difference between table and record suggests: the next move only."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.axial import Cell, join_cells
from engine.game import Illegal
from engine.games.six.board import Tile, other_colour
from engine.games.six.lay_order import order_lays
from engine.games.six.moves import Act, Askew, Clear, Lay, Lift, Lose, Move, Next, Slide, Start, Veiled
from engine.games.six.ply_search import find_plies
from engine.games.six.rules import Position
from engine.games.six.state import State
from engine.games.six.turns import play_move
from engine.games.six.zones import FEW_TILES, parse_anchor, parse_zone
from engine.table import Gap

Story = Act | tuple[Act, ...]
"""The next move, or several that were made between two looks."""
MOST_HIDDEN_TILES = 1
"""A laid tile is accepted while at most this many tiles of the other colour are hidden."""


@dataclass(frozen=True, slots=True)
class _Change:
    """New tiles on the board, tiles that are not at their cells, hidden ones, and hidden cells that may hold others."""

    new: tuple[Tile, ...]
    away: frozenset[Tile]
    dark: frozenset[Tile]
    free: frozenset[Cell]


def read(state: State, gap: Gap) -> Iterator[Story]:
    if state.game is None:
        yield from _before(state, gap)
        return
    for piece, place in gap.extra:
        if place == "anchor":
            yield Slide(*parse_anchor(piece))
            return
    gone = frozenset((parse_zone(z), p) for p, z in gap.missing if z.startswith("cell:"))
    if state.litter and state.litter <= gone:
        yield Clear()
        return
    for group in state.game.split:
        if group <= {cell for cell, _ in gone}:
            yield Lose(*min(group))
    dark = frozenset((parse_zone(z), p) for p, z in gap.veiled if z.startswith("cell:"))
    few = len(state.tiles) < FEW_TILES  # too few to tell a push from a moved tile
    astray = gap.missing or dark or any(place == "loose" for _, place in gap.extra)
    if few and astray and gap.seen.hidden:
        yield Veiled()
        return
    if state.litter and state.litter <= gone | dark and any(place.startswith("cell:") for _, place in gap.extra):
        yield Veiled()
        return
    up = [cell for cell, _ in gone - state.litter]
    if len(up) == 1 and not gap.extra and not any(state.game.hands):
        yield Lift(*up[0])
    change = _Change(
        new=tuple((parse_zone(place), piece) for piece, place in gap.extra if place.startswith("cell:")),
        away=gone & state.tiles,
        dark=dark & state.tiles,
        free=frozenset(map(parse_zone, gap.seen.hidden)) - {cell for cell, _ in state.lying},
    )
    if change.new and (state.game.end or state.game.split or state.litter):
        yield Lay(change.new[0][1], *change.new[0][0])
    elif change.new and any(state.game.hands):
        yield from _read_lays(state, state.game, change)
    elif change.new:
        yield from _read_plies(state, state.game, change)
    yield from (Askew(piece) for piece, place in gap.extra if place == "loose")


def _before(state: State, gap: Gap) -> Iterator[Act]:
    """No game runs: the tiles of the last one must go, then the start pair comes."""
    seen = gap.seen.zones
    if state.litter:
        if "anchor" in seen or (not seen and not gap.seen.hidden):
            yield Clear()
        else:
            yield from (Askew(piece) for piece, _ in gap.extra[:1])
    elif "anchor" in seen:
        yield Start(*parse_anchor(seen["anchor"][0]))
    else:
        yield from (Askew(piece) for piece, place in gap.extra[:1] if place == "loose")


def _read_lays(state: State, game: Position, change: _Change) -> Iterator[Story]:
    """Phase 1: all new tiles as one set, whose order cannot be seen."""
    order = order_lays(game, change.new)
    lays = tuple(Lay(colour, *cell) for cell, colour in order)
    whole = len(order) == len(change.new)
    carried = [move for tile in change.new for move in _carry(tile, change.away)]
    if _in_passing(change):
        yield Veiled()
    elif whole and not carried:
        yield from _tell_turn(state, change, lays)
    elif change.free and _may_join(state, change):
        yield Veiled()
    elif way := find_plies(game, (state.tiles - change.away) | {*change.new}, None) if change.away else ():
        yield from _tell_turn(state, change, way)
    elif whole and len(order) > 1 and sum(game.hands) > len(order):
        yield lays  # a tile in the air is of the same colour
    elif carried:
        yield from carried
    elif lays:
        yield lays
    else:
        yield from (Lay(colour, *cell) for cell, colour in change.new)


def _read_plies(state: State, game: Position, change: _Change) -> Iterator[Story]:
    """Phase 2: a legal way to the table as it is, or to one with the next tile in the air."""
    hides = change.dark or (change.free and len(change.away) > len(change.new))
    if hides and (_in_passing(change) or len(change.new) > 1 or change.new[0][1] != game.turn):
        yield Veiled()
        return
    seen = (state.tiles - change.away) | {*change.new}
    ways = [find_plies(game, seen, state.announced)]
    if not ways[0] and len(change.new) == 1:
        ((target, colour),) = change.new
        held = [(cell, kind) for cell, kind in sorted(change.away) if kind != colour and cell != target]
        ways = [find_plies(game, seen | {tile}, state.announced) for tile in held]
    if any(ways):
        for way in filter(None, ways):
            yield from _tell_turn(state, change, way)
        return
    for tile in change.new:
        moves = _carry(tile, change.away) or [Lay(tile[1], *tile[0])]
        yield from (move for move in moves if not _is_legal(game, move))


def _tell_turn(state: State, change: _Change, way: tuple[Act, ...]) -> Iterator[Story]:
    """In phase 2 the table shows what has moved, not how often. When both colours have moved, a tile may have moved
    twice, and then the other player is next: only people know.
    """
    for move in way:
        state = play_move(state, move)
    game = state.game
    if game is None or any(game.hands) or game.split or game.end or len({colour for _, colour in change.new}) == 1:
        yield way
    else:
        yield from ((*way, Next(colour)) for colour in (game.turn, other_colour(game.turn)))


def _carry(tile: Tile, away: frozenset[Tile]) -> list[Act]:
    """The moves of a tile of this colour to where the new one lies."""
    target, colour = tile
    return [Move(*source, *target) for source, kind in sorted(away) if kind == colour]


def _is_legal(game: Position, act: Act) -> bool:
    try:
        match act:
            case Move(q, r, to_q, to_r):
                game.move((q, r), (to_q, to_r))
            case Lay(colour, q, r):
                game.lay(colour, (q, r))
    except Illegal:
        return False
    return True


def _in_passing(change: _Change) -> bool:
    """A hand that hides several tiles may have laid more than one, and a hidden one of the same colour may be the
    tile itself: wait until they are visible again.
    """
    colours = {colour for _, colour in change.new}
    return len(change.dark) > MOST_HIDDEN_TILES or any(colour in colours for _, colour in change.dark)


def _may_join(state: State, change: _Change) -> bool:
    """May tiles that nobody has seen join every new tile to the board?"""
    cells = {cell for cell, _ in change.new}
    return cells <= join_cells({cell for cell, _ in state.tiles}, cells | change.free)
