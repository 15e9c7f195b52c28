"""The journal: writes every accepted entry to disk before it is shown; an error of the disk does not stop the game.

It is one module because every method depends on the rows that are not yet on disk.
"""

import os
import secrets
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.log import Log
from engine.text import Text, say
from firmware.journal import sqlite_file as files
from firmware.journal.connection import Connect, connect
from firmware.journal.damaged_file import SIDE_FILES, rename_aside
from firmware.journal.errors import JournalError, explain_journal_error
from firmware.journal.log_from_rows import fold_rows, standing_entries
from firmware.journal.operation_types import (
    BeginGame,
    EndGame,
    Operation,
    PauseGame,
    QuarantineRows,
    RenamePlayers,
    ReopenGame,
    ResumeGame,
    Started,
    VerifyDeck,
    WriteEntries,
)
from firmware.journal.player_names import find_last_names
from firmware.journal.remembered_head import remember_head
from firmware.journal.row_sql import Ids, read_entries, read_games, read_verified_decks, write_rows
from firmware.journal.row_types import Change, EntryRow, Played, RecordedGame, Row
from firmware.journal.schema import is_sealed
from firmware.journal.seal_sql import read_ledger
from firmware.journal.stored_options import format_written_options


class Journal:
    """Methods that write return True when the rows are on disk. If not, ``error`` says why; the rows are kept in
    order and written with the next call, or with ``flush``, as soon as that works again.
    """

    def __init__(self, path: Path, connect: Connect, *, alone: bool, migrate: bool = False) -> None:
        self.path = path
        self.error: JournalError | None = None
        self._connect = connect
        self._alone = alone
        self._migrate = migrate
        self._lock: int | None = None
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._rows: list[Row] = []  # the running game from its beginning, and what is not yet on disk
        self._written = 0
        self._ids: Ids = {}
        self._running: Played | None = None
        self._given = 0
        self._notices: list[Text] = []

    def apply(self, operation: Operation, game: int, at: float) -> bool:
        """True when it is on disk. Of ``BeginGame`` and ``ResumeGame`` the game is that of the operation itself.

        ``JournalError`` only for a game that is not running and cannot be read.
        """
        match operation:
            case BeginGame(started):
                self.begin(started, at)
                return self.error is None
            case ResumeGame(id):
                return self._resume(operation, id, at)
            case WriteEntries(entries, told):
                self.head(game)
                number = max((row.number for row in self.rows(game)), default=0) + 1
                return self._add(*(EntryRow(game, n, entry, told, at) for n, entry in enumerate(entries, number)))
            case EndGame() | PauseGame():
                if self._running and self._running.id == game:
                    self._running = None
            case RenamePlayers(names):
                if self._running and self._running.id == game:
                    self._running = replace(self._running, names=dict(names))
            case QuarantineRows():  # the game goes on from its good rows, with new checksums
                if self._running and self._running.id == game:
                    self._running = replace(self._running, damage="")
            case ReopenGame() | VerifyDeck():
                pass
        return self._add(Change(operation, game, at))

    def begin(self, started: Started, at: float) -> int:
        """A new game; one that still runs is stopped. The number is valid for every other operation."""
        self.flush()
        options = format_written_options(started.game, started.options)
        head = Played(self._next_id(), secrets.token_hex(8), started.game, options, dict(started.names), at)
        self._rows = [*self._unwritten(), head]
        self._written = 0
        self._running = head
        self.flush()
        return head.id

    def _resume(self, operation: ResumeGame, game: int, at: float) -> bool:
        self.flush()
        head = self.head(game)
        whole: list[Row] = []
        if not any(isinstance(row, Played) and row.id == game for row in self._unwritten()):
            rest = (replace(row, game=game) for row in self.rows(game))  # rows and head have the same number
            whole = [replace(head, id=game, ended=None, how=None), *rest]
        self._rows = [*whole, *self._unwritten(), Change(operation, game, at)]
        self._written = 0
        self._running = replace(head, id=game, ended=None, how=None)
        return self.flush()

    def flush(self) -> bool:
        """Write the rows that are not yet on disk, if that works now."""
        for _ in range(2):  # a file found damaged while writing is renamed when it is opened again
            try:
                self._write(self._open())
            except (sqlite3.Error, OSError, JournalError) as why:
                self.error = explain_journal_error(why, self.path)
                if self.error.text.id not in ("journal_full", "journal_in_use"):
                    self._shut()
                if self.error.text.id != "journal_damaged":
                    break
            else:
                self.error = None
                return True
        return False

    def restore(self, games: Sequence[RecordedGame]) -> bool:
        """Take these games from a copy; what the journal has of them is set aside."""
        return self._add(*games)

    def running(self) -> Played | None:
        """The game that runs, also after a power cut."""
        return self._running

    def stopped(self) -> list[Played]:
        """Every game in the file that has not ended, the oldest first; at most one ``runs``."""
        return [played for played in self.history() if played.ended is None]

    def head(self, game: int) -> Played:
        """The head of this game; ``JournalError`` if there is none."""
        if self._running and self._running.id == game:
            return self._running
        if (given := next((d for d in self._rows if isinstance(d, Played) and d.id == game), None)) is not None:
            return given
        number = self._ids.get(game, game)
        for played in self.history():
            if played.id == number:
                return played
        raise JournalError(say("journal_no_game", number=game))

    def rows(self, game: int) -> list[EntryRow]:
        """The entries of this game, including those of the running game that are not yet on disk."""
        if any(isinstance(row, Played) and row.id == game for row in self._rows):
            return standing_entries(self._rows, game)
        with self._reading() as db:
            return read_entries(db, self._ids.get(game, game))

    def load(self, game: int, games: Mapping[str, Game[Any, Any]]) -> Log[Any, Any]:
        """The log of a game; ``DamagedRows`` names the first damaged row and holds the log before it."""
        return fold_rows(self.head(game), self.rows(game), games)

    def history(self) -> list[Played]:
        """Every game in the file, the oldest first."""
        with self._reading() as db:
            return read_games(db)

    def highest(self) -> int:
        """The highest number of a game in the file, 0 if there is none or it cannot be read."""
        try:
            return max((played.id for played in self.history()), default=0)
        except JournalError:
            return 0

    def names(self, swapping: Collection[str] = ()) -> dict[int, str]:
        """The names of the players in the last evening; ``swapping`` as in ``find_last_names``."""
        try:
            heads = self.history()
        except JournalError:
            heads = []
        return find_last_names([*heads, self._running] if self._running else heads, swapping)

    def decks(self) -> dict[str, float]:
        """When each deck was last verified."""
        with self._reading() as db:
            return read_verified_decks(db)

    def notices(self) -> tuple[Text, ...]:
        """Notices to show once, such as that a damaged file was renamed."""
        told = tuple(self._notices)
        self._notices.clear()
        return told

    def close(self) -> None:
        """Write the rest if that works, leave a single file, and release the lock."""
        self.flush()
        self._shut()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _add(self, *rows: Row) -> bool:
        self._rows += rows
        return self.flush()

    def _unwritten(self) -> list[Row]:
        return self._rows[self._written :]

    def _next_id(self) -> int:
        """The number of the game in the file; without the file a negative one, which is replaced later."""
        self._given += 1
        if self._db is None or self.error:
            return -self._given
        return 1 + max((played.id for played in read_games(self._db)), default=0)

    def _open(self) -> sqlite3.Connection:
        if self._db is not None and self._file != files.identify_file(self.path):
            self._shut()  # the file was removed or replaced: what is written would be lost
            rename_aside(self.path, SIDE_FILES)  # the old side files do not belong to the new file
        if self._db is None:
            if self._alone and self._lock is None:
                self._lock = files.lock_journal(self.path)
            self._db, notice = files.open_file(self.path, self._connect, migrate=self._migrate)
            self._file = files.identify_file(self.path)
            self._notices += [notice] if notice else []
            self._go_on(self._db)
            self._remember(self._db)
        return self._db

    def _remember(self, db: sqlite3.Connection) -> None:
        """Remember the newest state in the file beside; a disk that cannot do that does not stop the game."""
        with suppress(OSError):
            if is_sealed(db):
                remember_head(self.path, read_ledger(db))

    def _go_on(self, db: sqlite3.Connection) -> None:
        """Continue the game that runs in the file, unless another one has begun in memory."""
        if not self._alone or any(isinstance(row, Played) for row in self._rows):
            return
        self._running = next((played for played in read_games(db) if played.runs), None)
        if self._running:
            self._rows[:0] = [self._running, *read_entries(db, self._running.id)]

    def _peek(self) -> None:
        """Read a file that cannot be written, so that the running game continues in memory."""
        with suppress(JournalError), self._reading() as db:
            self._go_on(db)

    def _write(self, db: sqlite3.Connection) -> None:
        if not (owed := self._unwritten()):
            return
        ids = dict(self._ids)
        write_rows(db, owed, ids)
        self._remember(db)
        self._ids = ids
        self._written = len(self._rows)
        if self._running is None:
            self._rows, self._written = [], 0
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # after the game the journal is a single file again

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        if self._db is None:
            self.flush()
        try:
            if self._db is not None:
                yield self._db
            else:
                with closing(files.open_readonly(self.path)) as db:
                    yield db
        except sqlite3.Error as why:
            raise explain_journal_error(why, self.path) from why

    def _shut(self) -> None:
        """Close the file. The result of a failed commit is unknown: all of the running game is written again."""
        if self._db is not None:
            self._db.close()
        self._db = None
        self._written = 0


def open_journal(path: Path, connect: Connect = connect, *, alone: bool = True, migrate: bool = False) -> Journal:
    """The journal in this file, created if there is none; check ``error`` and ``notices``.

    ``alone`` locks out a second box; without it a program may add entries to a game that does not run. ``migrate``
    gives a file of format 2 checksums, after a copy of it was made.
    """
    journal = Journal(path, connect, alone=alone, migrate=migrate)
    if not journal.flush() and journal.error and journal.error.text.id != "journal_in_use":
        journal._peek()
    return journal
