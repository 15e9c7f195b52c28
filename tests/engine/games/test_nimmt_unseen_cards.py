"""What the camera misses in a turn with seats: specials under a hand, cards taken again, backs, exchanged cards."""

from dataclasses import replace

import pytest

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.state import Draft
from engine.log import Log
from engine.referee import Follows, Refused, Rewind, Unclear, Waiting, judge
from tests.support.nimmt import DEAL, GAME, Hint, begin, look, script

FULL = ((11, 12, 13, 14, 22), (20,), (30,), (40,))


def anniversary(*lines, players=2):
    log = Log(GAME, {"players": players, "variant": "anniversary"})
    for line in lines:
        log = log.add(log.parse(line))
    return log


# a special under a hand

SHOWN = ("deal 10,30,50,70", "reveal 1 11", "reveal 2 60")
LAID = ((10, 11), (30,), (50,), (70,))


@pytest.mark.parametrize("hidden", ["row:3", "row:5", "seat:1"])
def test_a_card_waits_while_a_special_of_its_slot_may_be_hidden(hidden):
    log = anniversary(*SHOWN)
    table = look(log, LAID, {2: 60}, hide=[hidden])
    verdict = judge(log, table)
    assert isinstance(verdict, Waiting)
    assert str(verdict.hint.text) == "lay_behind card=11 row=1 behind=10"


def test_a_hidden_seat_of_another_player_keeps_no_card_waiting():
    log = anniversary(*SHOWN)
    script(log, (look(log, LAID, {2: 60}, hide=["seat:6"]), ("lay 11 1",)))


@pytest.mark.parametrize(
    "lines",
    [("special 1 block", "mark block 4"), ("special 1 replace", "swap 12")],
    ids=["block", "replace"],
)
def test_a_card_with_its_special_waits_for_no_other(lines):
    log = anniversary(*SHOWN)
    log = log.add(*map(log.parse, lines))
    card = log.state.slot.card
    marks = {4: ["block"]} if "block" in lines[0] else None
    beside = None if marks else {1: "replace"}
    rows = ((10, card), *LAID[1:])
    script(log, (look(log, rows, {2: 60}, marks=marks, beside=beside, hide=["row:5"]), (f"lay {card} 1",)))


def test_a_player_without_specials_hides_none():
    log = anniversary(*SHOWN)
    log = begin(((10,), (30,), (50,), (70,)), shown=(11, 60), variant="anniversary", specials=_held(log, 0))
    script(log, (look(log, LAID, {2: 60}, hide=["row:5"]), ("lay 11 1",)))


def _held(log, first):
    specials = log.state.specials
    return type(specials)((first, *specials.held[1:]), specials.stock)


def test_a_take_at_7_seen_late_is_asked_about_and_not_charged_to_the_next_player():
    log = anniversary(*SHOWN, "lay 11 1")
    table = look(log, LAID, {2: 60}, marks={1: ["seven"]})
    script(log, (table, Hint("A-32", "whose_seven")))
    rewind = judge(log, table).rewind
    assert rewind == Rewind(1, (m.Mark("seven", 1), m.Lay(11, 1)))
    log = log.take_back(rewind.back).add(*rewind.moves)
    assert judge(log, table) == Follows(())
    assert log.state.specials.held == (2, 3)


def test_a_take_at_7_of_the_last_slot_is_asked_about_between_two_turns():
    log = anniversary(*SHOWN, "lay 11 1", "lay 60 3")
    table = look(log, (*LAID[:2], (50, 60), (70,)), marks={3: ["seven"]})
    script(log, (table, Hint("A-32", "whose_seven")))


@pytest.mark.parametrize(
    ("lines", "row", "ruling"),
    [((), 3, "A-32"), (("lay 11 1", "lay 60 3", "reveal 1 12", "reveal 2 61"), 3, "A-32"), (("lay 11 1",), 2, "A-32")],
    ids=["nothing-laid-yet", "another-turn", "another-row"],
)
def test_a_take_at_7_where_no_card_was_just_laid_is_refused(lines, row, ruling):
    log = anniversary(*SHOWN, *lines)
    with pytest.raises(Illegal) as why:
        log.add(m.Mark("seven", row))
    assert (why.value.ruling, why.value.text.id) == (ruling, "seven_own_row")


