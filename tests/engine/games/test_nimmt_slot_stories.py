"""Several slots of the anniversary game between two looks: the one legal story is read, several are asked about."""

import pytest

from engine.game import play_moves
from engine.referee import Follows, Refused, Unclear, Waiting, judge
from tests.support.nimmt import GAME, Hint, begin, look, script

FIVE = (*[frozenset()] * 4, frozenset({"fifth"}))
FIFTH = (("fifth", "mark:5"),)


def at_rows(*kinds):
    """Specials that lie at rows and are in force: by row, several as a set."""
    marks = tuple(frozenset({kind} if isinstance(kind, str) else kind) - {""} for kind in kinds)
    lying = tuple(sorted((kind, f"mark:{r}") for r, held in enumerate(marks, 1) for kind in held))
    return {"marks": (*marks, *[frozenset()] * (5 - len(marks))), "lying": lying}


def slots(rows, *shown, **more):
    return begin(rows, shown=shown, variant="anniversary", **more)


def stories(verdict):
    assert isinstance(verdict, Unclear), verdict
    return {" ; ".join(map(str, story)) for story in verdict.stories}


def test_a_new_fifth_row_after_the_take_of_one_of_five_rows():
    log = slots(((50, 52), (60,), (36,), (30, 72, 76, 78, 80), (98,)), 84, 90, 99, **at_rows("", "", "", "", "fifth"))
    table = look(log, ((50, 52), (60,), (36,), (), (98,)), {2: 90, 3: 99}, marks={4: ["fifth"]})
    script(log, (table, ("take 4", "tidy row:4", "tidy mark:5", "tidy seat:1", "mark fifth 4")))


def test_a_new_take_at_7_while_another_one_leaves_with_its_row():
    rows = ((19,), (30, 45, 53, 89, 90), (6,), (5,))
    log = slots(rows, 2, 14, 15, 65, **at_rows("", "seven"))
    table = look(log, ((19,), (2,), (6, 14, 15), (5,)), {4: 65}, marks={3: ["seven"]})
    assert stories(judge(log, table)) == {
        f"take 2 ; tidy row:2 ; lay 2 2 ; tidy mark:2 ; {rest}"
        for rest in ("mark seven 3 ; lay 14 3 ; lay 15 3", "lay 14 3 ; mark seven 3 ; lay 15 3")
    }


def test_a_block_may_be_of_each_player_whose_take_it_allows():
    log = slots(((50,), (65,), (68,), (76,), (104,)), 2, 34, 83, **at_rows("", "", "", "", "fifth"))
    table = look(log, ((50,), (65,), (68,), (), (104,)), {2: 34, 3: 83}, marks={1: ["block"]})
    found = stories(judge(log, table))
    assert len(found) == 2
    for story in found:
        assert play_moves(GAME, log.state, map(GAME.parse, story.split(" ; "))).piles[0] == (76, 2)


def test_a_block_is_of_the_player_for_whom_the_row_that_is_gone_was_full():
    log = slots(((60, 65), (38, 40), (97, 101), (24, 27, 39, 47)), 16, 58, 70, 93)
    table = look(log, ((60, 65), (38, 40), (16,)), {3: 70, 4: 93}, marks={1: ["block"]})
    script(log, (table, ("take 3", "tidy row:3", "lay 16 3", "lay 58 4", "mark block 1")))


def test_a_card_that_a_move_brought_to_a_row_was_taken_with_it():
    log = slots(((80,), (1, 8, 30), (69,), (31, 71, 75)), 34, 51)
    table = look(log, ((80,), (51,), (69,), (31, 75)), beside={2: "move"})
    script(log, (table, ("lay 34 2", "special 2 move", "shift 71 2", "take 2", "tidy row:2", "lay 51 2")))


