"""Vectors of SIX as calls to the engine: states are built from ``before``, results are read off."""

from collections import Counter
from dataclasses import replace

from engine.axial import count_steps
from engine.game import Illegal
from engine.games.six import Six
from engine.games.six.board import COLOURS, Board
from engine.games.six.match_end import GameEnd
from engine.games.six.moves import Keep, Lay, Move, Pass, Rematch, Start
from engine.games.six.repetition import add_to_past
from engine.games.six.rules import TILES_IN_HAND, Position, start_position

GAME = Six()
PLACE = (300, 225, 0, 380)
PAIR = {"red": [[0, 0]], "black": [[1, 0]]}


def build(vector):
    """The state of which ``before`` tells; where it is silent, two tiles of each colour's start."""
    before = vector.get("before", {})
    config = {name: int(value) for name, value in before.get("config", {}).items()}
    fresh = GAME.start(config)
    phase = before.get("phase", 1)
    tiles = {colour: tuple(map(tuple, before.get(colour, PAIR[colour]))) for colour in COLOURS}
    spare = {colour: 0 if phase == 2 else TILES_IN_HAND + 1 - len(tiles[colour]) for colour in COLOURS}
    hands = {**spare, **before.get("hand", {})}
    turn = before.get("turn") or vector.get("action", {}).get("color") or fresh.starter
    board = Board.of(*(tiles[colour] for colour in COLOURS))
    game = Position(board, turn, tuple(hands[colour] for colour in COLOURS), spaced=fresh.terms.spaced)
    return replace(fresh, game=game, anchor=PLACE, past=add_to_past(fresh, game))


def ended(state):
    end = state.game.end
    return {
        "winner": end.winner if end else None,
        "reason": end.reason if end else None,
        "shape": end.shape or None if end else None,
        "phase": state.game.phase,
        "turn": state.game.turn,
    }


def listed(cells):
    return sorted(map(list, cells))


def attempt(state, *moves):
    """The state after these moves, or the refusal as a result."""
    try:
        for move in moves:
            state = GAME.play(state, move)
    except Illegal as refused:
        return state, {"verdict": "illegal", "why": refused.why, "ruling": refused.ruling}
    return state, {"verdict": "ok", "why": None}


def choice(groups):
    return {"verdict": "needs_choice", "groups": sorted(map(listed, groups))}


def setup(vector):
    state = GAME.play(GAME.start({}), Start(*PLACE))
    (a, _), (b, _) = state.tiles
    return {
        "verdict": "ok",
        "on_table": dict(Counter(colour for _, colour in state.tiles)),
        "hand": dict(zip(COLOURS, state.game.hands, strict=True)),
        "adjacent": count_steps(a, b) == 1,
    }


def place(vector):
    action = vector["action"]
    state, result = attempt(build(vector), Lay(action["color"], *action["at"]))
    return {**ended(state), **result}


def list_legal(vector):
    game = build(vector).game
    if game.phase == 1:
        return {"cells": listed(game.board.cells(game.legal()))}
    return {"cells": listed(game.targets())}


def move(vector):
    action = vector["action"]
    state = build(vector)
    if action.get("from") is None:
        moves = [Lay(action["color"], *action["to"])]
    else:
        moves = [Move(*action["from"], *action["to"])]
        if action.get("keep"):
            moves.insert(0, Keep(*action["from"], *action["keep"]))
    after, result = attempt(state, *moves)
    if result["verdict"] == "ok" and after.game.split:
        result = choice(after.game.split)
    board = after.game.board
    return {
        "eliminated": {own: listed(cell for cell, colour in after.litter if colour == own) for own in COLOURS},
        "left": {colour: board.count(colour) for colour in COLOURS},
        **ended(after),
        **result,
    }


def lift(vector):
    game = build(vector).game
    try:
        up = game.lift(tuple(vector["action"]["from"]))
    except Illegal as refused:
        return {"verdict": "illegal", "why": refused.why, "groups": []}
    groups = [frozenset(game.board.cells(group)) for group in up.stay]
    if len(groups) > 1:
        return choice(groups)
    return {**choice(groups), "verdict": "waiting"}


def refuse_pass(vector):
    return attempt(build(vector), Pass())[1]


def check_repetition(vector):
    before = vector["before"]
    state = build(vector)
    state = replace(state, past=state.past * before["same_position_same_mover"])
    announced = [text.id for text in GAME.view(state).news]
    return {"announce": "same_position" in announced, "winner": ended(state)["winner"]}


def next_starter(vector):
    before = vector["before"]
    state = replace(build({}), starter=before.get("last_starter", "red"))
    game = replace(start_position(state.starter), end=GameEnd(before.get("last_winner") or "draw", "shape"))
    return {"starter": GAME.play(replace(state, game=game), Rematch()).starter}


RUN = {
    "setup": setup,
    "place": place,
    "list_legal": list_legal,
    "move": move,
    "lift": lift,
    "pass": refuse_pass,
    "check_repetition": check_repetition,
    "next_starter": next_starter,
}
