"""Stickers printed with version 0.1.0 are on people's cards: their codes, modules and places never change."""

import json

import pytest

from tests.compatibility.reading import FROZEN, code_of, stickers_in_json

WANTED = json.loads((FROZEN / "stickers.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found():
    return json.loads(json.dumps(stickers_in_json()))


def test_every_code_that_was_printed_is_still_printed_in_the_same_order(found):
    assert found["printed"] == WANTED["printed"]
    assert found["read"] == WANTED["read"]


@pytest.mark.parametrize("part", ["modules", "modules of all", "markers"])
def test_what_is_printed_looks_the_same(found, part):
    assert found[part] == WANTED[part]


@pytest.mark.parametrize("part", ["cards", "from sticker to card"])
def test_a_sticker_sits_where_it_sat_on_its_card(found, part):
    assert found[part] == WANTED[part]


@pytest.mark.parametrize("payload", WANTED["modules"])
def test_a_printed_sticker_is_read(payload):
    rows = WANTED["modules"][payload]
    assert code_of([[module == "#" for module in row] for row in rows]) == [payload]