def test_a_row_under_a_hand_may_hold_the_card_that_a_move_carries():
    log = slots(((93, 103), (56,), (12,), (9, 18, 38, 44)), 22, 78)
    log = log.add(log.parse("special 1 move"))
    hidden = look(log, ((93,), (56,)), {1: 22, 2: 78}, beside={1: "move"}, hide=["row:3"])
    assert isinstance(judge(log, hidden), Waiting)
    seen = look(log, ((93,), (56,), (12, 103)), {1: 22, 2: 78}, beside={1: "move"})
    script(log, (seen, ("shift 103 3",)))


def test_a_spent_take_at_7_is_cleared_while_another_one_is_played():
    log = slots(((80,), (99,), (94,), (15, 16)), 84, 89, lying=(("seven", "mark:3"),))
    log = log.add(log.parse("mark seven 1"))
    script(log, (look(log, ((80,), (99,), (94,), (15, 16)), {1: 84, 2: 89}, marks={1: ["seven"]}), ("tidy mark:3",)))


def test_two_low_cards_took_a_row_each_and_the_first_ended_the_five_rows():
    rows = ((23,), (51,), (77, 84, 98), (28, 44), (104,))
    log = slots(rows, 19, 21, 26, 50, **at_rows("", "", "seven", "", "fifth"))
    table = look(log, ((23,), (51,), (), (21,), (104,)), {3: 26, 4: 50}, marks={1: ["seven"]})
    script(log, (table, ("take 3", "tidy row:3", "tidy mark:3", "tidy mark:5", "tidy seat:1",
                         "take 4", "tidy row:4", "lay 21 4", "mark seven 1")))  # fmt: skip


@pytest.mark.parametrize("hidden", ["row:2", "row:5", "seat:2"])
def test_slots_wait_while_a_place_is_hidden(hidden):
    log = slots(((10,), (30,), (50,), (70,)), 11, 31, 60)
    table = look(log, ((10, 11), (30, 31), (50,), (70,)), {3: 60}, hide=[hidden])
    assert isinstance(judge(log, table), Waiting)


def test_slots_without_a_special_are_laid_in_order():
    log = slots(((10,), (30,), (50,), (70,)), 11, 31, 60)
    script(log, (look(log, ((10, 11), (30, 31), (50,), (70,)), {3: 60}), ("lay 11 1", "lay 31 2")))


def test_an_illegal_end_is_refused():
    log = slots(((10,), (30,), (50,), (70,)), 11, 31, 60)
    assert isinstance(judge(log, look(log, ((10,), (30, 31), (50,), (70, 11)), {3: 60})), Refused)


def test_a_special_beside_a_shown_card_waits_while_another_seat_is_hidden():
    log = begin(variant="anniversary", shown=(11,))
    hidden = look(log, ((10,), (20,), (30,), (40,)), {1: 11}, beside={1: "insert"}, hide=["seat:2"])
    script(log, (hidden, Hint("N-6", "unless_all_shown")))


def test_a_second_special_is_refused_although_the_first_has_been_carried_out_since():
    log = slots(((10, 32), (26,), (22, 46), (41,)), 33, 99)
    log = log.add(log.parse("special 1 move"))
    table = look(log, ((10, 32, 46), (26,), (22,), (41,)), {1: 33, 2: 99})
    zones = GAME.arrange(log.state, table).zones | {"special:1": ("insert", "move")}
    verdict = judge(log, GAME.place(log.state, type(GAME.arrange(log.state, table))(zones)))
    assert isinstance(verdict, Refused)
    assert [str(act.piece) for act in verdict.cure] == ["insert"]


def test_a_special_straight_at_a_row_waits_until_the_last_card_is_shown():
    log = begin(variant="anniversary", shown=(11,))
    table = look(log, ((10,), (20,), (30,), (40,)), {1: 11, 2: 60}, marks={5: ["fifth"]})
    script(log, (table, ("reveal 2 60", "mark fifth 5")))


