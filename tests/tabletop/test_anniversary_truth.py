"""The oracle of the special cards agrees with the worked examples, which it has not been written from."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.tabletop.anniversary_truth import TURNS, SpecialTruth
from tests.tabletop.nimmt_rules import Breach, Rows

FILES = [Path("tests/vectors/6nimmt_anniversary.json"), Path("tests/vectors/6nimmt_more.json")]
VECTORS = [v for file in FILES for v in json.loads(file.read_text()) if v["variant"] == "anniversary"]
PLACES = [v for v in VECTORS if v["action"]["type"] == "place"]


class Undecided(Exception):
    """The player must say which of these rows he takes."""


def set_up(before: dict[str, Any], player: str, card: int) -> SpecialTruth:
    """One player whose card is due, with a special in hand; the others have nothing to do."""
    places = before.get("places") or range(1, len(before["rows"]) + 1)
    truth = SpecialTruth([1])
    truth.rows = Rows(
        dict(zip(places, map(list, before["rows"]), strict=True)),
        {int(row): list(marks) for row, marks in before.get("marks", {}).items()},
    )
    truth.piles = {1: list(before.get("piles", {}).get(player, []))}
    truth.held = {1: 2}
    truth.spent = Counter(discard if isinstance(discard := before.get("special_discard", ()), list) else ())
    truth.turn = TURNS - before.get("number_cards_left", {}).get(player, 1)
    truth.used = {lying for row in before["rows"] for lying in row}
    truth.show(1, card)
    return truth


def play_place(truth: SpecialTruth, action: dict[str, Any]) -> None:
    card, rows = action["card"], truth.rows
    specials = [special for special in (action.get("special"), *action.get("specials", [])) if special]
    for special in specials:
        truth.play_special(1, special["kind"])
    kind = specials[0]["kind"] if specials else ""
    match kind:
        case "fifth":
            truth.mark(kind, next(r for r in range(1, 6) if r not in rows.cards))
        case "seven":
            truth.mark(kind, rows.row_for(card))
        case "block":
            truth.mark(kind, special["row"])
        case "move":
            truth.shift(special["card"], special["to_row"])
        case "replace":
            truth.swap(special["card"])
            card = special["card"]
        case "insert":
            truth.lay(card, special["row"])
            return
    choices = [] if truth.start else rows.choices(card)
    if len(choices) > 1 and "take_row" not in action:
        raise Undecided(choices)
    row = truth.start or (action["take_row"] if len(choices) > 1 else (choices or [rows.row_for(card)])[0])
    if choices:
        truth.take(row)
        if kind == "negpos":
            truth.name_negative(special["card"], special.get("cancel", []))
    if truth.shown:
        truth.lay(card, row)


@pytest.mark.parametrize("vector", PLACES, ids=lambda vector: vector["name"])
def test_one_slot(vector: dict[str, Any]) -> None:
    action, expect = vector["action"], vector["expect"]
    truth = set_up(vector["before"], action["player"], action["card"])
    if expect["verdict"] == "illegal":
        with pytest.raises(Breach):
            play_place(truth, action)
        return
    if expect["verdict"] == "needs_choice":
        with pytest.raises(Undecided) as undecided:
            play_place(truth, action)
        assert undecided.value.args[0] == expect["choices"]
        return
    play_place(truth, action)
    if "rows" in expect:
        assert [truth.rows.cards[place] for place in sorted(truth.rows.cards)] == expect["rows"]
    if "piles" in expect:
        assert sorted(truth.piles[1]) == sorted(expect["piles"].get(action["player"], []))
    assert truth.credit.get(1, 0) == expect.get("credit", {}).get(action["player"], 0)


def test_what_happens_to_a_copy_does_not_happen_to_the_truth() -> None:
    truth = SpecialTruth([1, 2], held={1: 1, 2: 1})
    truth.deal([10, 30, 50, 70])
    truth.show(1, 5)
    truth.show(2, 60)
    before = repr(truth)
    world = truth.copy()
    assert world == truth
    for told in ("special 1 block", "mark block 3", "take 1", "lay 5 1", "lay 60 5"):
        try:
            world.follow(told)
        except Breach:
            world.spent["block"] += 1
    world.leave(2)
    assert world != truth
    assert repr(truth) == before
