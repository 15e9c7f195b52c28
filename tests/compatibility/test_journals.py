"""Journals written by version 0.1.0 are read as it read them, and a box goes on with them."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.compatibility.reading import (
    FROZEN,
    back_up,
    continue_game,
    journal_in_json,
    opened_in_json,
    parsed_again,
)

JOURNALS = FROZEN / "journals"
AT = 1_710_000_000.0
"""Seconds since 1970: later than every game in these journals."""
ALL = {
    str(path.relative_to(JOURNALS)): path for path in sorted(JOURNALS.rglob("*.sqlite")) if "-kept-" not in path.name
}
UNREADABLE = {"damaged.sqlite", "newer-schema.sqlite"}
WHOLE = sorted(ALL.keys() - UNREADABLE)
NEW_OPTION = " start_cards=beside"
CONTENTS = ("games", "decks", "put aside", "names", "scores", "spreadsheet")


def expected(name):
    return json.loads((JOURNALS / f"{name}.json").read_text(encoding="utf-8"))


def copied(name, folder):
    """A copy that may be written to: the journal and its write-ahead log."""
    for path in (JOURNALS / name).parent.glob(f"{Path(name).name}*"):
        if path.suffix != ".json":
            shutil.copy(path, folder)
    return folder / Path(name).name


def in_json(value):
    """As the old version wrote it: without an option that came later, at its default."""
    return json.loads(json.dumps(value).replace(NEW_OPTION, ""))


@pytest.mark.parametrize("name", WHOLE)
def test_a_journal_holds_what_it_held(name, tmp_path):
    found, wanted = in_json(journal_in_json(copied(name, tmp_path))), expected(name)
    for part in CONTENTS:
        assert found[part] == wanted[part], part


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_box_that_starts_with_a_journal_knows_what_it_knew(name, tmp_path):
    path = copied(name, tmp_path)
    wanted = expected(name)
    assert in_json(opened_in_json(path, AT)) == wanted["opened"]
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != ".lock") == wanted["files after"]
    if "after" in wanted:  # a damaged journal was mended
        found = in_json(journal_in_json(path))
        assert {part: found[part] for part in CONTENTS} == {part: wanted["after"][part] for part in CONTENTS}


@pytest.mark.parametrize("name", WHOLE)
def test_every_entry_is_written_as_it_was_written(name, tmp_path):
    path = copied(name, tmp_path)
    count = 0
    for entry, again in parsed_again(path):
        assert again == entry
        count += 1
    assert count == sum(len(game["entries"]) for game in expected(name)["games"] if not game["damage"])


def test_the_journals_hold_every_game_variant_end_and_source():
    games = [game for name in WHOLE for game in expected(name)["games"]]
    options = {game["name"] + " " + game["options"] for game in games}
    for wanted in (
        *(f"variant={variant}" for variant in ("base", "professional", "halves", "anniversary")),
        *(f"level={level}" for level in ("standard", "expert", "expert_small_hand")),
        "seats=off",
        "six ",
    ):
        assert any(wanted in words + " " for words in options), wanted
    assert {game["how"] for game in games} == {"finished", "given up", "paused", "stopped", None}
    assert {told for game in games for _, told, _, _ in game["entries"]} == {"seen", "button", "web", "cli"}
    verbs = {entry.split()[0] for game in games for *_, entry in game["entries"]}
    assert {"adopt", "overrule", "amend", "join", "leave", "sit", "draw", "cannot", "verify", "special"} <= verbs
    assert any(expected(name)["put aside"] for name in WHOLE)
    assert any(expected(name)["decks"] for name in WHOLE)


def test_a_paused_game_continues_and_the_running_one_stops(tmp_path):
    path = copied("evening.sqlite", tmp_path)
    before = {game["id"]: game for game in expected("evening.sqlite")["games"]}
    assert (before[3]["how"], before[11]["how"]) == ("paused", None)
    continue_game(path, 3, "amend 5 6", AT)
    after = {game["id"]: game for game in in_json(journal_in_json(path))["games"]}
    assert after.pop(3)["entries"] == [*before.pop(3)["entries"], [7, "button", AT, "amend 5 6"]]
    assert after.pop(11) == before.pop(11) | {"how": "stopped"}
    assert after == before


def test_backups_named_by_the_old_version_make_room_for_new_ones(tmp_path):
    path = copied("every-game.sqlite", tmp_path)
    (tmp_path / "copies").mkdir()
    old = [tmp_path / "copies" / f"{path.stem}-2023-11-{day:02}.sqlite" for day in range(1, 12)]
    for number, copy in enumerate(old):
        shutil.copy(path, copy)
        os.utime(copy, (number, number))
    made = back_up(path)
    assert sorted((tmp_path / "copies").iterdir()) == sorted([*old[-9:], made])
    assert in_json(journal_in_json(made))["games"] == expected("every-game.sqlite")["games"]
