"""``oxeye scores``, ``log`` and ``amend``: commands that read and correct the journal."""

import csv
import io
import json
from contextlib import closing
from random import Random

import pytest
from click.testing import CliRunner

from engine.games import GAMES
from engine.log import Log
from engine.log_text import read_log
from firmware.app.restore import restore_session
from firmware.cli import main
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import EndGame, Started, WriteEntries
from firmware.journal.sqlite_file import open_readonly
from firmware.simulation.players import PLAYERS

MOVES = ["play 12 up:1", "play 90 down:1", "done 1 2", "play 14 up:1", "play 80 down:1"]
DAY = 1_800_000_000.0


@pytest.fixture
def path(tmp_path):
    """A journal with two games: The Game, given up, and SIX, running."""
    path = tmp_path / "journal.sqlite"
    with closing(open_journal(path)) as journal:
        game = journal.begin(Started("thegame", {"players": 2, "width": 700}, {1: "Ana", 2: "Țepeș"}), DAY)
        journal.apply(WriteEntries(MOVES[:3], "seen"), game, DAY + 1)
        journal.apply(WriteEntries(MOVES[3:], "button"), game, DAY + 2)
        journal.apply(EndGame("given up"), game, DAY + 60)
        journal.begin(Started("six", {}, {2: "Ben"}), DAY + 100)
    return path


def oxeye(path, *words):
    return CliRunner().invoke(main, [*words, "--journal", str(path)])


def rows(path, game=1):
    with closing(open_journal(path, alone=False)) as journal:
        return [(row.entry, row.told) for row in journal.rows(game)]


def test_a_table_has_a_line_for_each_game(path):
    first, second = oxeye(path, "scores").output.splitlines()
    assert first.startswith("   1  ")
    assert first.endswith("thegame width=700  given up  team 94")
    assert second.endswith("six  running  Player 1 0  Ben 0")


def test_csv_has_a_line_for_each_player(path):
    table = list(csv.DictReader(io.StringIO(oxeye(path, "scores", "--csv").output)))
    assert [(row["game"], row["how"], row["player"], row["who"], row["points"]) for row in table] == [
        ("1", "given up", "0", "team", "94"),
        ("2", "running", "1", "Player 1", "0"),
        ("2", "running", "2", "Ben", "0"),
    ]
    assert "width=700" in table[0]["options"]


def test_json_has_everything(path):
    games = json.loads(oxeye(path, "scores", "--json").output)
    assert [(game["game"], game["name"], game["how"], game["damage"]) for game in games] == [
        (1, "thegame", "given up", ""),
        (2, "six", "running", ""),
    ]
    assert games[0]["options"]["players"] == "2"
    assert games[1]["players"][1] == {"player": 2, "who": "Ben", "points": 0, "rounds": [], "won": False, "gone": False}


def test_a_damaged_game_is_reported_and_the_others_are_shown(path):
    with closing(open_journal(path)) as journal:
        journal.apply(WriteEntries(("fly 3",), "seen"), 1, DAY)
    damaged, sound = json.loads(oxeye(path, "scores", "--json").output)
    assert (damaged["players"][0]["points"], bool(damaged["damage"]), sound["damage"]) == (94, True, "")
    told = oxeye(path, "log", "1")
    assert told.exit_code == 1
    assert "play 80 down:1" in told.output


def test_a_game_of_an_unknown_kind_is_reported(path):
    with closing(open_journal(path)) as journal:
        journal.begin(Started("chess", {"clock": 5}, {1: "Ana"}), DAY)
    last = json.loads(oxeye(path, "scores", "--json").output)[-1]
    assert (last["name"], last["players"], bool(last["damage"])) == ("chess", [], True)
    assert oxeye(path, "scores").exit_code == 0
    assert oxeye(path, "log", "3").exit_code == 1
    assert oxeye(path, "amend", "3", "0", "0").exit_code == 1


def test_an_empty_journal_has_no_game(tmp_path):
    open_journal(tmp_path / "journal.sqlite").close()
    assert oxeye(tmp_path / "journal.sqlite", "scores").output == "no game yet\n"


def test_log_numbers_the_moves_as_amend_does(path):
    _, *moves = oxeye(path, "log", "1").output.splitlines()
    assert [line.split()[0] for line in moves] == ["0", "1", "2", "3", "4"]
    assert moves[0].endswith("seen    play 12 up:1")
    assert moves[4].endswith("button  play 80 down:1")