def test_an_insert_cannot_be_played_if_only_blocked_rows_end_higher():
    log = slots(((3,), (10, 16), (2,), (12, 90)), 44, 46, **at_rows("block", "", "", "block"))
    table = look(log, ((3,), (10, 16), (2,), (12, 90)), {1: 44, 2: 46}, beside={1: "insert"},
                 marks={1: ["block"], 4: ["block"]})  # fmt: skip
    script(log, (table, "A-51"))


def test_a_special_that_was_carried_along_hides_nothing_else_that_happened():
    log = slots(((10,), (30,), (50,), (70,)), 11, 31, 60, **at_rows("", "", "seven"))
    table = look(log, ((10, 11), (30, 31), (50,), (70,)), {3: 60}, marks={4: ["seven"]})
    verdict = judge(log, table)
    assert isinstance(verdict, Refused)
    assert [(act.piece, act.source, act.target) for act in verdict.cure] == [("seven", "mark:4", "mark:3")]


def test_a_special_that_was_carried_along_hides_no_choice_that_was_made():
    log = slots(((10,), (30,), (50,), (70,)), 11, 31, 60, **at_rows("", "", "seven"))
    table = look(log, ((10,), (11, 30), (50,), (70,)), {2: 31, 3: 60}, beside={1: "insert"}, marks={4: ["seven"]})
    verdict = judge(log, table)
    assert isinstance(verdict, Refused)
    assert [(act.piece, act.source, act.target) for act in verdict.cure] == [("seven", "mark:4", "mark:3")]


def test_a_block_where_another_one_was_just_removed_may_be_a_new_one():
    log = slots(((15,), (20, 44, 49, 56, 96), (47, 85), (102,)), 24, 43, lying=(("block", "mark:1"),))
    table = look(log, ((15,), (24,), (47, 85), (102,)), {2: 43}, marks={1: ["block"]})
    script(log, (table, Hint("A-10", "new_special")))
    log = log.add(log.parse("tidy mark:1"))
    script(log, (table, ("mark block 1", "take 2", "tidy row:2", "lay 24 2")))


@pytest.mark.parametrize("beside", [None, {1: "insert"}])
def test_an_insert_into_a_full_row_takes_all_but_its_last_card_while_the_next_player_takes_another_row(beside):
    log = slots(((11, 12, 13, 14, 15), (27, 28, 29), (58,), (18,)), 9, 10, 90)
    log = log.add(log.parse("special 1 insert"))
    handed = () if beside else ("tidy special:1",)
    table = look(log, ((15,), (10,), (58,), (18,)), {3: 90}, beside=beside)
    log = script(log, (table, ("lay 9 1", "tidy row:1", *handed, "take 2", "tidy row:2", "lay 10 2")))
    assert log.state.piles == ((9, 11, 12, 13, 14), (27, 28, 29), ())


def test_an_insert_into_a_full_row_may_be_followed_by_a_block():
    log = slots(((11, 12, 13, 14, 15), (27, 28, 29), (58,), (18,)), 9, 60, 90)
    log = log.add(log.parse("special 1 insert"))
    table = look(log, ((15,), (27, 28, 29), (58, 60), (18,)), {3: 90}, marks={2: ["block"]})
    laid = "lay 9 1 ; tidy row:1 ; tidy special:1"
    assert stories(judge(log, table)) == {
        f"{laid} ; {rest}" for rest in ("mark block 2 ; lay 60 3", "lay 60 3 ; mark block 2")
    }


def test_an_insert_into_a_full_one_of_five_rows_takes_its_last_card_too():
    rows = ((11, 12, 13, 14, 15), (27, 28, 29), (58,), (18,), (44,))
    log = slots(rows, 9, 60, 90, **at_rows("", "", "", "", "fifth"))
    log = log.add(log.parse("special 1 insert"))
    stays = look(log, ((15,), (27, 28, 29), (58, 60), (18,), (44,)), {3: 90}, marks={5: ["fifth"]})
    assert not isinstance(judge(log, stays), Follows)
    table = look(log, ((), (27, 28, 29), (58, 60), (18,), (44,)), {3: 90})
    told = ("lay 9 1", "tidy row:1", "tidy special:1", "tidy mark:5", "lay 60 3")
    verdict = judge(log, table)
    assert sorted(map(str, verdict.moves)) == sorted(told)


