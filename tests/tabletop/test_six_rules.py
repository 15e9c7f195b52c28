"""The own oracle of SIX against the vectors of the rulebook."""

import json
from pathlib import Path

import pytest

from tests.tabletop.six_rules import BLACK, COLOURS, RED, BrokenRule, Match, find_groups, find_shape

VECTORS = Path(__file__).parent.parent / "vectors"
CASES = [
    case
    for name in ("six.json", "six_more.json")
    for case in json.loads((VECTORS / name).read_text())
    if case["action"]["type"] in ("place", "move")
]


def match_of(before):
    match = Match(before["turn"], bool(before.get("config", {}).get("first_tile_restriction")))
    match.tiles = {tuple(cell): colour for colour in COLOURS for cell in before[colour]}
    match.stock = dict(before["hand"])
    return match


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_vector(case):
    match, action, expect = match_of(case["before"]), case["action"], case["expect"]
    before = match.copy()
    try:
        if action["type"] == "place":
            match.lay(action["color"], tuple(action["at"]))
            lost = frozenset()
        elif action["from"] is None:
            match.lay(action["color"], tuple(action["to"]))
        else:
            lost = match.move(tuple(action["from"]), tuple(action["to"]), tuple(action.get("keep", ())) or None)
    except BrokenRule:
        assert expect["verdict"] in ("illegal", "needs_choice")
        return
    assert expect["verdict"] == "ok"
    assert match.winner == expect.get("winner")
    if "shape" in expect:
        assert match.why == expect["shape"]
    if "eliminated" in expect:
        gone = {colour: {cell for cell in lost if before.tiles[cell] == colour} for colour in COLOURS}
        assert gone == {colour: set(map(tuple, expect["eliminated"][colour])) for colour in COLOURS}
    if "left" in expect:
        assert {colour: len(match.own(colour)) for colour in COLOURS} == expect["left"]


def test_there_are_vectors_of_each_kind():
    assert len(CASES) > 40
    assert {case["expect"]["verdict"] for case in CASES} >= {"ok", "illegal", "needs_choice"}


def test_a_bent_row_of_six_is_no_line():
    assert find_shape({(n, 0) for n in range(5)} | {(4, 1)}, (4, 1)) is None


def test_groups_hang_together_by_sides_not_by_corners():
    assert [len(group) for group in find_groups([(0, 0), (1, 1), (1, 0), (5, 5)])] == [3, 1]
    assert [len(group) for group in find_groups([(0, 0), (1, 1)])] == [1, 1]


@pytest.mark.parametrize(("starter", "cell"), [(RED, (2, 0)), (BLACK, (-1, 0))])
def test_each_player_may_touch_the_foreign_start_tile(starter, cell):
    match = Match(starter, spaced=True)
    match.lay(starter, cell)
    assert match.turn != starter
