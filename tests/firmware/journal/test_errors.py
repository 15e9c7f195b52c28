"""An error of the disk does not stop the game; rows are written later, once and in order."""

import fcntl
import os
import random
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.journal.errors import JournalError, explain_journal_error
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import (
    EndGame,
    PauseGame,
    QuarantineRows,
    ResumeGame,
    Started,
    VerifyDeck,
    WriteEntries,
)
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.schema import SCHEMA_VERSION
from firmware.journal.sqlite_file import open_readonly
from tests.powercut.disk import Disk

START = Log(GAMES["thegame"], {"players": 2})
MOVES = ["play 12 up:1", "play 90 down:1", "done 1 2", "play 14 up:1"]
NAME = "journal.sqlite"


@pytest.fixture
def path(tmp_path):
    return tmp_path / NAME


def begin(journal, *moves):
    game = journal.begin(Started("thegame", START.options, {1: "Ana"}), 100.0)
    journal.apply(WriteEntries(moves, "seen"), game, 101.0)
    return game


def said(journal):
    return journal.error and journal.error.text.id


def in_file(path):
    """The rows of each game as another process reads them."""
    with closing(open_readonly(path)) as db:
        return [[row.entry for row in read_entries(db, played.id)] for played in read_games(db)]


def play_on(journal, heal):
    """Play two moves during the error and two after it: the record must be complete, each row once."""
    trouble = said(journal)
    game = journal.begin(Started("thegame", START.options, {1: "Ana"}), 100.0)
    for move in MOVES[:2]:
        assert not journal.apply(WriteEntries((move,), "seen"), game, 101.0)
    assert said(journal) == trouble
    assert [str(move) for move in journal.load(game, GAMES).moves] == MOVES[:2]
    assert journal.running().id == game
    heal()
    assert journal.apply(WriteEntries(MOVES[2:], "seen"), game, 102.0)
    assert journal.error is None
    assert [str(move) for move in journal.load(game, GAMES).moves] == MOVES
    assert journal.apply(EndGame("finished"), game, 103.0)
    assert in_file(journal.path)[-1] == MOVES
    assert journal.load(game, GAMES).entries


def foreign(path):
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE holidays (place TEXT)")


def whole(path):
    with closing(open_journal(path)) as journal:
        begin(journal, *MOVES)
        journal.apply(EndGame("finished"), 1, 1.0)
    return path.read_bytes()


BAD = [
    ("a text", lambda path: path.write_text("dear diary\n" * 200)),
    ("a short text", lambda path: path.write_bytes(b"x")),
    ("another program's database", foreign),
    ("half a journal", lambda path: path.write_bytes(whole(path)[:9000])),
    ("a journal cut in its first page", lambda path: path.write_bytes(whole(path)[:3000])),
    ("a journal whose first page is lost", lambda path: path.write_bytes(bytes(4096) + whole(path)[4096:])),
    ("a journal with rubbish in it", lambda path: path.write_bytes(whole(path)[:4196] + b"?" * 8000)),
]


@pytest.mark.parametrize("spoil", [b[1] for b in BAD], ids=[b[0] for b in BAD])
def test_a_file_that_is_no_journal_is_kept_and_a_new_one_begun(path, spoil):
    spoil(path)
    held = path.read_bytes()
    with closing(open_journal(path)) as journal:
        (notice,) = journal.notices()
        assert (notice.id, notice.get("value"), journal.error) == ("journal_kept", "journal-kept-1.sqlite", None)
        assert (path.parent / "journal-kept-1.sqlite").read_bytes() == held
        assert journal.notices() == ()
        game = begin(journal, *MOVES)
        assert in_file(path)[-1] == MOVES
        assert journal.load(game, GAMES)


def test_each_bad_file_is_kept_under_a_name_of_its_own(path):
    for text in ("one", "two"):
        path.write_text(text)
        open_journal(path).close()
    assert [(path.parent / f"journal-kept-{n}.sqlite").read_text() for n in (1, 2)] == ["one", "two"]


def test_an_empty_file_is_a_new_journal(path):
    path.touch()
    with closing(open_journal(path)) as journal:
        assert (journal.error, journal.notices()) == (None, ())
        begin(journal, *MOVES)


