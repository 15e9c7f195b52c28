"""SIX as a camera sees it: scripts of tables and the verdict on each."""

import json
import random
from pathlib import Path

import pytest

from engine.game import Illegal
from engine.games.six.moves import Move, Rematch
from engine.log import Log
from engine.referee import Follows, Refused, Waiting, adopt_table, judge
from engine.table import Area, find_gap
from tests.support.six import GAME, begin, big, edge, look, script, state, without

ROOM = Path(__file__).parents[2] / "vectors" / "six.json"
VECTORS = {v["name"]: v for v in json.loads(ROOM.read_text(encoding="utf-8"))}
PAIR = {(0, 0): "red", (1, 0): "black"}


def known(name):
    before = VECTORS[name]["before"]
    tiles = {tuple(c): colour for colour in ("red", "black") for c in before[colour]}
    return begin(tiles, tuple(before["hand"].values()), before["turn"]), tiles


def test_phase_1_from_an_empty_table():
    three = {**PAIR, (0, 1): "red"}
    way = {"at": 250 + 200j, "degrees": 22.9}
    script(
        Log(GAME, {}),
        (look({}), ()),
        (look({(0, 0): "red"}), Waiting),
        (look({(0, 0): "red", (3, 0): "black"}), Waiting),
        (look(PAIR, **way), ("start 250 200 229 380",)),
        (look(three, **way), ("lay red 0 1",)),
        (look({**three, (1, 1): "red"}, **way), "turn_of"),
        (look({**three, (3, 1): "black"}, **way), "share_a_side"),
        (look(three, **way, loose=[("black", 180 + 235j)]), "straighten"),
        (look({**three, (1, 1): "black"}, **way), ("lay black 1 1",)),
        (look({**without(three, (0, 1)), (1, 1): "black", (2, 0): "red"}, **way), "no_moving_yet"),
    )


def test_lift_remove_the_lost_group_over_several_looks_then_lay():
    log, t = known("six_split_smaller_side_leaves")
    up = without(t, (0, 0))
    part = without(up, (2, 0), (2, 1))
    gone = without(part, (1, 0), (3, -1), (3, 0))
    log = script(
        log,
        (look(up), Waiting),
        (look(part), Waiting),
        (look(gone), Waiting),
        (look({**gone, (-5, 2): "red"}), ("move 0 0 -5 2", "clear")),
    )
    assert len(log.state.tiles) == 15


def test_lift_lay_then_remove_slowly():
    log, t = known("six_split_smaller_side_leaves")
    laid = {**without(t, (0, 0)), (-5, 2): "red"}
    gone = without(laid, (2, 0), (2, 1), (1, 0), (3, -1), (3, 0))
    script(
        log,
        (look(laid), ("move 0 0 -5 2",)),
        (look({**without(laid, (-3, 0)), (1, -1): "black"}), "take_lost_away"),
        (look(without(laid, (2, 0))), Waiting),
        (look(without(laid, (2, 0), (1, 0)), loose=[("red", 640 + 90j)]), Waiting),  # swept aside
        (look(without(laid, (2, 0)), loose=[("red", 495 + 320j)]), Waiting),  # and not far
        (look(gone, hide=(Area(420, 200, 600, 400),)), ()),  # a hand: not proved
        (look(gone), ("clear",)),
    )


def test_a_lifted_tile_may_be_put_back():
    log, t = known("six_move_without_split")
    up = without(t, (2, 1))
    assert judge(log, look(up)).hint.text.id == "lay_lifted"
    assert judge(log, look(without(t, (1, 0)))).hint.text.id == "move_own_tile"
    script(log, (look(up), Waiting), (look(t), ()), (look({**up, (1, 1): "red"}), ("move 2 1 1 1",)))


@pytest.mark.parametrize(
    ("lifted", "laid", "colour", "says"),
    [
        ((0, 0), (4, 0), "red", "against_what_stays"),
        ((2, 1), (3, -3), "red", "share_a_side"),
        ((1, 0), (1, 1), "black", "move_own_tile"),
        (None, (1, 1), "red", "lift_own_tile"),
    ],
    ids=["S-15 beside what has just gone", "S-11 beside nothing", "S-11 another's tile", "S-11 a tile from the stock"],
)
def test_a_wrong_move_is_refused(lifted, laid, colour, says):
    log, t = known("six_split_smaller_side_leaves")
    script(log, (look({**without(t, lifted), laid: colour}), says))


def test_two_red_gone_and_one_new_the_rules_find_the_lifted_one():
    """A lost red tile and the lifted red tile look alike."""
    log, t = known("six_elimination_leaves_opponent_short")
    end = {**without(t, (0, 0), (2, 0), (1, 0), (2, 1), (3, -1), (3, 0)), (-5, 2): "red"}
    log = script(log, (look(end), ("move 0 0 -5 2", "clear")))
    view = GAME.view(log.state)
    assert view.over
    assert view.winners == (1,)
    assert view.prompt.id == "wins_short"