def test_a_log_as_text_can_be_read_again(path):
    log = read_log(oxeye(path, "log", "1", "--text").output, GAMES)
    assert [str(entry) for entry in log.entries] == MOVES


def test_a_correction_shows_what_it_changed(path):
    done = oxeye(path, "amend", "1", "4", "5")
    assert (done.exit_code, done.output) == (0, "was: team 94\nnow: team 95\n")
    assert rows(path)[-1] == ("amend 4 5", "cli")
    _, *moves = oxeye(path, "log", "1").output.splitlines()
    assert [line.split("  ")[-1].strip() for line in moves] == MOVES[:4]


def test_a_corrected_move_shows_its_source(path):
    assert oxeye(path, "amend", "1", "0", "1", "play 13 up:1").exit_code == 0
    _, first, second, *_ = oxeye(path, "log", "1").output.splitlines()
    assert first.endswith("cli     play 13 up:1")
    assert second.endswith("seen    play 90 down:1")


def test_a_correction_that_breaks_later_moves_names_each_and_changes_nothing(path):
    done = oxeye(path, "amend", "1", "0", "2", "play 20 up:1", "play 75 down:1")
    assert done.exit_code == 1
    assert "3 'play 14 up:1'" in done.output
    assert "4 'play 80 down:1'" in done.output
    assert "G-5" in done.output
    assert rows(path) == [(move, "seen" if n < 3 else "button") for n, move in enumerate(MOVES)]


REFUSED = [
    ("an unknown move", ("1", "0", "1", "fly 3"), "no such move"),
    ("a correction in a correction", ("1", "5", "5", "amend 0 0"), "an amendment holds moves, not amendments"),
    ("two moves in one", ("1", "5", "5", "adopt up:1=12;done 1 2"), "adopt row:1=10|20"),
    ("a move that the rules forbid", ("1", "4", "5", "play 12 up:2"), "'play 12 up:2'"),
    ("a later move, named by its number", ("1", "0", "1", "play 15 up:1", "play 16 up:1"), "  2 'done 1 2': "),
    ("a later move, named by its text", ("1", "0", "0", "play 90 up:1"), "  1 'play 90 down:1': "),
    ("moves beyond the end", ("1", "4", "9"), "moves 0 to 5"),
    ("an inverted range", ("1", "3", "2"), "moves 0 to 5"),
    ("an unknown game", ("7", "0", "1"), "Error"),
    ("not a number", ("one", "0", "1"), "integer"),
]