@pytest.mark.parametrize("fifth", [["fifth"], []], ids=["the 5th Row still lies there", "the 5th Row is gone"])
def test_a_whole_turn_with_a_block_beside_shown_cards_is_no_mess_but_asks_when_the_block_was_played(fifth):
    rows = ((91,), (27, 31, 64), (97, 99), (78, 83, 87), (14, 15, 30, 47, 77))
    log = slots(rows, 38, 40, 57, 43, 2, 35, 13, **at_rows("", "", "", "", "fifth"))
    after = (rows[0], (), rows[2], (13, 35, 38), rows[4])
    table = look(log, after, {2: 40, 3: 57, 4: 43}, marks={3: ["block"]} | ({5: fifth} if fifth else {}))
    slots_before_the_block = {
        story.split("mark block 3")[0].count("lay ") + story.split("mark block 3")[0].count("take 2")
        for story in stories(judge(log, table))
    }
    assert slots_before_the_block == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("turns", [11, 10], ids=["the last turn of the round", "a turn before"])
def test_a_take_at_7_is_carried_to_its_row_after_its_card_was_laid(turns):
    rows = ((39, 46, 88), (34,), (57, 70, 92, 94), (31, 41))
    log = slots(rows, 95, 96, turns=turns)
    log = log.add(*map(log.parse, ("lay 95 3", "special 2 seven", "lay 96 3")))
    table = look(log, (*rows[:2], (57, 70, 92, 94, 95, 96), rows[3]), marks={3: ["seven"]})
    log = script(log, (table, ("mark seven 3",)))
    script(log, (table, ()))


def test_a_special_of_the_last_turn_is_not_carried_to_an_empty_row():
    log = slots(((39, 46, 88), (34,), (57, 70), (31, 41)), 95, 96, turns=11)
    log = log.add(*map(log.parse, ("lay 95 1", "special 2 seven", "lay 96 1")))
    table = look(log, ((39, 46, 88, 95, 96), (34,), (57, 70), (31, 41)), marks={5: ["seven"]})
    script(log, (table, "A-8"))


def awaits_hands(verdict):
    """Nothing is recorded, and nobody is told to move a piece."""
    return isinstance(verdict, Waiting) and not verdict.cure and not verdict.before and not verdict.stories


@pytest.mark.parametrize("beside", [{1: "insert"}, None], ids=["the Insert lies there", "the Insert is cleared"])
@pytest.mark.parametrize(
    ("rows", "seats", "marks"),
    [
        (((14, 15), (27, 28, 29), (58,), (18,)), {2: 10, 3: 90}, None),
        (((14, 15), (10,), (58,), (18,)), {3: 90}, None),
        (((14, 15), (27, 28, 29), (58, 90), (18,)), {2: 10}, None),
        (((14, 15), (10,), (58,), (18,)), {3: 90}, {3: ["block"]}),
    ],
    ids=["nothing else", "the next player has taken a row", "a later card is laid", "a Block as well"],
)
def test_an_insert_into_a_full_row_is_awaited_until_only_its_last_card_is_left(rows, seats, marks, beside):
    log = slots(((11, 12, 13, 14, 15), (27, 28, 29), (58,), (18,)), 9, 10, 90)
    log = log.add(log.parse("special 1 insert"))
    assert awaits_hands(judge(log, look(log, rows, seats, beside=beside, marks=marks)))


