"""SIX where phase 1 ends and phase 2 begins between two looks: the last layings and the first moves are one set."""

import random

import pytest

from engine.axial import list_neighbours
from engine.games.six.moves import Clear, Keep, Lay, Move
from engine.games.six.rules import find_free_cells
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, Waiting, judge
from tests.support.six import GAME, begin, look, without

BODY = {(q, r): "red" if (q + r) % 3 else "black" for q in range(4) for r in range(3)}
BOARD = {**BODY, (-1, 0): "black", (-2, 0): "red", (-3, 0): "red", (4, 0): "red", (5, 0): "black", (6, 0): "black"}
"""A body with two arms: without the tile beside the body the rest of an arm is cut off."""


def play(tiles, hands, turn, *told):
    """The record, the end after these moves, and all tiles that they have cut off."""
    log = begin(tiles, hands, turn)
    later, lost = log, {}
    for move in told:
        later = later.add(GAME.parse(move))
        lost |= dict(later.state.litter)
        later = later.add(Clear()) if later.state.litter else later
    return log, later, lost


def tell_outcomes(log, verdict):
    told = [verdict.moves] if isinstance(verdict, Follows) else getattr(verdict, "stories", ())
    return [(after.tiles, after.game.turn) for after in (log.add(*story).state for story in told)]


CASES = [
    pytest.param((1, 0), "red", ("lay red 1 3", "move -1 0 2 3"), id="the last tile, and a move that cuts tiles off"),
    pytest.param((1, 1), "red", ("lay red 1 3", "lay black 0 3", "move 4 0 2 3"), id="the last two tiles and a move"),
    pytest.param((1, 0), "red", ("lay red 1 3", "move -1 0 2 3", "move 4 0 3 3"), id="the last tile and two moves"),
    pytest.param((0, 1), "black", ("lay black -4 0", "move -3 0 2 3"), id="a move that cuts the last tile off"),
    pytest.param(
        (2, 2),
        "red",
        ("lay red 1 3", "lay black 0 3", "lay red -4 0", "lay black 7 0", "move -2 0 2 3"),
        id="the last four tiles, of which one is cut off",
    ),
]


@pytest.mark.parametrize(("hands", "turn", "told"), CASES)
def test_the_last_layings_and_first_moves_are_asked_about_never_refused(hands, turn, told):
    """With what was cut off on the table, taken away in part, and taken away: then the truth is among the answers."""
    log, later, lost = play(BOARD, hands, turn, *told)
    assert lost
    now = dict(later.state.tiles)
    for left in range(len(lost), -1, -1):
        kept = dict(sorted(lost.items())[:left])
        verdict = judge(log, look({**now, **kept}))
        assert isinstance(verdict, Waiting | Unclear)
        assert left or (later.state.tiles, later.state.game.turn) in tell_outcomes(log, verdict)


def test_tiles_cut_off_by_the_first_move_are_known_where_they_lie_apart():
    log, later, lost = play(BOARD, (1, 0), "red", "lay red 1 3", "move -1 0 2 3")
    verdict = judge(log, look({**dict(later.state.tiles), **lost}))
    assert isinstance(verdict, Unclear)
    assert [dict(log.add(*story).state.litter) for story in verdict.stories] == [lost, lost]


def test_tiles_cut_off_with_the_last_tile_are_asked_away_after_it_is_gone():
    log, later, lost = play(BOARD, (0, 1), "black", "lay black -4 0", "move -2 0 2 3")
    verdict = judge(log, look({**dict(later.state.tiles), **without(lost, (-4, 0))}))
    assert isinstance(verdict, Waiting)
    assert str(verdict.hint.text) == "tiles_cut_off n=1"


def test_tiles_cut_off_by_two_moves_are_asked_away():
    log, later, lost = play(BOARD, (1, 0), "red", "lay red 1 3", "move -1 0 2 3", "move 4 0 3 3")
    verdict = judge(log, look({**dict(later.state.tiles), **lost}))
    assert isinstance(verdict, Waiting)
    assert str(verdict.hint.text) == "tiles_cut_off n=4"


