"""The own oracle of The Game against the vectors of the rulebook."""

import json
from pathlib import Path

import pytest

from tests.tabletop.thegame_rules import (
    can_reach,
    first_card,
    fits,
    grade,
    hand_size,
    least_cards,
    legal_orders,
    run_fits,
)

VECTORS = Path(__file__).parent.parent / "vectors"
CASES = {
    case["name"]: case
    for name in ("thegame.json", "thegame_more.json")
    for case in json.loads((VECTORS / name).read_text())
}


def cases(*kinds):
    named = [case for case in CASES.values() if case["action"]["type"] in kinds]
    return pytest.mark.parametrize("case", named, ids=lambda case: case["name"])


def tops(case):
    return tuple(pile["top"] for pile in case["before"]["piles"])


@cases("play", "play_sequence")
def test_what_fits_on_a_pile(case):
    pile, action = case["before"]["piles"][0], case["action"]
    laid = case["before"].get("already_played", ())
    cards = action["cards"] if action["type"] == "play_sequence" else [action["card"]]
    legal = run_fits(cards, pile["top"], pile["dir"]) and not set(cards) & set(laid)
    assert legal == (case["expect"]["verdict"] == "ok")


@cases("setup")
def test_hands_and_deck(case):
    players, expect = case["players"], case["expect"]
    if expect["verdict"] == "ok":
        hand = hand_size(players, case["variant"])
        assert hand == expect["hand"]
        assert 98 - players * hand == expect["deck"]
        assert least_cards(expect["deck"], case["variant"]) == expect["min_cards"]


@cases("end_turn")
def test_the_minimum_of_a_turn(case):
    deck, laid = case["before"]["deck"], case["before"]["played_this_turn"]
    assert (laid >= least_cards(deck, case["variant"])) == (case["expect"]["verdict"] == "ok")
    if "next_min" in case["expect"]:
        assert least_cards(case["expect"]["deck"], case["variant"]) == case["expect"]["next_min"]


@cases("verify_cannot_play")
def test_whether_the_minimum_was_open(case):
    hand, need = frozenset(case["action"]["shown_hand"]), case["before"]["min_left"]
    assert can_reach(hand, tops(case), need) != case["expect"]["claim_true"]


@cases("grade")
def test_the_grade(case):
    assert grade(98 - case["before"]["total_played"]) == case["expect"]["result"]


@pytest.mark.parametrize(("cards", "top", "orders"), [
    ((59, 69), 39, [(59, 69), (69, 59)]),
    ((40, 50), 39, [(40, 50), (50, 40)]),
    ((40, 49), 39, [(40, 49)]),
    ((30, 45), 39, []),
])  # fmt: skip
def test_two_cards_have_two_orders_only_with_the_trick_of_ten(cards, top, orders):
    assert list(legal_orders(cards, top, "up:1")) == orders


def test_piles_begin_at_their_start_cards():
    assert (first_card("up:2"), first_card("down:1")) == (1, 100)
    assert not fits(1, 11, "up:1")
    assert not fits(100, 90, "down:1")
