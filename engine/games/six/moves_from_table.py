"""What a difference between table and record suggests: the next move only."""

from collections.abc import Iterator

from engine.axial import Cell
from engine.game import Illegal
from engine.games.six.board import Lifted, Tile
from engine.games.six.moves import Act, Askew, Clear, Keep, Lay, Lift, Lose, Move, Slide, Start, Veiled
from engine.games.six.rules import Position
from engine.games.six.state import State
from engine.games.six.zones import FEW_TILES, format_zone, parse_anchor, parse_zone
from engine.table import Gap

MOST_HIDDEN_TILES = 1
"""A laid tile is accepted while at most this many tiles of the other colour are hidden."""


def read(state: State, gap: Gap) -> Iterator[Act]:
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
    for piece, place in gap.extra:
        if place == "loose":
            yield Askew(piece)
        elif not place.startswith("cell:"):
            continue
        elif _may_be_laid_unseen(state.game, piece, gap) or _in_passing(state, piece, dark):
            yield Veiled()
        else:
            yield from _laid(state, state.game, (parse_zone(place), piece), gone)


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


def _may_be_laid_unseen(game: Position, piece: str, gap: Gap) -> bool:
    """Out of turn in phase 1, unless the tile before this one lies where nothing can be seen."""
    if not any(game.hands) or piece == game.turn or not gap.seen.hidden:
        return False
    return any(format_zone(cell) in gap.seen.hidden for cell in game.board.cells(game.legal()))


def _in_passing(state: State, piece: str, dark: frozenset[Tile]) -> bool:
    """A hand that hides several tiles may have laid more than one, and a hidden one of the same colour may be the
    tile itself: wait until they are visible again.
    """
    hidden = dark & state.tiles
    return len(hidden) > MOST_HIDDEN_TILES or any(colour == piece for _, colour in hidden)


def _laid(state: State, game: Position, tile: Tile, gone: frozenset[Tile]) -> Iterator[Act]:
    """A new tile on the board: from a hand, or lifted at another cell."""
    target, colour = tile
    playing = state.tiles
    lifted = sorted(cell for cell, kind in gone & playing if kind == colour)
    if not lifted:
        yield Lay(colour, *target)
        return
    away = frozenset(cell for cell, _ in gone & playing)
    told: list[Act] = []
    rest: list[Act] = []
    for source in lifted:
        lift = _lift(game, source)
        move = Move(*source, *target)
        if lift is None:
            rest.append(move)
            continue
        cells = game.board.cells
        stay = [frozenset(cells(group)) for group in lift.stay] if len(lift.stay) > 1 else []
        carried = [group for group in stay if group <= away]
        may_go = frozenset(cells(lift.lost)).union(*stay)
        explained = away - {source} <= may_go
        if len(carried) == len(stay) - 1 and stay and not (state.announced and state.announced[0] == source):
            keep = next(group for group in stay if group not in carried)
            (told if explained else rest).append(Keep(*source, *min(keep)))
        else:
            (told if explained else rest).append(move)
    yield from told or rest  # one tile in the air too many is less likely than a group carried away


def _lift(game: Position, source: Cell) -> Lifted | None:
    try:
        return game.lift(source)
    except Illegal:
        return None