def test_of_a_damaged_journal_everything_readable_is_taken_over(path):
    with closing(open_journal(path)) as journal:
        for at in range(40):
            journal.begin(Started("thegame", START.options, {1: "Ana"}), 1000.0 * at)
            journal.apply(WriteEntries([f"play {n} up:1" for n in range(2, 40)], "seen"), at + 1, 1.0)
    held = bytearray(path.read_bytes())
    middle = held.find(b"play 20 up:1", len(held) // 2) // 4096 * 4096
    held[middle : middle + 4096] = os.urandom(4096)
    path.write_bytes(held)
    with closing(open_journal(path)) as journal:
        assert [notice.id for notice in journal.notices()] == ["journal_kept"]
        assert journal.running().id == 40
        assert len(journal.rows(40)) == 38
    kept = in_file(path)
    assert len(kept) == 40
    assert sum(len(rows) == 38 for rows in kept) >= 34


def test_a_cut_while_a_damaged_journal_is_exchanged_loses_nothing(path):
    held = whole(path)
    path.rename(path.with_name("journal-kept-1.sqlite"))
    path.with_name(NAME + ".fresh").write_bytes(held)
    with closing(open_journal(path)) as journal:
        assert (journal.error, journal.notices()) == (None, ())
        assert in_file(path) == [MOVES]


def test_a_cut_while_a_fresh_journal_is_filled_begins_to_fill_it_again(path):
    whole(path)
    path.write_bytes(path.read_bytes()[:4196] + b"?" * 8000)
    for ending in ("", "-wal", "-journal"):
        path.with_name(NAME + ".fresh" + ending).write_bytes(b"half")
    with closing(open_journal(path)) as journal:
        assert [notice.id for notice in journal.notices()] == ["journal_kept"]
        begin(journal, *MOVES)
    assert [file.name for file in path.parent.iterdir() if "fresh" in file.name] == []


def test_a_journal_exchanged_while_we_play_is_written_anew(path):
    with closing(open_journal(path)) as journal:
        game = begin(journal, *MOVES[:2])
        other = path.with_name("other")
        other.write_bytes(b"rubbish" * 5000)
        other.replace(path)
        assert journal.apply(WriteEntries(MOVES[2:], "seen"), game, 102.0)
        assert [notice.id for notice in journal.notices()] == ["journal_kept"]
        assert in_file(path) == [MOVES]
    with closing(open_journal(path)) as again:
        assert [row.entry for row in again.rows(again.running().id)] == MOVES


def test_a_journal_taken_away_while_we_play_is_written_anew(path):
    whole(path)
    with closing(open_journal(path)) as journal:
        game = begin(journal, *MOVES[:2])
        for file in path.parent.iterdir():
            file.unlink()
        assert journal.apply(WriteEntries(MOVES[2:], "seen"), game, 102.0)
        assert in_file(path) == [MOVES]
        assert [played.id for played in journal.history()] == [game] == [2]


@contextmanager
def as_nobody():
    """Without the rights of root, who may write everywhere."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def locked_folder():
    with tempfile.TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        inner = Path(outer) / "inner"
        inner.mkdir()
        inner.chmod(0o555)
        yield inner
        inner.chmod(0o755)


def test_a_folder_that_may_not_be_written(locked_folder):
    with as_nobody():
        journal = open_journal(locked_folder / NAME)
        assert said(journal) == "journal_not_ours"
        assert begin(journal, *MOVES[:2]) < 0
    locked_folder.chmod(0o755)
    with closing(journal):
        assert journal.apply(WriteEntries(MOVES[2:], "seen"), journal.running().id, 102.0)
        assert in_file(journal.path) == [MOVES]


def test_a_disk_that_is_read_only(path):
    whole(path)
    read_only = True

    def connect(path):
        return sqlite3.connect(f"file:{path}?mode={'ro' if read_only else 'rw'}", uri=True, isolation_level=None)

    def heal():
        nonlocal read_only
        read_only = False

    with closing(open_journal(path, connect)) as journal:
        game = journal.begin(Started("thegame", START.options, {1: "Ana"}), 100.0)
        assert not journal.apply(WriteEntries(MOVES[:1], "seen"), game, 1.0)
        assert said(journal) == "journal_read_only"
        assert len(journal.history()) == 1
        journal.apply(EndGame("given up"), game, 1.0)
        play_on(journal, heal)


def test_a_game_that_runs_goes_on_from_a_disk_that_is_read_only(locked_folder):
    locked_folder.chmod(0o755)
    with closing(open_journal(locked_folder / NAME)) as before:
        game = begin(before, *MOVES[:2])
    locked_folder.chmod(0o555)
    (locked_folder / NAME).chmod(0o444)
    with as_nobody():
        journal = open_journal(locked_folder / NAME)
        assert said(journal) in ("journal_not_ours", "journal_read_only")  # the lock file's owner comes further
        assert journal.running().id == game
        assert not journal.apply(WriteEntries(MOVES[2:3], "seen"), game, 102.0)
        assert [str(move) for move in journal.load(game, GAMES).moves] == MOVES[:3]
    locked_folder.chmod(0o755)
    (locked_folder / NAME).chmod(0o644)
    with closing(journal):
        assert journal.apply(WriteEntries(MOVES[3:], "seen"), game, 103.0)
        assert in_file(journal.path) == [MOVES]


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    with closing(open_journal(tmp_path / "file" / NAME)) as journal:
        assert said(journal) == "journal_read_only"
        play_on(journal, (tmp_path / "file").unlink)


def test_a_file_that_is_a_folder(path):
    path.mkdir()
    with closing(open_journal(path)) as journal:
        assert said(journal) == "journal_read_only"
        play_on(journal, path.rmdir)


def test_a_file_locked_by_another_program(path):
    with closing(open_journal(path)) as journal, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not journal.apply(VerifyDeck("nimmt"), 0, 1.0)
        assert said(journal) == "journal_in_use"
        play_on(journal, lambda: other.execute("ROLLBACK"))
        assert journal.decks() == {"nimmt": 1.0}


def test_a_second_box_waits_for_the_first(path):
    first = open_journal(path)
    with closing(open_journal(path)) as second, closing(open_journal(path.with_name("other.sqlite"))) as elsewhere:
        assert (said(first), said(second), said(elsewhere)) == (None, "journal_in_use", None)
        play_on(second, first.close)


def test_a_lock_goes_with_its_process(path):
    with closing(open_journal(path)), path.with_name(NAME + ".lock").open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with path.with_name(NAME + ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_journal_of_a_newer_version_is_left_alone(path):
    whole(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    held = path.read_bytes()

    def update():
        with closing(sqlite3.connect(path)) as db:
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    with closing(open_journal(path)) as journal:
        assert said(journal) == "journal_newer"
        journal.flush()
        assert path.read_bytes() == held
        play_on(journal, update)


def rows_on(disk, folder):
    """What is found when this disk is put into another box."""
    folder.mkdir()
    for name, number in disk.files.items():
        (folder / name).write_bytes(disk.bytes[number])
    return in_file(folder / NAME)


@pytest.mark.parametrize("room", [0, 3000, 5000, 20_000, 40_000, 60_000, 120_000])
def test_a_full_disk(tmp_path, room):
    disk = Disk(room=room)
    with closing(open_journal(tmp_path / NAME, disk.connect)) as journal:
        game = journal.begin(Started("thegame", START.options, {}), 1.0)
        given = []
        while journal.apply(WriteEntries((move := f"play {len(given) + 2} up:1",), "seen"), game, 1.0):
            given.append(move)
        given.append(move)
        assert said(journal) == "journal_full"
        if room > 100_000:
            assert [played.id for played in journal.history()] == [game]  # a full card can be read
        disk.room = 10**7
        assert journal.flush()
        assert [row.entry for row in journal.rows(game)] == given
    assert rows_on(disk, tmp_path / "there") == [given]


def test_a_commit_that_fails_and_yet_was_written_is_not_doubled(tmp_path):
    disk = Disk()
    with closing(open_journal(tmp_path / NAME, disk.connect)) as journal:
        game = begin(journal, *MOVES[:1])
        disk.doubtful = True
        assert not journal.apply(WriteEntries(MOVES[1:3], "seen"), game, 102.0)
        assert said(journal) == "journal_disk"
        disk.doubtful = False
        assert journal.apply(WriteEntries(MOVES[3:], "seen"), game, 103.0)
    assert rows_on(disk, tmp_path / "there") == [MOVES]


def test_a_game_begun_in_doubt_is_one_game(tmp_path):
    disk = Disk()
    with closing(open_journal(tmp_path / NAME, disk.connect)) as journal:
        disk.doubtful = True
        game = begin(journal, *MOVES)
        disk.doubtful = False
        assert journal.flush()
        assert [str(move) for move in journal.load(game, GAMES).moves] == MOVES
    assert rows_on(disk, tmp_path / "there") == [MOVES]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_disk_does_nothing_is_lost_or_doubled(tmp_path, seed):
    rng, disk, given = random.Random(seed), Disk(), []
    with closing(open_journal(tmp_path / NAME, disk.connect)) as journal:
        for at in range(120):
            if rng.random() < 0.1:
                disk.broken, disk.doubtful = rng.random() < 0.4, rng.random() < 0.2
                disk.room = rng.choice((10**7, 10**7, sum(map(len, disk.bytes.values())) + rng.randint(0, 9000)))
            if not given or rng.random() < 0.05:
                given.append([])
                game = journal.begin(Started("thegame", START.options, {}), float(at))
            elif rng.random() < 0.1:
                journal.apply(EndGame("finished"), game, float(at))
                given.append([])
                game = journal.begin(Started("six", {}, {}), float(at))
            lines = [f"play {at} up:{n}" for n in range(rng.randint(1, 3))]
            given[-1] += lines
            confirmed = journal.apply(WriteEntries(lines, "seen"), game, float(at))
            assert confirmed == (journal.error is None)
            assert [row.entry for row in journal.rows(game)] == given[-1]
        disk.broken = disk.doubtful = False
        disk.room = 10**8
        assert journal.flush()
    assert rows_on(disk, tmp_path / "there") == given


@pytest.mark.parametrize("seed", range(20))
def test_games_that_wait_are_neither_lost_nor_mixed_whatever_the_disk_does(tmp_path, seed):
    rng, disk = random.Random(seed), Disk()
    given, ids, ended, game = [], [], {}, None
    with closing(open_journal(tmp_path / NAME, disk.connect)) as journal:
        for at in range(100):
            if rng.random() < 0.15:
                disk.broken, disk.doubtful = rng.random() < 0.3, rng.random() < 0.2
            if game is None or rng.random() < 0.1:
                if game is not None and rng.random() < 0.5:
                    journal.apply(PauseGame(), ids[game], 0.0)
                waiting = [n for n in range(len(ids)) if n not in ended and n != game]
                if waiting and rng.random() < 0.5:
                    again = rng.choice(waiting)
                    try:
                        journal.apply(ResumeGame(ids[again]), ids[again], 0.0)
                    except JournalError:  # it lies in a file that cannot be read now
                        journal.apply(ResumeGame(ids[game]), ids[game], 0.0) if game is not None else None
                        continue
                    game = again
                else:
                    ids.append(journal.begin(Started("thegame", START.options, {}), float(at)))
                    given.append([])
                    game = len(ids) - 1
            elif rng.random() < 0.05:
                journal.apply(EndGame("finished"), ids[game], float(at))
                ended[game], game = float(at), None
                continue
            lines = [f"play {at} up:{n}" for n in range(rng.randint(1, 3))]
            given[game] += lines
            journal.apply(WriteEntries(lines, "seen"), ids[game], float(at))
            assert [row.entry for row in journal.rows(ids[game])] == given[game]
            assert journal.running().id == ids[game]
        disk.broken = disk.doubtful = False
        assert journal.flush()
    assert rows_on(disk, tmp_path / "there") == given
    with closing(open_readonly(tmp_path / "there" / NAME)) as db:
        found = read_games(db)
    assert {n: played.ended for n, played in enumerate(found) if played.ended} == ended
    assert [n for n, played in enumerate(found) if played.runs] == ([] if game is None else [game])


def test_what_is_put_aside_in_trouble_is_not_lost(tmp_path):
    disk = Disk()
    with closing(open_journal(tmp_path / NAME, disk.connect)) as journal:
        game = begin(journal, *MOVES[:1])
        disk.broken = True
        assert not journal.apply(WriteEntries(("fly 3",), "seen"), game, 102.0)
        assert not journal.apply(QuarantineRows(2), game, 103.0)
        assert not journal.apply(WriteEntries(MOVES[1:], "seen"), game, 104.0)
        assert [row.entry for row in journal.rows(game)] == MOVES
        disk.broken = False
        assert journal.flush()
    assert rows_on(disk, tmp_path / "there") == [MOVES]
    with closing(open_readonly(tmp_path / "there" / NAME)) as db:
        assert db.execute("SELECT DISTINCT entry FROM put_aside").fetchall() == [("fly 3",)]


LOOKS = [
    ("nothing is there", lambda path: None, "journal_none"),
    ("an empty file", Path.touch, "journal_none"),
    ("a text", lambda path: path.write_text("dear diary"), "journal_damaged"),
    ("another program's database", foreign, "journal_damaged"),
    ("a folder", Path.mkdir, "journal_none"),
]


@pytest.mark.parametrize(("lay", "text_id"), [x[1:] for x in LOOKS], ids=[x[0] for x in LOOKS])
def test_looking_at_what_is_no_journal_changes_nothing(path, lay, text_id):
    lay(path)
    before = sorted(file.name for file in path.parent.iterdir())
    with pytest.raises(JournalError) as why:
        open_readonly(path)
    assert why.value.text.id == text_id
    assert sorted(file.name for file in path.parent.iterdir()) == before


def test_a_journal_can_be_read_where_nothing_may_be_written(locked_folder):
    locked_folder.chmod(0o755)
    whole(locked_folder / NAME)
    locked_folder.chmod(0o555)
    with as_nobody():
        assert in_file(locked_folder / NAME) == [MOVES]


def test_a_journal_that_may_not_be_read(locked_folder):
    locked_folder.chmod(0)
    with as_nobody(), pytest.raises(JournalError) as why:
        open_readonly(locked_folder / NAME)
    assert why.value.text.id == "journal_not_ours"


def test_a_system_error_has_a_plain_text(path):
    assert explain_journal_error(OSError(28, "No space left on device"), path).text.id == "journal_full"
    assert explain_journal_error(OSError(30, "Read-only file system"), path).text.id == "journal_read_only"
    finer = sqlite3.OperationalError("attempt to write a readonly database")
    finer.sqlite_errorcode = sqlite3.SQLITE_READONLY_DIRECTORY
    assert explain_journal_error(finer, path).text.id == "journal_read_only"
