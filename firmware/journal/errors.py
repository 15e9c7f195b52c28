"""Errors of the journal: turns what SQLite and the system report into a text with a remedy."""

import errno
import os
import shutil
import sqlite3
from pathlib import Path

from engine.errors import OxeyeError
from engine.text import Text, say

LEAST_FREE_BYTES = 1 << 17
"""Bytes: with less free space than this, any failed write means that the card is full."""
UNREADABLE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class JournalError(OxeyeError):
    """The journal cannot be written or read now: ``text`` says what to do."""

    text: Text

    def __init__(self, text: Text) -> None:
        super().__init__(text)


def explain_journal_error(why: Exception, path: Path) -> JournalError:
    """The journal error, with its remedy, for an exception of SQLite or the system."""
    if isinstance(why, JournalError):
        return why
    number = sqlite_code(why)
    if number in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(say("journal_in_use"))
    if number in UNREADABLE_CODES:
        return JournalError(say("journal_damaged"))
    if number == sqlite3.SQLITE_FULL or getattr(why, "errno", 0) in (errno.ENOSPC, errno.EDQUOT) or _no_room(path):
        return JournalError(say("journal_full"))
    if isinstance(why, PermissionError) or (number == sqlite3.SQLITE_CANTOPEN and _closed(path)):
        return JournalError(say("journal_not_ours"))
    if number in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) or isinstance(why, OSError):
        return JournalError(say("journal_read_only"))
    return JournalError(say("journal_disk"))


def sqlite_code(why: Exception) -> int:
    """The primary result code of SQLite, 0 for any other exception."""
    return int(getattr(why, "sqlite_errorcode", 0)) & 0xFF


def _closed(path: Path) -> bool:
    return os.path.exists(path) and not os.access(path, os.R_OK)


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < LEAST_FREE_BYTES
    except OSError:
        return False