@pytest.mark.parametrize(("words", "says"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_an_impossible_correction_is_refused(path, words, says):
    done = oxeye(path, "amend", *words)
    assert done.exit_code != 0
    assert says in done.output
    assert len(rows(path)) == len(MOVES)


DAMAGED_ENTRY = "amend 5 5 ; amend 0 0"
"""An entry that an older version may have written and that cannot be replayed."""


def test_a_game_that_cannot_be_replayed_is_named_and_blocks_neither_the_others_nor_the_start(path):
    with closing(open_journal(path)) as journal:
        journal.apply(WriteEntries((DAMAGED_ENTRY, "done 1 2"), "cli"), 1, DAY)
    damaged, sound = oxeye(path, "scores").output.splitlines()
    assert ("row 6" in damaged, "team 94" in damaged, "row" in sound) == (True, True, False)
    assert oxeye(path, "log", "2").exit_code == 0
    refused = oxeye(path, "amend", "1", "4", "5")
    assert (refused.exit_code, "oxeye amend --mend 1 0 0" in refused.output) == (1, True)
    with closing(open_journal(path)) as journal:
        known, notices = restore_session(journal, DAY)
    assert ([stopped.id for stopped in known.stopped], notices) == ([2], ())


def test_mending_a_damaged_game_sets_the_bad_rows_aside(path):
    with closing(open_journal(path)) as journal:
        journal.apply(WriteEntries((DAMAGED_ENTRY, "done 1 2"), "cli"), 1, DAY)
    assert oxeye(path, "amend", "--mend", "1", "4", "5").output == "was: team 94\nnow: team 95\n"
    assert [entry for entry, _ in rows(path)] == [*MOVES, "amend 4 5"]
    assert oxeye(path, "log", "1").exit_code == 0
    with closing(open_readonly(path)) as db:
        assert [entry for (entry,) in db.execute("SELECT entry FROM put_aside")] == [DAMAGED_ENTRY, "done 1 2"]


@pytest.fixture
def over(path):
    """Add a finished match of SIX to the journal."""
    log = Log(GAMES["six"], {})
    players = PLAYERS["six"](log.options, Random(3))
    while (move := players.next(log.state)) is not None and not log.game.view(log.state).over:
        log = log.add(move)
    with closing(open_journal(path)) as journal:
        game = journal.begin(Started("six", log.options, {1: "Ana", 2: "Ben"}), DAY + 200)
        journal.apply(WriteEntries(tuple(map(str, log.entries)), "seen"), game, DAY + 201)
        journal.apply(EndGame("finished"), game, DAY + 300)
    return log


def test_a_match_that_is_no_longer_over_can_go_on(path, over):
    count = len(over.moves)
    done = oxeye(path, "amend", "3", str(count - 1), str(count))
    assert (done.exit_code, "no longer over" in done.output) == (0, True)
    assert "stopped" in oxeye(path, "scores").output.splitlines()[2]
    with closing(open_journal(path)) as journal:
        known, _ = restore_session(journal, DAY)
        assert [stopped.id for stopped in known.stopped] == [3, 2]


def test_a_match_that_is_still_over_stays_finished(path, over):
    done = oxeye(path, "amend", "3", "0", "1", str(over.moves[0]))
    assert (done.exit_code, "no longer over" in done.output) == (0, False)
    assert "finished" in oxeye(path, "scores").output.splitlines()[2]


def test_a_match_possibly_on_the_screen_is_refused_while_the_box_runs(path, over):
    with closing(open_journal(path)) as box:
        before = rows(path, 3)
        shown, older = oxeye(path, "amend", "3", "0", "0"), oxeye(path, "amend", "1", "4", "5")
        assert (shown.exit_code, "or stop the box first" in shown.output) == (1, True)
        assert (older.exit_code, rows(path, 3)) == (0, before)
        box.begin(Started("six", {}, {}), DAY + 400)
        assert oxeye(path, "amend", "3", "0", "0").exit_code == 0


def test_the_running_game_of_a_box_is_refused(path):
    with closing(open_journal(path)) as box:
        refused = oxeye(path, "amend", "2", "0", "0")
        beside = oxeye(path, "amend", "1", "4", "5")
        assert (refused.exit_code, beside.exit_code) == (1, 0)
        assert box.apply(WriteEntries(("start red 0,0",), "seen"), box.running().id, DAY)
    assert [len(rows(path, game)) for game in (1, 2)] == [len(MOVES) + 1, 1]


@pytest.mark.parametrize("words", [("scores",), ("log", "1"), ("amend", "1", "0", "0")], ids=lambda words: words[0])
@pytest.mark.parametrize("held", [None, b"dear diary"], ids=["no file", "a text file"])
def test_a_missing_journal_is_reported_and_nothing_is_created(tmp_path, words, held):
    path = tmp_path / "journal.sqlite"
    if held:
        path.write_bytes(held)
    done = oxeye(path, *words)
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([held] if held else [])


def test_the_environment_can_name_the_journal(path):
    done = CliRunner().invoke(main, ["scores"], env={"OXEYE_JOURNAL": str(path)})
    assert len(done.output.splitlines()) == 2


def test_help_names_every_command():
    told = CliRunner().invoke(main, ["--help"]).output
    assert all(word in told for word in ("scores", "log", "amend"))


@pytest.mark.parametrize("words", [("scores",), ("log", "1")], ids=["scores", "log"])
def test_a_damaged_journal_is_reported_in_one_line(path, words):
    """Its header is intact and the pages after it are damaged."""
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 4096):
        data[at : at + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    done = oxeye(path, *words)
    assert (done.exit_code, done.output) == (1, "Error: Saved games damaged: change the SD card\n")


@pytest.mark.parametrize("words", [("scores",), ("log", "1"), ("backup",)], ids=" ".join)
def test_a_command_uses_the_state_folder_of_the_settings(path, tmp_path, words):
    settings = tmp_path / "config.toml"
    settings.write_text(f'state = "{path.parent}"\n', encoding="utf-8")
    done = CliRunner().invoke(main, [*words], env={"OXEYE_CONFIG": str(settings), "OXEYE_JOURNAL": None})
    assert done.exit_code == 0, done.output
    assert "thegame" in done.output or str(path.parent) in done.output
