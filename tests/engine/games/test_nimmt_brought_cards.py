"""Without seats several cards may come to the rows between two looks: they are read by number, or asked about."""

import random
from dataclasses import replace

import pytest

from engine.games.nimmt import moves as m
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, Waiting, judge
from engine.table import Area, Piece, Table
from tests.support.nimmt import GAME, Hint, look, script


def begin(*lines, players=4):
    log = Log(GAME, {"players": players, "seats": "off"})
    for line in lines:
        log = log.add(log.parse(line))
    return log


def laid(log):
    return [move.card for move in log.moves if isinstance(move, m.Lay)]


def test_several_cards_of_one_look_are_laid_by_number_and_not_by_row():
    log = begin("deal 70,30,50,10")
    script(log, (look(log, ((70, 71), (30,), (50,), (10, 12))),
                 ("reveal 0 12", "lay 12 4", "reveal 0 71", "lay 71 1")))  # fmt: skip


def test_a_card_waits_while_a_hand_covers_a_row_where_a_lower_one_may_lie():
    log = begin("deal 10,30,50,70")
    script(
        log,
        (look(log, ((10, 12), (30,), (50,), (70, 71)), hide=["row:1"]), Hint("N-7", "lay_next")),
        (look(log, ((10, 12), (30,), (50,), (70, 71))), ("reveal 0 12", "lay 12 1", "reveal 0 71", "lay 71 4")),
    )


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (((10, 20), (11, 60), (12, 100), (13, 140), (29, 240)), ()),
        (((10, 20), (11, 60), (12, 100), (13, 140), (29, 190)), ("reveal 0 29", "lay 29 1")),
    ],
    ids=["with room for a fifth card below the hand", "beside the fourth"],
)
def test_the_sixth_card_beside_a_hidden_fifth_is_not_laid_as_the_fifth(cards, expected):
    log = begin("deal 10,30,50,70", "reveal 0 11", "lay 11 1", "reveal 0 12", "lay 12 1", "reveal 0 13", "lay 13 1")
    others = frozenset(piece for piece in look(log, ((), (30,), (50,), (70,))).seen)
    row = frozenset(Piece(str(card), x, 60.0) for card, x in cards)
    script(log, (Table(others | row, (Area(150, 20, 260, 90),)), expected))


@pytest.mark.parametrize("hidden", ["row:1", "row:2", "row:3", "row:4"])
def test_no_row_may_be_hidden_when_a_card_is_accepted(hidden):
    """In the row of the card itself the fifth may lie before the sixth."""
    log = begin("deal 10,30,50,70", "reveal 0 71", "lay 71 4", "reveal 0 72", "lay 72 4", "reveal 0 73", "lay 73 4")
    rows = ((10,), (30,), (50,), (70, 71, 72, 73, 75))
    verdict = judge(log, look(log, rows, hide=[hidden]))
    assert verdict == Follows(()) if hidden == "row:4" else isinstance(verdict, Waiting)
    script(log, (look(log, rows), ("reveal 0 75", "lay 75 4")))


def test_a_row_in_the_air_may_have_held_a_lower_card():
    log = begin("deal 10,30,50,70")
    script(
        log,
        (look(log, ((10, 12), (), (50,), (70,))), Waiting),
        (look(log, ((10, 12), (3,), (50,), (70,))),
         ("reveal 0 3", "take 2", "tidy row:2", "lay 3 2", "reveal 0 12", "lay 12 1")),
    )  # fmt: skip


def test_a_lower_card_after_a_higher_one_is_refused_in_full_sight():
    log = begin("deal 10,30,50,70", "reveal 0 71", "lay 71 4")
    script(log, (look(log, ((10, 12), (30,), (50,), (70, 71))), "N-7"))


def test_the_last_card_of_a_turn_and_the_first_of_the_next_are_told_by_the_rules():
    """12 cannot follow 71 in its turn: it is of the next one."""
    log = begin("deal 10,30,50,70", "reveal 0 55", "lay 55 3", players=2)
    script(log, (look(log, ((10, 12), (30,), (50, 55), (70, 71))),
                 ("reveal 0 71", "lay 71 4", "reveal 0 12", "lay 12 1")))  # fmt: skip


def test_of_two_cards_that_may_both_end_the_turn_it_is_asked_which():
    log = begin("deal 10,30,50,70", "reveal 0 11", "lay 11 1", players=2)
    verdict = judge(log, look(log, ((10, 11), (30, 31), (50,), (70, 71))))
    assert isinstance(verdict, Unclear)
    assert {tuple(map(str, story[:2])) for story in verdict.stories} == {
        ("reveal 0 31", "lay 31 2"),
        ("reveal 0 71", "lay 71 4"),
    }