def test_a_take_at_7_of_the_due_player_is_theirs_also_where_a_card_was_just_laid():
    log = anniversary("deal 10,30,50,70", "reveal 1 11", "reveal 2 12", "lay 11 1")
    script(log, (look(log, ((10, 11, 12), *LAID[1:]), marks={1: ["seven"]}), ("mark seven 1", "lay 12 1")))


# cards face down for the next turn


@pytest.mark.parametrize("downs", [(1,), (2,), (1, 2)], ids=["laid-before", "of-the-sixth-card", "both"])
def test_a_sixth_card_is_awaited_also_beside_cards_for_the_next_turn(downs):
    log = begin(FULL, shown=(21, 23, 90)).add(m.Lay(21, 2))
    backs = dict.fromkeys(downs, "back")
    sixth = ((*FULL[0], 23), (20, 21), *FULL[2:])
    chosen = tuple(f"choose {player}" for player in downs)
    early = tuple(line for line in chosen if line != "choose 2")
    late = tuple(line for line in chosen if line == "choose 2")
    script(
        log,
        (look(log, sixth, backs | {3: 90}), Hint("N-12", "take_row")),
        (look(log, ((23,), *sixth[1:]), backs | {3: 90}), (*early, "take 1", "tidy row:1", "lay 23 1", *late)),
    )


def test_a_sixth_card_and_another_card_laid_are_refused():
    log = begin(FULL, shown=(21, 23, 90)).add(m.Lay(21, 2))
    script(log, (look(log, ((*FULL[0], 23), (20, 21), (30,), (40, 90))), "N-12"))


# revealed cards


@pytest.mark.parametrize("seats", [{1: 45, 2: 31}, {2: 31}, {1: 31, 2: 60, 3: 45}], ids=["two", "one-of-two", "round"])
def test_revealed_cards_that_changed_their_seats_are_named_with_their_owner(seats):
    shown = (31, 45, 60)[: max(seats)]
    log = begin(shown=shown)
    moved = next(seat for seat, card in sorted(seats.items()) if shown[seat - 1] != card)
    owner = shown.index(seats[moved]) + 1
    verdict = judge(log, look(log, DEAL, seats))
    hint = verdict.why if isinstance(verdict, Refused) else verdict.hint
    assert (hint.ruling, str(hint.text)) == ("N-6", f"back_to_seat card={seats[moved]} player={owner}")


def test_a_revealed_card_that_is_seen_twice_is_a_reading_error():
    log = begin(shown=(31, 45))
    table = look(log, DEAL, {1: 31, 2: 31})
    verdict = judge(log, table)
    assert (verdict.hint.ruling, verdict.hint.text.id) == ("N-8", "shown_twice")


def test_a_revealed_card_that_lies_face_down_again_is_asked_to_be_turned_up():
    log = begin(shown=(31, 45))
    script(log, (look(log, DEAL, {1: "back", 2: 45}), Hint("N-6", "turn_up_again")))
    script(log, (look(log, ((10,), (20,), (30, 31), (40,)), {1: "back", 2: 45}), ("lay 31 3", "choose 1")))


# a row taken twice


@pytest.mark.parametrize(
    ("rows", "shown", "end"),
    [
        (((10, 20, 30, 31, 32), (1,), (2,), (3,)), (34, 35, 36, 37, 38, 78), 78),
        (((10, 20, 30, 31, 32), (60,), (61,), (99,)), (3, 4, 5, 6, 7, 9), 9),
        (((10, 20, 30), (60,), (61,), (99,)), (31, 32, 33), 33),
    ],
    ids=["a-full-row", "a-low-card-first", "filled-and-taken"],
)
def test_cards_that_were_laid_and_taken_again_between_two_looks_count_as_laid(rows, shown, end):
    log = begin(rows, shown=shown)
    verdict = judge(log, look(log, ((end,), *rows[1:])))
    assert isinstance(verdict, Follows)
    assert [move.card for move in verdict.moves if isinstance(move, m.Lay)] == sorted(shown)
    after = log.add(*verdict.moves).state
    assert after.row(1) == (end,)
    assert sorted(card for pile in after.piles for card in pile) == sorted({*rows[0], *shown} - {end})


