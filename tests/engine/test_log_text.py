"""Logs and tables as text: written and parsed again, and a bad file keeps its good part."""

from random import Random

import pytest

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Adopt, Amend, BrokenLog, Log
from engine.log_text import BadLog, read_log, read_table, write_log, write_table
from engine.notation import BadNotation
from engine.table import Area, Piece, Table

GAME = GAMES["thegame"]
MOVES = ["play 12 up:1", "play 90 down:1", "done 1 2", "play 14 up:1"]


def begin(*lines):
    log = Log(GAME, {"players": 2})
    return log.add(*map(log.parse, lines))


def text(*lines):
    return write_log(begin(*lines))


def test_every_kind_of_entry_reads_back():
    adopted = Adopt((("up:1", ("12", "40")), ("up:2", ("13",))))
    log = begin(*MOVES).take_back(1).add(adopted).amend(0, 1, GAME.parse("play 11 up:1"))
    log = log.add(Adopt((("up:1", ("11", "50")),), by_all=True))
    again = read_log(write_log(log), GAMES)
    assert (again.entries, again.moves, again.state) == (log.entries, log.moves, log.state)


GOOD = text(*MOVES)
BAD = [
    ("empty", "", 1, "log_head", None),
    ("not a log", "hello\nthere\n", 1, "log_head", None),
    ("an unknown game", GOOD.replace("game thegame", "game chess"), 2, "log_game", None),
    ("an unknown option", GOOD.replace("option players 2", "option colour 2"), 3, "option_unknown", None),
    ("an absurd option", GOOD.replace("option players 2", "option players -7"), 3, "option_range", None),
    ("no number", GOOD.replace("option players 2", "option players two"), 3, "option_range", None),
    ("a line that is no move", GOOD.replace("done 1 2", "done one 2"), 10, "log_line", 2),
    ("a move edited so that it is illegal", GOOD.replace("done 1 2", "done 2 2"), 10, "turn_of_player", 2),
    ("a card edited into one that lies there", GOOD.replace("play 14", "play 90"), 11, "already_laid", 3),
    ("cut off in the middle of a line", GOOD[:-4], 11, "log_torn", 3),
]


@pytest.mark.parametrize(("says", "line", "text_id", "good"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_a_bad_log_names_the_line_and_keeps_what_is_good(says, line, text_id, good):
    with pytest.raises(BadLog) as bad:
        read_log(says, GAMES)
    assert (bad.value.line, bad.value.text.id) == (line, text_id)
    assert (bad.value.good and len(bad.value.good.moves)) == good


@pytest.mark.parametrize("cut", range(0, len(GOOD), 3))
def test_a_log_cut_anywhere_keeps_every_whole_line(cut):
    whole = [line for line in GOOD[:cut].split("\n")[:-1] if line in MOVES]
    try:
        kept = read_log(GOOD[:cut], GAMES)
    except BadLog as bad:
        kept = bad.good
    assert [str(move) for move in (kept.moves if kept else ())] == whole


def test_an_undo_stays_in_the_log():
    log = begin(*MOVES)
    shorter = log.take_back(2)
    assert shorter.state == log.states[2]
    assert shorter.entries == (*log.entries, Amend(2, 4))
    assert log.take_back(99).moves == ()


def test_a_correction_judges_all_later_moves_again():
    log = begin(*MOVES)
    right = log.amend(0, 1, GAME.parse("play 13 up:1"))
    assert [str(move) for move in right.moves] == ["play 13 up:1", *MOVES[1:]]
    assert right.state == begin("play 13 up:1", *MOVES[1:]).state


def test_a_correction_that_breaks_later_moves_names_every_one_and_changes_nothing():
    log = begin("play 12 up:1", "play 90 down:1", "done 1 2", "play 14 up:1", "play 80 down:1")
    with pytest.raises(BrokenLog) as broken:
        log.amend(0, 2, GAME.parse("play 20 up:1"), GAME.parse("play 75 down:1"))
    assert [index for index, _ in broken.value.misfits] == [3, 4]
    assert (broken.value.index, broken.value.ruling) == (3, "G-5")
    assert len(log.moves) == 5


@pytest.mark.parametrize(
    "line",
    [
        "amend 0",
        "amend one 2",
        "amend 3 1",
        "amend 0 9",
        "amend 0 1 ; amend 0 1",
        "adopt up:1=3;4",
        "amend 0 1 ; play up",
        "adopt up:1",
        "adopt up:1=",
        "adopt up:1=3||4",
        "",
        "fly 3",
    ],
)
def test_a_line_that_is_no_entry_is_refused(line):
    log = begin(*MOVES)
    with pytest.raises(BadNotation):
        log.add(log.parse(line))


def test_an_amendment_holds_moves_and_not_amendments():
    log = begin(*MOVES)
    with pytest.raises(BadNotation, match="amend 4 4 ; amend 0 0"):
        log.amend(4, 4, log.parse("amend 0 0"))


@pytest.mark.parametrize("seed", range(20))
def test_an_amendment_is_refused_or_reads_back_as_the_same(seed):
    rng, log = Random(seed), begin(*MOVES, "play 80 down:1", "done 2 2")
    words = [*map(str, log.moves), "play 13 up:1", "amend 0 0", "amend 0 9 ; done 1 2", "adopt", "overrule up:1=12"]
    words += ["adopt up:1=1;2", "adopt up:1=a=b", "adopt up:9=3", ";", "done 1 2 ; done 1 2", "fly"]
    for _ in range(100):
        first, last = sorted(rng.choices(range(-1, 8), k=2))
        try:
            longer = log.amend(first, last, *map(log.parse, rng.choices(words, k=rng.randrange(3))))
        except (BadNotation, Illegal):
            continue
        again = log.add(log.parse(str(longer.entries[-1])))
        assert (again.moves, again.state) == (longer.moves, longer.state)
        assert GAME.view(again.state) == GAME.view(longer.state)


def test_an_empty_table_may_be_right_too():
    log = begin(*MOVES)
    assert log.add(log.parse("adopt")).state.piles == ((), (), (), ())


TABLES = [
    Table(frozenset()),
    Table(frozenset({Piece("33", 120.25, 50.0), Piece("red", -1.5, 0.1, 359.9)}), (Area(0, 0, 90, 60.5),)),
    Table(frozenset({Piece("33", 1.0, 2.0), Piece("fifth.1", 3.0, 2.0)}), (), frozenset({("fifth.1", "33")})),
]


@pytest.mark.parametrize("table", TABLES, ids=write_table)
def test_a_table_reads_back(table):
    assert read_table(write_table(table)) == table


@pytest.mark.parametrize(
    "line", ["", "tables", "table 33", "table 33@1,2", "table unseen@1,2,3", "table 33@a,b,c", "table covers@33"]
)
def test_a_line_that_is_no_table_is_refused(line):
    with pytest.raises(BadNotation, match="say"):
        read_table(line)
