"""``oxeye backup``: a copy that can be read like the journal itself, and never more copies than are of use."""

import os
from contextlib import closing

import pytest
from click.testing import CliRunner

from firmware.cli import main
from firmware.cli.backup import COPIES_FOLDER, COPIES_KEPT
from firmware.journal.journal import open_journal
from firmware.journal.operations import Started, WriteEntries


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "journal.sqlite"


def backup(path, *words):
    return CliRunner().invoke(main, ["backup", *map(str, words), "--journal", str(path)])


def games(path):
    with closing(open_journal(path, alone=False)) as journal:
        return [played.name for played in journal.history()]


def test_a_copy_is_one_whole_file_while_the_box_plays(path, tmp_path):
    target = tmp_path / "copy.sqlite"
    target.write_text("an older copy")
    with closing(open_journal(path)) as playing:
        playing.begin(Started("six", {}, {}), 1.0)
        done = backup(path, target)
    assert done.exit_code == 0, done.output
    assert target.read_bytes()[18:20] == b"\x01\x01"  # it needs no second file, wherever it is read
    assert {file.name for file in tmp_path.iterdir()} == {"state", "copy.sqlite"}
    assert games(target) == ["six"]


def spoiled(path):
    """Whole at its head, and damaged behind it: pages of entries are full of what nobody wrote."""
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


def test_a_damaged_record_is_copied_as_it_is_and_touched_by_nobody(path, tmp_path):
    data = spoiled(path)
    before = there(path.parent)
    done = backup(path, tmp_path / "copy.sqlite")
    assert done.exit_code == 1
    assert "damaged" in done.output
    assert str(tmp_path / "copy.sqlite") in done.output
    assert (tmp_path / "copy.sqlite").read_bytes() == path.read_bytes() == data
    assert there(path.parent) == before


def test_a_damaged_record_takes_no_place_of_a_whole_copy(path):
    data = spoiled(path)
    done = backup(path)
    assert done.exit_code == 1
    assert "damaged" in done.output
    assert path.read_bytes() == data
    assert [*path.parent.glob("**/journal-*")] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may write where somebody else's files are")
def test_root_makes_nothing_in_a_folder_of_the_service(path):
    with closing(open_journal(path)) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    for file in (path.parent, path):
        os.chown(file, 65534, 65534)
    before = there(path.parent)
    done = backup(path)
    assert done.exit_code == 1
    assert "sudo -u oxeye" in done.output
    assert there(path.parent) == before


def test_a_copy_that_cannot_be_leaves_the_older_one(path, tmp_path):
    with closing(open_journal(path)) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    (tmp_path / "plain").write_text("no folder")
    done = backup(path, tmp_path / "plain" / "copy.sqlite")
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert (tmp_path / "plain").read_text() == "no folder"


def test_of_many_copies_the_newest_are_kept(path):
    with closing(open_journal(path)) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    copies = path.parent / COPIES_FOLDER
    copies.mkdir()
    for age in range(1, COPIES_KEPT + 3):
        old = copies / f"journal-2031-01-{age:02}.sqlite"  # a clock may have been wrong
        old.touch()
        os.utime(old, (1e9 - age, 1e9 - age))
    (copies / "mine.sqlite").touch()
    done = backup(path)
    left = {file.name for file in copies.glob("journal-*")}
    assert len(left) == COPIES_KEPT
    assert {"journal-2031-01-01.sqlite", done.output.strip().rpartition("/")[2]} <= left
    assert (copies / "mine.sqlite").exists()


@pytest.mark.parametrize("there", [b"", b"no journal at all" * 100], ids=["nothing", "something else"])
def test_what_is_no_journal_is_told_and_left_as_it_is(path, there):
    path.parent.mkdir()
    if there:
        path.write_bytes(there)
    done = backup(path)
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert [file.name for file in path.parent.iterdir()] == (["journal.sqlite"] if there else [])
    assert not there or path.read_bytes() == there
