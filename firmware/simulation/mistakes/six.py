"""Mistakes of SIX: tiles of the wrong player, on wrong cells or in the wrong phase, and lost groups that stay."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.games.six.moves import Act, Clear, Keep, Lay, Move, Rematch, Start
from engine.games.six.state import State
from engine.log import Log
from engine.table import Layout
from firmware.simulation.mistakes.mistake import Mistake, add_pieces, remove_pieces, wrong_entry, wrong_table

Cell = tuple[int, int]
SplitTiles = list[tuple[Cell, list[set[Cell]]]]
"""Own tiles, and the groups that each leaves when it is lifted."""
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
MIN_TILES = 7
"""With fewer tiles a moved tile cannot be distinguished from a push of all others."""


def list_mistakes(
    log: Log[Any, Any], move: Act, rng: random.Random, hands: Mapping[int, Sequence[int]]
) -> Iterator[Mistake]:
    state, now = log.state, log.game.layout(log.state)
    match move:
        case Start():
            yield from _start_pair(log, move)
        case Lay(colour, q, r):
            yield from _laid(state, now, colour, (q, r), rng)
            yield wrong_entry("draw in phase 1", "draw", by="S-22", why="phase_1")
        case Move() | Keep() if not state.litter:
            yield from _moved(state, now, rng)
            yield wrong_entry(
                "moved to its own cell", f"move {move.q} {move.r} {move.q} {move.r}", by="S-12", why="same_place"
            )
        case Clear() if state.game is not None:
            yield from _left_lying(state, now, rng)
        case Rematch():
            yield from _after_end(state, now, rng)
        case _:
            pass
    if isinstance(move, Lay | Move):
        won: State = log.add(move).state
        yield from _after_end(won, log.game.layout(won), rng)
    if isinstance(move, Lay | Move | Keep):
        yield wrong_entry("turn passed", "pass", by="S-18", why="must_move")
        yield wrong_entry("rematch during a game", "rematch", by="S-23", why="out_of_order")
        yield wrong_entry("a group chosen without a split", "lose 0 0", by="S-16", why="out_of_order")


def _tiles(state: State) -> dict[Cell, str]:
    return dict(state.lying)


def _name(cell: Cell) -> str:
    return f"cell:{cell[0]},{cell[1]}"


def _beside(cells: Iterable[Cell]) -> set[Cell]:
    """Free cells that share a side with one of these."""
    own = set(cells)
    return {(q + a, r + b) for q, r in own for a, b in NEIGHBOURS} - own


def _corners(cells: Iterable[Cell]) -> set[Cell]:
    """Free cells that share no side with any of these, but a corner with one."""
    own = set(cells)
    near = _beside(own)
    return (
        {
            (q + a + c, r + b + d)
            for q, r in own
            for (a, b), (c, d) in zip(NEIGHBOURS, (*NEIGHBOURS[1:], NEIGHBOURS[0]), strict=True)
        }
        - near
        - own
    )


def _groups(cells: Iterable[Cell]) -> list[set[Cell]]:
    """Connected groups (S-13)."""
    left, groups = set(cells), []
    while left:
        group = edge = {left.pop()}
        while edge:
            edge = _beside(edge) & left
            group = group | edge
            left -= edge
        groups.append(group)
    return groups


def _other(colour: str) -> str:
    return "black" if colour == "red" else "red"


def _start_pair(log: Log[Any, Any], move: Start) -> Iterator[Mistake]:
    """Before the game: two tiles that do not touch, or two of one colour."""
    state = log.state
    if state.litter:
        return
    anchor = f"{move.x},{move.y},{move.angle},{move.pitch}"
    at = {"anchor": (anchor,)}
    for kind, cells in {
        "start pair apart": {(0, 0): "red", (3, 0): "black"},
        "start pair of one colour": {(0, 0): "red", (1, 0): "red"},
    }.items():
        look = Layout(at | {_name(cell): (colour,) for cell, colour in cells.items()})
        yield wrong_table(kind, look, by="S-2", why="out_of_order", soft=True)  # the other tile may follow


def _laid(state: State, now: Layout, colour: str, target: Cell, rng: random.Random) -> Iterator[Mistake]:
    """Phase 1: mistakes instead of an own tile beside the others."""
    tiles = _tiles(state)
    yield wrong_table(
        "tile of the other player laid", add_pieces(now, _name(target), _other(colour)), by="S-3", why="not_your_turn"
    )
    apart = rng.choice(sorted(_corners(tiles)))
    yield wrong_table("tile touches a corner only", add_pieces(now, _name(apart), colour), by="S-3", why="not_adjacent")
    if len(tiles) >= MIN_TILES:
        around = set(tiles) | _beside(tiles)
        far = rng.choice(sorted(_beside(around | _beside(around))))
        yield wrong_table(
            "tile apart from all others", add_pieces(now, _name(far), colour), by="S-3", why="not_adjacent"
        )
        yield from _moved_too_soon(state, now, colour, rng)
    yield wrong_table("tile off the lattice", add_pieces(now, "loose", colour), by="S-3", why="not_adjacent")
    if sum(kind == colour for kind in tiles.values()) < 5:  # with six tiles of a colour the first one may win
        second = rng.choice(sorted(_beside(tiles) - {target}))
        twice = add_pieces(add_pieces(now, _name(target), colour), _name(second), colour)
        yield wrong_table("two tiles laid in one turn", twice, by="S-3", why="not_your_turn")
    if state.terms.spaced and len(tiles) == 2:
        own = [cell for cell, kind in tiles.items() if kind == colour]
        near = rng.choice(sorted(_beside(own) - set(tiles)))
        yield wrong_table("first tile beside the own start tile", add_pieces(now, _name(near), colour), by="S-4",
                   why="touches_own_start")  # fmt: skip


def _moved_too_soon(state: State, now: Layout, colour: str, rng: random.Random) -> Iterator[Mistake]:
    tiles = _tiles(state)
    for source in rng.sample(sorted(tiles), len(tiles)):
        rest = set(tiles) - {source}
        if tiles[source] == colour and len(_groups(rest)) == 1:
            target = rng.choice(sorted(_beside(rest) - {source}))
            look = add_pieces(remove_pieces(now, (colour, _name(source))), _name(target), colour)
            yield wrong_table("tile moved in phase 1", look, by="S-10", why="phase_1")
            return


def _moved(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Phase 2: mistakes instead of an own tile moved beside the group that stays."""
    game, tiles = state.game, _tiles(state)
    if game is None:
        return
    turn = game.turn
    free = sorted(_beside(tiles))
    yield wrong_table(
        "tile laid from the stock in phase 2", add_pieces(now, _name(rng.choice(free)), turn), by="S-11", why="phase_2"
    )
    yield wrong_table("tile off the lattice in phase 2", add_pieces(now, "loose", turn), by="S-3", why="not_adjacent")
    parted = {cell: _groups(set(tiles) - {cell}) for cell in sorted(tiles)}
    firm = [cell for cell, groups in parted.items() if len(groups) == 1]
    own = [cell for cell in firm if tiles[cell] == turn]
    foreign = [cell for cell in firm if tiles[cell] != turn]
    if foreign:
        source = rng.choice(foreign)
        target = rng.choice(sorted(_beside(set(tiles) - {source}) - {source}))
        look = add_pieces(remove_pieces(now, (_other(turn), _name(source))), _name(target), _other(turn))
        yield wrong_table("tile of the other player moved", look, by="S-11", why="not_own")
    if own:
        source = rng.choice(own)
        apart = rng.choice(sorted(_corners(set(tiles) - {source}) - {source}))
        look = add_pieces(remove_pieces(now, (turn, _name(source))), _name(apart), turn)
        yield wrong_table("moved tile touches a corner only", look, by="S-11", why="not_adjacent")
        keep = f"keep {source[0]} {source[1]} {apart[0]} {apart[1]}"
        yield wrong_entry("a group kept without a split", keep, by="S-16", why="out_of_order")
    mine = [(cell, groups) for cell, groups in parted.items() if tiles[cell] == turn and len(groups) > 1]
    rng.shuffle(mine)
    yield from _against_what_goes(now, turn, tiles, mine, rng)
    if state.announced is None:  # else the group was chosen before
        yield from _against_both(now, turn, tiles, mine, rng)


