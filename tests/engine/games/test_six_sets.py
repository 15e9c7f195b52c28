"""SIX with several tiles laid or moved between two looks: a set is never accused, and what is not certain is asked."""

import random

import pytest

from engine.axial import NEIGHBOURS, SIXTH_TURN
from engine.game import Illegal
from engine.games.six.lay_order import order_lays
from engine.games.six.moves import Clear, Keep, Lay, Move, Next, Regroup
from engine.games.six.rules import find_free_cells, start_position
from engine.games.six.zones import parse_zone
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, Waiting, judge
from engine.table import Area, Piece, Table
from tests.support.six import GAME, PITCH, begin, edge, look, script, without

PAIR = {(0, 0): "red", (1, 0): "black"}
CENTRE = {"at": 450 + 350j}
STARTED = Log(GAME, {"width": 900, "height": 700}).add(GAME.parse("start 450 350 0 380"))


def cover(*cells, at=450 + 350j, pitch=38.0):
    """An area over each of these cells alone."""
    places = [at + pitch * (q + r * complex(0.5, 0.8660254)) for q, r in cells]
    return [Area(z.real - 3, z.imag - 3, z.real + 3, z.imag + 3) for z in places]


def read_set(tiles, log=STARTED, hide=()):
    return judge(log, look({**PAIR, **tiles}, hide=hide, **CENTRE))


@pytest.mark.parametrize(
    "tiles",
    [
        pytest.param(
            {(0, -1): "red", (-1, 0): "black", (0, 1): "red", (2, 0): "black", (2, -1): "red"}, id="five about the pair"
        ),
        pytest.param({(2, 0): "red", (3, 0): "black", (-1, 0): "red"}, id="black hangs on the second red in order"),
        pytest.param({(q, 0): ("red", "black")[q % 2] for q in range(2, 9)}, id="a row away from the pair"),
        pytest.param({(0, 1): "red", (0, 2): "black", (0, 3): "red", (0, 4): "black"}, id="four in a chain"),
    ],
)
def test_tiles_of_one_look_are_laid_in_some_legal_order(tiles):
    verdict = read_set(tiles)
    assert isinstance(verdict, Follows)
    state = STARTED.add(*verdict.moves).state
    assert dict(state.tiles) == {**PAIR, **tiles}
    assert state.game.turn == ("black" if len(tiles) % 2 else "red")


@pytest.mark.parametrize(
    ("tiles", "says"),
    [
        ({(0, 1): "black"}, "turn_of"),
        ({(0, 1): "red", (0, 2): "red"}, "turn_of"),
        ({(0, 1): "red", (0, 2): "black", (-1, 0): "black"}, "turn_of"),
        ({(0, 1): "red", (0, 3): "black"}, "share_a_side"),
        ({(0, 1): "red", (0, 2): "black", (3, -2): "red"}, "share_a_side"),
    ],
    ids=[
        "black before red",
        "red twice",
        "black twice",
        "black beside nothing",
        "the third beside nothing",
    ],
)
def test_a_set_that_no_order_explains_is_refused(tiles, says):
    verdict = read_set(tiles)
    assert isinstance(verdict, Refused)
    assert verdict.why.text.id == says


def play_on(log, rng, plies):
    """The log after so many plies by the rules, with what has left cleared away."""
    for _ in range(plies):
        game = log.state.game
        if game.end:
            break
        if any(game.hands):
            log = log.add(Lay(game.turn, *rng.choice(list(game.board.cells(game.legal())))))
            continue
        source = rng.choice(list(game.board.cells(game.board.own(game.turn))))
        stay = rng.choice(game.lift(source).stay)
        target = rng.choice(list(game.board.cells(find_free_cells(game.board, stay))))
        if len(game.lift(source).stay) > 1:
            log = log.add(Keep(*source, *next(game.board.cells(stay))))
        log = log.add(Move(*source, *target))
        log = log.add(Clear()) if log.state.litter else log
    return log