@pytest.mark.parametrize(
    ("rows", "seats"),
    [
        (((78,), (1,), (2,), (3,)), {2: 35}),
        (((78,), (1, 36), (2,), (3,)), {}),
        (((78,), (1,), (2,), ()), {}),
    ],
    ids=["one-is-still-at-its-seat", "one-lies-in-a-wrong-row", "another-row-is-gone"],
)
def test_a_second_take_that_the_rules_do_not_lead_to_is_not_believed(rows, seats):
    log = begin(((10, 20, 30, 31, 32), (1,), (2,), (3,)), shown=(34, 35, 36, 37, 38, 78))
    verdict = judge(log, look(log, rows, seats))
    assert not (isinstance(verdict, Follows) and verdict.moves)


@pytest.mark.parametrize("hidden", ["row:1", "row:2", "seat:4"])
def test_a_second_take_is_not_believed_while_a_card_may_be_hidden(hidden):
    log = begin(((10, 20, 30, 31, 32), (1,), (2,), (3,)), shown=(34, 35, 36, 37, 38, 78))
    assert isinstance(judge(log, look(log, ((78,), (1,), (2,), (3,)), hide=[hidden])), Waiting)


def test_a_row_filled_and_taken_with_five_rows_takes_the_card_along():
    """54 and 65 came to row 1, 93 took it and went with it; four rows remain (A-21)."""
    rows = ((10, 47, 50), (20,), (30,), (40,), (96,))
    marks = (*[frozenset()] * 4, frozenset({"fifth"}))
    log = begin(rows, shown=(54, 65, 93, 98), variant="anniversary", marks=marks, lying=(("fifth", "mark:5"),))
    verdict = judge(log, look(log, ((), *rows[1:]), {4: 98}))
    assert isinstance(verdict, Follows)
    state = log.add(*verdict.moves).state
    assert sorted(state.piles[2]) == [10, 47, 50, 54, 65, 93]
    assert (state.row(1), state.slot.card) == ((), 98)


@pytest.mark.parametrize(
    ("lines", "marks"),
    [(("special 1 block", "mark block 4"), None), (("special 1 seven", "mark seven 1"), None)],
    ids=["block", "take-at-7"],
)
def test_a_card_that_was_taken_again_may_have_come_with_its_special(lines, marks):
    rows = ((10, 11, 12, 13), (20,), (30,), (40,))
    shown = (14, 15) if "block" in lines[0] else (14, 15, 16)
    log = begin(rows, shown=shown, variant="anniversary")
    log = log.add(*map(log.parse, lines))
    verdict = judge(log, look(log, ((shown[-1],), *rows[1:])))
    assert isinstance(verdict, Follows)
    assert sorted(log.add(*verdict.moves).state.piles[len(shown) - 1]) == [10, 11, 12, 13, *shown[:-1]]


def test_of_two_rows_gone_with_five_rows_a_low_card_took_the_one_without_a_new_card():
    rows = ((21,), (30,), (40,), (50,), (25, 26))
    marks = (*[frozenset()] * 4, frozenset({"fifth"}))
    log = begin(rows, shown=(9, 12, 13), variant="anniversary", marks=marks, lying=(("fifth", "mark:5"),))
    verdict = judge(log, look(log, ((12, 13), *rows[1:4])))
    assert isinstance(verdict, Follows)
    piles = log.add(*verdict.moves).state.piles
    assert [sorted(pile) for pile in piles] == [[9, 25, 26], [21], []]


# a card that was revealed and laid between two looks


def test_a_card_laid_before_it_was_seen_at_its_seat_is_that_of_the_player_who_shows_none():
    log = begin(shown=(33, 25), players=3)
    script(log, (look(log, ((10, 17), *DEAL[1:]), {1: 33, 2: 25}), ("reveal 3 17", "lay 17 1")))
    script(log, (look(log, ((10, 17), (20, 25), *DEAL[2:]), {1: 33, 2: "back"}),
                 ("reveal 3 17", "lay 17 1", "lay 25 2", "choose 2")))  # fmt: skip


