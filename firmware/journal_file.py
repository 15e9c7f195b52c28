"""The journal's file: found, looked at before anything is written, begun anew beside a damaged one, never deleted."""

import errno
import fcntl
import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.text import Text, say
from firmware.journal_rows import TABLES

Connect = Callable[[Path], sqlite3.Connection]

MARK = 0x4F786579
"""In the header of the file: this is Oxeye's."""
SCHEMA = 1
PATIENCE = 0.25
"""Seconds to wait for somebody else's lock: longer, and people wait for a card to be accepted."""
ROOM = 1 << 17
"""With fewer bytes free than this, any failed write means a full card."""
LEAST = 512
"""No SQLite file is shorter, but SQLite takes a shorter one for an empty one and writes over it."""
BESIDE = ("-wal", "-shm", "-journal")
UNREADABLE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class JournalTrouble(Exception):
    """The record cannot be written or read now: ``text`` says what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


class Unreadable(JournalTrouble):
    """The file is damaged, or not a journal. ``saved`` is what could be read of it."""

    def __init__(self, saved: dict[str, list[Any]]) -> None:
        super().__init__(say("journal_damaged"))
        self.saved = saved


def connect(path: Path) -> sqlite3.Connection:
    """``psow=0``: a card whose power is cut may spoil what lies beside the bytes it was writing."""
    return sqlite3.connect(f"file:{quote(str(path))}?psow=0", timeout=PATIENCE, isolation_level=None, uri=True)


def open_file(path: Path, connect: Connect) -> tuple[sqlite3.Connection, Text | None]:
    """The journal, ready to be written; a notice if what lay there had to be kept under another name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _open(path, connect), None
    except Unreadable as bad:
        kept = keep_aside(path)
        db = _open(path, connect)
        _put_back(db, bad.saved)
        return db, say("journal_kept", value=kept.name)


def look(path: Path) -> sqlite3.Connection:
    """The journal for reading alone, also where nothing may be written; ``JournalTrouble`` if there is none."""
    if not path.is_file():
        raise JournalTrouble(say("journal_none", value=str(path)))
    try:
        try:
            return _look(path, "ro")
        except sqlite3.OperationalError:
            if path.with_name(path.name + "-wal").exists():
                raise
            return _look(path, "ro&immutable=1")  # nobody writes, and this folder takes no lock file of SQLite's
    except (sqlite3.Error, OSError) as why:
        raise trouble(why, path) from why


def _look(path: Path, mode: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", timeout=PATIENCE, isolation_level=None, uri=True)
    db.text_factory = as_text
    if _is_new(db):
        raise JournalTrouble(say("journal_none", value=str(path)))
    return db


def _open(path: Path, connect: Connect) -> sqlite3.Connection:
    if path.is_file() and 0 < path.stat().st_size < LEAST:
        raise Unreadable({})
    db = connect(path)
    db.text_factory = as_text
    try:
        new = _is_new(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA cell_size_check = ON")
        if new:
            _begin(db)
            sync_folder(path.parent)
        elif (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(found)
    except sqlite3.Error as why:
        unreadable = _code(why) in (*UNREADABLE, 0)
        saved = _salvage(db) if unreadable else {}
        db.close()
        if unreadable:
            raise Unreadable(saved) from why
        raise
    except JournalTrouble:
        db.close()
        raise
    return db


def as_text(data: bytes) -> str:
    """A spoiled letter spoils its row, not the reading of all others."""
    return data.decode("utf-8", "replace")


def _is_new(db: sqlite3.Connection) -> bool:
    """Is nothing in it yet? ``Unreadable`` if it is somebody else's, trouble if a newer Oxeye wrote it."""
    if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return True
    if db.execute("PRAGMA application_id").fetchone()[0] != MARK:
        raise Unreadable({})
    if db.execute("PRAGMA user_version").fetchone()[0] > SCHEMA:
        raise JournalTrouble(say("journal_newer"))
    return False


def _begin(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        db.execute(table)
    db.execute(f"PRAGMA application_id = {MARK}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")
    db.execute("COMMIT")


def _salvage(db: sqlite3.Connection) -> dict[str, list[Any]]:
    """What can still be read, from either end: damage in the middle takes only the middle."""
    saved: dict[str, list[Any]] = {}
    for table, key in (("game", "id"), ("entry", "game, number"), ("put_aside", "rowid"), ("deck", "name, at")):
        rows: dict[Any, None] = {}
        for order in (key, ", ".join(f"{part} DESC" for part in key.split(", "))):
            rows |= dict.fromkeys(_readable(db, f"SELECT * FROM {table} ORDER BY {order}"))
        saved[table] = list(rows)
    return saved


def _readable(db: sqlite3.Connection, query: str) -> Iterator[Any]:
    try:
        yield from db.execute(query)
    except sqlite3.Error:
        return


def _put_back(db: sqlite3.Connection, saved: dict[str, list[Any]]) -> None:
    db.execute("BEGIN IMMEDIATE")
    for table, rows in saved.items():
        for row in rows:
            try:
                db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            except sqlite3.IntegrityError:
                continue  # half a row is none; the whole file is kept
    db.execute("COMMIT")


def keep_aside(path: Path, endings: tuple[str, ...] = (*BESIDE, "")) -> Path:
    """Rename the file and what belongs to it; the file itself last, so that a cut in between is found again."""
    for n in itertools.count(1):
        kept = path.with_name(f"{path.stem}-kept-{n}{path.suffix}")
        if not any(kept.with_name(kept.name + ending).exists() for ending in ("", *BESIDE)):
            break
    for ending in endings:
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(kept.with_name(kept.name + ending))
    sync_folder(path.parent)
    return kept


def identity(path: Path) -> tuple[int, int] | None:
    """Which file lies there: another one under the same name is another file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def claim(path: Path) -> int:
    """Only one box writes a journal: a lock that goes with the process, however it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as why:
        os.close(number)
        raise JournalTrouble(say("journal_in_use")) from why
    return number


def copy(db: sqlite3.Connection, target: Path) -> sqlite3.Connection:
    """A whole copy of a journal that is being written, in rollback mode: one file and nothing beside it."""
    fresh = sqlite3.connect(target, isolation_level=None)
    db.backup(fresh)
    fresh.execute("PRAGMA journal_mode = DELETE")
    fresh.execute("PRAGMA synchronous = FULL")
    return fresh


def trouble(why: Exception, path: Path) -> JournalTrouble:
    """What a failure means for people, and what they can do."""
    if isinstance(why, JournalTrouble):
        return why
    code = _code(why)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalTrouble(say("journal_in_use"))
    if code in UNREADABLE:
        return JournalTrouble(say("journal_damaged"))
    if code == sqlite3.SQLITE_FULL or getattr(why, "errno", 0) in (errno.ENOSPC, errno.EDQUOT) or _no_room(path):
        return JournalTrouble(say("journal_full"))
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM) or isinstance(why, OSError):
        return JournalTrouble(say("journal_read_only"))
    return JournalTrouble(say("journal_disk"))


def _code(why: Exception) -> int:
    """SQLite's own number, without its finer shades; 0 if it did not speak."""
    return int(getattr(why, "sqlite_errorcode", 0)) & 0xFF


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < ROOM
    except OSError:
        return False