def test_more_cards_than_can_be_tried_are_asked_about():
    log = begin("deal 10,30,50,70", players=2)
    script(log, (look(log, ((10, 11, 12), (30, 31, 32), (50, 51), (70, 71))), Hint("N-7", "which_first")))


def test_a_card_that_came_and_went_with_its_row_is_asked_for():
    """91 was laid as the fifth card and taken by 97 before anybody looked: only the players know."""
    log = begin("deal 10,30,50,48", "reveal 0 58", "lay 58 3", "reveal 0 60", "lay 60 3", "reveal 0 77", "lay 77 3",
                players=6)  # fmt: skip
    rows = ((10,), (30,), (97,), (48,))
    log = script(log, (look(log, rows), Hint("N-12", "what_lay_behind")))
    log = log.add(m.Reveal(0, 91), m.Lay(91, 3))
    script(log, (look(log, rows), ("reveal 0 97", "take 3", "tidy row:3", "lay 97 3")))


def test_a_row_that_was_not_full_is_not_taken_on_the_word_of_a_player():
    log = begin("deal 10,30,50,70", "reveal 0 75")
    after = judge(log, look(log, ((10,), (30,), (50,), (75,))))
    assert isinstance(after, Waiting)
    with pytest.raises(Exception, match="belongs_in_row"):
        log.add(m.Take(4))


@pytest.mark.parametrize("seed", range(40))
def test_turns_laid_between_two_looks_are_never_accused_nor_recorded_out_of_order(seed):
    """Two to five players lay whole turns by number; some looks are left out, over others lies a hand."""
    rng = random.Random(seed)
    players = rng.randint(2, 5)
    deck = rng.sample(range(1, 105), 104)
    rows = [[deck.pop()] for _ in range(4)]
    log = begin(f"deal {','.join(str(row[0]) for row in rows)}", players=players)
    truth = []

    def see(hide=()):
        nonlocal log
        verdict = judge(log, look(log, rows, hide=hide))
        assert not isinstance(verdict, Refused | Unclear), verdict
        if isinstance(verdict, Follows):
            log = log.add(*verdict.moves)
        assert laid(log) == truth[: len(laid(log))]

    for _ in range(10):
        for card in sorted(deck.pop() for _ in range(players)):
            lower = [row for row in rows if row[-1] < card]
            row = max(lower, key=lambda r: r[-1]) if lower else rng.choice(rows)
            takes = not lower or len(row) == 5
            if takes:
                see()  # a card that is taken before it was seen is asked for, not told
            row[:] = [card] if takes else [*row, card]
            truth.append(card)
            if rng.random() < 0.5:
                see(hide=rng.sample(["row:1", "row:2", "row:3", "row:4"], rng.randint(0, 1)))
        see()
        assert laid(log) == truth


# a row lifted in the middle of a turn


@pytest.mark.parametrize(
    ("lines", "rows", "cure"),
    [
        (("reveal 0 35", "lay 35 1"), ((29, 35), (66,), (), (78,)), [("83", "row:3")]),
        (("reveal 0 5", "take 2", "tidy row:2", "lay 5 2"), ((29,), (5,), (), (78,)), [("83", "row:3")]),
        (
            ("reveal 0 35", "lay 35 1", "reveal 0 84", "lay 84 3", "reveal 0 85", "lay 85 3"),
            ((29, 35), (66,), (), (78,)),
            [("83", "row:3"), ("84", "row:3"), ("85", "row:3")],
        ),
        (("reveal 0 35", "lay 35 1", "reveal 0 40", "lay 40 1", "reveal 0 41", "lay 41 1"),
         ((), (66,), (83,), (78,)), []),
        (("reveal 0 35", "lay 35 1", "reveal 0 40", "lay 40 1", "reveal 0 41", "lay 41 1", "reveal 0 42", "lay 42 1"),
         ((), (66,), (83,), (78,)), []),
        ((), ((29,), (66,), (), (78,)), []),
    ],
    ids=[
        "no later card is low", "also after a low card", "a row of three", "another card may have filled a row of four",
        "a full row", "the first card of a turn may be low",
    ],
)  # fmt: skip
def test_a_lifted_row_that_no_later_card_can_take_is_to_be_put_back(lines, rows, cure):
    log = begin("deal 29,66,83,78", *lines, players=10)
    verdict = judge(log, look(log, rows))
    assert isinstance(verdict, Waiting)
    assert [(act.piece, act.target) for act in verdict.cure] == cure
    assert verdict.hint.text.id == ("no_take_now" if cure else "lay_taker")
    script(log, (look(log, log.state.rows), ()))


