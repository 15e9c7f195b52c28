"""The journal holds all entries in order and synced, and a game continues where it stopped."""

import sqlite3
from contextlib import closing

import pytest

from engine.games import GAMES
from engine.log import Adopt, Log
from firmware.journal.errors import JournalError
from firmware.journal.journal import open_journal
from firmware.journal.log_from_rows import DamagedRows
from firmware.journal.operation_types import (
    EndGame,
    PauseGame,
    QuarantineRows,
    RenamePlayers,
    ResumeGame,
    Started,
    VerifyDeck,
    WriteEntries,
)
from firmware.journal.row_sql import read_entries
from firmware.journal.schema import SCHEMA_VERSION
from firmware.journal.sqlite_file import open_readonly
from firmware.journal.stored_options import format_options, read_options
from tests.powercut.disk import Disk

GAME = GAMES["thegame"]
START = Log(GAME, {"players": 2})
MOVES = ["play 12 up:1", "play 90 down:1", "done 1 2", "play 14 up:1"]
NAMES = {1: "Ana", 2: "Țepeș 🂡"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path):
    with closing(open_journal(path)) as opened:
        yield opened


def begin(journal, *moves, at=100.0):
    game = journal.begin(Started("thegame", START.options, NAMES), at)
    assert journal.apply(WriteEntries(moves, "seen"), game, at + 1)
    return game


def spoil(path, sql, *values):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql, values)


def test_every_kind_of_entry_comes_back(journal):
    log = START.add(*map(START.parse, MOVES)).take_back(1).amend(0, 1, GAME.parse("play 11 up:1"))
    log = log.add(Adopt((("up:1", ("11", "50")), ("up:2", ("13",))), by_all=True))
    game = journal.begin(Started("thegame", log.options, NAMES), 100.0)
    for entry in log.entries:
        assert journal.apply(WriteEntries((str(entry),), "button"), game, 101.5)
    assert journal.load(game, GAMES) == log
    assert [(row.told, row.at) for row in journal.rows(game)] == [("button", 101.5)] * len(log.entries)


def test_a_game_goes_on_where_it_stopped(path):
    with closing(open_journal(path)) as first:
        game = begin(first, *MOVES[:3])
    with closing(open_journal(path)) as second:
        running = second.running()
        assert (running.id, running.name, running.names, running.began) == (game, "thegame", NAMES, 100.0)
        assert second.apply(WriteEntries(MOVES[3:], "web"), game, 200.0)
        assert second.load(game, GAMES) == START.add(*map(START.parse, MOVES))
    assert [file.name for file in path.parent.iterdir() if "-" in file.name] == []


@pytest.mark.parametrize("how", ["finished", "given up"])
def test_a_game_that_ended_does_not_run(path, how):
    with closing(open_journal(path)) as first:
        game = begin(first, *MOVES)
        assert first.apply(EndGame(how), game, 300.0)
        assert first.running() is None
    with closing(open_journal(path)) as second:
        assert second.running() is None
        assert [(played.id, played.how, played.ended) for played in second.history()] == [(game, how, 300.0)]


def test_a_new_game_stops_the_one_that_runs(journal):
    old, new = begin(journal, *MOVES), begin(journal, *MOVES[:1], at=400.0)
    assert journal.running().id == new != old
    assert [(played.how, played.ended) for played in journal.history()] == [("stopped", None), (None, None)]
    assert [len(journal.rows(game)) for game in (old, new)] == [4, 1]


def test_a_paused_game_waits_while_others_begin_and_end(path):
    with closing(open_journal(path)) as first:
        old = begin(first, *MOVES[:2])
        assert first.apply(PauseGame(), old, 0.0)
        assert first.running() is None
        new = begin(first, *MOVES, at=400.0)
        assert first.apply(EndGame("finished"), new, 500.0)
    with closing(open_journal(path)) as second:
        assert second.running() is None
        assert [(game.id, game.how, game.names) for game in second.stopped()] == [(old, "paused", NAMES)]
        assert second.apply(ResumeGame(old), old, 0.0)
        assert second.apply(WriteEntries(MOVES[2:], "seen"), old, 600.0)
        assert (second.running().id, second.running().how) == (old, None)
    with closing(open_journal(path)) as third:
        assert third.running().id == old
        assert third.load(old, GAMES) == START.add(*map(START.parse, MOVES))


