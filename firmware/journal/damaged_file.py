"""A damaged journal: its readable rows are saved into a fresh one, and the file is renamed and never deleted."""

import itertools
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.text import say
from firmware.journal.errors import JournalError
from firmware.machine.atomic_file import fsync_path

SIDE_FILES = ("-wal", "-shm", "-journal")


class UnreadableJournal(JournalError):
    """The file is damaged, or not a journal. ``saved`` are the rows that could be read."""

    def __init__(self, saved: dict[str, list[Any]]) -> None:
        super().__init__(say("journal_damaged"))
        self.saved = saved


def salvage_rows(db: sqlite3.Connection) -> dict[str, list[Any]]:
    """Rows that can still be read, from both ends: damage in the middle costs only the middle."""
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


def put_back_rows(db: sqlite3.Connection, saved: dict[str, list[Any]]) -> None:
    db.execute("BEGIN IMMEDIATE")
    for table, rows in saved.items():
        for row in rows:
            try:
                db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            except sqlite3.IntegrityError:
                continue  # an incomplete row is dropped; the whole file is kept
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
