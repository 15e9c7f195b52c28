"""SIX with tiles that leave the game between two looks: which ones, and whether the game is over, only people know."""

import random

import pytest

from engine.games.six.moves import Clear, Move, Over, Regroup
from engine.games.six.rules import find_free_cells
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, Waiting, judge
from engine.table import Area
from tests.engine.games.test_six_sets import cut_off_tiles, play_on
from tests.support.six import GAME, begin, look, without

ROW = {(q, 0): ("red", "black")[q % 2] for q in range(16)}
"""A row of tiles of both colours in turn, which lasts."""
NEARLY = {**ROW, **{(q, -1): "red" for q in range(0, 5)}, (15, 1): "black", (0, 1): "red", (14, 1): "black"}
"""Five red tiles in line, and more to move."""


def read_tiles(log, tiles):
    x, y, angle, pitch = log.state.anchor
    return judge(log, look(tiles, complex(x, y), angle / 10, pitch / 10))


def list_outcomes(log, verdict):
    """What the verdict records or lets people confirm."""
    return [tell_outcome(state) for state in list_states(log, verdict)]


def list_states(log, verdict):
    told = [verdict.moves] if isinstance(verdict, Follows) else verdict.stories
    return [log.add(*story).state for story in told]


def tell_outcome(state):
    """Board, winner, and who is next while the game runs."""
    game = state.game
    return game.board, game.end and game.end.winner, "" if game.end else game.turn


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("plies", [2, 5])
def test_after_several_plies_no_tile_that_lies_there_is_taken_to_be_lost(seed, plies):
    """In another order others may be cut off. People take them away, and then the truth is among the answers."""
    log, later, lying = cut_off_tiles(random.Random(seed), plies)
    verdict = read_tiles(log, lying)
    assert not isinstance(verdict, Refused)
    moves = sum(isinstance(move, Move) for move in getattr(verdict, "moves", ()))
    assert moves == 1 or not any(state.litter & set(lying.items()) for state in list_states(log, verdict))
    cleared = read_tiles(log, dict(later.state.tiles))
    assert tell_outcome(later.state) in list_outcomes(log, cleared) or count_plies(log, cleared) < plies


def count_plies(log, verdict):
    """The fewest plies of a story; the same tiles may be explained by fewer than were played."""
    told = [verdict.moves] if isinstance(verdict, Follows) else verdict.stories
    return min((sum(isinstance(move, Move) for move in story) for story in told), default=99)


@pytest.mark.parametrize("seed", range(60))
def test_every_end_of_a_game_between_two_looks_can_be_told(seed):
    """Whatever is played unseen in phase 2, with what has left cleared away: people can always go on."""
    rng = random.Random(seed)
    log = play_on(Log(GAME, {}).add(GAME.parse("start 300 225 0 380")), rng, 40)
    for _ in range(20):
        if log.state.game.end:
            break
        later = play_on_hard(log, rng, rng.randint(2, 4))
        verdict = read_tiles(log, dict(later.state.tiles))
        assert not isinstance(verdict, Refused)
        truth = tell_outcome(later.state)
        assert truth in list_outcomes(log, verdict) or count_plies(log, verdict) < 4, verdict
        log = later


def play_on_hard(log, rng, plies):
    """Plies that cut off many tiles, so that the game ends soon."""
    for _ in range(plies):
        game = log.state.game
        if game.end:
            break
        own = list(game.board.cells(game.board.own(game.turn)))
        source = max(rng.sample(own, min(8, len(own))), key=lambda cell: game.lift(cell).lost.bit_count())
        if len(game.lift(source).stay) > 1:
            return play_on(log, rng, 1)
        targets = list(game.board.cells(find_free_cells(game.board, game.lift(source).stay[0])))
        log = log.add(Move(*source, *rng.choice(targets)))
        log = log.add(Clear()) if log.state.litter else log
    return log


@pytest.mark.parametrize(
    ("tiles", "asked", "outcome"),
    [
        pytest.param(
            {**without(NEARLY, (15, 1), (0, 1)), (16, 0): "black", (5, -1): "red"},
            "is_game_over",
            "red",
            id="black moved, and red completed the line",
        ),
        pytest.param(
            {**without(NEARLY, (15, 1), (0, 1)), (5, -1): "red"},
            "tiles_out_of_game n=1",
            "red",
            id="the same, and a black tile is gone",
        ),
    ],
)
def test_an_end_after_several_plies_is_asked_about(tiles, asked, outcome):
    verdict = judge(begin(NEARLY, turn="black"), look(tiles))
    assert isinstance(verdict, Waiting)
    assert str(verdict.hint.text) == asked
    assert [winner for _, winner, _ in list_outcomes(begin(NEARLY, turn="black"), verdict)] == [outcome]


def test_a_tile_in_the_hand_of_the_next_player_explains_no_ply_of_that_player():
    """Red was next, a black tile has moved and a red one is gone: red may have moved it before black cut it off."""
    verdict = judge(begin(NEARLY), look({**without(NEARLY, (15, 1), (0, 1)), (16, 0): "black"}))
    assert not isinstance(verdict, Follows)