def test_to_take_one_game_up_stops_the_other(journal):
    old, new = begin(journal, *MOVES), begin(journal, *MOVES[:1], at=400.0)
    assert journal.apply(ResumeGame(old), old, 0.0)
    assert [(game.id, game.how, game.runs) for game in journal.stopped()] == [
        (old, None, True),
        (new, "stopped", False),
    ]
    assert journal.apply(EndGame("given up"), new, 500.0)
    assert [game.id for game in journal.stopped()] == [old]


def test_a_game_in_the_middle_of_which_the_power_went_is_stopped_but_not_paused(path):
    with closing(open_journal(path)) as first:
        game = begin(first, *MOVES)
    with closing(open_journal(path)) as second:
        assert [(played.id, played.how, played.runs) for played in second.stopped()] == [(game, None, True)]


def test_a_game_that_ended_too_soon_goes_on(path):
    with closing(open_journal(path)) as first:
        game = begin(first, *MOVES[:3])
        assert first.apply(EndGame("finished"), game, 300.0)
        assert first.apply(ResumeGame(game), game, 0.0)
        assert first.apply(WriteEntries(MOVES[3:], "seen"), game, 400.0)
    with closing(open_journal(path)) as second:
        assert (second.running().id, len(second.rows(game))) == (game, len(MOVES))