def shown(log):
    x, y, angle, pitch = log.state.anchor
    return look(dict(log.state.tiles), complex(x, y), angle / 10, pitch / 10)


def told_apart(state):
    game = state.game
    return game.board, game.hands, game.end, state.litter, "" if game.end else game.turn


@pytest.mark.parametrize("plies", range(2, 9))
@pytest.mark.parametrize("seed", range(12))
def test_phase_1_whatever_is_laid_by_the_rules_is_followed(seed, plies):
    rng = random.Random(seed)
    log = Log(GAME, {}).add(GAME.parse("start 300 225 0 380"))
    while sum(log.state.game.hands) > plies and not log.state.game.end:
        later = play_on(log, rng, plies)
        verdict = judge(log, shown(later))
        assert isinstance(verdict, Follows), [str(move) for move in later.moves[len(log.moves) :]]
        log = log.add(*verdict.moves)
        assert told_apart(log.state) == told_apart(later.state)


@pytest.mark.parametrize("plies", [2, 3, 4])
@pytest.mark.parametrize("seed", range(20))
def test_phase_2_several_plies_are_never_refused_nor_guessed(seed, plies):
    """What the table cannot show, who is next, is asked: the truth is among the answers."""
    rng = random.Random(seed)
    log = play_on(Log(GAME, {}).add(GAME.parse("start 300 225 0 380")), rng, 40)
    for _ in range(4):
        later = play_on(log, rng, plies)
        verdict = judge(log, shown(later))
        assert isinstance(verdict, Follows | Unclear | Waiting)
        stories = (
            verdict.stories if isinstance(verdict, Unclear) else [verdict.moves] if isinstance(verdict, Follows) else []
        )
        ends = [told_apart(log.add(*story).state) for story in stories]
        assert told_apart(later.state) in ends or not ends
        log = later


BOARD = {
    **{(q, 0): "red" if q % 3 else "black" for q in range(8)},
    **{(q, 1): "black" if q % 3 else "red" for q in range(8)},
}


@pytest.mark.parametrize(
    ("lifted", "laid", "nexts"),
    [
        (((7, 0),), {(-1, 0): "red"}, ()),
        (((7, 0), (7, 1)), {(-1, 0): "red", (-1, 1): "black"}, ("black", "red")),
    ],
    ids=["one ply leaves no doubt", "after two the red tile may have been moved twice"],
)
def test_phase_2_who_is_next_is_asked_after_several_plies(lifted, laid, nexts):
    log = begin(BOARD)
    verdict = judge(log, look({**without(BOARD, *lifted), **laid}))
    if not nexts:
        assert [str(move) for move in verdict.moves] == ["move 7 0 -1 0"]
        return
    assert isinstance(verdict, Unclear)
    assert {story[-1] for story in verdict.stories} == {Next("red"), Next("black")}
    for story in verdict.stories:
        assert log.add(*story).state.game.turn == story[-1].colour


def test_phase_2_a_tile_may_have_been_moved_twice():
    """Black has moved two tiles and red one: red moved it twice, or black has moved out of turn. People know."""
    after = {**without(BOARD, (7, 0), (7, 1), (5, 1)), (-1, 0): "red", (-1, 1): "black", (-2, 1): "black"}
    verdict = judge(begin(BOARD), look(after))
    assert isinstance(verdict, Unclear)
    ways = [[str(move) for move in story if isinstance(move, Move)] for story in verdict.stories]
    assert [len(way) for way in ways] == [4, 4]


@pytest.mark.parametrize(
    ("lifted", "laid", "says"),
    [
        (((7, 0), (5, 0)), {(-1, 0): "red", (-1, 1): "red"}, None),
        (((7, 1),), {(-1, 1): "black"}, "move_own_tile"),
    ],
    ids=["the same colour twice", "the other colour first"],
)
def test_phase_2_out_of_turn_is_refused(lifted, laid, says):
    verdict = judge(begin(BOARD), look({**without(BOARD, *lifted), **laid}))
    assert isinstance(verdict, Refused)
    assert says is None or verdict.why.text.id == says