def halves():
    """Two groups of 13 about a red tile, and a cell, 0,-1, that touches both."""
    t = {(0, 0): "red"}
    t |= {(-1 - i, 0): ("red", "black")[i % 2] for i in range(13)}
    return t | {(1 + i, -1): ("red", "black")[i % 2] for i in range(13)}


def test_S_16_chosen_by_landing():
    log, t = known("six_equal_split_mover_keeps_west")
    script(log, (look({**without(t, (0, 0)), (-6, 3): "red"}), ("move 0 0 -6 3",)))


def test_S_16_chosen_after_landing_by_hand_or_by_button():
    t = halves()
    log = begin(t)
    mid = {**without(t, (0, 0)), (0, -1): "red"}
    assert judge(log, look(without(t, (0, 0)))).hint.text.id == "which_group_goes"
    log = script(log, (look(without(t, (0, 0))), Waiting), (look(mid), ("move 0 0 0 -1",)))
    offers = GAME.view(log.state).offers
    assert [(o.label.id, o.label.get("n")) for o in offers] == [("group_goes", 13)] * 2
    said = log.add(GAME.parse(offers[1].move))
    assert judge(said, look(mid)) == Follows(())  # declared, no hand has moved yet
    goes = log.state.game.split[1]
    q, r = min(goes)
    part, rest = without(mid, *sorted(goes)[:4]), without(mid, *goes)
    script(said, (look(part), Waiting), (look(rest), ("clear",)))
    got = script(log, (look(part), Waiting), (look(rest), (f"lose {q} {r}", "clear")))
    once = script(log, (look(rest), (f"lose {q} {r}", "clear")))
    assert got.state == once.state
    assert len(got.state.tiles) == 14


@pytest.mark.parametrize("side", [-1, 1], ids=["west carried away", "east carried away"])
def test_S_16_chosen_before_landing_by_carrying_a_group_away(side):
    t = halves()
    goes = [c for c in t if c[0] * side > 0]
    rest = without(t, (0, 0), *goes)
    stays = min(c for c in rest)
    done = script(
        begin(t),
        (look(rest), Waiting),
        (look({**rest, (0, -1): "red"}), (f"keep 0 0 {stays[0]} {stays[1]}", "move 0 0 0 -1", "clear")),
    )
    assert dict(done.state.tiles) == {**rest, (0, -1): "red"}
    beside = min(edge({c: t[c] for c in goes}) - edge(rest) - rest.keys() - {(0, 0)}, key=lambda c: abs(c[0]))
    verdict = judge(begin(t), look({**rest, beside: "red"}))  # at the place of the group that a player holds
    assert isinstance(verdict, Waiting)
    assert verdict.hint is not None
    assert verdict.hint.ruling == "S-15"


def test_S_16_announced_before_laying():
    t = halves()
    log = begin(t).add(GAME.parse("keep 0 0 1 -1"))
    up = without(t, (0, 0))
    script(log, (look(t), ()), (look(up), Waiting), (look({**up, (-14, 0): "red"}), "against_what_stays"))
    done = script(log, (look({**up, (0, -1): "red"}), ("move 0 0 0 -1",)))
    assert {c for c, _ in done.state.litter} == {c for c in t if c[0] < 0}
    with pytest.raises(Illegal) as no:
        log.add(GAME.parse("keep 1 -1 2 -1"))
    assert no.value.ruling in ("S-16", "S-11")


@pytest.mark.parametrize("degrees", [0, 8, 25, 29, 31, 50, 90, 180])
@pytest.mark.parametrize("shift", [0, 30, 38, 38 * 2 + 61j])
def test_the_whole_group_is_pushed_and_a_tile_laid_meanwhile(shift, degrees):
    rnd = random.Random(3)
    t = big(rnd)
    log = begin(t, (1, 0))
    new = next(c for c in sorted(edge(t)))
    verdict = judge(log, look({**t, new: "red"}, at=400 + 300j + shift, degrees=degrees, jitter=rnd))
    assert isinstance(verdict, Follows)
    assert str(verdict.moves[-1]) == f"lay red {new[0]} {new[1]}"


@pytest.mark.parametrize("degrees", [0, 20, 75, 180, 300])
@pytest.mark.parametrize("shift", [0, 38, 19 + 33j, 100 + 80j])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_few_tiles_are_pushed_and_turned(count, shift, degrees):
    rnd = random.Random(count)
    for _ in range(6):
        t = big(rnd, count)
        log = begin(t, (20, 20), "red" if count % 2 == 0 else "black")
        table = look(t, at=400 + 300j + shift, degrees=degrees, jitter=rnd)
        verdict = judge(log, table)
        assert isinstance(verdict, Follows), (t, verdict)
        after = log.add(*verdict.moves)
        assert after.state.game == log.state.game
        assert judge(after, table) == Follows(())


