"""The user of the service plants links, FIFOs and devices: root leaks nothing through them, and never hangs."""

import importlib.util
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli import main
from firmware.cli.update import is_game_running
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import EndGame, Started, WriteEntries
from firmware.machine.regular_file import as_owner_of, open_regular, read_regular

SERVICE_USER = 65534
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has something to lose")


@pytest.fixture
def outer():
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def box(outer):
    """The state folder of the service with a finished game, all of it owned by the user of the service."""
    folder = outer / "state"
    folder.mkdir()
    os.chown(folder, SERVICE_USER, SERVICE_USER)
    with as_owner_of(folder), closing(open_journal(folder / "journal.sqlite")) as journal:
        game = journal.begin(Started("thegame", {"players": 2}, {1: "Ana"}), 1.0)
        journal.apply(WriteEntries(("play 12 up:1",), "seen"), game, 2.0)
        journal.apply(EndGame("given up"), game, 3.0)
    return folder


@pytest.fixture
def secret(outer):
    """A database that only root may read."""
    path = outer / "secret.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE password (word TEXT)")
    path.chmod(0o600)
    return path


def run(box, *words):
    return CliRunner().invoke(main, [*words, "--journal", str(box / "journal.sqlite")])


@pytest.mark.parametrize("ending", ["", "-wal"], ids=["the journal", "its write-ahead log"])
def test_a_link_to_a_file_of_root_is_not_copied(box, secret, outer, ending):
    (box / "journal.sqlite").unlink()
    if ending:
        (box / "journal.sqlite").write_bytes(b"damaged" * 1000)
    (box / f"journal.sqlite{ending}").symlink_to(secret)
    target = outer / "copy.sqlite"
    done = run(box, "backup", str(target))
    assert done.exit_code == 1
    assert [file.name for file in outer.iterdir() if b"password" in (file.read_bytes() if file.is_file() else b"")] == [
        "secret.sqlite"
    ]


def test_a_copy_is_readable_for_its_owner_alone(box, outer):
    target = outer / "copy.sqlite"
    assert run(box, "backup", str(target)).exit_code == 0
    assert (target.stat().st_uid, target.stat().st_mode & 0o777) == (0, 0o600)


@pytest.mark.parametrize("name", ["journal.sqlite.lock", "journal.sqlite.head", "journal.sqlite-wal"])
def test_a_link_creates_no_file_of_root(box, outer, name):
    planted = outer / "etc"
    (box / name).unlink(missing_ok=True)
    (box / name).symlink_to(planted)
    run(box, "amend", "1", "0", "1", "play 13 up:1")
    assert not planted.exists()


def test_what_amend_writes_belongs_to_the_user_of_the_box(box):
    assert run(box, "amend", "1", "0", "1", "play 13 up:1").exit_code == 0
    assert {file.stat().st_uid for file in box.iterdir()} == {SERVICE_USER}
    assert os.geteuid() == 0


@pytest.mark.parametrize("command", ["scores", "restore", "backup"])
def test_root_is_root_again_after_a_command(box, outer, command):
    run(box, command, *([str(outer / "copy")] if command == "backup" else []))
    assert (os.geteuid(), os.getegid(), os.getgroups()) == (0, 0, os.getgroups())


def plant_fifo(path):
    os.mkfifo(path, 0o666)


def plant_endless_view(path):
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "DROP TABLE game; CREATE VIEW game AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
            "SELECT x AS id, x AS token, x AS name, x AS options, x AS names, 1.0 AS began, 2.0 AS ended, x AS how "
            "FROM n"
        )


PLANTED = {
    "a FIFO": (True, plant_fifo),
    "a link to /dev/zero": (True, lambda path: path.symlink_to("/dev/zero")),
    "a folder": (True, Path.mkdir),
    "an endless view": (False, plant_endless_view),
}


@pytest.mark.parametrize(("instead", "plant"), PLANTED.values(), ids=PLANTED)
def test_an_update_is_not_held_up_by_a_planted_journal(box, instead, plant):
    path = box / "journal.sqlite"
    if instead:
        path.unlink()
    plant(path)
    assert is_game_running(path) is False


@pytest.fixture
def hook():
    found = importlib.util.spec_from_file_location("hook", Path(__file__).parents[2] / "systemd/shutdown_hook.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def plant_link_to_request(path):
    real = path.with_name("elsewhere")
    real.write_text("light 17\n")
    path.symlink_to(real)


REQUESTS = {
    "a FIFO": plant_fifo,
    "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
    "a link to a request": plant_link_to_request,
    "a folder": Path.mkdir,
    "a gigabyte without content": lambda path: (path.touch(), os.truncate(path, 1 << 30)),
}


@pytest.mark.parametrize("plant", REQUESTS.values(), ids=REQUESTS)
def test_the_shutdown_hook_ignores_what_is_no_request(hook, tmp_path, monkeypatch, plant):
    called = []
    monkeypatch.setattr(hook, "light", called.append)
    plant(tmp_path / "until-off")
    assert (hook.main(tmp_path / "until-off"), called) == (0, [])


@pytest.mark.parametrize("plant", [plant_fifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_only_a_regular_file_is_opened(tmp_path, plant):
    plant(tmp_path / "file")
    with pytest.raises(OSError, match=r"not a regular file|symbolic links|Is a directory"):
        open_regular(tmp_path / "file", os.O_RDONLY)


def test_a_file_that_is_too_long_is_not_read(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 11)
    assert len(read_regular(tmp_path / "file", 11)) == 11
    with pytest.raises(OSError, match="File too large"):
        read_regular(tmp_path / "file", 10)
