"""The state folder of version 0.1.0: paired phones stay paired, and the picture of the empty table is found."""

import json
import shutil

import pytest

from tests.compatibility.reading import FROZEN, empty_table_in_json, knows_phone, pair_and_forget

STATE = FROZEN / "state"
PAIRED = json.loads((STATE / "tokens.json").read_text(encoding="utf-8"))
TOKENS = PAIRED["tokens"]
TOLERANCE_MM = 2
"""Another version of OpenCV may find a marker a little elsewhere."""


@pytest.fixture
def folder(tmp_path):
    for name in ("phones.json", "empty_table.png"):
        shutil.copy(STATE / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("day", ["today", "last good day", "day after"])
def test_a_paired_phone_is_known_as_long_as_it_was(folder, day):
    at, known = PAIRED[day]
    assert {name: knows_phone(folder, token, at) for name, token in TOKENS.items()} == known


def test_nothing_that_stands_in_the_file_opens_the_box(folder):
    at, _ = PAIRED["today"]
    stored = json.loads((folder / "phones.json").read_text(encoding="utf-8"))
    assert len(stored) == 2
    assert not any(knows_phone(folder, one["digest"], at) for one in stored)


def test_a_phone_is_forgotten_and_another_one_paired_in_the_same_file(folder):
    at, _ = PAIRED["today"]
    fresh = pair_and_forget(folder, TOKENS["first"], at)
    known = {name: knows_phone(folder, token, at) for name, token in {**TOKENS, "fresh": fresh}.items()}
    assert known == {"expired": False, "forgotten": False, "first": False, "second": True, "fresh": True}


def test_the_picture_of_the_empty_table_is_found_and_measured(folder):
    found = empty_table_in_json(folder)
    wanted = json.loads((STATE / "empty_table.json").read_text(encoding="utf-8"))
    assert found.pop("area") == pytest.approx(wanted.pop("area"), abs=TOLERANCE_MM)
    assert found == wanted
