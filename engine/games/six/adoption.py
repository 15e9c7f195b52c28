"""Taking the table as the truth: the game that it shows, or why there is none."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from engine.axial import Cell
from engine.game import Illegal
from engine.games.six.board import BLACK, COLOURS, RED, Board, other_colour
from engine.games.six.groups import split_groups
from engine.games.six.match_end import GameEnd, find_shortage
from engine.games.six.repetition import add_to_past
from engine.games.six.rules import Position
from engine.games.six.shapes import find_shape
from engine.games.six.state import Anchor, State
from engine.games.six.zones import parse_anchor, parse_zone
from engine.table import Layout

TILES_OF_A_COLOUR = 21


def adopt(state: State, seen: Layout) -> State:
    """``turn=red`` beside the cells names the player to act; otherwise the record or, in phase 1, the count does."""
    if "loose" in seen.zones:
        raise Illegal("S-3", "not_adjacent", "straighten_all", n=len(seen.zones["loose"]))
    tiles = _tiles(seen.zones)
    if not tiles:
        raise Illegal("S-2", "not_adjacent", "lay_start_pair")
    count = Counter(tiles.values())
    for colour in COLOURS:
        if count[colour] > TILES_OF_A_COLOUR:
            raise Illegal("S-1", "not_in_deck", "too_many_tiles", colour=colour, n=count[colour])
        if not count[colour]:
            raise Illegal("S-2", "out_of_order", "start_tile_missing", colour=colour)
    board = Board.of(*([cell for cell, colour in tiles.items() if colour == own] for own in COLOURS))
    if len(split_groups(board.all)) != 1:
        raise Illegal("S-14", "not_adjacent", "one_group")
    anchor = _anchor(state, seen.zones)
    turn, hands = _hands(state, count, _declared_turn(seen.zones))
    ends = {colour: find_shape(board.own(colour)) for colour in COLOURS}
    if all(ends.values()):
        raise Illegal("S-5", "out_of_order", "two_shapes")
    won = next((GameEnd(colour, "shape", kind) for colour, kind in ends.items() if kind), None)
    end = won or (find_shortage(board) if hands == (0, 0) else None)
    game = Position(board, turn, hands, (), end, state.terms.spaced)
    after = replace(state, game=game, anchor=anchor, litter=frozenset(), announced=None)
    return replace(after, past=add_to_past(replace(state, game=None), game))


def _tiles(zones: Mapping[str, tuple[str, ...]]) -> dict[Cell, str]:
    tiles: dict[Cell, str] = {}
    for zone, held in zones.items():
        if zone in ("anchor", "turn"):
            continue
        try:
            cell = parse_zone(zone)
        except ValueError:
            raise Illegal("S-1", "not_in_deck", "no_such_place", zone=zone) from None
        if len(held) > 1 or cell in tiles:
            raise Illegal("S-3", "occupied", "one_tile_a_cell")
        if held[0] not in COLOURS:
            raise Illegal("S-1", "not_in_deck", "no_such_tile", piece=held[0])
        tiles[cell] = held[0]
    return tiles


def _anchor(state: State, zones: Mapping[str, tuple[str, ...]]) -> Anchor:
    try:
        anchor = parse_anchor(zones["anchor"][0]) if "anchor" in zones else state.anchor
    except ValueError:
        raise Illegal("S-3", "not_adjacent", "no_such_place", zone="anchor") from None
    if not anchor[3]:
        raise Illegal("S-2", "not_adjacent", "lay_start_pair")
    return anchor


def _declared_turn(zones: Mapping[str, tuple[str, ...]]) -> str:
    declared = zones.get("turn", ("",))[0]
    if declared and declared not in COLOURS:
        raise Illegal("S-1", "not_in_deck", "no_such_tile", piece=declared)
    return declared


def _hands(state: State, count: Mapping[str, int], declared: str) -> tuple[str, tuple[int, int]]:
    """The colour to act, and how many tiles are left to lay. No tile returns, so phase 2 stays."""
    game = state.game
    hands = TILES_OF_A_COLOUR - count[RED], TILES_OF_A_COLOUR - count[BLACK]
    if hands == (0, 0) or (game is not None and not any(game.hands)):
        turn = declared or (state.starter if game is None or any(game.hands) else game.turn)
        return turn, (0, 0)
    starter = state.starter
    ahead = count[starter] - count[other_colour(starter)]
    if ahead not in (0, 1):
        raise Illegal("S-10", "out_of_order", "uneven_tiles", red=count[RED], black=count[BLACK])
    turn = other_colour(starter) if ahead else starter
    if declared and declared != turn:
        raise Illegal("S-10", "not_your_turn", "turn_of", colour=turn)
    return turn, hands