@pytest.mark.parametrize(
    "rows",
    [((10, 17), (20, 25), (30,), (40,)), ((5,), (20, 25), (30,), (40,))],
    ids=["nothing-taken", "a-row-taken"],
)
def test_of_two_cards_laid_before_they_were_seen_the_owner_is_asked_for(rows):
    log = begin(shown=(33,), players=3)
    script(log, (look(log, rows, {1: 33}), Hint("N-5", "whose_card")))


def test_a_number_that_is_not_in_the_deck_has_no_owner():
    log = begin(shown=(33,), players=2)
    script(log, (look(log, ((10, 105), *DEAL[1:]), {1: 33, 2: "back"}), "N-8"))


def test_of_two_drafted_cards_laid_before_they_were_seen_each_is_that_of_its_drafter():
    picks = (frozenset({33}), frozenset({17}), frozenset({17, 25}))
    log = begin(shown=(33,), players=3, variant="professional", dealt=3, draft=Draft(picks))
    script(log, (look(log, ((10, 17), (20, 25), *DEAL[2:]), {1: 33}),
                 ("reveal 3 25", "reveal 2 17", "lay 17 1", "lay 25 2")))  # fmt: skip


@pytest.mark.parametrize(
    ("seats", "hide", "expected"),
    [
        ({1: 33, 2: "back", 3: "back"}, (), Refused),
        ({1: 33, 2: "back"}, ("seat:3",), Hint("N-6", "unless_all_shown")),
        ({1: 33}, (), Hint("N-6", "unless_all_shown")),
        ({1: 33, 2: 25}, ("seat:3",), Hint("N-6", "unless_all_shown")),
        ({1: 33, 2: 25, 3: 50}, (), Refused),
    ],
    ids=["two-face-down", "one-face-down-one-hidden", "two-show-none", "a-hidden-seat", "all-show"],
)
def test_a_card_that_is_no_players_is_not_laid(seats, hide, expected):
    log = begin(shown=tuple(card for seat, card in seats.items() if seat < 3 and card != "back"), players=3)
    table = look(log, ((10, 17), *DEAL[1:]), seats, hide=hide)
    script(log, (table, expected))


def test_of_many_cards_laid_before_they_were_seen_the_owners_are_asked_for():
    log = begin(shown=(33,), players=4)
    script(log, (look(log, ((10, 11), (20, 21), (30, 31), (40,)), {1: 33}), Hint("N-5", "whose_card")))


# whose special it is

SLOT = ((10,), (30,), (50,), (70,))


def slot(*shown, rows=SLOT):
    return begin(rows, shown=shown, variant="anniversary")


def test_a_take_at_7_and_the_card_of_its_row_may_be_of_two_players_also_under_a_hand():
    log = slot(11, 15, 60)
    table = look(log, ((10, 11), *SLOT[1:]), {2: 15, 3: 60}, marks={1: ["seven"]}, hide=["row:4"])
    assert isinstance(judge(log, table), Waiting)
    table = look(log, ((10, 11), *SLOT[1:]), {2: 15, 3: 60}, marks={1: ["seven"]})
    assert isinstance(judge(log, table), Unclear)


@pytest.mark.parametrize("hidden", ["row:2", "row:4"])
def test_a_special_waits_while_the_due_card_may_lie_under_a_hand(hidden):
    log = slot(11, 60)
    assert isinstance(judge(log, look(log, SLOT, {2: 60}, marks={3: ["block"]}, hide=[hidden])), Waiting)
    script(log, (look(log, SLOT, {2: 60}, marks={3: ["block"]}), ("mark block 3",)))


def test_a_special_that_may_be_the_one_under_a_hand_is_not_played_again():
    log = slot(11, 60)
    log = log.add(m.Mark("block", 3), m.Lay(11, 1))
    rows = ((10, 11), *SLOT[1:])
    script(log, (look(log, rows, {2: 60}, marks={4: ["block"]}, hide=["row:3"]), Waiting))
    verdict = judge(log, look(log, rows, {2: 60}, marks={4: ["block"]}))
    assert isinstance(verdict, Refused)
    assert (verdict.why.ruling, verdict.wrong) == ("A-10", (("block", "mark:4"),))