def test_a_card_laid_beside_a_row_that_no_card_can_take_counts_and_the_row_is_to_be_put_back():
    log = begin("deal 29,66,83,78", "reveal 0 35", "lay 35 1")
    table = look(log, ((29, 35, 40), (66,), (), (78,)))
    log = script(log, (table, ("reveal 0 40", "lay 40 1")), (table, Hint("N-12", "no_take_now")))
    assert [(act.piece, act.target) for act in judge(log, table).cure] == [("83", "row:3")]


def test_a_card_that_may_end_the_turn_waits_beside_a_row_that_the_next_one_may_take():
    log = begin("deal 29,66,83,78", "reveal 0 35", "lay 35 1", players=2)
    verdict = judge(log, look(log, ((29, 35, 40), (66,), (), (78,))))
    assert isinstance(verdict, Waiting)
    assert verdict.cure == ()
    script(log, (look(log, ((29, 35, 40), (66,), (7,), (78,))),
                 ("reveal 0 40", "lay 40 1", "reveal 0 7", "take 3", "tidy row:3", "lay 7 3")))  # fmt: skip


# cards that were not seen, and those that a hidden row cannot hold


def test_cards_that_can_only_be_of_the_next_turn_show_that_one_was_taken_unseen():
    """75 ended the turn under a hand and was taken by 5: that 5 came after 31 is the other answer."""
    log = begin("deal 10,30,50,70", "reveal 0 31", "lay 31 2", players=2)
    table = look(log, ((10,), (30, 31), (50,), (5,)))
    script(log, (table, Hint("N-12", "what_lay_behind")))
    assert judge(log, table).rewind.back == 2
    log = log.add(m.Reveal(0, 75))
    log = script(log, (table, ("lay 75 4", "reveal 0 5", "take 4", "tidy row:4", "lay 5 4")))
    assert log.state.unowned == ((70, 75),)


def test_a_card_that_was_entered_and_went_with_its_row_is_not_to_be_put_back():
    log = begin("deal 10,30,50,70", "reveal 0 11", "lay 11 1", "reveal 0 12", "lay 12 1", "reveal 0 31", "lay 31 2",
                "reveal 0 71", "lay 71 4", "reveal 0 13", players=4)  # fmt: skip
    table = look(log, ((15,), (30, 31), (50,), (70, 71, 99)))
    verdict = judge(log, table)
    assert isinstance(verdict, Waiting)
    assert (str(verdict.hint.text), verdict.cure) == ("lay_behind card=13 row=1 behind=12", ())
    log = log.add(m.Lay(13, 1))
    script(log, (table, Hint("N-12", "what_lay_behind")))


def test_an_entered_card_that_took_a_row_which_another_one_begins_is_not_to_be_put_back():
    log = begin("deal 10,30,50,70", "reveal 0 11", "lay 11 1", "reveal 0 12", "lay 12 1", "reveal 0 13", "lay 13 1",
                "reveal 0 14", "lay 14 1", "reveal 0 16", "take 1", players=4)  # fmt: skip
    table = look(log, ((5, 7), (30,), (50,), (70,)))
    log = script(log, (table, ("tidy row:1",)), (table, Hint("N-7", "starts_row")))
    script(log.add(m.Lay(16, 1)), (table, Hint("N-12", "what_lay_behind")))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (((59, 72, 87, 96, 104), (23,), (20,), (28, 30)), ("reveal 0 30", "lay 30 4", "reveal 0 104", "lay 104 1")),
        (((59, 72, 87, 96), (23,), (20,), (28, 30)), ("reveal 0 30", "lay 30 4")),
        (((59, 72, 87, 96), (23,), (20,), (28, 97)), Waiting),
        (((72, 87, 96), (23,), (20,), (28, 30)), Waiting),
    ],
    ids=[
        "all its places",
        "its own cards, and a lower new one",
        "its own cards, and a higher new one",
        "a part of them",
    ],
)
def test_a_hidden_row_keeps_only_cards_waiting_that_may_come_after_one_in_it(rows, expected):
    log = begin("deal 59,23,20,28", "reveal 0 72", "lay 72 1", "reveal 0 87", "lay 87 1", "reveal 0 96", "lay 96 1",
                players=3)  # fmt: skip
    table = look(log, rows)
    script(log, (replace(table, unseen=look(log, rows, hide=["row:1"]).unseen), expected))
