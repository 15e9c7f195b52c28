"""The fewest acts between two layouts, and that carrying them out leads to the layout wanted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.advice import Act, list_acts
from engine.table import BACK, Layout, find_gap

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
            (Act("34", "row:1", "row:2", "30"), Act("30", "", "row:2")),
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
            (Act("31", "seat:1", "seat:1", turned="31"),),
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
        pytest.param({}, {"mark:2": ("block",)}, (Act("block", "", "mark:2"),), id="a Block gone comes back"),
    ],
)
def test_the_fewest_acts(seen, want, acts):
    assert advise(Layout(seen), Layout(want)) == acts


def test_what_a_hidden_zone_should_hold_lies_there():
    hidden = Layout({"row:1": ("10",)}, frozenset({"row:1", "row:2"}))
    assert advise(hidden, Layout({"row:1": ROW, "row:2": ("20",)})) == ()


ZONES = st.dictionaries(
    st.sampled_from(["row:1", "row:2", "seat:1"]),
    st.lists(st.sampled_from(["10", "12", "15", "34", BACK]), min_size=1, max_size=4).map(tuple),
)


@given(ZONES, ZONES)
def test_carried_out_they_lead_to_what_is_wanted(seen, want):
    held = {zone: list(pieces) for zone, pieces in seen.items()}
    for act in advise(Layout(seen), Layout(want)):
        if act.source:
            held[act.source].remove(BACK if act.turned not in ("", BACK) else act.piece)
        if act.target:
            held.setdefault(act.target, []).append(act.turned or act.piece)
    assert {z: sorted(p) for z, p in held.items() if p} == {z: sorted(p) for z, p in want.items()}
