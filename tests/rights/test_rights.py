"""The table of rights is complete and readable, and the examiner judges what it sees."""

import pytest

from tests.rights.examination import Finding, Seen, Standing, doubt_refusals, judge_attempt
from tests.rights.rights_table import MOMENTS, NO_CELL, PAGE, ROLES, RightsCell, read_rows
from tests.rights.tables import TABLES, find_table
from tests.rights.ways import WAYS, names_hidden_card

ROWS = read_rows(PAGE.read_text(encoding="utf-8"))
HEAD = "| act | when | box | host | player | no seat | watcher | because |\n|---|---|---|---|---|---|---|---|\n"
WATCH = RightsCell("usual", "pause the game", "round", "watcher", "no")


def test_every_act_of_the_table_has_a_way_and_every_way_an_act():
    assert {row.act for row in ROWS} == set(WAYS)


def test_no_act_stands_twice_for_one_box():
    named = [(row.box, row.act) for row in ROWS]
    assert len(named) == len(set(named))


def test_all_rows_of_the_page_are_read():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert sum(line.count("|") == HEAD.splitlines()[0].count("|") for line in lines) == len(ROWS) + lines.count(
        HEAD.splitlines()[0]
    ) + lines.count(HEAD.splitlines()[1])


def test_a_watcher_changes_nothing_of_a_game():
    changing = ("pause", "end the", "start", "undo", "correct", "declare", "answer", "agree", "ask all", "switch")
    granted = [row.act for row in ROWS if row.act.startswith(changing) and row.rights[-1] != "no"]
    assert granted == []


def test_no_phone_alone_stops_a_box_with_buttons():
    stopping = ("pause the game", "end the game for good", "start a new game over a running one", "switch the box off")
    rights = {row.rights[1:3] for row in ROWS if row.act in stopping and row.box != "bare"}
    assert rights <= {("second", "second"), ("box", "box")}


def test_what_all_players_decide_is_no_right_of_one():
    rights = {right for row in ROWS if row.act.startswith("ask all") and row.box == "usual" for right in row.rights}
    assert rights == {"all", "no"}


def test_each_cell_is_tried_on_one_of_the_boxes():
    assert {find_table(cell) for row in ROWS for cell in row.cells()} == set(TABLES)


def test_in_play_and_always_stand_for_their_moments():
    first = f"| a | in play, paused | yes | {NO_CELL} | no | no | no | b |"
    rows = read_rows(f"{HEAD}{first}\n| c | always |{' no |' * 5} d |")
    assert rows[0].moments == ("round", "question", "round over", "paused")
    assert rows[1].moments == MOMENTS
    assert len(list(rows[0].cells())) == 4 * (len(ROLES) - 1)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("| a | round | yes | no | no | no | no |", "7 columns, not 8"),
        ("| a | at night | yes | no | no | no | no | b |", "no legend has at night"),
        ("| a | round | maybe | no | no | no | no | b |", "no legend has maybe"),
        ("| a | round | yes | no | no | no | no | |", "no reason"),
    ],
    ids=["a column too few", "an unknown moment", "an unknown right", "a row without a reason"],
)
def test_a_row_that_cannot_be_read_is_named(line: str, error: str):
    with pytest.raises(ValueError, match=f"a: {error}"):
        read_rows(HEAD + line)


@pytest.mark.parametrize(
    ("right", "seen", "standing"),
    [
        ("yes", Seen(at_once=True), Standing.HOLDS),
        ("yes", Seen(at_once=False, refused=True), Standing.BROKEN),
        ("no", Seen(at_once=False, refused=True), Standing.HOLDS),
        ("no", Seen(at_once=True), Standing.BROKEN),
        ("no", Seen(at_once=False), Standing.BROKEN),
        ("second", Seen(at_once=True), Standing.BROKEN),
        ("second", Seen(at_once=False), Standing.BROKEN),
        ("second", Seen(at_once=False, confirmed=True), Standing.HOLDS),
        ("all", Seen(at_once=True), Standing.BROKEN),
        ("box", Seen(at_once=False, confirmed=True), Standing.HOLDS),
        ("asked", Seen(at_once=True), Standing.HOLDS),
    ],
    ids=[
        "a right that works",
        "a right that is refused",
        "a refusal that says why",
        "a refusal that happens",
        "a refusal in silence",
        "a second name that nobody gave",
        "a second name that changes nothing",
        "a second name that confirms",
        "a vote that one has decided",
        "an OK on the box",
        "an answer that the box asks for",
    ],
)
def test_what_was_seen_is_held_against_the_right(right: str, seen: Seen, standing: Standing):
    assert judge_attempt(right, seen)[0] is standing


@pytest.mark.parametrize(
    ("is_possible", "standing"),
    [(True, Standing.HOLDS), (False, Standing.NOT_SHOWN)],
    ids=["somebody could do it", "nobody could do it"],
)
def test_a_refusal_of_what_nobody_can_do_shows_nothing(is_possible: bool, standing: Standing):
    assert doubt_refusals([Finding(WATCH, Standing.HOLDS)], is_possible)[0].standing is standing


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ('"piece": "97"', True),
        ("Rows started: 10, 20, 30, 97", True),
        ('"at": 1795172526.97', False),
        ('"at": 1795172597', False),
        ("#97", False),
    ],
    ids=["a piece", "a list of cards", "a time", "a long number", "a colour"],
)
def test_a_hidden_card_is_found_in_text(text: str, is_named: bool):
    assert names_hidden_card(text) is is_named
