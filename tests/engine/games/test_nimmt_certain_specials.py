"""What is certain is recorded although the rest of the table waits: a special in sight, and all before a Neg=Pos."""

from dataclasses import replace

import pytest

from engine.referee import Follows, Waiting, judge
from tests.support.nimmt import GAME, Hint, begin, look, script

FULL = (10, 11, 12, 13, 14)
ROWS = (FULL, (32,), (87,), (21,))
SHOWN = {1: 40, 2: 95, 3: 100}
PLACES = ("row:2", "row:3", "row:4", "row:5", "seat:2", "seat:3")


def turn(*shown, rows=ROWS, **more):
    return begin(rows, shown=shown or tuple(SHOWN.values()), players=3, variant="anniversary", **more)


def follow(log, table):
    """The record once the table, seen again and again, tells no more."""
    while (verdict := judge(log, table)) and isinstance(verdict, Follows) and verdict.moves:
        log = log.add(*verdict.moves)
    return log


PLAYED = [
    ("insert", 40, ((10, 11, 12, 13, 14), (32,), (40, 87), (21,)), {}, {}),
    ("replace", 40, ROWS, {1: 50}, {}),
    ("replace", 40, (FULL, (32, 50), (87,), (21,)), {}, {}),
    ("move", 40, (FULL[:4], (32, 40), (14, 87), (21,)), {}, {}),
    ("negpos", 15, ((15,), (32,), (87,), (21,)), {}, {}),
    ("seven", 15, ((*FULL, 15), (32,), (87,), (21,)), {}, {}),
    ("fifth", 40, (*ROWS, (40,)), {}, {}),
    ("block", 40, (FULL, (32, 40), (87,), (21,)), {}, {}),
]


@pytest.mark.parametrize("hidden", PLACES)
@pytest.mark.parametrize(
    ("kind", "card", "rows", "seats", "marks"), PLAYED, ids=[f"{kind} {n}" for n, (kind, *_) in enumerate(PLAYED, 1)]
)
def test_a_special_in_sight_at_its_owners_seat_is_recorded_whatever_place_is_hidden(
    kind, card, rows, seats, marks, hidden
):
    log = turn(card, 95, 100)
    table = look(log, rows, {2: 95, 3: 100} | seats, beside={1: kind}, marks=marks, hide=[hidden])
    assert f"special 1 {kind}" in map(str, follow(log, table).moves)


@pytest.mark.parametrize("hidden", ["row:2", "row:4", "row:5", "seat:3"])
def test_a_card_whose_special_is_recorded_counts_whatever_place_is_hidden_and_so_does_the_next_special(hidden):
    rows = ((82,), (32,), (60,), (21,))
    log = begin(rows, shown=(40, 65, 100), players=3, variant="anniversary")
    log = follow(log, look(log, rows, {1: 40, 2: 65, 3: 100}, beside={1: "insert"}))
    assert str(log.moves[-1]) == "special 1 insert"
    first = look(log, ((40, 82), *rows[1:]), {2: 65, 3: 100}, beside={2: "insert"}, hide=[hidden])
    log = follow(log, first)
    second = ((40, 65, 82), *rows[1:])
    log = follow(log, look(log, second, {3: 100}, beside={2: "insert"}, hide=[hidden]))
    log = follow(log, look(log, second, {3: 100}))  # the Insert is discarded
    assert (log.state.rows[0], log.state.slot.card) == ((40, 65, 82), 100)


@pytest.mark.parametrize(
    ("rows", "seats", "hidden"),
    [
        pytest.param(
            ((82,), (32, 40), (60,), (21,)), {3: 100}, "seat:3", id="a later player has laid, perhaps with a Move"
        ),
        pytest.param(((82,), (32,), (60,), (21, 40)), {2: 65, 3: 100}, "row:1", id="a wrong row is not certain"),
    ],
)
def test_a_card_that_may_lie_there_for_another_reason_still_waits(rows, seats, hidden):
    start = ((82,), (32,), (60,), (21,))
    log = begin(start, shown=(40, 65, 100), players=3, variant="anniversary")
    log = follow(log, look(log, start, {1: 40, 2: 65, 3: 100}, beside={1: "insert"}))
    table = look(log, rows, seats, beside={2: "move"}, hide=[hidden])
    assert "lay 40" not in " ".join(map(str, follow(log, table).moves))


@pytest.mark.parametrize("hidden", PLACES)
def test_an_insert_seen_while_a_place_was_hidden_explains_its_card_after_it_was_discarded(hidden):
    log = turn()
    inserted = (FULL, (32,), (40, 87), (21,))
    log = follow(log, look(log, inserted, {2: 95, 3: 100}, beside={1: "insert"}, hide=[hidden]))
    log = follow(log, look(log, inserted, {2: 95, 3: 100}))
    assert log.state.rows[2] == (40, 87)
    assert log.state.slot.card == 95


def test_of_specials_at_two_seats_the_one_of_the_due_player_is_recorded():
    log = turn()
    inserted = (FULL, (32,), (40, 87), (21,))
    table = look(log, inserted, {2: 95, 3: 100}, beside={1: "insert", 2: "block"}, hide=["row:4"])
    script(log, (table, ("special 1 insert",)))