@pytest.mark.parametrize("degrees", [-59, -40, -31, 31, 40, 59])
@pytest.mark.parametrize("laid", range(3))
@pytest.mark.parametrize("count", [6, 7, 8, 10])
def test_the_push_that_keeps_most_tiles_in_place_wins_whatever_the_turn(count, laid, degrees):
    rnd = random.Random(f"{count} {laid}")
    for _ in range(12):
        t = big(rnd, count)
        log = begin(t, (20, 20), "red" if count % 2 == 0 else "black")
        later, turn = dict(t), log.state.game.turn
        for _ in range(laid):
            later[rnd.choice(sorted(edge(later)))] = turn
            turn = "black" if turn == "red" else "red"
        verdict = judge(log, look(later, at=420 + 310j, degrees=degrees, jitter=rnd))
        assert isinstance(verdict, Follows), (t, verdict)
        assert len(log.add(*verdict.moves).state.tiles) == count + laid


@pytest.mark.parametrize("pitch", [22, 25, 33, 45])
@pytest.mark.parametrize("seed", range(6))
def test_slow_drift_and_a_start_pair_laid_loosely(seed, pitch):
    """120 mm and 75 degrees in all; the lattice is measured better as tiles are added."""
    rnd = random.Random(seed)
    t = dict(PAIR)
    log = script(Log(GAME, {}), (look(t, pitch=pitch * 1.06), ("start 400 300 0 " + str(round(pitch * 10.6)),)))
    at, degrees = 400 + 300j, 0.0
    for i in range(38):
        at += 4 + 2j
        degrees += 2
        t[rnd.choice(sorted(edge(t)))] = "red" if i % 2 == 0 else "black"
        verdict = judge(log, look(t, at=at, degrees=degrees, pitch=pitch, jitter=rnd if pitch > 24 else None))
        assert isinstance(verdict, Follows), (i, verdict)
        log = log.add(*verdict.moves)
        if log.state.game.end:
            break
        assert dict(log.state.tiles) == t, i
    assert abs(log.state.anchor[3] - 10 * pitch) < 0.05 * 10 * pitch


def test_a_pattern_that_is_symmetric_after_the_move_is_read():
    """Red, black, red, black: the left red goes to the right end. Turned by 180 degrees it is the same picture."""
    t = {(0, 0): "red", (1, 0): "black", (2, 0): "red", (3, 0): "black"}
    carried = look({**without(t, (0, 0)), (4, 0): "red"})
    script(begin(t), (carried, ("move 0 0 4 0",)))
    script(begin(t, (20, 20)), (carried, ("slide 552 300 1800 380",)))  # in phase 1 it brings no advantage


def test_stock_beside_the_board_is_no_move():
    stock = [("red", 40 + 40j + 25 * n) for n in range(12)] + [("black", 40 + 560j + 38 * n) for n in range(12)]
    three = {**PAIR, (0, 1): "red"}
    script(
        Log(GAME, {"width": 900, "height": 600}),
        (look({}, loose=stock), Waiting),
        (look(PAIR, loose=stock), ("start 400 300 0 380",)),
        (look(PAIR, loose=[*stock, ("red", 400 + 90j)]), ()),  # set down further away than three tiles
        (look(three, loose=stock[1:]), ("lay red 0 1",)),
        (look(three, at=430 + 310j, degrees=12, loose=stock[1:]), ("slide 430 310 120 380",)),
    )


def test_a_tile_in_sight_waits_while_the_hand_that_laid_it_hides_several_others():
    four = {**PAIR, (0, 1): "red", (1, 1): "black"}
    arm, sleeve = Area(380, 200, 800, 320), Area(460, 200, 800, 320)
    tiles = {**four, (-1, 0): "red", (2, 0): "black"}
    laid = {**tiles, (-1, 1): "red"}
    log = begin(tiles, (17, 18))
    script(log, (look(laid, hide=[arm]), Waiting), (look(laid), ("lay red -1 1",)))
    script(log, (look(laid, hide=[sleeve]), ("lay red -1 1",)))


@pytest.mark.parametrize(
    ("hands", "entry"),
    [
        pytest.param((17, 18), "lay red -1 1", id="phase 1: a new one"),
        pytest.param((0, 0), "move 2 0 -1 1", id="phase 2: one that lay elsewhere"),
    ],
)
def test_a_tile_in_sight_waits_while_one_of_its_colour_is_hidden_for_it_may_be_that_one(hands, entry):
    tiles = {**PAIR, (0, 1): "red", (1, 1): "black", (-1, 0): "black", (2, 0): "red"}
    laid = {**tiles, (-1, 1): "red"}
    moved = without(laid, (2, 0))
    log = begin(tiles, hands)
    cover = Area(457, 281, 495, 319)  # over the red tile at the right end
    true = laid if any(hands) else moved
    wrong = moved if any(hands) else laid
    script(log, (look(true, hide=[cover]), Waiting), (look(true), (entry,)))
    script(log, (look(wrong, hide=[cover]), Waiting), (look(wrong), Refused))


