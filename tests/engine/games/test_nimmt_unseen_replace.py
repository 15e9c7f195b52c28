"""A Replace of which the camera has missed a part: the old card, the new one, or the row that the new one went with."""

import pytest

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.referee import Follows, Refused, Waiting, judge
from tests.support.nimmt import Hint, begin, look, script

ROWS = ((30,), (12,), (10,), (35,))
LAID = (*ROWS[:3], (35, 103))
LAST_UNSEEN = (52, 40)
"""Two of three players have shown their cards; player 3 has shown one under a hand."""


def turn(**more):
    return begin(ROWS, shown=LAST_UNSEEN, players=3, variant="anniversary", **more)


@pytest.mark.parametrize(
    ("rows", "seats", "beside", "asked"),
    [
        (ROWS, {1: 52, 2: 40, 3: 103}, {3: "replace"}, "unless_it_brought"),
        (LAID, {1: 52, 2: 40}, {3: "replace"}, "unless_it_brought"),
        (LAID, {1: 52, 2: 40}, None, "unless_replace_brought"),
    ],
    ids=["the new card is shown", "the new card is laid", "the Replace is cleared too"],
)
def test_a_card_out_of_order_is_asked_about_if_replace_may_have_brought_it(rows, seats, beside, asked):
    log = turn()
    table = look(log, rows, seats, beside=beside)
    script(log, (table, Hint("A-61", asked)))
    log = log.add(m.Replaced(3, 103))
    verdict = judge(log, table)
    assert isinstance(verdict, Follows)
    log = log.add(*verdict.moves)
    assert judge(log, table) == Follows(())
    assert log.state.specials.held == (3, 3, 2)


@pytest.mark.parametrize(
    ("rows", "seats"),
    [((*ROWS[:3], (35, 40)), {1: 52, 3: 5}), ((*ROWS[:3], (35, 40, 52)), {3: 5})],
    ids=["one card was laid before it", "all were laid before it"],
)
def test_the_card_that_replace_sent_home_unseen_is_asked_for_if_higher_cards_were_laid_first(rows, seats):
    log = turn()
    table = look(log, rows, seats, beside={3: "replace"})
    script(log, (table, Hint("A-61", "which_was_replaced")))
    log = log.add(m.Reveal(3, 45 if 1 in seats else 60))
    verdict = judge(log, table)
    assert isinstance(verdict, Follows)
    after = log.add(*verdict.moves).state
    assert (after.slot.card, after.slot.special, after.slot.used) == (5, "replace", True)


def test_the_card_of_a_replace_that_is_laid_without_another_one_is_asked_about():
    log = turn().add(m.Reveal(3, 5), m.Special(3, "replace"))
    table = look(log, ((5,), *ROWS[1:]), {1: 52, 2: 40}, beside={3: "replace"})
    script(log, (table, Hint("A-61", "unless_it_brought")))
    log = log.add(m.Swap(5))
    assert isinstance(judge(log, table), Follows)
    assert log.state.specials.held == (3, 3, 2)


def test_the_card_that_replace_brought_is_laid_in_the_slot_of_the_card_not_seen():
    log = turn().add(m.Replaced(3, 103))
    table = look(log, LAID, {1: 52, 2: 40}, beside={3: "replace"})
    log = script(log, (table, ("lay 103 4",)))
    later = look(log, (*ROWS[:3], (35, 103)), {1: 52, 2: 40})
    log = script(log, (later, ("tidy special:3",)))
    assert [card for _, card in log.state.order()] == [40, 52]


@pytest.mark.parametrize(
    ("more", "rows", "seats"),
    [
        ({"specials": "none"}, LAID, {1: 52, 2: 40}),
        ({"turns": 11}, LAID, {1: 52, 2: 40}),
        ({}, (*ROWS[:3], (35, 20)), {1: 52, 2: 40}),
        ({}, (*ROWS[:2], (10, 103), ROWS[3]), {1: 52, 2: 40}),
    ],
    ids=["a player without specials", "the last turn", "a card that is low", "a wrong row"],
)
def test_a_card_that_replace_cannot_have_brought_there_is_not_asked_about(more, rows, seats):
    log = turn()
    if more.pop("specials", ""):
        held = log.state.specials
        more["specials"] = type(held)((3, 3, 0), held.stock)
    log = turn(**more)
    verdict = judge(log, look(log, rows, seats))
    why = verdict.why if isinstance(verdict, Refused) else verdict.hint if isinstance(verdict, Waiting) else None
    assert why is None or not why.text.id.startswith("unless_")


@pytest.mark.parametrize(
    ("shown", "player"), [((52,), 3), ((52, 40, 60), 3), (LAST_UNSEEN, 1)],
    ids=["two players have shown nothing", "all have shown", "another player"],
)  # fmt: skip
def test_an_unseen_replace_needs_one_player_who_shows_nothing(shown, player):
    log = begin(ROWS, shown=shown, players=3, variant="anniversary")
    with pytest.raises(Illegal):
        log.add(m.Replaced(player, 103))


FIVE = ((27,), (18,), (80, 90), (60, 61), (5,))


def replaced(rows=FIVE):
    marks = (*[frozenset()] * 4, frozenset({"fifth"} if len(rows) == 5 else ()))
    lying = (("fifth", "mark:5"),) if len(rows) == 5 else ()
    log = begin(rows, shown=(3, 50, 33), variant="anniversary", marks=marks, lying=lying)
    return log.add(log.parse("special 1 replace"))


def test_the_new_card_that_went_with_one_of_five_rows_is_asked_for():
    log = replaced()
    table = look(log, ((), *FIVE[1:]), {2: 50, 3: 33})
    script(log, (table, Hint("R-5", "which_card_played")))
    log = log.add(m.Swap(2))
    assert log.add(*judge(log, table).moves).state.piles[0] == (27, 2)


def test_a_card_in_a_hand_is_not_asked_for_while_no_row_is_gone():
    log = replaced()
    verdict = judge(log, look(log, FIVE, {2: 50, 3: 33}, beside={1: "replace"}, marks={5: ["fifth"]}))
    assert isinstance(verdict, Waiting)
    assert verdict.hint is None
