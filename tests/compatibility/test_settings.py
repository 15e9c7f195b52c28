"""Files of settings as version 0.1.0 shipped, wrote and accepted them count as they counted."""

import json
import shutil

import pytest

from tests.compatibility.reading import FROZEN, change_setting, settings_in_json

SETTINGS = FROZEN / "settings"
EXPECTED = json.loads((SETTINGS / "settings.json").read_text(encoding="utf-8"))
EDITS = json.loads((SETTINGS / "edits.json").read_text(encoding="utf-8"))


def comments(path):
    return [
        line.partition("#")[2].strip() for line in path.read_bytes().decode("utf-8-sig").splitlines() if "#" in line
    ]


@pytest.mark.parametrize("name", sorted(path.name for path in SETTINGS.glob("*.toml")))
def test_each_setting_counts_as_it_counted_and_each_problem_is_named(name):
    found, wanted = settings_in_json(SETTINGS / name), EXPECTED[name]
    assert {key: found["values"].get(key) for key in wanted["values"]} == wanted["values"]
    assert found["problems"] == wanted["problems"]


def test_every_key_of_the_old_version_is_changed_in_one_file():
    usual, changed = EXPECTED["shipped.toml"]["values"], EXPECTED["every-key.toml"]["values"]
    assert {key for key in usual if usual[key] == changed[key]} == set()
    assert EXPECTED["from-nothing.toml"]["values"] == changed


@pytest.mark.parametrize("name", sorted(EDITS))
def test_one_setting_is_changed_and_all_others_and_every_comment_stay(name, tmp_path):
    for number, (key, words, values) in enumerate(EDITS[name]):
        path = tmp_path / f"{number}.toml"
        shutil.copy(SETTINGS / name, path)
        change_setting(path, key, words)
        found = settings_in_json(path)["values"]
        assert {other: found[other] for other in values} == values, key
        assert comments(path) == comments(SETTINGS / name), key