def _against_what_goes(
    now: Layout, turn: str, tiles: dict[Cell, str], mine: SplitTiles, rng: random.Random
) -> Iterator[Mistake]:
    """S-15: the moved tile touches only the smaller group, which is lost."""
    for source, groups in mine:
        most = max(map(len, groups))
        big = [group for group in groups if len(group) == most]
        if len(groups) == len(big):
            continue
        small = rng.choice([group for group in groups if len(group) < most])
        targets = sorted(_beside(small) - set(tiles) - set().union(*map(_beside, big)))
        if targets:
            look = add_pieces(remove_pieces(now, (turn, _name(source))), _name(rng.choice(targets)), turn)
            yield wrong_table("laid against the group that goes", look, by="S-15", why="not_adjacent")
            return


def _harmless(now: Layout, tiles: dict[Cell, str], turn: str, rng: random.Random) -> Layout | None:
    """A move of this colour that splits nothing; ``now`` may hold more tiles than are in play."""
    for source in rng.sample(sorted(tiles), len(tiles)):
        rest = set(tiles) - {source}
        if tiles[source] != turn or len(_groups(rest)) > 1:
            continue
        targets = [cell for cell in sorted(_beside(rest) - {source}) if _name(cell) not in now.zones]
        if targets:
            return add_pieces(remove_pieces(now, (turn, _name(source))), _name(rng.choice(targets)), turn)
    return None