@pytest.mark.parametrize(
    ("lifted", "left"),
    [
        pytest.param((14, 1), [], id="all others lie there"),
        pytest.param((13, 0), [(14, 1), (14, 0), (15, 0)], id="others were cut off"),
    ],
)
def test_a_tile_in_the_hand_of_the_next_player_may_have_left_in_three_plies(lifted, left):
    """Black has moved a tile, and a red one is nowhere: red may hold it, or has moved it to where black cut it off."""
    tiles = without(NEARLY, (15, 1))
    log = begin(tiles, turn="black")
    seen = {**without(tiles, lifted, (0, 1), *left), (-1, 0): "black"}
    verdict = judge(log, look(seen))
    assert isinstance(verdict, Waiting)
    assert verdict.hint.text.id == "tiles_out_of_game"
    told = [(dict(state.tiles), state.game.turn) for state in list_states(log, verdict)]
    assert told[0] == ({**seen, (0, 1): "red"}, "red")
    assert sorted(turn for _, turn in told[1:]) == ["black", "red"]
    assert all(tiles == seen for tiles, _ in told[1:])


def test_a_tile_that_is_nowhere_after_one_ply_may_lie_under_a_hand():
    tiles = without(NEARLY, (15, 1))
    hand = Area(400 - 80, 300 - 60, 400 - 30, 300 + 60)
    verdict = judge(
        begin(tiles, turn="black"), look({**without(tiles, (14, 1), (0, 1)), (13, 1): "black"}, hide=[hand])
    )
    assert isinstance(verdict, Waiting)
    assert verdict.hint.text.id == "show_hidden"
    assert not verdict.stories


def test_an_end_after_one_ply_is_certain():
    log = begin(NEARLY)
    verdict = judge(log, look({**without(NEARLY, (0, 1)), (5, -1): "red"}))
    assert isinstance(verdict, Follows)
    assert log.add(*verdict.moves).state.game.end.winner == "red"


@pytest.mark.parametrize("turn", ["red", "black"])
def test_two_tiles_exchanged_do_not_end_the_game(turn):
    """A black tile in the line of red changes places with a red one: this does not end the game."""
    tiles = {**NEARLY, (5, -1): "black"}
    verdict = judge(begin(tiles, turn=turn), look({**tiles, (5, -1): "red", (0, 1): "black"}))
    assert not isinstance(verdict, Follows)


@pytest.mark.parametrize(
    ("gone", "hint"),
    [
        pytest.param([(15, 0)], None, id="one tile of the player who is not next"),
        pytest.param([(0, 1)], "lay_lifted", id="one tile of the player who is next may be in the hand"),
        pytest.param([(15, 1), (15, 0), (14, 1)], None, id="several"),
    ],
)
def test_tiles_that_are_nowhere_may_be_out_of_the_game(gone, hint):
    """Nothing is recorded, and beside the advice people may say that they have left, and who is next."""
    log = begin(NEARLY)
    left = without(NEARLY, *gone)
    verdict = judge(log, look(left))
    assert isinstance(verdict, Waiting)
    if hint:
        assert verdict.hint.text.id == hint
    outcomes = list_outcomes(log, verdict)
    assert sorted(turn for *_, turn in outcomes) == ["black", "red"]
    assert all(dict(log.add(*story).state.tiles) == left for story in verdict.stories)


@pytest.mark.parametrize(
    ("hands", "extra", "why"),
    [
        pytest.param((3, 3), {}, "in phase 1 no tile leaves", id="in phase 1 no tile leaves"),
        pytest.param((0, 0), {(3, 0): "black"}, "exchanged", id="a tile of the other colour in its place"),
    ],
)
def test_tiles_that_cannot_have_left_are_not_offered(hands, extra, why):
    log = begin(NEARLY, hands)
    verdict = judge(log, look({**without(NEARLY, (15, 1)), **extra}))
    stories = verdict.stories if isinstance(verdict, Waiting) else ()
    assert not stories or why == "exchanged"
    assert not isinstance(verdict, Follows)


def test_a_board_that_falls_apart_without_the_gone_tiles_is_not_offered():
    verdict = judge(begin(ROW), look(without(ROW, (7, 0))))
    assert isinstance(verdict, Waiting)
    assert not verdict.stories


def test_what_several_plies_left_is_never_recorded_without_an_answer():
    log = begin(NEARLY, turn="black")
    verdict = judge(log, look({**without(NEARLY, (15, 1), (14, 1), (0, 1)), (16, 0): "black", (-1, 0): "red"}))
    assert isinstance(verdict, Unclear | Waiting)
    told = [move for story in verdict.stories for move in story]
    assert not any(isinstance(move, Over) for move in told)
    assert any(isinstance(move, Regroup | Move) for move in told)


@pytest.mark.parametrize("turn", ["red", "black"])
def test_a_tile_that_another_one_has_replaced_is_not_taken_to_be_in_the_hand(turn):
    """Both acts are told: the red tile goes away, and the black one back to its place."""
    verdict = judge(begin(NEARLY, turn=turn), look({**NEARLY, (15, 1): "red"}))
    assert not isinstance(verdict, Follows)
    assert [(act.piece, act.source, act.target) for act in verdict.cure] == [
        ("red", "cell:15,1", ""),
        ("black", "", "cell:15,1"),
    ]
