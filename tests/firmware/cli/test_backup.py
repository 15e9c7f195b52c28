"""``oxeye backup``: a copy readable like the journal itself, and a limited number of copies."""

import os
from contextlib import closing

import pytest
from click.testing import CliRunner

from firmware.cli import main
from firmware.cli.backup import COPIES_FOLDER, COPIES_KEPT
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import Started, WriteEntries


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "journal.sqlite"


def backup(path, *words):
    return CliRunner().invoke(main, ["backup", *map(str, words), "--journal", str(path)])


def games(path):
    with closing(open_journal(path, alone=False)) as journal:
        return [played.name for played in journal.history()]


def test_a_backup_during_a_game_is_one_complete_file(path, tmp_path):
    target = tmp_path / "copy.sqlite"
    target.write_text("an older copy")
    with closing(open_journal(path)) as playing:
        playing.begin(Started("six", {}, {}), 1.0)
        done = backup(path, target)
    assert done.exit_code == 0, done.output
    assert target.read_bytes()[18:20] == b"\x01\x01"  # rollback journal mode: it needs no second file
    assert {file.name for file in tmp_path.iterdir()} == {"state", "copy.sqlite"}
    assert games(target) == ["six"]


def damage_pages(path):
    """A journal with an intact header and damaged pages of entries."""
    with closing(open_journal(path)) as journal:
        game = journal.begin(Started("six", {}, {}), 1.0)
        for at in range(200):
            journal.apply(WriteEntries(("a move that takes its room " * 3,), "seen"), game, float(at))
    data = bytearray(path.read_bytes())
    for at in range(8192, len(data) - 4096, 4096):
        data[at : at + 64] = b"\xff" * 64
    path.write_bytes(data)
    return bytes(data)


def there(folder):
    return {file.name: (file.stat().st_uid, file.stat().st_mtime_ns) for file in folder.iterdir()}


def test_a_damaged_journal_is_copied_and_not_changed(path, tmp_path):
    data = damage_pages(path)
    before = there(path.parent)
    done = backup(path, tmp_path / "copy.sqlite")
    assert done.exit_code == 1
    assert "damaged" in done.output
    assert str(tmp_path / "copy.sqlite") in done.output
    assert (tmp_path / "copy.sqlite").read_bytes() == path.read_bytes() == data
    assert there(path.parent) == before


def test_a_damaged_journal_replaces_no_kept_backup(path):
    data = damage_pages(path)
    done = backup(path)
    assert done.exit_code == 1
    assert "damaged" in done.output
    assert path.read_bytes() == data
    assert [*path.parent.glob("**/journal-*")] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who may write in folders of other users")
def test_root_creates_nothing_in_the_folder_of_the_service(path):
    with closing(open_journal(path)) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    for file in (path.parent, path):
        os.chown(file, 65534, 65534)
    before = there(path.parent)
    done = backup(path)
    assert done.exit_code == 1
    assert "sudo -u oxeye" in done.output
    assert there(path.parent) == before


def test_a_failed_backup_keeps_the_older_one(path, tmp_path):
    with closing(open_journal(path)) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    (tmp_path / "plain").write_text("no folder")
    done = backup(path, tmp_path / "plain" / "copy.sqlite")
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert (tmp_path / "plain").read_text() == "no folder"


def test_only_the_newest_backups_are_kept(path):
    with closing(open_journal(path)) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    copies = path.parent / COPIES_FOLDER
    copies.mkdir()
    for age in range(1, COPIES_KEPT + 3):
        old = copies / f"journal-2031-01-{age:02}.sqlite"  # the name may be of a wrong clock
        old.touch()
        os.utime(old, (1e9 - age, 1e9 - age))
    (copies / "mine.sqlite").touch()
    done = backup(path)
    left = {file.name for file in copies.glob("journal-*")}
    assert len(left) == COPIES_KEPT
    assert {"journal-2031-01-01.sqlite", done.output.strip().rpartition("/")[2]} <= left
    assert (copies / "mine.sqlite").exists()


@pytest.mark.parametrize("there", [b"", b"no journal at all" * 100], ids=["no file", "another file"])
def test_a_file_that_is_no_journal_is_reported_and_not_changed(path, there):
    path.parent.mkdir()
    if there:
        path.write_bytes(there)
    done = backup(path)
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert [file.name for file in path.parent.iterdir()] == (["journal.sqlite"] if there else [])
    assert not there or path.read_bytes() == there