def test_an_older_file_is_read_and_becomes_one_of_today(path):
    with closing(open_journal(path)) as first:
        begin(first, *MOVES)
    spoil(path, "PRAGMA user_version = 1")
    with closing(open_journal(path)) as second:
        assert (second.error, len(second.rows(second.running().id))) == (None, len(MOVES))
    with closing(open_readonly(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_a_finished_game_can_still_be_corrected(journal):
    game = begin(journal, *MOVES)
    journal.apply(EndGame("finished"), game, 300.0)
    assert journal.apply(WriteEntries(("amend 3 4",), "web"), game, 500.0)
    assert len(journal.load(game, GAMES).moves) == 3


def test_appending_nothing_is_fine(journal):
    game = begin(journal, *MOVES)
    assert journal.apply(WriteEntries((), "seen"), game, 1.0)
    assert len(journal.rows(game)) == 4


def test_the_names_of_the_last_evening_are_restored(path):
    day = 24 * 3600.0
    with closing(open_journal(path)) as first:
        assert first.names({"six"}) == {}
        first.begin(Started("six", {}, {1: "Old", 4: "Gone"}), 0.0)
        first.begin(Started("nimmt", {}, {1: "Ana", 2: "Ben", 3: "Clea"}), day)
        game = first.begin(Started("thegame", {}, {1: "Ana", 2: "Dov"}), day + 3600)
        assert first.names({"six"}) == {1: "Ana", 2: "Dov", 3: "Clea"}
        assert first.apply(RenamePlayers({1: "Ana", 2: "Eli"}), game, 0.0)
        assert (first.names({"six"})[2], first.running().names[2]) == ("Eli", "Eli")
    with closing(open_journal(path)) as second:
        assert second.names({"six"}) == {1: "Ana", 2: "Eli", 3: "Clea"}
        second.begin(Started("six", {}, {1: "Eli", 2: "Ana"}), day + 7200)  # Eli begins, and sits where he sat
        assert second.names({"six"}) == {1: "Ana", 2: "Eli", 3: "Clea"}


EVENINGS = {
    "who has left the game is nowhere, and nobody is twice": (
        [("thegame", {1: "Ana", 2: "Ben", 3: "Clea"}), ("thegame", {1: "Ben", 2: "Clea"})],
        {1: "Ben", 2: "Clea"},
    ),
    "who was not in the last game is where he was": (
        [("thegame", {1: "Ana", 2: "Ben", 3: "Clea"}), ("thegame", {1: "Ben", 2: "Ana"})],
        {1: "Ben", 2: "Ana", 3: "Clea"},
    ),
    "of older games the newer one": (
        [("nimmt", {3: "Clea"}), ("nimmt", {3: "Dov", 4: "Clea"}), ("thegame", {1: "Ana"})],
        {1: "Ana", 3: "Dov", 4: "Clea"},
    ),
    "after SIX people are where they were before": (
        [("nimmt", {1: "Ana", 2: "Ben"}), ("six", {1: "Ben", 2: "Ana"})],
        {1: "Ana", 2: "Ben"},
    ),
}


@pytest.mark.parametrize(("games", "names"), EVENINGS.values(), ids=EVENINGS)
def test_a_name_has_one_number(journal, games, names):
    for n, (game, named) in enumerate(games):
        journal.begin(Started(game, {}, named), 100.0 + n)
    assert journal.names({"six"}) == names


def test_checked_decks_are_remembered(path):
    with closing(open_journal(path)) as first:
        assert first.apply(VerifyDeck("nimmt"), 0, 1.0)
        assert first.apply(VerifyDeck("nimmt"), 0, 2.0)
        assert first.apply(VerifyDeck("thegame"), 0, 3.0)
    with closing(open_journal(path)) as second:
        assert second.decks() == {"nimmt": 2.0, "thegame": 3.0}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_options_of_every_game_come_back(name, journal):
    options = Log(GAMES[name], {}).options
    game = journal.begin(Started(name, options, {}), 1.0)
    assert journal.load(game, GAMES).options == options


@pytest.mark.parametrize(("arrangement", "named"), [("beside", False), ("below", True)])
def test_an_option_that_version_0_1_0_does_not_know_is_written_only_where_it_is_not_the_default(
    journal, arrangement, named
):
    options = {**START.options, "start_cards": arrangement}
    game = journal.begin(Started("thegame", options, NAMES), 100.0)
    assert ("start_cards" in journal.head(game).options) is named
    assert journal.load(game, GAMES).options == options


def test_options_are_words_of_the_engine():
    assert format_options({"players": 3, "spots": (1, 4), "specials": (), "variant": "base"}) == (
        "players=3 spots=1,4 specials=- variant=base"
    )
    assert read_options("spots=1,4 specials=-") == {"spots": "1,4", "specials": ""}


SPOILED = [
    ("a row that is no move", "UPDATE entry SET entry = 'fly 3' WHERE number = 3", 3),
    ("a row that is not allowed", "UPDATE entry SET entry = 'play 12 up:2' WHERE number = 2", 2),
    ("a row that is missing", "DELETE FROM entry WHERE number = 2", 2),
    ("letters that are none", "UPDATE entry SET entry = CAST(x'ff41' AS TEXT) WHERE number = 4", 4),
    ("an empty row", "UPDATE entry SET entry = '' WHERE number = 1", 1),
    ("an amendment of nothing", "UPDATE entry SET entry = 'amend 7 9' WHERE number = 4", 4),
    ("an unknown game", "UPDATE game SET name = 'chess'", 0),
    ("an unknown option", "UPDATE game SET options = 'colour=2'", 0),
    ("options that are none", "UPDATE game SET options = 'players'", 0),
]


@pytest.mark.parametrize(("sql", "row"), [s[1:] for s in SPOILED], ids=[s[0] for s in SPOILED])
def test_a_damaged_game_gives_what_is_good_and_names_the_row(path, sql, row):
    with closing(open_journal(path)) as first:
        game = begin(first, *MOVES)
    spoil(path, sql)
    with closing(open_journal(path)) as journal, pytest.raises(DamagedRows) as bad:
        journal.load(game, GAMES)
    assert (bad.value.row, bad.value.text.id, bad.value.text.get("row")) == (row, "log_row", row)
    assert (bad.value.good and len(bad.value.good.moves)) == (row - 1 if row else None)


def test_a_damaged_game_goes_on_from_what_is_good_and_nothing_is_thrown_away(path):
    with closing(open_journal(path)) as first:
        game = begin(first, *MOVES)
    spoil(path, "UPDATE entry SET entry = 'fly 3' WHERE number = 3")
    with closing(open_journal(path)) as journal:
        assert journal.apply(QuarantineRows(3), game, 500.0)
        assert journal.apply(WriteEntries(("done 1 2", "play 15 up:1"), "seen"), game, 501.0)
        assert [str(move) for move in journal.load(game, GAMES).moves] == [*MOVES[:2], "done 1 2", "play 15 up:1"]
    with closing(open_readonly(path)) as db:
        assert [row.entry for row in read_entries(db, game)][2:] == ["done 1 2", "play 15 up:1"]
        assert db.execute("SELECT number, entry, since FROM put_aside").fetchall() == [
            (3, "fly 3", 500.0),
            (4, MOVES[3], 500.0),
        ]


def test_a_game_with_a_row_missing_numbers_the_next_behind_the_last(path):
    with closing(open_journal(path)) as first:
        game = begin(first, *MOVES)
    spoil(path, "DELETE FROM entry WHERE number = 2")
    with closing(open_journal(path)) as journal:
        assert journal.apply(WriteEntries(("play 15 up:1",), "seen"), game, 501.0)
        assert [row.number for row in journal.rows(game)] == [1, 3, 4, 5]


def test_names_that_cannot_be_read_are_no_names(path):
    with closing(open_journal(path)) as first:
        begin(first, *MOVES)
    spoil(path, "UPDATE game SET names = '{'")
    with closing(open_journal(path)) as journal:
        assert journal.running().names == {}


NOWHERE = {
    "append": lambda journal: journal.apply(WriteEntries(MOVES, "seen"), 7, 1.0),
    "load": lambda journal: journal.load(7, GAMES),
    "take up": lambda journal: journal.apply(ResumeGame(7), 7, 0.0),
}


@pytest.mark.parametrize("verb", NOWHERE.values(), ids=list(NOWHERE))
def test_there_is_no_such_game(journal, verb):
    with pytest.raises(JournalError) as why:
        verb(journal)
    assert (why.value.text.id, why.value.text.get("number")) == ("journal_no_game", 7)


def test_one_confirmed_entry_is_one_sync(tmp_path):
    disk = Disk()
    with closing(open_journal(tmp_path / "journal.sqlite", disk.connect)) as journal:
        game = begin(journal)
        before = len(disk.ops)
        for move in MOVES:
            assert journal.apply(WriteEntries((move,), "seen"), game, 1.0)
            assert disk.ops[-1].verb in ("sync", "write")
        verbs = [op.verb for op in disk.ops[before:]]
    assert verbs.count("sync") == len(MOVES)


def test_a_commit_leaves_nothing_of_itself_in_the_sector_of_the_next(journal, path):
    """A card that is cut while it writes may spoil the whole sector."""
    game, log = begin(journal), path.with_name(path.name + "-wal")
    for move in MOVES:
        before = log.stat().st_size
        journal.apply(WriteEntries((move,), "seen"), game, 1.0)
        page, sector = 4096 + 24, 4096
        assert log.stat().st_size // sector > (before + page - 1) // sector


def test_after_a_game_the_journal_is_one_file(journal, path):
    journal.apply(EndGame("finished"), begin(journal, *MOVES), 2.0)
    assert path.with_name(path.name + "-wal").stat().st_size == 0
    assert journal.apply(WriteEntries(MOVES, "seen"), begin(journal), 3.0)


def test_entries_of_another_process_stay(journal, path):
    game = begin(journal, *MOVES[:2])
    spoil(path, "INSERT INTO entry VALUES (?, 3, 'done 1 2', 'cli', 7.0)", game)
    assert journal.apply(WriteEntries((MOVES[3],), "seen"), game, 8.0)
    with closing(open_readonly(path)) as db:
        assert [(row.number, row.entry) for row in read_entries(db, game)] == list(enumerate(MOVES, 1))


def test_a_visitor_takes_no_game_over(journal, path):
    begin(journal, *MOVES)
    with closing(open_journal(path, alone=False)) as visitor:
        assert (visitor.error, visitor.running()) == (None, None)
        assert len(visitor.rows(1)) == len(MOVES)


def test_reading_needs_no_write_permission_and_changes_nothing(path, tmp_path):
    with closing(open_journal(path)) as journal:
        begin(journal, *MOVES)
        with closing(open_readonly(path)) as db:
            assert len(read_entries(db, 1)) == 4
            with pytest.raises(sqlite3.OperationalError):
                db.execute("DELETE FROM entry")
