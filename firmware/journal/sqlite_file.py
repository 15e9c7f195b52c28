"""The file of the journal: connected, checked before it is written, opened read-only, and locked for one process."""

import errno
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from engine.text import Text, say
from firmware.journal.damaged_file import SIDE_FILES, UnreadableJournal, put_back_rows, rename_aside, salvage_rows
from firmware.journal.errors import UNREADABLE_CODES, JournalError, explain_journal_error, sqlite_code
from firmware.journal.schema import APPLICATION_ID, SCHEMA_VERSION, create_tables
from firmware.machine.atomic_file import fsync_path
from firmware.machine.config_file import may_exist

Connect = Callable[[Path], sqlite3.Connection]

LOCK_TIMEOUT_S = 0.25
"""Seconds to wait for the lock of another process; people wait so long for a card to be accepted."""
CHECK_TIMEOUT_S = 5.0
"""Seconds that a check of the whole file may wait for a lock: no game runs meanwhile."""
LEAST_FILE_BYTES = 512
"""Bytes: no SQLite file is shorter, and SQLite would overwrite a shorter one as if it were empty."""


def connect(path: Path) -> sqlite3.Connection:
    """``psow=0``: an SD card that loses power may damage the bytes next to those it was writing."""
    return sqlite3.connect(f"file:{quote(str(path))}?psow=0", timeout=LOCK_TIMEOUT_S, isolation_level=None, uri=True)


def open_file(path: Path, connect: Connect) -> tuple[sqlite3.Connection, Text | None]:
    """The journal, ready to be written; a notice if a damaged file was renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".fresh")
    if fresh.exists() and not path.exists():
        fresh.rename(path)  # power was lost between the last two renames below
    try:
        return _open(path, connect), None
    except UnreadableJournal as bad:
        for ending in ("", *SIDE_FILES):
            fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
        with closing(_open(fresh, connect)) as db:
            put_back_rows(db, bad.saved)
            db.execute("PRAGMA journal_mode = DELETE")  # all of it in one file, which is then renamed
        kept = rename_aside(path)
        fresh.rename(path)
        fsync_path(path.parent)
        return _open(path, connect), say("journal_kept", value=kept.name)


def open_readonly(path: Path) -> sqlite3.Connection:
    """Open the journal read-only without creating any file; ``JournalError`` if there is none."""
    try:
        if not path.is_file():
            raise JournalError(say("journal_none", value=str(path)))
        return _check_readonly(path)
    except (sqlite3.Error, OSError) as why:
        raise explain_journal_error(why, path) from why


def connect_readonly(path: Path, patience: float = LOCK_TIMEOUT_S) -> sqlite3.Connection:
    """Connect read-only; without a writer SQLite does not even create its side files."""
    mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    return sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", timeout=patience, isolation_level=None, uri=True)


def newest_entry_time(journal: Path) -> float | None:
    """The Unix time of the last entry, None without one; ``sqlite3.Error`` or ``OSError`` if the file is unreadable."""
    if not may_exist(journal):
        return None
    if not os.access(journal, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with closing(connect_readonly(journal, CHECK_TIMEOUT_S)) as db:
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        (at,) = db.execute("SELECT max(at) FROM (SELECT at FROM entry UNION ALL SELECT began FROM game)").fetchone()
    return None if at is None else float(at)


def _check_readonly(path: Path) -> sqlite3.Connection:
    db = connect_readonly(path)
    with _closed_on_error(db):
        db.text_factory = decode_text
        if _is_new(db):
            raise JournalError(say("journal_none", value=str(path)))
    return db


def _open(path: Path, connect: Connect) -> sqlite3.Connection:
    if path.is_file() and 0 < path.stat().st_size < LEAST_FILE_BYTES:
        raise UnreadableJournal({})
    db = connect(path)
    with _closed_on_error(db):
        db.text_factory = decode_text
        try:
            new = _is_new(db)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA cell_size_check = ON")
            if new:
                create_tables(db)
                fsync_path(path.parent)
                return db
            if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(found)
            if db.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
                db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except sqlite3.Error as why:
            if sqlite_code(why) in (*UNREADABLE_CODES, 0):
                raise UnreadableJournal(salvage_rows(db)) from why
            raise
    return db


@contextmanager
def _closed_on_error(db: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        db.close()
        raise


def decode_text(data: bytes) -> str:
    """Decode text so that a damaged letter affects only its row."""
    return data.decode("utf-8", "replace")


def _is_new(db: sqlite3.Connection) -> bool:
    """Is the file empty? ``UnreadableJournal`` if it is no journal, ``JournalError`` if a newer version wrote it."""
    if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return True
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise UnreadableJournal({})
    if db.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION:
        raise JournalError(say("journal_newer"))
    return False


def identify_file(path: Path) -> tuple[int, int] | None:
    """Device and inode: another file under the same name differs."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def lock_journal(path: Path) -> int:
    """Lock the journal for this process, so that only one box writes it; the lock ends with the process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as why:
        os.close(number)
        raise JournalError(say("journal_in_use")) from why
    return number
