"""SIX: what its rules allow and refuse, against rules written down a second time in the plainest way."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.axial import NEIGHBOURS
from engine.game import WHYS, Illegal, Unfinished
from engine.games.six.board import COLOURS, NOWHERE, Board, other_colour
from engine.games.six.match_end import find_next_starter
from engine.games.six.moves import ACTS, Draw, Lay, Lose, Move, Rematch, Start
from engine.games.six.random_game import play_random_game
from engine.games.six.repetition import count_repetitions
from engine.games.six.rules import Position, start_position
from engine.games.six.shapes import MASKS, find_shape
from engine.log import Log
from engine.notation import BadNotation
from engine.options import BadOption
from engine.table import Layout
from tests.support.six import GAME, big, edge, state, without

FAR = 400
"""Cells of the walk that shows there is no border."""

# --- the rules again, by brute force ---------------------------------------------------------


def near(cell):
    return {(cell[0] + a, cell[1] + b) for a, b in NEIGHBOURS}


def parts(cells):
    todo, found = set(cells), []
    while todo:
        group, edge_of = set(), {todo.pop()}
        while edge_of:
            group |= edge_of
            edge_of = {n for c in edge_of for n in near(c)} & todo
            todo -= edge_of
        found.append(frozenset(group))
    return found


def plain_shape(own):
    """Try every cell as the start of every shape."""
    corners = {n for c in own for n in near(c)} | own
    kinds = set()
    for q, r in corners:
        if near((q, r)) <= own:
            kinds.add("circle")
        for a, b in NEIGHBOURS:
            if {(q + a * n, r + b * n) for n in range(6)} <= own:
                kinds.add("line")
        up = {(q + i, r + j) for i in range(3) for j in range(3 - i)}
        down = {(q - i, r - j) for i in range(3) for j in range(3 - i)}
        if up <= own or down <= own:
            kinds.add("triangle")
    return kinds


def plain_move(t, turn, source, target, keep=None):
    """What must come of it: a refusal, a question, or the tiles that stay and who has won."""
    if t.get(source) != turn:
        return "not_own"
    if source == target:
        return "same_place"
    rest = without(t, source)
    if target in rest:
        return "occupied"
    if not near(target) & rest.keys():
        return "not_adjacent"
    groups = parts(rest)
    most = max(map(len, groups))
    largest = [g for g in groups if len(g) == most]
    if keep is not None:
        largest = [g for g in largest if keep in g]
    stay = [g for g in largest if near(target) & g]
    if not stay:
        return "not_adjacent"
    if len(stay) > 1:
        return "choose"
    after = {c: k for c, k in t.items() if c in stay[0]} | {target: turn}
    return after, plain_end(after, turn)


def plain_end(t, turn):
    if plain_shape({c for c, k in t.items() if k == turn}):
        return turn
    short = [c for c in COLOURS if sum(k == c for k in t.values()) < 6]
    return "draw" if len(short) == 2 else other_colour(short[0]) if short else None


def shapeless(seed, n, stringy):
    """Tiles without a shape, in a blob or in strings that fall apart easily."""
    rnd = random.Random(seed)
    t = {(0, 0): "red", (1, 0): "black"}
    while len(t) < n:
        free = sorted(edge(t))
        if stringy:
            thin = [c for c in free if len(near(c) & t.keys()) == 1]
            free = thin if rnd.random() < stringy else free
        cell, colour = rnd.choice(free), rnd.choice(COLOURS)
        if not plain_shape({c for c, k in t.items() if k == colour} | {cell}):
            t[cell] = colour
    return t


@given(st.integers(0, 10**9), st.integers(4, 42), st.sampled_from([0, 0.7, 0.97]), st.data())
def test_S_11_to_S_21_a_move_does_what_the_plain_rules_say(seed, n, stringy, data):
    t = shapeless(seed, n, stringy)
    turn = data.draw(st.sampled_from(COLOURS))
    now = state(t, turn=turn)
    sources, targets = sorted(t), sorted(edge(t) | t.keys())
    cuts = [c for c in sources if t[c] == turn and len(parts(without(t, c))) > 1]
    for _ in range(12):
        source = data.draw(st.sampled_from(cuts if cuts and data.draw(st.booleans()) else sources))
        target = data.draw(st.sampled_from(targets))
        keep = None
        groups = parts(without(t, source))
        most = max(map(len, groups))
        tied = sorted(min(g) for g in groups if len(g) == most)
        if t[source] == turn and len(tied) > 1 and data.draw(st.booleans()):
            keep = data.draw(st.sampled_from(tied))
        want = plain_move(t, turn, source, target, keep)
        base = replace(now, announced=(source, keep)) if keep else now
        got = attempt(base, Move(*source, *target))
        if isinstance(got, str):
            assert got == want
            continue
        if want == "choose":
            assert sorted(map(min, got.game.split)) == [c for c in tied if near(target) & _group(groups, c)]
            for goes in tied[:2]:
                if len(tied) == 2:
                    lost = GAME.play(got, Lose(*goes))
                    after = without(t, source, *(c for g in groups if goes in g for c in g)) | {target: turn}
                    small = {c for g in groups if len(g) < most for c in g}
                    after = without(after, *small)
                    assert dict(lost.tiles) == after
                    assert (lost.game.end.winner if lost.game.end else None) == plain_end(after, turn)
            continue
        assert not isinstance(want, str), (want, source, target)
        after, winner = want
        assert dict(got.tiles) == after
        assert dict(got.litter) == {c: k for c, k in t.items() if c not in after and c != source}
        assert (got.game.end.winner if got.game.end else None) == winner
        assert winner or got.game.turn == other_colour(turn)


def attempt(now, move):
    """The state after the move, or why there is none."""
    try:
        return GAME.play(now, move)
    except Illegal as refusal:
        return refusal.why


def _group(groups, cell):
    return next(g for g in groups if cell in g)


@given(st.integers(0, 10**9), st.integers(2, 41), st.sampled_from([0, 0.9]))
def test_S_3_and_S_5_to_S_9_a_laying_does_what_the_plain_rules_say(seed, n, stringy):
    t = shapeless(seed, n, stringy)
    now = state(t, hands=(3, 3), turn="red")
    assert set(now.game.board.cells(now.game.legal())) == edge(t)
    red = {c for c, k in t.items() if k == "red"}
    for cell in sorted(edge(t))[::3]:
        after = GAME.play(now, Lay("red", *cell))
        kinds = plain_shape(red | {cell})
        assert dict(after.tiles) == {**t, cell: "red"}
        assert bool(after.game.end) == bool(kinds)
        if kinds:
            assert after.game.end.shape in kinds
            assert after.game.end.winner == "red"


@given(st.integers(0, 10**9), st.integers(2, 30))
def test_equal_tables_are_equal_boards_whatever_the_order(seed, n):
    t = shapeless(seed, n, 0.5)
    whole = state(t).game.board
    cells = sorted(t)
    random.Random(seed).shuffle(cells)
    lying = {(0, 0)}
    board = Board.of([(0, 0)], []) if t[0, 0] == "red" else Board.of([], [(0, 0)])
    while len(lying) < n:
        cell = next(c for c in cells if c not in lying and near(c) & lying)
        board = board.lay(t[cell], board.spot(cell))
        lying.add(cell)
    assert board == whole
    assert sorted(board.tiles(board.all)) == sorted(t.items())


def test_all_36_masks_differ_and_each_has_six_tiles():
    assert len({mask for mask, _ in MASKS}) == 36
    assert all(mask.bit_count() == 6 for mask, _ in MASKS)


@pytest.mark.parametrize("turn", range(6))
def test_the_table_has_no_border(turn):
    """Two rows of six crawl further than any table is wide: the last tile of a row becomes its first."""
    (a, b), (c, d) = NEIGHBOURS[turn], NEIGHBOURS[(turn + 1) % 6]
    colours = {0: "red", 1: "black"}
    t = {(a * n + c * k, b * n + d * k): colours[k] for n in range(6) for k in colours}
    board = state(t).game.board
    for n in range(FAR):
        for k, colour in colours.items():
            source, target = ((a * m + c * k, b * m + d * k) for m in (n, n + 6))
            board, lost = board.move(colour, board.spot(source), board.spot(target), NOWHERE)
            assert not lost
            t = without(t, source) | {target: colour}
            assert dict(board.tiles(board.all)) == t
    assert set(board.cells(board.edge())) == edge(t)
    assert find_shape(board.red) == find_shape(board.black) == "line"


# --- cases -------------------------------------------------------------------------------------


def begin(*lines, **options):
    log = Log(GAME, options)
    return log.add(log.parse("start 300 225 0 380"), *map(log.parse, lines))


def refused(now, line):
    with pytest.raises(Illegal) as why:
        GAME.play(now, GAME.parse(line))
    assert why.value.why in WHYS
    return why.value


CASES = [
    ("S-2 nothing before the start pair", None, "lay red 0 1", "S-2", "out_of_order"),
    ("S-2 a game has one start", {}, "start 1 1 1 380", "S-2", "out_of_order"),
    ("S-3 a corner is not a side", {}, "lay red -1 -1", "S-3", "not_adjacent"),
    ("S-3 far beyond everything", {}, "lay red 4000 -9000", "S-3", "not_adjacent"),
    ("S-3 one tile a cell", {}, "lay red 1 0", "S-3", "occupied"),
    ("S-3 in turn", {}, "lay black 0 1", "S-3", "not_your_turn"),
    ("S-3 straight", {}, "askew red", "S-3", "not_adjacent"),
    ("S-4 off one's own start tile", {"first_tile_restriction": 1}, "lay red 0 1", "S-4", "touches_own_start"),
    ("S-10 no moving in phase 1", {}, "move 0 0 0 1", "S-10", "phase_1"),
    ("S-14 nothing to take away", {}, "clear", "S-14", "out_of_order"),
    ("S-16 nothing to choose", {}, "lose 0 0", "S-16", "out_of_order"),
    ("S-18 no passing", {}, "pass", "S-18", "must_move"),
    ("S-22 no draw in phase 1", {}, "draw", "S-22", "phase_1"),
    ("S-23 no rematch before the end", {}, "rematch", "S-23", "out_of_order"),
    ("S-3 tiles are 25 to 45 mm", {}, "slide 0 0 0 900", "S-3", "not_adjacent"),
]


@pytest.mark.parametrize(("options", "line", "ruling", "why"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_refusal_names_its_ruling(options, line, ruling, why):
    now = GAME.start({}) if options is None else begin(**options).state
    got = refused(now, line)
    assert (got.ruling, got.why) == (ruling, why)


def test_S_10_forty_layings_and_then_phase_2():
    rnd = random.Random(11)
    while True:
        game = start_position("red")
        laid = 0
        while game.phase == 1 and not game.end:
            game = game.lay(game.turn, rnd.choice(list(game.board.cells(game.legal()))))
            laid += 1
        if not game.end:
            break
    assert (laid, game.phase, game.turn) == (40, 2, "red")
    assert (game.board.count("red"), game.board.count("black")) == (21, 21)


def test_S_15_the_lifted_tile_saves_no_group():
    """3,1 touches the west end at 3,0 and the east at 4,1; still the west has gone."""
    t = {(n, 0): ("red", "black")[n % 2] for n in range(5)} | {(4, n): ("red", "black")[n % 2] for n in range(1, 14)}
    after = GAME.play(state(t, turn="red"), Move(4, 0, 3, 1))
    assert {c for c, _ in after.litter} == {(n, 0) for n in range(4)}
    assert len(after.tiles) == 14


def test_S_16_a_shape_may_not_lean_on_the_group_that_goes():
    """The tile would close a line of six, but it touches both halves, and one of them leaves first."""
    west = {(-1, 0): "black", (-1, -1): "red", (-2, -1): "red", (-3, -1): "red", (-4, -1): "black", (-5, -1): "black"}
    east = {(1, -1): "red", (2, -1): "red", (3, -1): "black", (4, -1): "red", (5, -1): "black", (6, -1): "black"}
    after = GAME.play(state({**west, **east, (0, 0): "red"}), Move(0, 0, 0, -1))
    assert after.game.end is None
    assert set(after.game.split) == {frozenset(west), frozenset(east)}
    assert isinstance(refused(after, "move -1 -1 5 5"), Unfinished)
    assert isinstance(refused(after, "pass"), Unfinished)
    for group in after.game.split:
        done = GAME.play(after, Lose(*max(group)))
        assert done.game.end.reason == "both_short"
        assert {c for c, _ in done.litter} == group
        assert GAME.layout(done) == GAME.layout(after)  # said, not done


def test_litter_must_go_before_the_next_move():
    now = state({(n, 0): ("red", "black")[n % 2] for n in range(20)}, turn="red")
    after = GAME.play(now, Move(2, 0, 20, 0))
    assert len(after.litter) == 2
    got = refused(after, "move 5 0 20 -1")
    assert (got.ruling, got.text.id, got.text.get("n")) == ("S-14", "take_lost_away", 2)
    assert not GAME.play(after, GAME.parse("clear")).litter


def test_S_22_the_third_time_is_announced_and_only_both_can_end_it():
    t = {(n, 0): ("red", "black")[n // 2 % 2] for n in range(14)} | {(0, 1): "red", (13, 1): "black"}
    now = state(t, turn="red")
    round_trip = ["move 0 1 -1 1", "move 13 1 14 0", "move -1 1 0 1", "move 14 0 13 1"]
    announced = []
    for line in round_trip * 2:
        now = GAME.play(now, GAME.parse(line))
        view = GAME.view(now)
        announced.append("same_position" in [text.id for text in view.news])
    assert announced == [False] * 7 + [True]
    assert count_repetitions(now) == 3
    assert [o.move for o in GAME.view(now).offers] == ["draw"]
    over = GAME.play(now, Draw())
    view = GAME.view(over)
    assert (view.over, view.winners, view.prompt.id) == (True, (), "draw_agreed")
    never = replace(now, terms=replace(now.terms, notice=0))
    assert "same_position" not in [text.id for text in GAME.view(never).news]
    assert count_repetitions(replace(now, terms=replace(now.terms, notice=9))) == 3


def test_S_22_tiles_that_left_reset_the_repetition_count():
    now = state({(n, 0): ("red", "black")[n % 2] for n in range(20)}, turn="red")
    assert count_repetitions(now) == 1
    assert len(GAME.play(now, Move(2, 0, 20, 0)).past) == 1


@pytest.mark.parametrize(
    ("starter", "winner", "next_one"),
    [("red", "red", "black"), ("red", "black", "red"), ("black", "draw", "red"), ("red", "draw", "black")],
)
def test_S_23_the_loser_starts_and_after_a_draw_the_other_player(starter, winner, next_one):
    assert find_next_starter(starter, winner) == next_one


def test_the_first_player_is_player_1_whatever_the_colour():
    log = begin(first="black")
    view = GAME.view(log.state)
    assert (view.turn, view.prompt.get("colour")) == (1, "black")
    assert GAME.view(log.add(Lay("black", 2, 0)).state).turn == 2
    assert [pad.cards for pad in view.pads] == [21, 21]


def test_after_the_end_nothing_can_be_laid_and_no_player_is_accused():
    lines = [f"lay {c} {q} {r}" for n in range(1, 5) for c, q, r in (("red", -n, 0), ("black", 1, -n))]
    log = begin(*lines, "lay red -5 0")
    view = GAME.view(log.state)
    assert (view.over, view.winners, view.prompt.id) == (True, (1,), "wins_line")
    assert isinstance(refused(log.state, "lay black 0 1"), Unfinished)
    again = GAME.play(log.state, Rematch())
    assert (again.starter, again.winners, again.game) == ("black", ("red",), None)
    assert GAME.layout(again).zones.keys() == GAME.layout(log.state).zones.keys() - {"anchor"}
    assert isinstance(refused(again, "start 300 225 0 380"), Unfinished)
    fresh = GAME.play(GAME.play(again, GAME.parse("clear")), Start(300, 225, 0, 380))
    assert (fresh.game.turn, GAME.view(fresh).turn, GAME.view(fresh).scores) == ("black", 2, (1, 0))


def test_a_board_near_the_border_is_announced():
    now = state({(0, 0): "red", (1, 0): "black"}, (20, 20), anchor=(30, 200, 0, 380))
    assert [text.id for text in GAME.view(now).news] == ["near_border"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("players", 3),
        ("first", "green"),
        ("repetition_notice", 1),
        ("repetition_notice", 10),
        ("first_tile_restriction", 2),
        ("width", 599),
        ("height", -4),
    ],
)
def test_an_impossible_option_is_refused(name, value):
    with pytest.raises(BadOption):
        GAME.start({name: value})


def test_the_least_area():
    plan = GAME.plan({})
    assert (plan.width, plan.height) == (600, 450)
    with pytest.raises(BadOption) as no:
        GAME.plan({"width": 600, "height": 449})
    assert no.value.text.get("least_height") == 450


# --- the table is right ------------------------------------------------------------------------

GOOD = {"cell:0,0": ("red",), "cell:1,0": ("black",), "cell:0,1": ("red",), "anchor": ("300,225,0,380",)}
BAD = [
    ("S-3 a loose tile", {"loose": ("red",)}, "S-3", "straighten_all"),
    ("S-2 no tile", None, "S-2", "lay_start_pair"),
    ("S-14 two groups", {"cell:5,5": ("black",)}, "S-14", "one_group"),
    ("S-14 two groups far apart", {"cell:500,5": ("black",)}, "S-14", "one_group"),
    ("S-3 two tiles in a cell", {"cell:2,0": ("black", "red")}, "S-3", "one_tile_a_cell"),
    ("S-1 a strange tile", {"cell:2,0": ("green",)}, "S-1", "no_such_tile"),
    ("S-1 a strange place", {"row:1": ("black",)}, "S-1", "no_such_place"),
    ("S-1 a place that is none", {"cell:a,b": ("black",)}, "S-1", "no_such_place"),
    ("S-3 an anchor that is none", {"anchor": ("1,2",)}, "S-3", "no_such_place"),
    ("S-10 red has laid thrice", {"cell:0,2": ("red",), "cell:0,3": ("red",)}, "S-10", "uneven_tiles"),
    ("S-10 it is not red's turn", {"turn": ("red",)}, "S-10", "turn_of"),
    ("S-2 no black tile", {"cell:1,0": ("red",)}, "S-2", "start_tile_missing"),
    ("S-1 22 red tiles", {f"cell:0,{n}": ("red",) for n in range(2, 22)}, "S-1", "too_many_tiles"),
]


@pytest.mark.parametrize(("more", "ruling", "text"), [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_an_impossible_table_is_not_adopted(more, ruling, text):
    zones = {} if more is None else {**GOOD, **more}
    with pytest.raises(Illegal) as why:
        GAME.adopt(begin().state, Layout(zones))
    assert (why.value.ruling, why.value.text.id) == (ruling, text)
    assert why.value.why in WHYS


def test_a_table_with_both_shapes_is_not_adopted():
    t = {(n, 0): "red" for n in range(6)} | {(n, 1): "black" for n in range(6)}
    with pytest.raises(Illegal) as why:
        GAME.adopt(begin().state, GAME.layout(state(t)))
    assert why.value.text.id == "two_shapes"


def test_adopting_counts_hands_turn_and_end_again():
    after = GAME.adopt(begin().state, Layout(GOOD))
    assert (after.game.hands, after.game.turn, after.game.end) == ((19, 20), "black", None)
    t = shapeless(5, 12, 0)
    phase_2 = state(big(random.Random(1), 42), turn="red")
    cells = {c: "red" if n < 7 else "black" for n, c in enumerate(sorted(t))}
    if not any(find_shape(state(cells).game.board.own(c)) for c in COLOURS):
        short = GAME.adopt(phase_2, GAME.layout(state(cells)))
        assert (short.game.end.winner, short.game.end.reason) == ("red", "short")
    said = GAME.adopt(phase_2, Layout({**GAME.layout(phase_2).zones, "turn": ("black",)}))
    assert said.game.turn == "black"


# --- whole games -------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["lay red", "move 1 2 3", "jump 1 2", "lay red 1 x", ""])
def test_a_line_that_is_no_move_is_refused(line):
    with pytest.raises(BadNotation):
        GAME.parse(line)


def test_the_notation_of_every_move_is_parsed_again():
    for kind in ACTS:
        words = [{str: "red", int: -3}.get(f.type, (-3, 4)) for f in kind.__dataclass_fields__.values()]
        assert GAME.parse(str(kind(*words))) == kind(*words)


def test_random_games_end_and_repeat():
    def play(seed):
        return play_random_game(random.Random(seed).randrange)

    winners = [play(seed) for seed in range(60)]
    assert winners == [play(seed) for seed in range(60)]
    assert set(winners) == {"red", "black", "draw"}
    assert isinstance(start_position("black"), Position)