@pytest.mark.parametrize(
    ("hands", "lifted", "laid", "says"),
    [
        ((2, 2), [(-3, 0)], {(1, 3): "red"}, "no_moving_yet"),
        ((1, 1), [(-3, 0)], {(1, 3): "red"}, "no_moving_yet"),
        ((2, 2), [], {(1, 3): "black"}, "turn_of"),
        ((2, 2), [], {(1, 3): "red", (0, 3): "red"}, "turn_of"),
        ((1, 0), [], {(8, 0): "red"}, "share_a_side"),
        ((1, 0), [], {(0, 1): "black", (0, 0): "red"}, "no_moving_yet"),
    ],
    ids=[
        "a tile moved with four in hand",
        "a tile moved with two in hand",
        "black before red",
        "red twice",
        "the last tile beside nothing",
        "two tiles exchanged",
    ],
)
def test_a_foul_in_the_last_layings_is_refused(hands, lifted, laid, says):
    verdict = judge(begin(BOARD, hands), look({**without(BOARD, *lifted), **laid}))
    assert isinstance(verdict, Refused)
    assert verdict.why.text.id == says


def lay_most(rng, left):
    """A record with so many tiles still to be laid, on a board with arms."""
    log = Log(GAME, {"width": 900, "height": 700}).add(GAME.parse("start 450 350 0 300"))
    while sum(log.state.game.hands) > left:
        game = log.state.game
        free = rng.sample(sorted(game.board.cells(game.legal())), 6)
        free.sort(key=lambda cell: sum(map(game.board.has, list_neighbours(cell))))
        laid = (log.add(Lay(game.turn, *cell)) for cell in free)
        after = next((after for after in laid if not after.state.game.end), None)
        if after is None:
            return lay_most(rng, left)
        log = after
    return log


def play_to_phase_2(log, rng, moves):
    """After the last layings, so many moves, each cutting tiles off where it can; and all tiles that were cut off."""
    lost = {}
    while any(log.state.game.hands) and not log.state.game.end:
        game = log.state.game
        log = log.add(Lay(game.turn, *rng.choice(sorted(game.board.cells(game.legal())))))
    for _ in range(moves):
        game = log.state.game
        if game.end:
            break
        own = rng.sample(list(game.board.cells(game.board.own(game.turn))), game.board.count(game.turn))
        source = next((cell for cell in own if 0 < game.lift(cell).lost.bit_count() < 6), own[0])
        stay = game.lift(source).stay
        free = set(game.board.cells(find_free_cells(game.board, stay[0]))) - lost.keys()
        choice = (Keep(*source, *next(game.board.cells(stay[0]))),) if len(stay) > 1 else ()
        log = log.add(*choice, Move(*source, *rng.choice(sorted(free))))
        lost |= dict(log.state.litter)
        log = log.add(Clear()) if log.state.litter else log
    return log, lost


@pytest.mark.parametrize("moves", [1, 2])
@pytest.mark.parametrize("seed", range(40))
def test_any_end_of_phase_1_with_moves_is_asked_about_never_refused(seed, moves):
    rng = random.Random(seed)
    log = lay_most(rng, rng.randint(1, 4))
    later, lost = play_to_phase_2(log, rng, moves)
    now = dict(later.state.tiles)
    x, y, angle, pitch = log.state.anchor
    for gone in (0.0, 0.5, 1.0):
        kept = {cell: colour for cell, colour in lost.items() if cell not in now and rng.random() >= gone}
        verdict = judge(log, look({**now, **kept}, complex(x, y), angle / 10, pitch / 10))
        assert not isinstance(verdict, Refused)
    assert (later.state.tiles, later.state.game.turn) in tell_outcomes(log, verdict)
