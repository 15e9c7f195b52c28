"""Phase 2: the plies since the last look, which may be several, and who is next after them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine.game import Doubtful, Illegal
from engine.games.six.board import COLOURS, Board, Tile, other_colour
from engine.games.six.groups import split_groups
from engine.games.six.moves import Act, Gone, Keep, Lay, Move, Next, Over, Regroup, Severed, Veiled
from engine.games.six.ply_search import SPARE_PLIES, find_plies
from engine.games.six.rules import Position
from engine.games.six.state import State
from engine.games.six.tile_change import Story, TileChange
from engine.games.six.turns import play_move

MOST_TILES_IN_HANDS = 2
"""One more than the rules need: a ply that explains all but so many tiles is more likely than several plies."""


def read_plies(state: State, game: Position, change: TileChange) -> Iterator[Story]:
    """A legal way to the table as it is, or to one with the next tile in the air, or why a tile may not lie there."""
    hides = change.dark or (change.free and len(change.away) > len(change.new))
    if hides and (change.is_in_passing or len(change.new) > 1 or game.turn not in change.colours):
        yield Veiled()
        return
    told = list(read_last_plies(state, game, change, hides=bool(hides)))
    yield from told
    for tile in () if told else change.new:
        moves: list[Act | tuple[Act, ...]] = [*change.list_carries(tile)] or [Lay(tile[1], *tile[0])]
        moves += _list_carries_beside_group(game, change)
        yield from (move for move in moves if not can_be_played(state, move))
    if not (told or hides):
        yield from tell_gone_tiles(state, game, change)


def read_last_plies(state: State, game: Position, change: TileChange, *, hides: bool = False) -> Iterator[Story]:
    """The legal ways to the table, or how many tiles may be cut off that still lie there."""
    told = list(find_last_plies(state, game, change, spare=0 if hides else SPARE_PLIES))
    yield from told
    severed = () if told or hides else find_severed_tiles(state, game, change)
    if severed:
        yield Severed(len(severed))


def count_gone(game: Position, change: TileChange) -> int:
    """How many tiles are not in sight, of those on the board and those still to be laid."""
    return game.board.all.bit_count() + sum(game.hands) - len(change.seen)


def tell_gone_tiles(state: State, game: Position, change: TileChange) -> Iterator[Doubtful[Act]]:
    """What several plies may have left, if tiles that are not in sight have left the game and are in no hand."""
    way = (change.regroup(),)
    if count_gone(game, change) > 0 and can_be_played(state, way):
        yield from (Doubtful(told) for told in tell_turn(state, way))


def find_last_plies(state: State, game: Position, change: TileChange, spare: int = SPARE_PLIES) -> Iterator[Story]:
    """The legal ways, each with the player who is next; several if that is not certain."""
    ways = find_plies(game, change.seen, state.announced, spare)
    if not any(map(_is_single_ply, ways)) and (lifted := _list_plies_before_a_lift(state, game, change)):
        if change.dark or change.free:
            yield Veiled()  # it may lie there
        else:
            yield Gone(1)
            yield from map(Doubtful, lifted)
            yield from tell_gone_tiles(state, game, change)
        return
    if ways:
        for way in ways:
            yield from _tell_end(game, change, way) if _is_end_in_doubt(state, way) else tell_turn(state, way)
        return
    if spare and _may_be_several_plies(state, game, change):
        way = (change.regroup(),)
        yield from _tell_end(game, change, way) if _is_end_in_doubt(state, way) else tell_turn(state, way)


def _list_plies_before_a_lift(state: State, game: Position, change: TileChange) -> list[tuple[Act, ...]]:
    """One ply, after which the next player holds a tile. After three plies that tile may have been cut off instead."""
    if len(change.new) != 1 or change.colours != {game.turn}:
        return []
    ((target, colour),) = change.new
    held = [tile for tile in sorted(change.away) if tile[1] != colour and tile[0] != target]
    return [way for tile in held for way in find_plies(game, change.seen | {tile}, state.announced, spare=0)]


def _is_single_ply(way: tuple[Act, ...]) -> bool:
    return sum(isinstance(act, Lay | Move) for act in way) == 1


def _is_end_in_doubt(state: State, way: tuple[Act, ...]) -> bool:
    """Do several plies end the game? They need not have been played: tiles that were exchanged look the same, and so
    does a tile that lies on another one.
    """
    for act in way:
        state = play_move(state, act)
    several = sum(isinstance(act, Lay | Move) for act in way) > 1 and any(isinstance(act, Move) for act in way)
    ended = state.game is not None and state.game.end is not None
    return ended and (several or any(isinstance(act, Regroup) for act in way))


def _tell_end(game: Position, change: TileChange, way: tuple[Act, ...]) -> Iterator[Story]:
    """Whether several plies have ended the game is asked, and by how many tiles are gone."""
    gone = count_gone(game, change)
    yield Gone(gone) if gone > 0 else Over()
    yield Doubtful(way)


def tell_turn(state: State, way: tuple[Act, ...]) -> Iterator[tuple[Act, ...]]:
    """In phase 2 the table shows what has moved, not how often: after several plies a tile may have moved twice, and
    then the other player is next. Only people know.
    """
    for move in way:
        state = play_move(state, move)
    game = state.game
    if game is None or any(game.hands) or game.split or game.end or _is_single_ply(way):
        yield way
    else:
        yield from ((*way, Next(colour)) for colour in (game.turn, other_colour(game.turn)))


def can_be_played(state: State, story: Act | tuple[Act, ...]) -> bool:
    try:
        for move in story if isinstance(story, tuple) else (story,):
            state = play_move(state, move)
    except Illegal:
        return False
    return True


def _may_be_several_plies(state: State, game: Position, change: TileChange) -> bool:
    """Both colours have moved or left, one group is left, and what is gone is not likely to be in the air."""
    gone = count_gone(game, change)
    if gone == 1 or len(list_changed_colours(game, change)) == 1 or not can_be_played(state, change.regroup()):
        return False
    return len(change.new) > 1 or (
        gone > 1 and not any(_nearly_explains(game, move, change) for move in _carries(change))
    )


def list_changed_colours(game: Position, change: TileChange) -> frozenset[str]:
    """Of new tiles, and of those that are gone, although perhaps only after they were laid."""
    left = Counter(colour for _, colour in change.seen)
    whole = {colour: game.board.count(colour) + held for colour, held in zip(COLOURS, game.hands, strict=True)}
    gone = {colour for colour in COLOURS if left[colour] < whole[colour]}
    return change.colours | gone | {colour for _, colour in change.away}


def find_severed_tiles(state: State, game: Position, change: TileChange) -> frozenset[Tile]:
    """The tiles beside the largest group in sight, where several plies may have led to it and cut these off."""
    several = len(change.new) > 1 or count_gone(game, change) > 0
    if not several or len(list_changed_colours(game, change)) < 2:
        return frozenset()
    board = Board.of(*([cell for cell, colour in change.seen if colour == kind] for kind in COLOURS))
    groups = sorted(split_groups(board.all), key=int.bit_count)
    if len(groups) == 1:
        return frozenset()
    kept = replace(change, seen=frozenset(board.tiles(groups[-1])))
    severed = change.seen - kept.seen
    if len(change.new) == 1 and not severed.isdisjoint(change.new):
        return frozenset()  # it was laid beside a group that is lost
    return severed if can_be_played(state, kept.regroup()) else frozenset()


def _carries(change: TileChange) -> list[Move]:
    return [move for tile in change.new for move in change.list_carries(tile)]


def _nearly_explains(game: Position, move: Move, change: TileChange) -> bool:
    """Would this ply alone be the whole story, but for a tile or two in the air, or for the wrong group removed?"""
    try:
        lost = frozenset(game.board.tiles(game.lift((move.q, move.r)).lost))
        if change.seen - {*change.new} <= lost:
            return True
        after, _ = game.move((move.q, move.r), (move.to_q, move.to_r))
    except Illegal:
        return False
    return len(frozenset(after.board.tiles(after.board.all)) - change.seen) <= MOST_TILES_IN_HANDS


def _list_carries_beside_group(game: Position, change: TileChange) -> Iterator[tuple[Act, ...]]:
    """The same where people have carried away all but one of the largest groups, and so chosen the one that stays."""
    gone = {cell for cell, _ in change.away}
    for move in _carries(change) if game.turn in change.colours else ():
        if ((move.q, move.r), game.turn) in change.away:
            lift = game.lift((move.q, move.r))
            held = [group for group in lift.stay if not gone.issuperset(game.board.cells(group))]
            if len(lift.stay) > 1 and len(held) == 1:
                yield Keep(move.q, move.r, *min(game.board.cells(held[0]))), move


def is_one_ply(story: Story) -> bool:
    """Is this at most one ply of phase 2, and nothing that is not certain?"""
    if isinstance(story, Doubtful | Gone | Over):
        return False
    acts = story if isinstance(story, tuple) else (story,)
    return sum(isinstance(act, Move) for act in acts) < 2 and not any(isinstance(act, Regroup) for act in acts)
