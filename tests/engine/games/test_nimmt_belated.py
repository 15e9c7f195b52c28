"""A wrong laying that is found after the next reveal: the table stands (R-4)."""

import pytest

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.referee import Follows, Refused, Waiting, adopt_table, judge
from tests.support.nimmt import begin, look

LOG = begin(((10,), (30,), (50,), (70,)), shown=(11, 31)).add(m.Lay(11, 1))
WRONG = ((10, 11, 31), (30,), (50,), (70,))
NEXT = {1: 12, 2: 32}


@pytest.mark.parametrize(
    ("rows", "seats"),
    [
        pytest.param(WRONG, NEXT, id="a card in a wrong row"),
        pytest.param(((31,), (30,), (50,), (70,)), NEXT, id="a card that took a wrong row"),
        pytest.param(((10, 11), (30,), (50,), (70,), (31,)), NEXT, id="a card that began a fifth row"),
    ],
)
def test_the_table_stands_when_all_show_the_next_cards(rows, seats):
    verdict = judge(LOG, look(LOG, rows, seats))
    assert isinstance(verdict, Refused)
    assert (verdict.why.ruling, verdict.why.stands, verdict.cure, verdict.rewind) == ("R-4", True, (), None)
    assert [piece for piece, _ in verdict.wrong] == ["31"]


def test_the_table_that_stands_is_adopted_and_the_next_turn_goes_on():
    table = look(LOG, WRONG, NEXT)
    after = adopt_table(LOG, table)
    assert (after.state.turns, after.state.slot.card) == (LOG.state.turns + 1, 12)
    assert judge(after, table) == Follows(())


@pytest.mark.parametrize(
    ("rows", "seats", "slot"),
    [
        pytest.param(((10, 11, 31), (12,), (50,), (70,)), {2: 32}, 32, id="a low one, which took a row"),
        pytest.param(((10, 11, 31, 32), (30,), (50,), (70,)), {2: 75}, 75, id="one behind the wrong card"),
    ],
)
def test_it_stands_also_when_a_next_card_is_laid_already_and_the_turn_goes_on_with_the_others(rows, seats, slot):
    table = look(LOG, rows, seats)
    verdict = judge(LOG, table)
    assert isinstance(verdict, Refused)
    assert (verdict.why.ruling, verdict.cure, verdict.wrong) == ("R-4", (), (("31", "row:1"),))
    after = adopt_table(LOG, table, (("pile:1", ("30",)),) if 30 not in sum(rows, ()) else ())
    assert (after.state.turns, after.state.slot.card) == (LOG.state.turns + 1, slot)
    assert judge(after, table) == Follows(())


@pytest.mark.parametrize(
    ("rows", "seats"),
    [
        pytest.param(((10, 11, 31), (30,), (50,), (70, 75)), {1: 12}, id="a next card laid before a lower one"),
        pytest.param(((10, 11, 31), (30,), (50,), (70, 75, 76)), {1: 90}, id="more next cards than players"),
        pytest.param(((10, 11, 31), (30,), (50, 51), (70,)), {1: 90, 2: 12}, id="a card beside those that are shown"),
    ],
)
def test_it_does_not_stand_where_another_card_lies_wrong_as_well(rows, seats):
    verdict = judge(LOG, look(LOG, rows, seats))
    assert isinstance(verdict, Refused)
    assert not verdict.why.stands


def test_cards_of_this_turn_that_lie_right_do_not_matter():
    log = begin(((10,), (30,), (50,), (70,)), shown=(11, 31, 71))
    table = look(log, ((10, 11, 31), (30,), (50,), (70, 71)), {1: 12, 2: 32, 3: 90})
    log = log.add(*judge(log, table).moves)
    assert str(log.moves[-1]) == "lay 11 1"
    verdict = judge(log, table)
    assert isinstance(verdict, Refused)
    assert (verdict.why.ruling, verdict.wrong) == ("R-4", (("31", "row:1"),))


