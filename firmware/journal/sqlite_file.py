"""The file of the journal: checked before it is written, migrated, opened read-only, and locked for one process."""

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from engine.text import Text, say
from firmware.journal.connection import Connect, connect_readonly, secure
from firmware.journal.damaged_file import (
    SIDE_FILES,
    UnreadableJournal,
    fill_fresh_file,
    rename_aside,
    salvage_rows,
)
from firmware.journal.database_copy import copy_database
from firmware.journal.errors import UNREADABLE_CODES, JournalError, explain_journal_error, sqlite_code
from firmware.journal.person_sql import move_names
from firmware.journal.remembered_head import find_head_loss, forget_head
from firmware.journal.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    UNSEALED_VERSION,
    create_seal_tables,
    create_tables,
    has_known_tables,
    is_sealed,
)
from firmware.journal.seal_sql import begin_segment, count_total, read_ledger, seal_all
from firmware.machine.atomic_file import fsync_path
from firmware.machine.config_file import may_exist
from firmware.machine.regular_file import as_owner_of

CHECK_TIMEOUT_S = 5.0
"""Seconds that a check of the whole file may wait for a lock, and may take: no game runs meanwhile."""
LEAST_FILE_BYTES = 512
"""Bytes: no SQLite file is shorter, and SQLite would overwrite a shorter one as if it were empty."""
UNSEALED_COPY = "-format-2"
"""Part of the name of the copy that is made before a file of format 2 gets checksums."""


def open_file(path: Path, connect: Connect, *, migrate: bool = False) -> tuple[sqlite3.Connection, Text | None]:
    """The journal, ready to be written; a notice if a damaged file was renamed, or if games are missing.

    ``migrate``: a file of format 2 is copied and gets checksums. A program of version 0.1.0 cannot read it then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".fresh")
    if fresh.exists() and not path.exists():
        fresh.rename(path)  # power was lost between the last two renames below
    try:
        db = _open(path, connect)
    except UnreadableJournal as bad:
        for ending in ("", *SIDE_FILES):
            fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
        with closing(connect(fresh)) as db:
            db.execute("PRAGMA synchronous = FULL")
            fill_fresh_file(db, bad.saved)  # in rollback mode: all of it in one file, which is then renamed
        kept = rename_aside(path)
        forget_head(path)
        fresh.rename(path)
        fsync_path(path.parent)
        return _open(path, connect), say("journal_kept", value=kept.name)
    if migrate and not is_sealed(db):
        _migrate(db, path)
    return db, _find_loss(db, path)


def _find_loss(db: sqlite3.Connection, path: Path) -> Text | None:
    """A notice if this file has fewer games or entries than the last time; it is given once."""
    if not is_sealed(db):
        return None
    ledger = read_ledger(db)
    lost = find_head_loss(path, ledger)
    if count_total(db) != ledger.total:
        lost = say("journal_incomplete")
        begin_segment(db)
    if lost is not None:
        forget_head(path)
    return lost


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Copy the file, then give its rows checksums in one transaction. An error leaves it as it was."""
    copy = path.with_name(f"{path.stem}{UNSEALED_COPY}{path.suffix}")
    try:
        if not copy.exists():
            copy_database(db, copy)
        db.execute("BEGIN IMMEDIATE")
        create_seal_tables(db)
        move_names(db)
        seal_all(db)
        db.execute("COMMIT")
    except (sqlite3.Error, OSError):  # for example a full disk: the file of format 2 can be used as it is
        if db.in_transaction:
            db.execute("ROLLBACK")


@contextmanager
def read_journal(path: Path, deadline_s: float | None = None) -> Iterator[sqlite3.Connection]:
    """The journal, opened read-only; every error inside is a ``JournalError``. A query ends after ``deadline_s``.

    Root reads it with the rights of the folder's owner.
    """
    try:
        with as_owner_of(path.parent), closing(open_readonly(path, deadline_s)) as db:
            yield db
    except (sqlite3.Error, OSError) as why:
        raise explain_journal_error(why, path) from why


def open_readonly(path: Path, deadline_s: float | None = None) -> sqlite3.Connection:
    """Open the journal read-only without creating any file; ``JournalError`` if there is none."""
    try:
        if not path.is_file():
            raise JournalError(say("journal_none", value=str(path)))
        db = connect_readonly(path, deadline_s=deadline_s)
        with _closed_on_error(db):
            if _is_new(db):
                raise JournalError(say("journal_none", value=str(path)))
        return db
    except (sqlite3.Error, OSError) as why:
        raise explain_journal_error(why, path) from why


def newest_entry_time(journal: Path) -> float | None:
    """The Unix time of the last entry, None without one; ``sqlite3.Error`` or ``OSError`` if the file is unreadable."""
    if not may_exist(journal):
        return None
    if not os.access(journal, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with as_owner_of(journal.parent), closing(connect_readonly(journal, CHECK_TIMEOUT_S, CHECK_TIMEOUT_S)) as db:
        (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok" or not has_known_tables(db):
            raise sqlite3.DatabaseError(verdict)
        (at,) = db.execute("SELECT max(at) FROM (SELECT at FROM entry UNION ALL SELECT began FROM game)").fetchone()
    return None if at is None else float(at)


def _open(path: Path, connect: Connect) -> sqlite3.Connection:
    if path.is_file() and 0 < path.stat().st_size < LEAST_FILE_BYTES:
        raise UnreadableJournal({})
    db = connect(path)
    with _closed_on_error(db):
        try:
            secure(db)
            new = _is_new(db)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            if new:
                create_tables(db)
                fsync_path(path.parent)
                return db
            if (found := db.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(found)
            if db.execute("PRAGMA user_version").fetchone()[0] < UNSEALED_VERSION:
                db.execute(f"PRAGMA user_version = {UNSEALED_VERSION}")
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


def _is_new(db: sqlite3.Connection) -> bool:
    """Is the file empty? ``UnreadableJournal`` if it is no journal, ``JournalError`` if a newer version wrote it."""
    if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return True
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise UnreadableJournal({})
    if db.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION:
        raise JournalError(say("journal_newer"))
    if not has_known_tables(db):
        raise UnreadableJournal(salvage_rows(db))
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
    number = os.open(
        path.with_name(path.name + ".lock"),
        os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK,
        0o644,
    )
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as why:
        os.close(number)
        raise JournalError(say("journal_in_use")) from why
    return number
