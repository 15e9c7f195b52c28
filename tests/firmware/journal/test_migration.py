"""A journal of version 0.1.0 gets checksums once the update is over, and a copy of it stays for the old version."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from engine.games import GAMES
from firmware.journal.connection import connect
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import EndGame, ResumeGame, WriteEntries
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.schema import UNSEALED_VERSION, is_sealed
from firmware.journal.sqlite_file import read_journal
from firmware.machine.machine_facts import is_update_running
from tests.compatibility.test_journals import JOURNALS, WHOLE


def read_all(path):
    with read_journal(path) as db:
        return [(played, read_entries(db, played.id)) for played in read_games(db)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


@pytest.mark.parametrize("name", WHOLE)
def test_a_migrated_journal_holds_what_it_held_and_its_copy_too(name, path):
    for file in (JOURNALS / name).parent.glob(f"{Path(name).name}*"):
        if file.suffix != ".json":
            shutil.copy(file, path.with_name(path.name + file.name.removeprefix(Path(name).name)))
    before = read_all(path)
    with closing(open_journal(path, migrate=True)) as journal:
        assert journal.notices() == ()
        assert journal.error is None
    assert read_all(path) == before
    copy = path.with_name("journal-format-2.sqlite")
    assert read_all(copy) == before
    with closing(connect(copy)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (UNSEALED_VERSION,)
    assert copy.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def unsealed(path):
    shutil.copy(next(JOURNALS / name for name in WHOLE if len(read_all(JOURNALS / name)) > 1), path)
    return path


def test_until_the_update_is_over_the_journal_stays_in_the_old_format_and_is_written(unsealed):
    with closing(open_journal(unsealed)) as journal:
        game = journal.history()[-1].id
        journal.apply(ResumeGame(game), game, 1.0)
        number = len(journal.rows(game))
        assert journal.apply(WriteEntries(("leave 1",), "button"), game, 2.0)
        assert journal.apply(EndGame("given up"), game, 3.0)
    with read_journal(unsealed) as db:
        assert not is_sealed(db)
        assert len(read_entries(db, game)) == number + 1


def test_a_full_disk_leaves_the_old_format_as_it_was(unsealed, monkeypatch):
    before = read_all(unsealed)
    unsealed.with_name("journal-format-2.sqlite.part").mkdir()  # the copy cannot be written
    with closing(open_journal(unsealed, migrate=True)) as journal:
        assert journal.error is None
        assert journal.load(before[0][0].id, GAMES).entries
    with read_journal(unsealed) as db:
        assert not is_sealed(db)
    assert read_all(unsealed) == before


@pytest.mark.parametrize(("waiting", "running"), [(True, True), (False, False)], ids=["a package waits", "none waits"])
def test_an_update_runs_as_long_as_its_package_is_there(tmp_path, waiting, running):
    if waiting:
        (tmp_path / "incoming.deb").touch()
    assert is_update_running(tmp_path) is running