@pytest.mark.parametrize(
    ("rows", "seats"),
    [
        pytest.param(WRONG, {1: 12}, id="one player alone shows the next card"),
        pytest.param(WRONG, {}, id="no player shows the next card"),
        pytest.param(WRONG, {1: "back", 2: "back"}, id="the next cards lie face down"),
        pytest.param(WRONG, {1: 12, 2: 10}, id="a card shown was laid before"),
        pytest.param(((10, 31, 11), (30,), (50,), (70,)), NEXT, id="a row that does not rise cannot stand"),
    ],
)
def test_else_the_card_is_told_to_be_moved(rows, seats):
    verdict = judge(LOG, look(LOG, rows, seats))
    assert isinstance(verdict, Refused)
    assert (verdict.why.ruling, bool(verdict.cure)) == ("N-10", True)


@pytest.mark.parametrize(
    ("rows", "hide"),
    [
        pytest.param(WRONG, ["row:2"], id="a row is hidden"),
        pytest.param(WRONG, ["seat:2"], id="a seat is hidden"),
        pytest.param(((10, 31), (30,), (50,), (70,)), [], id="a card of a row is in the air"),
        pytest.param((WRONG[0], (30,), (), (70,)), [], id="another row is in the air"),
    ],
)
def test_nothing_stands_that_is_not_in_sight(rows, hide):
    verdict = judge(LOG, look(LOG, rows, NEXT, hide=hide))
    assert isinstance(verdict, Refused | Waiting)
    why = verdict.why if isinstance(verdict, Refused) else verdict.hint
    assert why is None or not why.stands


def test_the_legal_moves_before_the_wrong_one_are_recorded_first():
    log = begin(((10,), (20, 21, 22, 23), (50,), (70,)), shown=(24, 26, 71), turns=3)
    table = look(log, ((10,), (26,), (50, 71), (70,)), {1: 80, 2: 81, 3: 82})
    verdict = judge(log, table)
    assert isinstance(verdict, Follows)
    assert [str(move) for move in verdict.moves] == ["lay 24 2", "take 2", "tidy row:2", "lay 26 2"]
    log = log.add(*verdict.moves)
    verdict = judge(log, table)
    assert (verdict.why.ruling, verdict.why.stands) == ("R-4", True)
    after = adopt_table(log, table)
    assert (after.state.turns, after.state.slot.card) == (4, 80)
    assert sum(after.state.pile_heads(player) for player in (1, 2, 3)) == log.state.pile_heads(2) > 0


def test_of_several_stories_before_the_wrong_card_none_is_recorded():
    """15 may have taken row 2, or row 4 before a Move: who took which row is asked when the table is adopted."""
    rows = ((22, 40, 55), (18, 34, 38, 50, 74), (3, 43, 44), (12, 66, 71, 78))
    log = begin(rows, shown=(30, 15), variant="anniversary", turns=3)
    table = look(log, ((22, 40, 55), (15,), (3, 43, 44), (30,)), {1: 59, 2: 8}, beside={1: "move"})
    verdict = judge(log, table)
    assert isinstance(verdict, Refused)
    assert (verdict.why.ruling, verdict.why.stands, verdict.wrong) == ("R-4", True, (("30", "row:4"),))
    after = adopt_table(log, table, (("pile:2", ("12", "66", "71", "78")), ("pile:1", ("18", "34", "38", "50", "74"))))
    assert (after.state.turns, after.state.slot.card) == (4, 8)
    assert judge(after, table) == Follows(())


def test_a_legal_turn_beside_the_next_cards_is_read():
    verdict = judge(LOG, look(LOG, ((10, 11), (30, 31), (50,), (70,)), NEXT))
    assert isinstance(verdict, Follows)
    assert str(verdict.moves[0]) == "lay 31 2"


def test_the_last_turn_has_no_next_cards():
    log = begin(((10,), (30,), (50,), (70,)), shown=(11, 31), turns=9)
    verdict = judge(log, look(log, ((10, 11, 31), (30,), (50,), (70,)), NEXT))
    assert isinstance(verdict, Refused)
    assert not verdict.why.stands


def test_no_move_lays_such_a_card():
    with pytest.raises(Illegal, match="stays_in_row"):
        LOG.add(m.Belated(31, 1))
