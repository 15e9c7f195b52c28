"""The examiner of SIX finds a referee that is wrong: each case is one bug of a referee."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from engine.referee import Follows, Refused, Waiting, judge
from tests.tabletop import six_examination, six_session
from tests.tabletop.docket import ACCUSATION, DEAD_END, MISLEADING, WRONG_RECORD, Docket
from tests.tabletop.six_record import lies_so, read_record
from tests.tabletop.six_rules import Match, other
from tests.tabletop.six_session import TileSession


def takes_one_place_for_another(log, table):
    verdict = judge(log, table)
    if isinstance(verdict, Follows) and len(verdict.moves) == 1 and str(verdict.moves[0]).startswith("lay"):
        lay = verdict.moves[0]
        for cell in ((lay.q + 1, lay.r), (lay.q, lay.r + 1), (lay.q - 1, lay.r)):
            if f"cell:{cell[0]},{cell[1]}" not in log.game.layout(log.state).zones:
                return Follows((replace(lay, q=cell[0], r=cell[1]),))
    return verdict


def refuses_more_than_nine_tiles(log, table):
    return Refused((("red", "cell:0,0"),), (), None) if 10 <= len(table.seen) < 20 else judge(log, table)


def waits_for_ever(log, table):
    return Waiting(()) if len(table.seen) > 12 else judge(log, table)


def accepts_every_tile(log, table):
    verdict = judge(log, table)
    return Follows(()) if isinstance(verdict, Refused) else verdict


def cures_the_other_colour(log, table):
    verdict = judge(log, table)
    if isinstance(verdict, Refused):
        return replace(verdict, cure=tuple(replace(act, piece=other(act.piece)) for act in verdict.cure))
    return verdict


def takes_everything_away(log, table):
    verdict = judge(log, table)
    return replace(verdict, cure=verdict.cure * 3) if isinstance(verdict, Refused) else verdict


def refuses_tiles_in_the_hands(log, table):
    verdict = judge(log, table)
    lifted = isinstance(verdict, Waiting) and len(verdict.missing) == 2 and not table.unseen
    return Refused(verdict.missing, (), None) if lifted else verdict


def follows_no_push(log, table):
    verdict = judge(log, table)
    slid = [move for move in getattr(verdict, "moves", ()) if str(move).startswith("slide")]
    return Waiting(()) if slid else verdict


@cache
def count_failures():
    return sum((six_examination.play_round(seed, "plain")[0] for seed in (0, 1)), Counter())


@pytest.mark.parametrize(("referee", "kind"), [
    (takes_one_place_for_another, WRONG_RECORD),
    (refuses_more_than_nine_tiles, ACCUSATION),
    (waits_for_ever, DEAD_END),
    (accepts_every_tile, WRONG_RECORD),
    (refuses_tiles_in_the_hands, ACCUSATION),
    (follows_no_push, DEAD_END),
    (cures_the_other_colour, MISLEADING),
    (takes_everything_away, MISLEADING),
])  # fmt: skip
def test_a_wrong_referee_is_found(referee, kind, monkeypatch):
    honest = count_failures()[kind]
    monkeypatch.setattr(six_session, "judge", referee)
    assert count_failures.__wrapped__()[kind] > honest


@pytest.fixture
def session():
    return TileSession(Random(1), Docket("six", "test", 1), {"width": 1200, "height": 900}, Match("red"))


def place_of(frame):
    return f"start {round(frame.x)} {round(frame.y)} {round(frame.angle * 10)} {round(frame.pitch * 10)}"


def test_a_board_that_was_pushed_still_lies_as_recorded_once_its_place_is_known(session):
    before = place_of(session.table.frame)
    session.table.push(150, 20, 40)
    after = place_of(session.table.frame).replace("start", "slide")
    assert not lies_so(read_record([before], session.start), session.table)
    assert lies_so(read_record([before, after], session.start), session.table)


def test_an_illegal_line_of_the_record_is_named(session):
    record = read_record(["lay red 0 1", "lay red 0 2"], session.start)
    assert record.wrong.startswith("lay red 0 2")
    assert record.plies == 1


def test_a_tie_is_open_until_somebody_says_which_group_goes():
    west, east = [(-1, 0), (-2, 0), (-3, 0)], [(1, -1), (2, -1), (3, -1)]
    start = Match("red", tiles=dict.fromkeys([(0, 0), *west, *east], "red"), stock={"red": 0, "black": 0})
    assert read_record(["move 0 0 0 -1"], start).open
    decided = read_record(["move 0 0 0 -1", "lose 1 -1"], start)
    assert not decided.open
    assert set(decided.match.tiles) == {*west, (0, -1)}


def test_an_arm_hides_a_tile_of_which_a_part_is_covered(session):
    tile = session.table.tiles[0]
    session.table.reach_over(tile.x, tile.y)
    assert not session.table.is_in_sight(tile)
    assert (tile.x, tile.y) not in {(piece.x, piece.y) for piece in session.table.picture().seen}
