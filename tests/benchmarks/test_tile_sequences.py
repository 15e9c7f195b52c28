"""The examiner of changed boards of SIX: it finds each planted wrong sentence, and what it draws can lie on a table."""

import math
from dataclasses import replace
from itertools import combinations

import pytest

from engine.table import Area, Piece, Table
from tests.benchmarks.tile_acts import ACTS, APART_PITCHES, AREA, GROUNDS, LIGHTS, TILE_MM, make_sequence
from tests.benchmarks.tile_sequences import (
    Findings,
    LyingTile,
    examine_sequence,
    find_silent,
    find_wrong_record,
    is_told,
    report,
)
from vision.render import SceneRenderer

PITCH = 39.0
RED, BLACK = LyingTile("red", (100.0, 100.0)), LyingTile("black", (139.0, 100.0))
STOCK = LyingTile("red", (400.0, 300.0))
AT_RED, AT_BLACK = Piece("red", 101, 100), Piece("black", 139, 99)


def doubt(x: float, y: float) -> Area:
    return Area(x - 1, y - 1, x + 1, y + 1)


@pytest.mark.parametrize(
    ("seen", "unseen", "errors"),
    [
        pytest.param({AT_RED, AT_BLACK}, (), 0, id="all told: nothing is silent"),
        pytest.param({AT_RED, AT_BLACK, Piece("red", 400, 300)}, (), 0, id="a tile of the reserve may be told"),
        pytest.param({AT_RED}, (), 1, id="a tile of the board is not told"),
        pytest.param({AT_RED}, (doubt(139, 100),), 0, id="nor need it be where there is doubt"),
        pytest.param({AT_RED}, (doubt(139, 140),), 1, id="doubt about another cell does not count"),
        pytest.param({AT_RED, Piece("red", 139, 100)}, (), 2, id="a wrong colour is a tile missed and one invented"),
        pytest.param({AT_RED, AT_BLACK, Piece("black", 200, 200)}, (), 1, id="a tile where none is"),
        pytest.param({AT_RED, Piece("black", 150, 100)}, (), 2, id="a tile told more than a quarter of a cell off"),
        pytest.param({AT_RED, AT_BLACK, Piece("black", 400, 300)}, (), 1, id="a wrong colour in the reserve"),
    ],
)
def test_each_wrong_sentence_without_doubt_is_found(seen, unseen, errors):
    assert len(find_silent(Table(frozenset(seen), unseen), [RED, BLACK], [STOCK], PITCH)) == errors


@pytest.mark.parametrize(
    ("seen", "unseen", "told"),
    [
        pytest.param({AT_RED}, (), True, id="it is told"),
        pytest.param(set(), (), False, id="it is not told"),
        pytest.param({AT_RED}, (doubt(100, 100),), False, id="it is told with doubt"),
    ],
)
def test_a_changed_place_is_told_only_without_doubt(seen, unseen, told):
    assert is_told(Table(frozenset(seen), unseen), [RED.at], [RED], PITCH) is told


SOME = [make_sequence(number) for number in range(0, 225, 16)]


def test_the_drawn_sequences_have_all_tables_acts_and_lights_among_them():
    assert {s.ground for s in SOME} == set(GROUNDS)
    assert {s.light for s in SOME} == set(LIGHTS)
    assert {s.act for s in SOME} <= set(ACTS)


@pytest.mark.parametrize("sequence", SOME, ids=lambda s: f"{s.number}-{s.act}")
def test_what_is_drawn_can_lie_on_a_table_and_the_hand_has_changed_it(sequence):
    for moment in sequence.moments:
        tiles = [*moment.board, *moment.reserve]
        assert all(AREA.contains(tile.x, tile.y) for tile in tiles)
        apart = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(tiles, 2)]
        assert min(apart) > (APART_PITCHES - 0.04) * TILE_MM  # a hand lays tiles less exactly than it finds room
    first, last = sequence.moments[0], sequence.moments[-1]
    assert {*first.board, *first.reserve} != {*last.board, *last.reserve}
    assert first.scene.arms == last.scene.arms == ()
    assert sequence.changed


@pytest.mark.parametrize("sequence", [s for s in SOME if s.act in ("place", "exchange", "take")], ids=lambda s: s.act)
def test_a_record_that_keeps_the_old_board_is_found_wrong(sequence):
    """The table as it was before the hand, told without a doubt."""
    before = frozenset(Piece(tile.colour, tile.x, tile.y, tile.angle % 60) for tile in sequence.moments[0].board)
    assert list(find_wrong_record(sequence, Table(before)))
    there = tuple(doubt(*at) for at in sequence.changed)
    assert not list(find_wrong_record(sequence, Table(before, there)))


GOOD, SILENT, DOUBTED = (
    Findings("good", ("wood",), (), True, True),
    Findings("bad", ("wood",), ("a red tile is told",), True, True),
    Findings("unsure", ("wood",), (), False, True),
)


@pytest.mark.parametrize(
    ("found", "enough"),
    [
        pytest.param([GOOD], True, id="all told"),
        pytest.param([GOOD] * 9 + [DOUBTED], True, id="one of ten doubtful"),
        pytest.param([GOOD] * 8 + [DOUBTED] * 2, False, id="doubt is no answer"),
        pytest.param([GOOD] * 99 + [SILENT], False, id="one silent error of a hundred"),
        pytest.param([], False, id="nothing was examined"),
    ],
)
def test_one_silent_error_or_much_doubt_misses_the_bar(found, enough, capsys):
    assert report(found) is enough
    assert ("below the bar" in capsys.readouterr().out) is (not enough)


@pytest.mark.parametrize("number", [85, 81])
def test_tiles_behind_others_that_a_mirrored_lamp_hides_are_not_told_as_reserve(number):
    sequence = make_sequence(number)
    begun = replace(sequence, moments=tuple(moment for moment in sequence.moments if moment.at < sequence.touched_s))
    assert examine_sequence(begun, SceneRenderer()).silent == ()