# --- hidden cells ------------------------------------------------------------------------------


def test_a_hidden_tile_may_join_one_in_sight_to_the_board():
    """Red, black under a hand beside no known tile, red: what is hidden may hold tiles anywhere."""
    tiles = {(0, -1): "red", (0, -2): "black", (0, -3): "red"}
    hand = cover((0, -2))
    assert isinstance(read_set(tiles, hide=hand), Waiting)
    assert [str(move) for move in read_set(tiles).moves] == ["lay red 0 -1", "lay black 0 -2", "lay red 0 -3"]


@pytest.mark.parametrize(
    ("tiles", "hidden", "expected"),
    [
        ({(0, 1): "red", (0, 3): "black"}, [(0, 2)], Waiting),
        ({(0, 3): "black"}, [(0, 1), (0, 2)], Waiting),
        ({(0, 3): "black"}, [(0, 2)], Refused),
        ({(0, 1): "red", (0, 3): "black"}, [(-1, -1), (-2, 0)], Refused),
        ({(0, 1): "black"}, [(-1, 0)], Waiting),
        ({(0, 1): "black"}, [(-3, 0)], Refused),
        ({(0, 1): "red"}, [(-1, 0), (-2, 0)], Follows),
    ],
    ids=[
        "a hidden cell leads there",
        "two hidden cells lead there",
        "one is in sight and empty",
        "hidden cells elsewhere do not lead there",
        "red may be hidden",
        "hidden cells beyond an empty one do not count",
        "a tile in its turn does not wait for a hand",
    ],
)
def test_hidden_cells_excuse_what_they_can_explain(tiles, hidden, expected):
    seen = {cell: colour for cell, colour in tiles.items() if cell not in hidden}
    assert isinstance(read_set(seen, hide=cover(*hidden)), expected)


@pytest.mark.parametrize("cell", [(1, 0), (0, 0), (-1, 1), (1, 1)])
def test_a_board_with_a_tile_exchanged_is_not_taken_as_laid_anew(cell):
    told = ("lay red 0 -1", "lay black -1 1", "lay red 1 -2", "lay black -2 1", "lay red 1 1", "lay black -2 2")
    log = STARTED.add(*map(GAME.parse, told))
    tiles = dict(log.state.tiles)
    other = {"red": "black", "black": "red"}
    verdict = judge(log, look({**tiles, cell: other[tiles[cell]]}, **CENTRE))
    assert isinstance(verdict, Refused | Waiting)


def test_tiles_that_lay_hidden_are_read_before_those_of_the_record():
    """Red and black were laid under the hand first, and black hangs on that red alone."""
    hidden = {(0, -1): "red", (0, -2): "black"}
    log = script(STARTED, (look({**PAIR, (2, 0): "red"}, hide=cover(*hidden), **CENTRE), ("lay red 2 0",)))
    verdict = judge(log, look({**PAIR, (2, 0): "red", **hidden}, **CENTRE))
    assert isinstance(verdict, Follows)
    after = log.add(*verdict.moves)
    in_order = STARTED.add(Lay("red", 0, -1), Lay("black", 0, -2), Lay("red", 2, 0))
    assert after.state == in_order.state
    assert after.parse(str(after.entries[-1])) == after.entries[-1]


# --- the order of a set ------------------------------------------------------------------------


LINE = {**PAIR, **{(q, -1): "red" for q in range(5)}, **{(q, 1): "black" for q in range(5)}}


