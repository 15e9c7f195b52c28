"""A few damages of each kind; ``make attack`` does many more. The examiner itself finds a box that says nothing."""

import json
import random
import re
import shutil
from contextlib import closing

import pytest
from click.testing import CliRunner

from engine.games import GAMES
from firmware.cli import main
from firmware.journal.connection import connect
from firmware.journal.copies import COPIES_FOLDER, add_daily_copy, find_missing_games
from firmware.journal.journal import open_journal
from firmware.journal.sqlite_file import read_journal
from tests.attacks.damaged_journals import DAMAGES, NAME, OLDER, Answer, ask_box, ask_commands, judge, write_evening


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    return write_evening(tmp_path_factory.mktemp("evening"), games=5)


@pytest.fixture
def path(evening, tmp_path):
    for file in evening.parent.iterdir():
        if file.is_file() and not file.name.endswith(".lock"):
            shutil.copy(file, tmp_path)
    return tmp_path / NAME


@pytest.fixture(scope="module")
def truth(evening):
    return ask_box(evening)


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_box_says_that_a_journal_is_damaged_or_shows_what_it_showed(path, truth, damage):
    whole = path.read_bytes()
    rng = random.Random(damage)
    for number in range(6):
        path.write_bytes(DAMAGES[damage](rng, whole))
        outcome, why = judge(ask_box(path), truth, number)
        assert outcome not in ("silent", "traceback"), why


def test_every_command_answers_a_damaged_first_page_with_a_sentence(path):
    rng = random.Random(5)
    whole = path.read_bytes()
    for _ in range(3):
        path.write_bytes(DAMAGES["bit flips in page 1"](rng, whole))
        assert ask_commands(path).tracebacks == ()


CELLS = (
    ("an entry", "UPDATE entry SET entry = 'done 1 2' WHERE game = 1 AND number = 3"),
    ("an entry is gone", "DELETE FROM entry WHERE game = 1 AND number = 3"),
    ("the last entries are gone", "DELETE FROM entry WHERE game = 1 AND number > 20"),
    (
        "the last entries are gone with their checksums",
        "DELETE FROM entry WHERE game = 1 AND number > 20; DELETE FROM seal WHERE game = 1 AND number > 20",
    ),
    ("the options", "UPDATE game SET options = replace(options, 'players=3', 'players=2') WHERE id = 1"),
    ("the end", "UPDATE game SET how = 'given up' WHERE id = 1"),
    ("who played", 'UPDATE game SET names = \'{"1": 2, "2": 1}\' WHERE id = 1'),
    ("a name", "UPDATE person SET name = 'Bea' WHERE id = 1"),
    ("a checksum", "UPDATE seal SET hash = zeroblob(32) WHERE game = 1 AND number = 4"),
    ("a whole game is gone", "DELETE FROM game WHERE id = 2"),
    (
        "a whole game is gone with all its rows",
        "DELETE FROM game WHERE id = 2; DELETE FROM entry WHERE game = 2; DELETE FROM seal WHERE game = 2",
    ),
    (
        "entries of two games exchanged",
        "UPDATE entry SET game = 9 WHERE game = 2 AND number = 1; UPDATE entry SET game = 2 WHERE game = 3 AND "
        "number = 1; UPDATE entry SET game = 3 WHERE game = 9",
    ),
)


@pytest.mark.parametrize("change", [cell[1] for cell in CELLS], ids=[cell[0] for cell in CELLS])
def test_a_changed_row_is_told(path, truth, change):
    with closing(connect(path)) as db:
        db.executescript(change)
    outcome, why = judge(ask_box(path), truth, 0)
    assert outcome == "told", why


def test_a_damaged_key_of_an_index_is_told_and_no_game_appears_twice(path, truth):
    """SQLite finds a row by the index: with a damaged key the running game would be written a second time."""
    with closing(connect(path)) as db:
        token = db.execute("SELECT token FROM game ORDER BY id DESC LIMIT 1").fetchone()[0].encode()
    whole = path.read_bytes()
    places = [found.start() for found in re.finditer(token, whole)]
    assert len(places) == 2, "one in the row, one in the index"
    for at in places:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        answer = ask_box(path)
        outcome, why = judge(answer, truth, at)
        assert outcome in ("told", "same, with a warning"), why
        assert len(answer.results) <= len(truth.results)
        path.with_name(NAME + ".head").unlink(missing_ok=True)


def test_an_older_copy_in_the_place_of_the_journal_is_told_once_and_its_missing_games_come_back(path, truth):
    add_daily_copy(path, GAMES)
    shutil.copy(path.with_name(OLDER), path)
    with closing(open_journal(path)) as journal:
        (notice,) = journal.notices()
        assert (notice.id, notice.get("n") > 0) == ("journal_older", True)
    with closing(open_journal(path)) as journal:
        assert journal.notices() == ()
    done = CliRunner().invoke(main, ["restore", "--yes", "--journal", str(path)])
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "4 brought back"), done.output
    shown = [one for one in ask_box(path).results[:-1] if one[2] == "finished"]
    assert shown == [one for one in truth.results[:-1] if one[2] == "finished"]
    assert find_missing_games(path, GAMES) is None


def test_a_damaged_game_comes_back_whole_from_the_copy_and_its_rows_are_set_aside(path, truth):
    add_daily_copy(path, GAMES)
    with closing(connect(path)) as db:
        db.execute("UPDATE entry SET entry = 'play 99 up:1' WHERE game = 1 AND number = 3")
    assert CliRunner().invoke(main, ["restore", "--yes", "--journal", str(path)]).exit_code == 0
    assert ask_box(path).results[:-1] == truth.results[:-1]
    with read_journal(path) as db:
        assert db.execute("SELECT entry FROM put_aside WHERE game = 1 AND number = 3").fetchall() == [("play 99 up:1",)]


def test_a_damaged_journal_replaces_no_copy(path):
    copy = add_daily_copy(path, GAMES)
    held = copy.read_bytes()
    with closing(connect(path)) as db:
        db.execute("UPDATE entry SET entry = 'play 99 up:1' WHERE game = 1 AND number = 3")
    done = CliRunner().invoke(main, ["backup", "--journal", str(path)])
    assert (done.exit_code, copy.read_bytes()) == (1, held)
    assert [file.name for file in (path.parent / COPIES_FOLDER).iterdir()] == [copy.name]


def test_a_view_that_never_ends_is_no_journal(path):
    with closing(connect(path)) as db:
        db.executescript(
            "DROP TABLE deck; CREATE VIEW deck AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
            "SELECT x AS name, x AS at FROM n"
        )
    with closing(open_journal(path)) as journal:
        assert [notice.id for notice in journal.notices()] == ["journal_kept"]
        assert len(journal.history()) == 5
        assert journal.decks() == {}


@pytest.mark.parametrize("answer", ["silent", "traceback"])
def test_the_examiner_finds_a_box_that_says_nothing(truth, answer):
    wrong = Answer(truth.results[:-2], truth.warnings, ("Traceback",) if answer == "traceback" else ())
    assert judge(wrong, truth, 0)[0] == answer


def test_the_scores_name_the_damage_of_a_game(path):
    with closing(connect(path)) as db:
        db.execute("UPDATE entry SET told = 'web' WHERE game = 1 AND number = 3")
    done = CliRunner().invoke(main, ["scores", "--json", "--journal", str(path)])
    assert [game["damage"] for game in json.loads(done.output)][:2] == ["game 1, row 3: its checksum is wrong", ""]