def _against_both(
    now: Layout, turn: str, tiles: dict[Cell, str], mine: SplitTiles, rng: random.Random
) -> Iterator[Mistake]:
    """S-16: the tile touches two equal groups, one of which must be chosen before the other player moves."""
    for source, groups in mine:
        big = [group for group in groups if len(group) == max(map(len, groups))]
        if len(big) < 2:
            continue
        both = sorted(_beside(big[0]) & _beside(big[1]) - {source} - set(tiles))
        if both:
            target = rng.choice(both)
            laid = add_pieces(remove_pieces(now, (turn, _name(source))), _name(target), turn)
            lying = {cell: kind for cell, kind in tiles.items() if cell != source} | {target: turn}
            after = _harmless(laid, lying, _other(turn), rng)
            if after is not None:
                yield wrong_table(
                    "moved before a group was chosen", laid, after, by="S-16", why="out_of_order", soft=True
                )
                return


def _left_lying(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """A lost group is still on the table when the next player moves (S-14)."""
    game = state.game
    if game is None or game.end:
        return
    look = _harmless(now, dict(state.tiles), game.turn, rng)
    if look is not None:
        yield wrong_table("moved before a lost group was cleared", look, by="S-14", why="out_of_order")


def _after_end(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """The game is won: another tile does not count, and the box only says so."""
    game, tiles = state.game, _tiles(state)
    if game is None or game.end is None or state.litter:
        return
    by = {"shape": "S-5", "short": "S-19", "both_short": "S-20", "agreed": "S-22"}[game.end.reason]
    if any(game.hands):
        look = add_pieces(now, _name(rng.choice(sorted(_beside(tiles)))), game.turn)
        yield wrong_table("tile laid after the end", now, look, by=by, why="out_of_order", soft=True)
    else:
        moved = _harmless(now, dict(state.tiles), game.turn, rng)
        if moved is not None:
            yield wrong_table("tile moved after the end", now, moved, by=by, why="out_of_order", soft=True)
