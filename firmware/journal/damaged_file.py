"""A damaged journal: its readable rows are saved into a fresh one, and the file is renamed and never deleted."""

import itertools
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.text import say
from firmware.journal.connection import DEADLINE_STEPS
from firmware.journal.errors import JournalError
from firmware.journal.schema import create_tables
from firmware.journal.seal_sql import begin_segment
from firmware.machine.atomic_file import fsync_path

SIDE_FILES = ("-wal", "-shm", "-journal")
SALVAGE_TIMEOUT_S = 10.0
"""Seconds for reading what is left of a damaged file."""
KEYS = {
    "game": "id",
    "entry": "game, number",
    "put_aside": "rowid",
    "deck": "name, at",
    "person": "id",
    "seal": "game, number",
    "ledger": "id",
}
"""Each table and its key."""
SavedRows = dict[str, list[Any]]
"""Table -> rows."""


class UnreadableJournal(JournalError):
    """The file is damaged, or not a journal. ``saved`` are the rows that could be read."""

    def __init__(self, saved: SavedRows) -> None:
        super().__init__(say("journal_damaged"))
        self.saved = saved


def salvage_rows(db: sqlite3.Connection) -> SavedRows:
    """Rows that can still be read, from both ends: damage in the middle costs only the middle."""
    until = time.monotonic() + SALVAGE_TIMEOUT_S
    db.set_progress_handler(lambda: time.monotonic() > until, DEADLINE_STEPS)
    tables = {name for (name,) in _readable(db, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    saved: SavedRows = {}
    for table, key in KEYS.items():
        if table not in tables:
            continue
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


def fill_fresh_file(db: sqlite3.Connection, saved: SavedRows) -> None:
    """Create the tables and put the rows back, each with the checksum it had; a new segment of the file begins."""
    sealed = not saved.get("game") or "seal" in saved
    create_tables(db, sealed=sealed)
    db.execute("BEGIN IMMEDIATE")
    if saved.get("ledger"):
        db.execute("DELETE FROM ledger")
    for table, rows in saved.items():
        columns = len(db.execute(f"PRAGMA table_info({table})").fetchall())
        for row in rows:
            if len(row) != columns:
                continue
            try:
                db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            except sqlite3.IntegrityError:
                continue  # an incomplete row is dropped; the whole file is kept
    if sealed:
        begin_segment(db)
    db.execute("COMMIT")


def rename_aside(path: Path, endings: tuple[str, ...] = (*SIDE_FILES, "")) -> Path:
    """Rename the file and its side files; the file itself last, so that a power cut in between is detected."""
    for n in itertools.count(1):
        kept = path.with_name(f"{path.stem}-kept-{n}{path.suffix}")
        if not any(kept.with_name(kept.name + ending).exists() for ending in ("", *SIDE_FILES)):
            break
    for ending in endings:
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(kept.with_name(kept.name + ending))
    fsync_path(path.parent)
    return kept
