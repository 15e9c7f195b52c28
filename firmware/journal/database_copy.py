"""A consistent copy of an open journal in one file, also during a game."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from engine.text import say
from firmware.journal.errors import JournalError
from firmware.machine.atomic_file import replace_durably
from firmware.machine.regular_file import NEW_FILE_MODE


def copy_database(db: sqlite3.Connection, target: Path) -> None:
    """Replace ``target`` by a copy in rollback mode, with no ``-wal`` beside it; an error leaves ``target`` as it was.

    ``JournalError`` if the copy is damaged. Only the owner may read the copy.
    """
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, NEW_FILE_MODE))
        with closing(sqlite3.connect(part, isolation_level=None)) as fresh:
            db.backup(fresh)
            fresh.execute("PRAGMA journal_mode = DELETE")
            fresh.execute("PRAGMA synchronous = FULL")
            fresh.execute("PRAGMA cell_size_check = ON")
            if fresh.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
                raise JournalError(say("journal_damaged"))
        replace_durably(part, target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