@pytest.mark.parametrize(
    ("laid", "turn", "won"),
    [
        ({(5, -1): "red", (5, 0): "red", (5, -2): "black"}, "red", "red"),
        ({(5, -1): "red", (-1, 0): "black"}, "red", None),
        ({(5, -1): "red", (-1, 0): "black"}, "black", "red"),
    ],
    ids=[
        "red, black, and then the red tile that completes the line",
        "nothing follows a complete line",
        "black before red, who completes it",
    ],
)
def test_a_shape_is_complete_with_the_last_tile_of_a_set(laid, turn, won):
    log = begin(LINE, (15, 15), turn)
    verdict = judge(log, look({**LINE, **laid}))
    assert isinstance(verdict, Follows if won else Waiting)
    if won:
        assert log.add(*verdict.moves).state.game.end.winner == won


@pytest.mark.parametrize("seed", range(20))
def test_every_set_laid_by_the_rules_has_an_order(seed):
    """Of many tiles too, shuffled: the order found is legal and lays all of them."""
    rng = random.Random(seed)
    at, laid = start_position("red"), []
    for _ in range(rng.randrange(2, 14)):
        cell = rng.choice(list(at.board.cells(at.legal())))
        laid.append((cell, at.turn))
        at = at.lay(at.turn, cell)
    rng.shuffle(laid)
    order = order_lays(start_position("red"), laid)
    again = start_position("red")
    for cell, colour in order:
        again = again.lay(colour, cell)
    assert again == at


# --- moves that people tell --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "told", "ruling"),
    [
        ((3, 3), Next("black"), "S-10"),
        ((0, 0), Next("green"), "S-10"),
        ((0, 0), Regroup((0, 0, 9, 9), (1, 0)), "S-14"),
        ((0, 0), Regroup((0, 0, 1), (1, 0)), "S-1"),
        ((0, 0), Regroup(tuple(range(40)), (1, 0)), "S-11"),
        ((3, 3), Regroup((0, 0, 0, 1, 0, 2), (1, 0)), "S-3"),
    ],
    ids=[
        "in phase 1 the count says who is next",
        "no such colour",
        "two groups",
        "half a cell",
        "more tiles than there were",
        "uneven tiles",
    ],
)
def test_what_people_tell_must_be_possible(hands, told, ruling):
    tiles = {**PAIR, (0, 1): "red"} if not any(hands) else PAIR
    with pytest.raises(Illegal) as no:
        begin(tiles, hands).add(told)
    assert no.value.ruling == ruling


def test_who_is_next_replaces_the_player_of_the_position():
    log = begin(BOARD).add(Next("black"))
    assert (log.state.game.turn, len(log.state.past)) == ("black", 1)
    assert log.add(Next("red")).state == begin(BOARD).state


def test_a_choice_of_group_is_part_of_the_way():
    """Two plies, the first of which cuts the board into equal halves and takes one of them."""
    west = {(-1 - i, 0): ("black", "red")[i % 2] for i in range(13)}
    east = {(1 + i, -1): ("red", "black")[i % 2] for i in range(13)}
    board = {(0, 0): "red", **west, **east}
    after = {**without(west, (-13, 0)), (0, -1): "red", (-1, 1): "black"}
    verdict = judge(begin(board), look(after))
    assert isinstance(verdict, Unclear)
    assert Keep(0, 0, -13, 0) in verdict.stories[0]
    assert all(dict(begin(board).add(*story).state.tiles) == after for story in verdict.stories)


@pytest.mark.parametrize(
    ("away", "new", "says"),
    [
        ([(1, 1)], {(2, -1): "red", (2, 0): "black"}, "tile_is_away"),
        ([(0, 1), (1, 1)], {(-1, 0): "red", (2, 0): "black"}, "no_moving_yet"),
    ],
    ids=["a tile laid, and one carried along or in a hand", "two tiles carried along"],
)
def test_tiles_that_left_their_cells_in_phase_1_are_not_taken_for_laid_ones(away, new, says):
    tiles = {**PAIR, (0, 1): "red", (1, 1): "black"}
    log = begin(tiles, (19, 19))
    verdict = judge(log, look({**without(tiles, *away), **new}))
    hint = verdict.hint if isinstance(verdict, Waiting) else verdict.why
    assert hint.text.id == says
    assert [(act.source, act.target) for act in verdict.cure] == (
        [] if says == "tile_is_away" else [("cell:-1,0", "cell:0,1"), ("cell:2,0", "cell:1,1")]
    )