# Move and what was taken


def test_a_card_that_was_moved_into_a_row_and_taken_with_it_is_found_in_the_pile():
    rows = ((10, 12), (30,), (50,), (70,))
    log = slot(5, 60, rows=rows).add(m.Special(1, "move"))
    verdict = judge(log, look(log, ((10,), (5,), (50,), (70,)), {2: 60}, beside={1: "move"}))
    assert isinstance(verdict, Follows)
    assert sorted(log.add(*verdict.moves).state.piles[0]) == [12, 30]


def test_a_card_laid_and_moved_by_a_later_player_is_no_wrong_row():
    log = slot(55, 65, 80, rows=((10, 20), (30,), (50,), (60,)))
    table = look(log, ((10, 20, 55), (30,), (50,), (60, 65)), {3: 80}, beside={3: "move"})
    script(log, (table, ("lay 55 3", "lay 65 4", "special 3 move", "shift 55 1")))


def test_a_new_fifth_row_may_lie_where_the_last_one_lay():
    """The record has not seen the spent 5th Row go; a card in an empty row can only have come with another one."""
    log = slot(55, 60)
    spent = replace(log.state, lying=(("fifth", "mark:5"),))
    log = Log(GAME, log.options, origin=spent)
    table = look(log, (*SLOT, (55,)), {2: 60}, marks={5: ["fifth"]})
    script(log, (table, ("tidy mark:5", "mark fifth 5", "lay 55 5")))


def test_a_special_played_before_the_last_card_was_seen_at_its_seat_is_of_its_slot():
    log = slot(60)
    table = look(log, ((10, 16), *SLOT[1:]), {1: 60}, marks={3: ["block"]})
    verdict = judge(log, table)
    assert isinstance(verdict, Unclear)
    assert all(str(story[0]) == "reveal 2 16" for story in verdict.stories)


NEXT_SHOWN = "the next cards are shown"


@pytest.mark.parametrize(
    ("seats", "after"),
    [
        ({}, ()),
        ({1: 91, 2: 23}, ("reveal 1 91", "reveal 2 23")),
        ({2: 23}, ("reveal 2 23",)),
    ],
    ids=["the seats are empty", NEXT_SHOWN, "its own player alone shows the next one"],
)
def test_a_card_laid_before_it_was_seen_belongs_to_its_turn_although_cards_of_the_next_one_are_shown(seats, after):
    log = begin(((30,), (12,), (10,), (35,)), shown=(5,))
    table = look(log, ((5,), (12,), (10,), (35, 93)), seats)
    log = script(log, (table, ("reveal 2 93", "take 1", "tidy row:1", "lay 5 1", "lay 93 4", *after)))
    assert log.state.turns == 1


def test_while_a_card_of_this_turn_is_at_its_seat_the_others_are_of_this_turn_too():
    log = begin(((30,), (12,), (10,), (35,)), shown=(5,))
    verdict = judge(log, look(log, ((30,), (12,), (10,), (35, 93)), {1: 5, 2: 23}))
    assert isinstance(verdict, Refused)
    assert [(act.piece, act.source) for act in verdict.cure] == [("93", "row:4")]


def test_of_a_whole_turn_laid_unseen_the_owners_are_asked_for_although_the_next_cards_are_shown():
    log = begin(((81,), (52,), (67,), (6,)))
    table = look(log, ((81, 101), (52,), (67, 78), (6,)), {1: 100, 2: 2})
    script(log, (table, Hint("N-5", "whose_card")))
    log = log.add(m.Reveal(1, 78))
    script(log, (table, ("reveal 2 101", "lay 78 3", "lay 101 1", "reveal 1 100", "reveal 2 2")))


