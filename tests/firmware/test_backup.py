"""``oxeye backup``: a copy that can be read like the journal itself, and never more copies than are of use."""

import os
from contextlib import closing

import pytest
from click.testing import CliRunner

from firmware.backup import FOLDER, KEPT
from firmware.cli import main
from firmware.journal import open_journal


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "journal.sqlite"


def backup(path, *words):
    return CliRunner().invoke(main, ["backup", *map(str, words), "--journal", str(path)])


def games(path):
    with closing(open_journal(path, alone=False)) as journal:
        return [played.name for played in journal.history()]


def test_a_copy_is_made_while_the_box_plays(path, tmp_path):
    with closing(open_journal(path)) as playing:
        playing.begin("six", {}, {}, 1.0)
        done = backup(path, tmp_path / "copy.sqlite")
    assert done.exit_code == 0, done.output
    assert games(tmp_path / "copy.sqlite") == ["six"]


def test_of_many_copies_the_newest_are_kept(path):
    with closing(open_journal(path)) as journal:
        journal.begin("six", {}, {}, 1.0)
    copies = path.parent / FOLDER
    copies.mkdir()
    for age in range(1, KEPT + 3):
        old = copies / f"journal-2031-01-{age:02}.sqlite"  # a clock may have been wrong
        old.touch()
        os.utime(old, (1e9 - age, 1e9 - age))
    (copies / "mine.sqlite").touch()
    done = backup(path)
    left = {file.name for file in copies.glob("journal-*")}
    assert len(left) == KEPT
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