@pytest.mark.parametrize(
    ("hands", "laid", "mover"),
    [
        pytest.param((1, 0), {(1, -1): "red"}, "black", id="the last tile of phase 1, and a move"),
        pytest.param((1, 1), {(1, -1): "red", (-4, -1): "black"}, "red", id="the last two tiles, and a move"),
    ],
)
def test_the_first_move_after_the_last_lays_may_cut_off_a_tile_that_still_lies_there(hands, laid, mover):
    line = {(q, 0): ("red", "black")[q % 2] for q in range(-14, 4)}
    log = begin({**line, (4, 0): mover, (5, 0): "red"}, hands)
    verdict = judge(log, look({**line, **laid, (0, 1): mover, (5, 0): "red"}))
    assert isinstance(verdict, Unclear)
    assert {str(story[-1]) for story in verdict.stories} == {"next red", "next black"}
    assert all(log.add(*story).state.litter == {((5, 0), "red")} for story in verdict.stories)


@pytest.mark.parametrize(
    ("hands", "away", "new"),
    [
        pytest.param((1, 0), [(-14, 0)], {(0, 1): "red"}, id="a tile moved instead of the last one laid"),
        pytest.param((1, 1), [], {(0, 0): "black", (1, 0): "red"}, id="two tiles exchanged before the last two"),
    ],
)
def test_no_tile_is_laid_and_lost_again_to_explain_a_move_before_the_last_lays(hands, away, new):
    line = {(q, 0): ("red", "black")[q % 2] for q in range(-14, 4)}
    verdict = judge(begin(line, hands), look({**without(line, *away), **new}))
    assert isinstance(verdict, Refused)
    assert verdict.why.text.id == "no_moving_yet"


def test_a_start_pair_laid_carelessly_does_not_make_other_tiles_lie_askew():
    """Red and black were laid 4 mm too close, and the tiles far off are half a tile beside the lattice of the two."""
    laid = {(2, 0): "red", (3, 0): "black", (4, 0): "red", (0, 1): "black", (3, 1): "red"}
    log = Log(GAME, {"width": 900, "height": 700}).add(GAME.parse("start 450 350 0 340"))
    table = look({(0, 0): "red", **laid}, **CENTRE, loose=[("black", 484 + 350j)])
    verdict = judge(log, table)
    assert isinstance(verdict, Follows)
    assert dict(log.add(*verdict.moves).state.tiles) == {**PAIR, **laid}


def test_a_tile_that_lies_askew_does_not_measure_the_lattice():
    laid = {(2, 0): "red", (0, 1): "black", (1, 1): "red"}
    verdict = judge(STARTED, look({**PAIR, **laid}, **CENTRE, loose=[("black", 402 + 360j)]))
    assert isinstance(verdict, Refused)
    assert verdict.why.text.id == "straighten"


@pytest.mark.parametrize("known", [3, 6, 12, 20, 30])
@pytest.mark.parametrize("seed", range(12))
def test_a_pushed_board_is_followed_although_many_tiles_are_new(seed, known):
    """The new tiles may be more than those that are known, and the push as far as a cell."""
    rng = random.Random(f"{seed} {known}")
    log = play_on(Log(GAME, {}).add(GAME.parse("start 300 225 0 380")), rng, known - 2)
    later = play_on(log, rng, rng.randint(4, 8))
    turned, pushed = rng.uniform(-12, 12), 300 + 225j + complex(rng.uniform(-20, 20), rng.uniform(-20, 20))
    verdict = judge(log, look(dict(later.state.tiles), pushed, turned, jitter=rng))
    assert isinstance(verdict, Follows)
    followed = log.add(*verdict.moves).state
    assert (len(followed.tiles), followed.game.hands) == (len(later.state.tiles), later.state.game.hands)