def test_a_later_players_insert_into_a_full_row_is_awaited_too():
    log = slots(((11, 12, 13, 14, 15), (27, 28, 29), (58,), (18,)), 9, 10, 19, 90)
    log = log.add(*map(log.parse, ("take 2", "tidy row:2", "lay 9 2")))
    half = look(log, ((14, 15), (9,), (58,), (18, 19)), {4: 90}, beside={2: "insert"})
    assert awaits_hands(judge(log, half))
    table = look(log, ((15,), (9,), (58,), (18, 19)), {4: 90}, beside={2: "insert"})
    script(log, (table, ("special 2 insert", "lay 10 1", "tidy row:1", "lay 19 4")))


FIVE_ROWS = ((21,), (27, 28, 29), (58,), (38,), (44,))


@pytest.mark.parametrize("cleared", [False, True], ids=["the 5th Row lies there", "the 5th Row is cleared"])
@pytest.mark.parametrize(
    ("rows", "seats"),
    [
        (((21,), (28, 29), (58,), (38,), (44,)), {2: 60, 3: 90}),
        (((21,), (28, 29), (58, 60), (38,), (44,)), {3: 90}),
        (((), (), (58,), (38,), (44,)), {2: 60, 3: 90}),
        (((), (), (58, 60), (38,), (44,)), {3: 90}),
    ],
    ids=["a row half lifted", "half lifted, the next card laid", "two rows lifted", "two lifted, the next card laid"],
)
def test_with_five_rows_the_take_of_a_low_card_is_awaited_until_one_row_alone_is_gone(rows, seats, cleared):
    log = slots(FIVE_ROWS, 9, 60, 90, **at_rows("", "", "", "", "fifth"))
    assert awaits_hands(judge(log, look(log, rows, seats, marks=None if cleared else {5: ["fifth"]})))
    whole = look(log, ((21,), (), (58, 60), (38,), (44,)), {3: 90}, marks={5: ["fifth"]})
    script(log, (whole, ("take 2", "tidy row:2", "tidy seat:1", "lay 60 3")))


def test_of_two_rows_gone_the_first_is_told_when_a_card_begins_the_second():
    rows = ((6, 37, 40, 66), (97,), (3, 8, 10, 15), (79, 87), (7, 44))
    log = slots(rows, 13, 20, 22, 100, **at_rows("", "", "", "", "fifth"))
    lifted = look(log, ((), (97,), (), (79, 87), (7, 44)), {3: 22, 4: 100})
    assert awaits_hands(judge(log, lifted))
    table = look(log, ((), (97,), (22,), (79, 87), (7, 44)), {4: 100})
    log = script(log, (table, ("take 1", "tidy row:1", "tidy mark:5", "tidy seat:1", "lay 20 3",
                               "take 3", "tidy row:3", "lay 22 3")))  # fmt: skip
    assert log.state.piles[0] == (6, 37, 40, 66, 13)


def test_an_insert_into_a_row_that_is_in_the_air_is_awaited():
    rows = ((2, 25, 34), (92, 94), (62, 73, 74, 88, 103), (66, 71))
    log = slots(rows, 27, 29, 39, 56, 80)
    log = log.add(log.parse("special 1 insert"))
    assert awaits_hands(judge(log, look(log, ((), (92, 94), (29,), (66, 71)), {4: 56, 5: 80})))
    table = look(log, ((56,), (92, 94), (29,), (66, 71)), {5: 80})
    log = script(log, (table, ("lay 27 1", "tidy special:1", "take 3", "tidy row:3", "lay 29 3", "lay 39 1",
                               "take 1", "tidy row:1", "lay 56 1")))  # fmt: skip
    assert log.state.piles[3] == (2, 25, 27, 34, 39)


BLOCKER = (41, 3, 19)
UNBLOCKED = ((27,), (18,), (80,), (60,))


def block_at_seat(*shown, rows=UNBLOCKED):
    log = slots(rows, *shown)
    return log.add(log.parse(f"special {shown.index(min(shown)) + 1} block"))