@pytest.mark.parametrize(
    ("rows", "seats", "beside", "marks", "piece"),
    [
        (((18, 27), (), (80,), (60,)), {1: 41, 2: 3}, {2: "move"}, None, "move"),
        (((3, 27), (18,), (80,), (60,)), {1: 41}, {2: "insert"}, None, "insert"),
        (((27,), (18,), (80,), (60,)), {1: 41, 2: 50}, {2: "replace"}, None, "replace"),
        (((27,), (18,), (80,), (60,)), {1: 41, 2: 3}, None, {1: ["block"]}, "block"),
        (((27,), (18,), (80,), (60,)), {1: 41, 2: 3}, None, {5: ["fifth"]}, "fifth"),
    ],
    ids=["a Move", "an Insert", "a Replace", "a Block", "a 5th Row"],
)
def test_a_special_carried_out_while_the_last_card_is_hidden_accuses_nobody(rows, seats, beside, marks, piece):
    log = anniversary("deal 27,18,80,60", "reveal 1 41", "reveal 2 3", players=3)
    verdict = judge(log, look(log, rows, seats, beside=beside, marks=marks, hide=["seat:3"]))
    assert isinstance(verdict, Waiting)
    assert (str(verdict.hint.text), verdict.cure) == (f"unless_all_shown piece={piece}", ())


def test_a_revealed_card_exchanged_with_a_replace_while_a_card_is_still_face_down_is_refused():
    log = anniversary("deal 27,18,80,60", "reveal 1 41", "reveal 2 3", players=3)
    table = look(log, ((27,), (18,), (80,), (60,)), {1: 41, 2: 50, 3: "back"}, beside={2: "replace"})
    assert not isinstance(judge(log, table), Follows)
    assert judge(log, table).hint.text.id == "choice_stands"


@pytest.mark.parametrize(
    ("shown", "asked"),
    [((None, 96), ("reveal 1 19",)), ((), ("reveal 1 19", "reveal 2 96"))],
    ids=["one card of this turn and all of the next", "all cards of two turns"],
)
def test_cards_of_several_turns_that_were_laid_unseen_are_asked_for_and_not_taken_back(shown, asked):
    log = begin(((33,), (8,), (13,), (66, 72)))
    log = log.add(*(m.Reveal(player, card) for player, card in enumerate(shown, 1) if card))
    table = look(log, ((33,), (8,), (13, 19, 23, 24), (66, 72, 96)))
    script(log, (table, Hint("N-6", "unless_all_shown")))
    log = log.add(*map(log.parse, asked))
    script(log, (table, Hint("N-5", "whose_card")))
    log = log.add(*judge(log, table).before, m.Reveal(2, 23))
    script(log, (table, ("reveal 1 24", "lay 23 3", "lay 24 3")))


def test_more_new_cards_than_those_of_whole_turns_are_taken_back():
    log = begin(((33,), (8,), (13,), (66, 72)), players=3)
    verdict = judge(log, look(log, ((33,), (8,), (13, 19, 23), (66, 72, 95, 96))))
    assert isinstance(verdict, Refused)


@pytest.mark.parametrize(
    ("shown", "rows", "seats", "hide"),
    [
        ((), ((5,), (91,), (4, 15, 20, 38), (84,)), {1: 45, 2: 46, 3: 49}, ["seat:1"]),
        ((), ((5,), (91,), (4, 15, 20, 38), (84,)), {2: 46}, ["seat:2", "seat:3"]),
        ((20,), ((5,), (91,), (4, 15, 20, 38), (84,)), {1: 45, 2: 46}, ["seat:2"]),
        ((20, 15), ((5,), (91,), (4, 15, 20, 38), (84,)), {3: 49}, ["seat:3"]),
    ],
    ids=["all show the next card", "one shows it, another is hidden", "one card was seen", "only one was not seen"],
)
def test_a_turn_laid_unseen_is_asked_about_where_the_next_card_is_seen_inside_a_hidden_seat(shown, rows, seats, hide):
    log = begin(((5,), (91,), (4,), (84,)), players=3)
    log = log.add(*(m.Reveal(player, number) for player, number in enumerate(shown, 1)))
    table = look(log, rows, seats, hide=hide)
    verdict = judge(log, table)
    assert isinstance(verdict, Waiting)
    assert (str(verdict.hint.text), verdict.cure) == ("unless_all_shown piece=15", ())