def test_a_new_game_from_a_full_table():
    log, t = known("six_phase_2_shape_win_without_split")
    end = {**without(t, (-2, 2)), (-7, 0): "red"}
    log = script(
        log,
        (look(end), ("move -2 2 -7 0",)),
        (look(without(end, (0, 0))), Waiting),
        (look({**end, (1, 1): "black"}), Waiting),
    )
    view = GAME.view(log.state)
    assert (view.prompt.id, view.winners, view.offers[0].move) == ("wins_line", (1,), "rematch")
    log = log.add(Rematch())
    again = look({(0, 0): "red", (1, 0): "black"}, at=200 + 200j)
    gone = script(log, (look(end), ()), (look(without(end, (0, 0))), Waiting), (look({}), ("clear",)))
    assert gone.state.starter == "black"
    script(gone, (again, ("start 200 200 0 380",)))
    swept = look({}, loose=[("red", 410 + 320j), ("black", 250 + 110j)] + [("red", 300 + 40j * n) for n in range(7)])
    script(log, (swept, Waiting), (look(end, at=430 + 290j, degrees=15), ()))
    log = script(log, (again, ("clear", "start 200 200 0 380")))
    assert (log.state.game.turn, GAME.view(log.state).scores) == ("black", (1, 0))


def test_the_table_is_right():
    log, t = known("six_move_without_split")
    odd = {**without(t, (2, 1), (0, 0)), (1, 1): "black", (0, 0): "black"}
    assert not isinstance(judge(log, look(odd)), Follows)
    right = adopt_table(log, look(odd))
    assert judge(right, look(odd)) == Follows(())
    assert right.parse(str(right.entries[-1])) == right.entries[-1]


@pytest.mark.parametrize("seed", range(60))
def test_garbage_is_never_accepted(seed):
    """Whatever lies there: if it is accepted, the record looks like it, but for what is in the air."""
    rnd = random.Random(seed)
    t = big(rnd, 30)
    for hands in ((0, 0), (5, 5)):
        log = begin(t, hands)
        for _ in range(6):
            u = dict(t)
            for _ in range(rnd.randrange(1, 5)):
                q, r = rnd.choice(sorted(u))
                if rnd.random() < 0.5:
                    u.pop((q, r))
                else:
                    u[rnd.choice(sorted(edge({(q, r): ""})))] = rnd.choice(("red", "black"))
            table = look(u, jitter=rnd)
            verdict = judge(log, table)
            if isinstance(verdict, Follows):
                after = log.add(*verdict.moves)
                assert not find_gap(GAME.layout(after.state), GAME.arrange(after.state, table)).extra


@pytest.mark.parametrize("seed", range(8))
def test_a_table_laid_by_the_record_is_the_record(seed):
    rnd = random.Random(seed)
    now = state(big(rnd, rnd.randrange(2, 43)), anchor=(rnd.randrange(900), rnd.randrange(600), 1234, 287))
    want = GAME.layout(now)
    assert GAME.arrange(now, GAME.place(now, want)) == want
    loose = type(want)({**want.zones, "loose": ("black", "red")}, frozenset(sorted(want.zones)[1:4]))
    assert GAME.arrange(now, GAME.place(now, loose)) == loose


@pytest.mark.parametrize("seed", range(40))
def test_clumsy_hands_in_full_view_are_refused(seed):
    """Every tile carried where it may not lie, every tile of the wrong colour, each with its ruling."""
    rnd = random.Random(seed)
    t = big(rnd, 42)
    log = begin(t, turn=rnd.choice(("red", "black")))
    free = sorted(edge(t))
    beyond = sorted(edge(dict.fromkeys(free)) - t.keys() - set(free))
    for _ in range(12):
        source = rnd.choice(sorted(t))
        target = rnd.choice(beyond if rnd.random() < 0.4 else free)
        table = look({**without(t, source), target: t[source]}, jitter=rnd)
        verdict = judge(log, table)
        ruling = ruled(log.state, Move(*source, *target))
        assert isinstance(verdict, Refused if ruling else Follows), (source, target, verdict)
        assert not ruling or verdict.why.ruling == ruling


def ruled(now, move):
    """The ruling against a move, or nothing."""
    try:
        GAME.play(now, move)
    except Illegal as why:
        return why.ruling
    return ""