@pytest.mark.parametrize(
    ("rows", "seats", "marks"),
    [
        (((3,), (18,), (80,), (60,)), {1: 41, 3: 19}, None),
        (((3,), (18, 19), (80,), (60,)), {1: 41}, None),
        (((3,), (18,), (80,), (60,), (19,)), {1: 41}, {5: ["fifth"]}),
    ],
    ids=["nothing else", "the next card is laid", "the next player has begun a fifth row"],
)
def test_a_block_that_a_take_removed_before_it_was_seen_at_a_row_is_asked_about(rows, seats, marks):
    log = block_at_seat(*BLOCKER)
    table = look(log, rows, seats, marks=marks)
    verdict = judge(log, table)
    assert isinstance(verdict, Waiting)
    assert (verdict.hint.ruling, verdict.hint.text.id, verdict.cure) == ("A-50", "which_row_blocked", ())
    ends = set()
    for row in verdict.hint.text.get("maybe"):
        after = log.add(*map(log.parse, (f"mark block {row}",)))
        followed = judge(after, table)
        assert isinstance(followed, Follows)
        after = after.add(*followed.moves)
        assert judge(after, table) == Follows(())
        ends.add(after.state.piles)
    assert ends == {((), (27,), ())}


def test_a_row_that_its_own_card_took_was_not_blocked():
    log = block_at_seat(*BLOCKER)
    verdict = judge(log, look(log, ((3,), (18,), (80,), (60,)), {1: 41, 3: 19}))
    assert verdict.hint.text.get("maybe") == (2, 3, 4)


def test_a_block_that_allows_one_row_alone_needs_no_question():
    rows = ((10, 11, 12, 13, 14), (20,), (40,), (50,))
    log = block_at_seat(25, 30, 60, rows=rows)
    table = look(log, ((25,), (20,), (40,), (50,)), {2: 30, 3: 60})
    log = script(log, (table, ("mark block 2", "take 1", "tidy mark:2", "tidy row:1", "lay 25 1")))
    assert log.state.piles[0] == rows[0]


def test_a_block_that_was_taken_off_without_a_take_is_missed():
    log = block_at_seat(28, 30, 61)
    verdict = judge(log, look(log, ((27, 28), (18,), (80,), (60,)), {2: 30, 3: 61}))
    assert isinstance(verdict, Waiting)
    assert verdict.hint.text.id == "block_first"


def renewed_block():
    """Player 2 has taken row 3 and left the spent Block at row 2; player 1 has laid 11 and player 3 22 since."""
    rows = ((101,), (25,), (2,), (1, 3, 4, 21))
    log = slots(rows, 11, 22, 91, lying=(("block", "mark:2"),))
    return log.add(*map(log.parse, ("lay 11 3", "lay 22 4")))


def test_a_card_that_is_right_if_a_block_was_renewed_in_an_earlier_slot_is_asked_about():
    log = renewed_block()
    table = look(log, ((101,), (25,), (2, 11), (1, 3, 4, 21, 22, 91)), marks={2: ["block"], 4: ["seven"]})
    log = log.add(log.parse("special 3 seven"))
    script(log, (table, Hint("A-10", "is_special_new")))
    rewind = judge(log, table).rewind
    assert [str(move) for move in rewind.moves][:2] == ["tidy mark:2", "mark block 2"]
    log = log.take_back(rewind.back).add(*rewind.moves)
    assert judge(log, table) == Follows(())
    assert log.state.row(4) == (1, 3, 4, 21, 22, 91)


def test_of_several_slots_it_is_asked_whether_a_used_block_that_still_lies_there_is_a_new_one():
    rows = ((101,), (25,), (2,), (1, 3, 4, 21))
    log = slots(rows, 11, 22, 26, lying=(("block", "mark:2"),))
    verdict = judge(log, look(log, ((101,), (25,), (2, 11), (1, 3, 4, 21, 22)), {3: 26}, marks={2: ["block"]}))
    assert isinstance(verdict, Unclear)
    assert [" / ".join(map(str, story)) for story in verdict.stories] == [
        "lay 11 3 / lay 22 4",
        "tidy mark:2 / mark block 2 / lay 11 3 / lay 22 4",
        "lay 11 3 / tidy mark:2 / mark block 2 / lay 22 4",
    ]


