"""The moves of SIX carried out: phase 1 lays, phase 2 lifts and lays, and what is cut off leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.axial import Cell
from engine.game import Illegal, Unfinished
from engine.games.six.adoption import adopt
from engine.games.six.board import BLACK, COLOURS, RED
from engine.games.six.lay_order import order_lays
from engine.games.six.match_end import DRAW, GameEnd, find_next_starter
from engine.games.six.moves import (
    Act,
    Askew,
    Away,
    Clear,
    Draw,
    Gone,
    Keep,
    Lay,
    Lift,
    Lose,
    Move,
    Next,
    Over,
    Pass,
    Regroup,
    Rematch,
    Severed,
    Slide,
    Start,
    Veiled,
)
from engine.games.six.repetition import add_to_past
from engine.games.six.rules import Position, start_position
from engine.games.six.state import Anchor, State
from engine.games.six.zones import format_anchor, format_zone, parse_anchor
from engine.table import Layout


def play_move(state: State, move: Act) -> State:
    match move:
        case Start(x, y, angle, pitch):
            return _start(state, (x, y, angle, pitch))
        case Slide(x, y, angle, pitch):
            _running(state)
            return replace(state, anchor=_sound((x, y, angle, pitch)))
        case Lay(colour, q, r):
            game = _running(state)
            _tidy(state)
            return _after(state, game.lay(colour, (q, r)))
        case Move():
            return _move(state, move)
        case Lift(q, r):
            game = _running(state)
            _tidy(state)
            if len(game.lift((q, r)).stay) > 1 and state.announced is None:
                raise Unfinished("S-16", "out_of_order", "which_group_goes")
            raise Unfinished("S-11", "out_of_order", "lay_lifted")
        case Keep(q, r, keep_q, keep_r):
            game = _running(state)
            _tidy(state)
            game.choice(game.lift((q, r)), (keep_q, keep_r))
            return replace(state, announced=((q, r), (keep_q, keep_r)))
        case Lose(q, r):
            after, lost = _running(state).lose((q, r))
            return _after(replace(state, litter=state.litter | lost), after)
        case Clear():
            if not state.litter:
                raise Illegal("S-14", "out_of_order", "nothing_to_take")
            return replace(state, litter=frozenset())
        case Askew(colour):
            if state.litter and state.game is None:
                raise Unfinished("S-2", "table_not_cleared", "clear_last_game", n=len(state.litter))
            if _running(state).end:
                _running(state).open()
            if any(kind == colour for _, kind in state.litter):
                raise Unfinished("S-14", "out_of_order", "take_lost_away", n=len(state.litter))
            raise Illegal("S-3", "not_adjacent", "straighten", colour=colour)
        case Veiled():
            raise Unfinished("S-3", "out_of_order", "show_hidden")
        case Away(colour):
            raise Unfinished("S-10", "phase_1", "tile_is_away", colour=colour)
        case Severed(count):
            raise Unfinished("S-14", "out_of_order", "tiles_cut_off", n=count)
        case Gone(count):
            raise Unfinished("S-14", "out_of_order", "tiles_out_of_game", n=count)
        case Over():
            raise Unfinished("S-5", "out_of_order", "is_game_over")
        case Pass():
            _running(state).open()
            raise Illegal("S-18", "must_move", "must_move")
        case Draw():
            game = _running(state)
            game.open()
            if any(game.hands):
                raise Illegal("S-22", "phase_1", "draw_in_phase_2", n=sum(game.hands))
            return _after(state, replace(game, end=GameEnd(DRAW, "agreed")))
        case Regroup(red, black):
            game = _running(state)
            game.open()
            _tidy(state)
            tiles = {RED: _pair_up(red), BLACK: _pair_up(black)}
            return _regroup(state, game, tiles)
        case Next(colour):
            game = _running(state)
            game.open()
            if any(game.hands) or colour not in COLOURS:
                raise Illegal("S-10", "not_your_turn", "turn_of", colour=game.turn)
            return _after(replace(state, past=state.past[:-1]), replace(game, turn=colour))
        case Rematch():
            return _rematch(state)


def _start(state: State, anchor: Anchor) -> State:
    if state.game is not None:
        raise Illegal("S-2", "out_of_order", "game_runs")
    if state.litter:
        raise Unfinished("S-2", "table_not_cleared", "clear_last_game", n=len(state.litter))
    return replace(state, game=start_position(state.starter, state.terms.spaced), anchor=_sound(anchor))


def _move(state: State, move: Move) -> State:
    game = _running(state)
    _tidy(state)
    source = (move.q, move.r)
    keep = state.announced[1] if state.announced and state.announced[0] == source else None
    after, lost = game.move(source, (move.to_q, move.to_r), keep)
    return _after(replace(state, litter=lost), after)


def _regroup(state: State, game: Position, tiles: Mapping[str, Sequence[Cell]]) -> State:
    """What several plies left of the board, or in phase 1 what can be laid from the start on."""
    for colour, held in zip(COLOURS, game.hands, strict=True):
        if len(tiles[colour]) > game.board.count(colour) + held:
            raise Illegal("S-11", "phase_2", "lift_own_tile")
    now = frozenset((cell, colour) for colour in COLOURS for cell in tiles[colour])
    layout = Layout({format_zone(cell): (colour,) for cell, colour in now})
    if any(game.hands) and state.tiles <= now and len(now) < game.board.all.bit_count() + sum(game.hands):
        first = start_position(state.starter, state.terms.spaced)
        pair = frozenset(first.board.tiles(first.board.all))
        if not pair <= now or len(order_lays(first, now - pair)) < len(now - pair):
            raise Illegal("S-3", "not_adjacent", "share_a_side")
        return adopt(state, layout)
    return adopt(replace(state, game=replace(game, hands=(0, 0))), layout)


def _pair_up(numbers: Sequence[int]) -> list[Cell]:
    if len(numbers) % 2:
        raise Illegal("S-1", "not_in_deck", "no_such_place", zone=f"cell:{numbers[-1]}")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _rematch(state: State) -> State:
    game = state.game
    if game is None or game.end is None:
        raise Illegal("S-23", "out_of_order", "game_runs")
    winner = game.end.winner
    return State(
        state.terms,
        find_next_starter(state.starter, winner),
        anchor=state.anchor,
        litter=state.lying,
        winners=(*state.winners, winner),
    )


def _running(state: State) -> Position:
    if state.game is None:
        raise Unfinished("S-2", "out_of_order", "lay_start_pair")
    return state.game


def _sound(anchor: Anchor) -> Anchor:
    try:
        return parse_anchor(format_anchor(anchor))
    except ValueError:
        raise Illegal("S-3", "not_adjacent", "tile_size", n=anchor[3] // 10) from None


def _tidy(state: State) -> None:
    """Tiles that left the game must be removed before a tile is lifted."""
    if state.litter and state.game and not state.game.split and not state.game.end:
        raise Illegal("S-14", "out_of_order", "take_lost_away", n=len(state.litter))


def _after(state: State, game: Position) -> State:
    return replace(state, game=game, announced=None, past=add_to_past(state, game))