@pytest.mark.parametrize(
    ("shown", "rows", "seats", "hide"),
    [
        ((), ((60,), (88,), (4, 12), (64,)), {2: 99}, ["row:2", "seat:2"]),
        ((28,), ((60,), (88,), (4, 28), (64,)), {2: 75}, ["row:2"]),
        ((52,), ((60,), (88,), (4, 27), (64,)), {}, ["row:2", "seat:1"]),
    ],
    ids=["a card not seen before", "a card that was shown", "no card is shown"],
)
def test_while_a_row_is_hidden_nothing_is_read_that_may_be_of_the_next_turn(shown, rows, seats, hide):
    log = begin(((60,), (88,), (4,), (64,)), shown=shown)
    verdict = judge(log, look(log, rows, seats, hide=hide))
    assert isinstance(verdict, Waiting)
    assert (verdict.cure, verdict.before) == ((), ())


def test_a_hidden_row_keeps_nothing_waiting_while_a_card_of_this_turn_is_at_its_seat():
    log = begin(((60,), (88,), (4,), (64,)), shown=(75,))
    script(log, (look(log, ((60,), (88,), (4, 28), (64,)), {1: 75}, hide=["row:2"]), ("reveal 2 28", "lay 28 3")))


def test_a_turn_laid_in_a_hidden_row_is_asked_about_when_the_row_is_seen():
    log = begin(((60,), (88,), (4,), (64,)))
    script(log, (look(log, ((60,), (88, 90), (4, 12), (64,)), {2: 99}), Hint("N-5", "whose_card")))


# a card that went with one of five rows before it was seen

FIVE_ROWS = ((27,), (18,), (80, 81), (60, 61), (28,))


def five_rows(rows=FIVE_ROWS):
    marks = (*[frozenset()] * 4, frozenset({"fifth"}))
    return begin(rows, shown=(62, 82), players=3, variant="anniversary", marks=marks, lying=(("fifth", "mark:5"),))


@pytest.mark.parametrize(
    ("rows", "seen", "seats", "card", "pile"),
    [
        (FIVE_ROWS, ((), *FIVE_ROWS[1:]), {1: 62, 2: 82}, 5, [5, 27]),
        (((21, 22, 23, 24, 27), *FIVE_ROWS[1:]), ((), *FIVE_ROWS[1:4], (35,)), {1: 62, 2: 82}, 29, None),
        (((21, 22, 23, 24, 27), (18,), (80, 81), (60, 61), (35,)), ((), (18,), (80, 81), (60, 61), (35,)),
         {1: 62, 2: 82}, 29, [21, 22, 23, 24, 27, 29]),
        (FIVE_ROWS, ((), (18,), (80, 81, 82), (60, 61, 62), (28,)), {}, 5, [5, 27]),
    ],
    ids=["a low card", "a new card lies in a row", "a sixth card", "the others were laid after it"],
)  # fmt: skip
def test_the_card_that_went_with_one_of_five_rows_before_it_was_seen_is_asked_for(rows, seen, seats, card, pile):
    log = five_rows(rows)
    table = look(log, seen, seats)
    if pile is None:
        assert judge(log, table).hint.text.id != "which_card_played"
        return
    script(log, (table, Hint("R-5", "which_card_played")))
    log = log.add(m.Reveal(3, card))
    verdict = judge(log, table)
    assert isinstance(verdict, Follows)
    assert sorted(log.add(*verdict.moves).state.piles[2]) == pile


@pytest.mark.parametrize(
    ("seats", "marks", "hide"),
    [
        ({1: 62, 2: 82, 3: "back"}, None, []),
        ({1: 62, 2: 82}, {5: ["fifth"]}, []),
        ({1: 62, 2: 82}, None, ["seat:3"]),
    ],
    ids=["it is still face down", "the 5th Row is still there", "its seat is hidden"],
)
def test_a_card_that_may_still_be_shown_is_not_asked_for(seats, marks, hide):
    log = five_rows()
    verdict = judge(log, look(log, ((), *FIVE_ROWS[1:]), seats, marks=marks, hide=hide))
    hint = verdict.hint if isinstance(verdict, Waiting) else None
    assert not isinstance(verdict, Refused)
    assert hint is None or hint.text.id != "which_card_played"