@pytest.mark.parametrize(
    ("row", "seats", "marks"),
    [((1, 3, 4, 21), {2: 22, 3: 26}, {2: ["block"]}), ((1, 3, 4, 21, 22), {3: 26}, None)],
    ids=["one slot", "it is cleared"],
)
def test_a_used_block_is_not_asked_about_where_it_can_be_no_new_one(row, seats, marks):
    log = slots(((101,), (25,), (2,), (1, 3, 4, 21)), 11, 22, 26, lying=(("block", "mark:2"),))
    assert isinstance(judge(log, look(log, ((101,), (25,), (2, 11), row), seats, marks=marks)), Follows)


def test_several_slots_that_are_right_only_with_a_renewed_block_are_read_with_it():
    rows = ((101,), (25,), (2,), (1, 3, 4, 21))
    log = slots(rows, 11, 22, 26, lying=(("block", "mark:2"),))
    table = look(log, ((101,), (25,), (2, 11), (1, 3, 4, 21, 22)), {}, marks={2: ["block"]})
    assert not isinstance(judge(log, table), Refused)
    table = look(log, ((101,), (25,), (2, 11), (26,)), {}, marks={2: ["block"]})
    verdict = judge(log, table)
    assert not isinstance(verdict, Refused), verdict


def test_a_sixth_card_beside_a_full_row_waits_for_its_take_although_the_slot_before_is_read_with_it():
    full = (4, 21, 23, 30, 37)
    log = slots(((60,), (5, 9, 28), (2, 42), full), 49, 58, 104)
    table = look(log, ((60,), (5, 9, 28), (2, 42, 49), (*full, 58)), {3: 104}, marks={3: ["block"]})
    script(log, (table, Hint("N-12", "take_row")))
    assert [str(move) for move in judge(log, table).before] == ["lay 49 3", "mark block 3"]


def test_a_card_behind_the_one_that_took_its_row_is_no_sixth_card_although_a_take_at_7_went_to_a_seat():
    full = (15, 66, 67, 68, 73)
    log = slots(((95,), (43,), (1, 4, 31, 41, 55), full), 76, 77, **at_rows("", "", "seven"))
    verdict = judge(log, look(log, ((95,), (43,), (1, 4, 31, 41, 55), (76, 77)), {}, beside={1: "seven"}))
    assert isinstance(verdict, Refused)
    assert [(act.piece, act.target) for act in verdict.cure] == [("seven", "mark:3")]


def test_two_shown_cards_that_changed_seats_are_not_laid_in_the_row_that_a_5th_row_begins():
    log = slots(((12,), (62, 84, 96), (56, 65), (14, 55)), 77, 75)
    log = log.add(*map(log.parse, ("special 2 fifth", "mark fifth 5")))
    verdict = judge(log, look(log, ((12,), (62, 84, 96), (56, 65), (14, 55)), {1: 75, 2: 77}, marks={5: ["fifth"]}))
    assert isinstance(verdict, Refused)
    assert {(act.piece, act.source, act.target) for act in verdict.cure} == {
        ("75", "seat:1", "seat:2"), ("77", "seat:2", "seat:1"),
    }  # fmt: skip


def test_a_row_of_one_card_that_a_move_emptied_was_not_lifted():
    rows = ((64,), (7, 24), (68, 75, 85), (45, 60), (67, 82))
    log = slots(rows, 5, 27, 29, **at_rows("fifth"))
    table = look(log, ((), (7, 24), (), (45, 60, 64), (67, 82)), {2: 27, 3: 29}, beside={2: "move"})
    script(log, (table, ("take 3", "tidy row:3", "tidy mark:1", "tidy seat:1", "special 2 move", "shift 64 4")))