@pytest.mark.parametrize(
    ("seats", "hidden"),
    [({1: 60, 2: 61, 3: 62}, "row:2"), ({2: 61, 3: 62}, "seat:1"), ({1: 60}, "seat:2")],
    ids=["all show other cards", "the seat is hidden", "another seat is hidden"],
)
def test_a_special_that_may_be_of_the_next_turn_waits(seats, hidden):
    log = turn()
    zones = GAME.plan(log.options).zones
    under = tuple(zones[zone] for zone in (hidden, "row:2", "row:3", "row:4"))
    verdict = judge(log, replace(look(log, ROWS, seats, beside={1: "insert"}), unseen=under))
    assert not (isinstance(verdict, Follows) and "special 1 insert" in map(str, verdict.moves))


def test_a_special_that_may_be_one_carried_from_a_hidden_row_waits():
    marks = (*[frozenset()] * 2, frozenset({"block"}), frozenset(), frozenset())
    log = turn(marks=marks, lying=(("block", "mark:3"),))
    table = look(log, (FULL, (32, 40), (87,), (21,)), {2: 95, 3: 100}, beside={1: "block"}, hide=["row:3"])
    assert isinstance(judge(log, table), Waiting)


def test_a_special_that_the_rules_forbid_is_not_recorded_while_a_place_is_hidden():
    log = turn(5, 95, 100)
    table = look(log, ((5,), (32,), (87,), (21,)), {2: 95, 3: 100}, beside={1: "seven"}, hide=["row:4"])
    assert "special 1 seven" not in map(str, follow(log, table).moves)


TAKEN = ((15,), (32,), (87,), (21,))
TAKE = ("special 1 negpos", "take 1", "tidy row:1", "lay 15 1")


def owed():
    """Neg=Pos was played and the row taken; nobody has named the negative card yet."""
    log = turn(15, 95, 100)
    return script(log, (look(log, TAKEN, {2: 95, 3: 100}, beside={1: "negpos"}), TAKE))


LATER = [
    ("the next card is laid", (TAKEN[0], (32,), (87, 95), (21,)), {3: 100}, {}, {}),
    ("all cards are laid", (TAKEN[0], (32,), (87, 95, 100), (21,)), {}, {}, {}),
    ("cards of the next turn are shown", (TAKEN[0], (32,), (87, 95, 100), (21,)), {1: 90, 2: 91}, {}, {}),
    ("the next player plays a special", TAKEN, {2: 95, 3: 100}, {2: "insert"}, {}),
    ("the next player blocks a row", TAKEN, {2: 95, 3: 100}, {}, {2: ["block"]}),
]


@pytest.mark.parametrize(("rows", "seats", "beside", "marks"), [case[1:] for case in LATER], ids=[c[0] for c in LATER])
def test_what_is_laid_before_the_negative_card_is_named_waits_for_the_name(rows, seats, beside, marks):
    log = owed()
    log = follow(log, look(log, TAKEN, {2: 95, 3: 100}))
    table = look(log, rows, seats, beside=beside, marks=marks)
    script(log, (table, Hint("A-80", "name_negative")))
    assert "negpos 13 12" in [offer.move for offer in GAME.view(log.state).offers]


def test_once_the_negative_card_is_named_the_table_is_read_as_it_lies():
    log = follow(owed(), look(owed(), TAKEN, {2: 95, 3: 100}))
    table = look(log, (TAKEN[0], (32,), (87, 95, 100), (21,)), {})
    script(log, (table, Hint("A-80", "name_negative")))
    script(log.add(log.parse("negpos 13 12")), (table, ("lay 95 3", "lay 100 3")))


def test_a_take_with_neg_pos_is_recorded_although_the_next_card_is_laid_in_the_same_look():
    log = turn(15, 95, 100)
    table = look(log, (TAKEN[0], (32,), (87, 95), (21,)), {3: 100}, beside={1: "negpos"})
    script(log, (table, TAKE), (table, Hint("A-80", "name_negative")))


def test_a_take_of_one_of_five_rows_with_neg_pos_is_recorded_although_the_next_card_is_laid_in_the_same_look():
    marks = (*[frozenset()] * 4, frozenset({"fifth"}))
    log = turn(15, 95, 100, rows=(*ROWS, (50,)), marks=marks, lying=(("fifth", "mark:5"),))
    table = look(log, ((), (32,), (87, 95), (21,), (50,)), {3: 100}, beside={1: "negpos"})
    log = follow(log, table)
    assert (log.state.owed, log.state.rows[0]) == (FULL, ())
    script(log, (table, Hint("A-80", "name_negative")))


@pytest.mark.parametrize(("kind", "row"), [("fifth", 5), ("seven", 2)])
def test_a_special_carried_under_a_hand_with_the_last_card_of_a_round_is_not_called_wrong_when_it_is_seen(kind, row):
    rows = ((10, 11), (32,), (87,), (21,), ())
    log = begin(rows[:4], shown=(40, 30), variant="anniversary", turns=11)
    log = log.add(*map(log.parse, ("lay 30 4", f"special 1 {kind}")))
    laid = [(10, 11), (32,), (87,), (21, 30), ()]
    laid[row - 1] = (*laid[row - 1], 40)
    under = (GAME.plan(log.options).zones[f"row:{row}"],)
    log = follow(log, replace(look(log, laid), unseen=under))
    assert log.state.phase == "over"
    log = follow(log, look(log, laid, marks={row: [kind]}))
    assert judge(log, look(log, laid, marks={row: [kind]})) == Follows(())
