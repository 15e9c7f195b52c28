"""The fewest acts between two layouts, and that carrying them out leads to the layout wanted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.advice import Act, list_acts
from engine.referee import Follows, judge
from engine.table import BACK, Layout, find_gap
from tests.support.nimmt import begin, look

ROW = ("10", "12", "15")


def advise(seen, want):
    return list_acts(find_gap(want, seen), want)


@pytest.mark.parametrize(
    ("seen", "want", "acts"),
    [
        pytest.param({"row:1": ROW}, {"row:1": ROW}, (), id="what agrees stays"),
        pytest.param(
            {"row:1": (*ROW, "34")},
            {"row:1": ROW, "row:2": ("30", "34")},
            (Act("30", "", "row:2"), Act("34", "row:1", "row:2", "30")),
            id="a card goes behind its neighbour, a missing one comes back",
        ),
        pytest.param(
            {"seat:1": ("45",), "seat:2": ("31",)},
            {"seat:1": ("31",), "seat:2": ("45",)},
            (Act("31", "seat:2", "seat:1"), Act("45", "seat:1", "seat:2")),
            id="exchanged cards change places",
        ),
        pytest.param(
            {"seat:1": (BACK,)},
            {"seat:1": ("31",)},
            (Act(BACK, "seat:1", "seat:1", turned="31"),),
            id="a card turned again is turned up",
        ),
        pytest.param(
            {"row:1": ("10", "15", "12")},
            {"row:1": ROW},
            (Act("15", "row:1", "row:1", "12"),),
            id="one card out of order",
        ),
        pytest.param(
            {"row:1": (*ROW, "cat")}, {"row:1": ROW}, (Act("cat", "row:1", ""),), id="a strange piece leaves the table"
        ),
        pytest.param(
            {"row:1": ("10", BACK, "15")},
            {"row:1": ROW},
            (Act(BACK, "row:1", "row:1", "10", "12"),),
            id="a card of a row turned again is turned up",
        ),
        pytest.param(
            {"row:1": ("10", "15", BACK)},
            {"row:1": ROW},
            (Act(BACK, "row:1", ""), Act("12", "", "row:1", "10")),
            id="a face-down card at another place is another card",
        ),
        pytest.param(
            {"seat:1": ("105",)},
            {"seat:1": (BACK,)},
            (Act("105", "seat:1", ""), Act(BACK, "", "seat:1")),
            id="a card is not turned face down",
        ),
        pytest.param({}, {"mark:2": ("block",)}, (Act("block", "", "mark:2"),), id="a Block gone comes back"),
    ],
)
def test_the_fewest_acts(seen, want, acts):
    assert advise(Layout(seen), Layout(want)) == acts


def test_what_a_hidden_zone_should_hold_lies_there():
    hidden = Layout({"row:1": ("10",)}, frozenset({"row:1", "row:2"}))
    assert advise(hidden, Layout({"row:1": ROW, "row:2": ("20",)})) == ()


@pytest.mark.parametrize(
    ("rows", "shown", "seen", "seats"),
    [
        pytest.param(
            ((1, 2, 3, 4, 5), (60,), (70,), (80,)), (6, 7, 8, 9, 10, 11, 61), ((11,), (60, 61), (70,), (80,)), {},
            id="a full row, twice in one turn",
        ),
        pytest.param(
            ((50,), (60,), (70,), (80,)), (3, 4, 5, 6, 7, 8, 90), ((8,), (60,), (70,), (80,)), {7: 90},
            id="a row chosen for a low card, then full, before the last card is laid",
        ),
    ],
)  # fmt: skip
def test_a_row_taken_twice_between_two_looks_is_told_by_what_the_rules_ask_for(rows, shown, seen, seats):
    log = begin(rows, shown=shown)
    verdict = judge(log, look(log, seen, seats))
    assert isinstance(verdict, Follows)
    assert [str(move) for move in verdict.moves].count("take 1") == 2
    assert [row for row in log.add(*verdict.moves).state.rows if row] == list(seen)


def test_a_card_in_a_hand_while_others_are_gone_is_no_such_turn():
    log = begin(((1, 2, 3, 4, 5), (60,), (70,), (80,)), shown=(6, 7, 8, 9, 10, 11, 61))
    verdict = judge(log, look(log, ((11,), (60,), (70, 61), (80,))))
    assert not isinstance(verdict, Follows)


ZONES = st.dictionaries(
    st.sampled_from(["row:1", "row:2", "seat:1"]),
    st.lists(st.sampled_from(["10", "12", "15", "34", BACK]), min_size=1, max_size=4).map(tuple),
)


@given(ZONES, ZONES)
def test_carried_out_they_lead_to_what_is_wanted(seen, want):
    held = {zone: list(pieces) for zone, pieces in seen.items()}
    for act in advise(Layout(seen), Layout(want)):
        if act.source:
            held[act.source].remove(act.piece)
        if act.target:
            held.setdefault(act.target, []).append(act.turned or act.piece)
    assert {z: sorted(p) for z, p in held.items() if p} == {z: sorted(p) for z, p in want.items()}


SINGLE = st.lists(st.tuples(st.sampled_from(["10", "12", "15", "34", "x7"]), st.sampled_from(["row:1", "row:2"])),
                  unique_by=lambda placed: placed[0]).map(
    lambda placed: {zone: tuple(p for p, z in placed if z == zone) for _, zone in placed}
)  # fmt: skip


@given(SINGLE, SINGLE)
def test_each_goes_behind_a_piece_that_is_there(seen, want):
    held = {zone: list(pieces) for zone, pieces in seen.items()}
    for act in advise(Layout(seen), Layout(want)):
        if act.source:
            held[act.source].remove(act.piece)
        if act.target:
            assert not act.after or act.after in held.get(act.target, ())
            held.setdefault(act.target, []).append(act.turned or act.piece)