SPACED = Log(GAME, {"first_tile_restriction": 1}).add(GAME.parse("start 300 225 0 380"))


@pytest.mark.parametrize("push", NEIGHBOURS, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_a_start_pair_pushed_by_a_cell_lies_where_all_new_tiles_are_legal(seed, push):
    """New tiles may lie as the pair did, and with the first tile off one's own start tile they cannot be it."""
    rng = random.Random(seed)
    later = play_on(SPACED, rng, rng.randint(4, 6))
    pushed = 300 + 225j + PITCH * (push[0] + push[1] * SIXTH_TURN)
    verdict = judge(SPACED, look(dict(later.state.tiles), pushed, rng.uniform(-9, 9), jitter=rng))
    assert isinstance(verdict, Follows)
    followed = SPACED.add(*verdict.moves).state.game
    assert (followed.hands, followed.turn) == (later.state.game.hands, later.state.game.turn)


def test_a_pushed_board_of_which_little_is_in_sight_waits():
    tiles = {**PAIR, (0, 1): "red", (1, 1): "black", (0, 2): "red", (2, 0): "black"}
    verdict = judge(begin(tiles, (18, 18)), look(tiles, 417 + 309j, hide=[Area(360, 335, 600, 700)]))
    assert isinstance(verdict, Waiting)
    assert verdict.hint.text.id == "show_hidden"


def test_beside_a_tile_askew_others_are_not_taken_for_several_plies():
    moved = {**without(BOARD, (7, 0), (7, 1)), (-1, 0): "red"}
    verdict = judge(begin(BOARD), look(moved, loose=[("black", 400 + 300j - 38 + 16j)]))
    assert isinstance(verdict, Refused)
    assert [(act.source, act.target) for act in verdict.cure] == [("cell:-1,0", "cell:7,0"), ("loose", "cell:7,1")]


@pytest.mark.parametrize("seed", [seed for seed in range(14) if seed not in (6, 11)])
def test_of_two_tiles_that_a_player_moved_in_one_turn_one_goes_back(seed):
    """The other one is the move. No way of several plies stands behind the offer to undo. Seeds 6 and 11 end before."""
    rng = random.Random(seed)
    log = play_on(Log(GAME, {}).add(GAME.parse("start 300 225 0 380")), rng, 40)
    game = log.state.game
    own = [cell for cell in game.board.cells(game.board.own(game.turn)) if not game.lift(cell).lost]
    tiles = dict(log.state.tiles)
    lifted = rng.sample([cell for cell in own if len(game.lift(cell).stay) == 1], 2)
    rest = without(tiles, *lifted)
    moved = rest | dict.fromkeys(rng.sample(sorted(edge(rest) - tiles.keys()), 2), game.turn)
    anchor = {"at": 300 + 225j}
    verdict = judge(log, look(moved, **anchor))
    assert isinstance(verdict, Refused)
    assert verdict.rewind is None or not verdict.rewind.moves
    assert len(verdict.cure) == 1
    act = verdict.cure[0]
    mended = without(moved, parse_zone(act.source)) | {parse_zone(act.target): act.piece}
    verdict = judge(log, look(mended, **anchor))
    assert isinstance(verdict, Follows)
    assert [type(move) for move in verdict.moves] == [Move]


def cut_off_tiles(rng, plies=2):
    """A record, up to so many plies and one later, which cut tiles off, and the tiles that then lie there."""
    log = play_on(Log(GAME, {}).add(GAME.parse("start 300 225 0 380")), rng, 40)
    while not log.state.game.end:
        before = play_on(log, rng, rng.randint(max(1, plies - 1), plies))
        game = before.state.game
        for source in () if game.end else game.board.cells(game.board.own(game.turn)):
            lift = game.lift(source)
            if len(lift.stay) > 1 or not lift.lost:
                continue
            target = rng.choice(list(game.board.cells(find_free_cells(game.board, lift.stay[0]))))
            later = before.add(Move(*source, *target))
            if not later.state.game.end:
                return log, later.add(Clear()), dict(later.state.lying)
        log = before
    return cut_off_tiles(rng, plies)


@pytest.mark.parametrize("seed", range(40))
def test_tiles_that_several_plies_cut_off_may_still_lie_there(seed):
    """Nothing is refused, and the truth is among the answers, at the latest when these tiles are gone."""
    log, later, lying = cut_off_tiles(random.Random(seed))
    x, y, angle, pitch = log.state.anchor
    told = [judge(log, look(lying, complex(x, y), angle / 10, pitch / 10)), judge(log, shown(later))]
    assert not any(isinstance(verdict, Refused) for verdict in told)
    stories = [s for verdict in told for s in getattr(verdict, "stories", (getattr(verdict, "moves", ()),))]
    ends = [log.add(*story).state.game for story in stories]
    assert any((game.board, game.turn) == (later.state.game.board, later.state.game.turn) for game in ends)


@pytest.mark.parametrize("seed", range(40))
def test_tiles_that_many_plies_cut_off_are_asked_about(seed):
    log, _, lying = cut_off_tiles(random.Random(seed), plies=5)
    x, y, angle, pitch = log.state.anchor
    verdict = judge(log, look(lying, complex(x, y), angle / 10, pitch / 10))
    assert isinstance(verdict, Waiting | Unclear)


@pytest.mark.parametrize("turn", ["red", "black"])
def test_a_tile_on_another_one_does_not_end_the_game(turn):
    """Five red tiles about a cell and a black one: with a red tile on the black one the camera sees a circle."""
    ring = dict.fromkeys([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)], "red")
    row = {(q, 0): ("red", "black")[q % 2] for q in range(2, 16)}
    tiles = {**ring, (1, -1): "black", **row, (2, -1): "black", (3, -1): "red"}
    verdict = judge(begin(tiles, turn=turn), look({**without(tiles, (3, -1)), (1, -1): "red"}))
    assert not isinstance(verdict, Follows)


