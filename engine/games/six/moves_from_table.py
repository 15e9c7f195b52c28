"""What a difference between table and record suggests: the next move only."""

from collections.abc import Iterator

from engine.games.six.lays_from_table import read_lays
from engine.games.six.moves import Act, Askew, Clear, Lay, Lift, Lose, Slide, Start, Veiled
from engine.games.six.plies_from_table import is_one_ply, read_plies, tell_gone_tiles
from engine.games.six.rules import Position
from engine.games.six.state import State
from engine.games.six.tile_change import Story, TileChange
from engine.games.six.zones import FEW_TILES, parse_anchor, parse_zone
from engine.table import Gap


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
    askew = sum(place == "loose" for _, place in gap.extra)
    if askew and gap.veiled:  # too little may be seen of a pushed board
        yield Veiled()
        return
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
    if any(place.startswith("cell:") for _, place in gap.extra):
        told = _read_new_tiles(state, state.game, TileChange.of(state, gap))
        yield from (filter(is_one_ply, told) if askew else told)  # a tile askew may be one that another story moves
    elif up and not (gap.extra or gap.seen.hidden or state.litter or any(state.game.hands)):
        yield from tell_gone_tiles(state, state.game, TileChange.of(state, gap))
    yield from (Askew(piece) for piece, place in gap.extra if place == "loose")


def _read_new_tiles(state: State, game: Position, change: TileChange) -> Iterator[Story]:
    if game.end or game.split or state.litter:  # no tile may be laid now
        (cell, colour), *_ = change.new
        yield Lay(colour, *cell)
    elif any(game.hands):
        yield from read_lays(state, game, change)
    else:
        yield from read_plies(state, game, change)


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
