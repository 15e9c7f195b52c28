"""The examiner's own oracle of 6 nimmt! agrees with the worked examples, which it has not been written from."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tabletop.nimmt_rules import Breach, Rows, total_heads

VECTORS = Path("tests/vectors")


def load(name: str, *kinds: str) -> list[Any]:
    vectors = json.loads((VECTORS / f"6nimmt_{name}.json").read_text())
    return [pytest.param(v, id=v["name"]) for v in vectors if v["action"]["type"] in kinds]


def play_turn(rows: Rows, plays: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every card of a turn in order; what was taken."""
    taken = []
    for play in sorted(plays, key=lambda play: play["card"]):
        card = play["card"]
        choices = rows.choices(card)
        if not choices:
            rows.put(card, rows.row_for(card))
            continue
        row = choices[0] if len(choices) == 1 else play["take_row"]
        cards = rows.take(row)
        taken.append({"player": play["player"], "row": row, "cards": cards, "heads": total_heads(cards)})
        rows.cards[row] = [card]
    return taken


@pytest.mark.parametrize("vector", load("base", "turn", "place"))
def test_rows_after_a_turn(vector: dict[str, Any]) -> None:
    action, expect = vector["action"], vector["expect"]
    rows = Rows({place: list(row) for place, row in enumerate(vector["before"]["rows"], 1)})
    plays = action.get("plays", [action])
    if expect["verdict"] == "needs_choice":
        assert rows.choices(action["card"]) == expect["choices"]
        return
    assert play_turn(rows, plays) == expect.get("taken", [])
    assert list(rows.cards.values()) == expect["rows"]


@pytest.mark.parametrize("vector", load("base", "count_heads"))
def test_heads(vector: dict[str, Any]) -> None:
    assert total_heads(vector["action"]["cards"]) == vector["expect"]["heads"]


def test_all_heads_of_the_deck() -> None:
    assert total_heads(range(1, 105)) == 171


@pytest.mark.parametrize(
    ("card", "row"),
    [pytest.param(44, 2, id="not the nearest row"), pytest.param(27, 1, id="a full row")],
)
def test_a_breach_of_the_rows(card: int, row: int) -> None:
    rows = Rows({1: [12, 14, 15, 21, 26], 2: [37], 3: [43], 4: [58]})
    with pytest.raises(Breach):
        rows.put(card, row)