def picture(words, unseen=()):
    """Tiles as a camera read them: "red 640 397"."""
    told = (word.split() for word in words.split(", "))
    return Table(frozenset(Piece(colour, float(x), float(y)) for colour, x, y in told), unseen)


def test_tiles_under_an_arm_are_not_missed_where_the_board_was_not_pushed():
    """Three of eight known tiles are hidden, and the other five lie where they lay, although all six fit elsewhere."""
    told = "start 600 450 2172 381/lay black 0 1/lay red 1 1/lay black 2 -1/lay red -1 2/lay black -1 1"
    log = Log(GAME, {"first": "black", "width": 1200, "height": 900}).add(*map(GAME.parse, told.split("/")))
    lying = "black 465 471, red 599 449, black 605 412, black 635 436, red 640 397, black 670 420"
    verdict = judge(log, picture(lying, (Area(480, 386, 590, 950),)))
    assert not any(str(move).startswith("slide") for move in getattr(verdict, "moves", ()))


def test_tiles_far_from_the_start_pair_measure_the_size_of_the_tiles():
    """The pair was laid carelessly, and at the end of a chain of new tiles one lies a third of a place off by that."""
    log = Log(GAME, {"width": 1200, "height": 900}).add(GAME.parse("start 600 450 3327 336"))
    lying = "red 573 434, red 601 450, black 627 402, black 630 435, black 655 386, red 655 416, red 657 351"
    verdict = judge(log, picture(f"{lying}, red 657 449, black 682 337"))
    assert isinstance(verdict, Follows)
    assert len(log.add(*verdict.moves).state.tiles) == 9
