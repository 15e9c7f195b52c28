"""Connections to the file of the journal: every damage is an error of SQLite, and nothing in the file is trusted."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

Connect = Callable[[Path], sqlite3.Connection]

LOCK_TIMEOUT_S = 0.25
"""Seconds to wait for the lock of another process; people wait so long for a card to be accepted."""
DEADLINE_STEPS = 10_000
"""Instructions of SQLite between two looks at the clock: a few milliseconds."""


class JournalCursor(sqlite3.Cursor):
    def execute(self, *args: Any) -> "JournalCursor":
        with _damage_as_sqlite_error():
            super().execute(*args)
        return self

    def fetchone(self) -> Any:
        with _damage_as_sqlite_error():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with _damage_as_sqlite_error():
            return super().fetchall()

    def __next__(self) -> Any:
        with _damage_as_sqlite_error():
            return super().__next__()


class JournalConnection(sqlite3.Connection):
    def cursor(self, *args: Any, **kwargs: Any) -> Any:
        return super().cursor(JournalCursor)

    def execute(self, *args: Any) -> JournalCursor:
        return self.cursor().execute(*args)  # type: ignore[no-any-return]

    def backup(self, *args: Any, **kwargs: Any) -> None:
        with _damage_as_sqlite_error():
            super().backup(*args, **kwargs)


@contextmanager
def _damage_as_sqlite_error() -> Iterator[None]:
    """SQLite quotes names of a damaged file in its message; Python fails if these bytes are not UTF-8."""
    try:
        yield
    except UnicodeDecodeError as why:
        damage = sqlite3.DatabaseError("the file is damaged")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from why


def connect(path: Path) -> sqlite3.Connection:
    """``psow=0``: an SD card that loses power may damage the bytes next to those it was writing."""
    return _connect(path, "psow=0", LOCK_TIMEOUT_S)


def connect_readonly(
    path: Path, patience_s: float = LOCK_TIMEOUT_S, deadline_s: float | None = None
) -> sqlite3.Connection:
    """Connect read-only; without a writer SQLite does not even create its side files.

    With ``deadline_s`` every query that runs after so many seconds is interrupted.
    """
    mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    db = _connect(path, f"mode={mode}", patience_s)
    secure(db)
    if deadline_s is not None:
        until = time.monotonic() + deadline_s
        db.set_progress_handler(lambda: time.monotonic() > until, DEADLINE_STEPS)
    return db


def _connect(path: Path, options: str, patience_s: float) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path))}?{options}",
        timeout=patience_s,
        isolation_level=None,
        uri=True,
        factory=JournalConnection,
    )


def secure(db: sqlite3.Connection) -> None:
    """Decode text so that a damaged letter affects only its row; check cells; run no function that the file names."""
    db.text_factory = decode_text
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")


def decode_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
