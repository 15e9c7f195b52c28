"""The checksums of the rows of the journal: written with the rows, and compared when they are read."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from firmware.journal.row_types import EntryRow, HeadDamage
from firmware.journal.seals import NO_GAMES, Seal, add_to_total, seal_birth, seal_entry, seal_state

BIRTH, STATE = 0, -1
"""Numbers in the table ``seal`` beside those of the entries."""
NO_SEAL: Seal = b""


@dataclass(frozen=True, slots=True)
class Ledger:
    """How often the file was written, and the total of its games."""

    commits: int
    total: Seal


def write_birth(db: sqlite3.Connection, game: int) -> None:
    row = db.execute("SELECT token, name, options, began FROM game WHERE id = ?", (game,)).fetchone()
    db.execute("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", (game, BIRTH, seal_birth(*row)))


def write_entry_seal(db: sqlite3.Connection, row: EntryRow) -> None:
    """Chain an entry that was just written to the one before it."""
    before = _find_seal(db, row.game, row.number - 1)
    seal = seal_entry(before, row.number, row.entry, row.told, row.at)
    db.execute("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", (row.game, row.number, seal))


def remove_entry_seals(db: sqlite3.Connection, game: int, first: int) -> None:
    db.execute("DELETE FROM seal WHERE game = ? AND number >= ? AND number > ?", (game, first, BIRTH))


def write_states(db: sqlite3.Connection, games: Iterable[int]) -> None:
    """Seal the state of each of these games, and count one commit more."""
    before = read_ledger(db)
    total = before.total
    for game in sorted(set(games)):
        if (state := _seal_state_of(db, game)) is None:
            continue
        old = _find_seal(db, game, STATE)
        total = add_to_total(total, state, *([old] if old else []))
        db.execute("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", (game, STATE, state))
    _write_ledger(db, 0, Ledger(before.commits + 1, total))


def seal_all(db: sqlite3.Connection) -> None:
    """Give every row of a file that has none its checksum."""
    games = [id for (id,) in db.execute("SELECT id FROM game ORDER BY id").fetchall()]
    for game in games:
        write_birth(db, game)
        rows = db.execute("SELECT * FROM entry WHERE game = ? ORDER BY number", (game,)).fetchall()
        for row in rows:
            write_entry_seal(db, EntryRow(*row))
    write_states(db, games)


def read_ledger(db: sqlite3.Connection) -> Ledger:
    found = db.execute("SELECT commits, total FROM ledger").fetchone()
    if found is None or len(found[1]) != len(NO_GAMES):
        return Ledger(0, NO_GAMES)
    return Ledger(*found)


def count_total(db: sqlite3.Connection) -> Seal:
    """The total of the games that are in the file."""
    rows = db.execute("SELECT hash FROM seal WHERE number = ? AND game IN (SELECT id FROM game)", (STATE,))
    return add_to_total(NO_GAMES, *(seal for (seal,) in rows if len(seal) == len(NO_GAMES)))


def begin_segment(db: sqlite3.Connection) -> None:
    """Go on from the games that are there: what was lost has been told."""
    _write_ledger(db, 1, Ledger(read_ledger(db).commits + 1, count_total(db)))


def _write_ledger(db: sqlite3.Connection, segments: int, ledger: Ledger) -> None:
    """Count so many segments more; a row that is damaged begins again with the first one."""
    segment = "(SELECT coalesce(max(segment), 1) + ? FROM ledger)"
    db.execute(f"INSERT OR REPLACE INTO ledger VALUES (1, {segment}, ?, ?)", (segments, ledger.commits, ledger.total))


def check_head(db: sqlite3.Connection, game: int) -> HeadDamage:
    """Compare the head of a game with its checksums."""
    row = db.execute("SELECT token, name, options, began FROM game WHERE id = ?", (game,)).fetchone()
    if row is None or _find_seal(db, game, BIRTH) != seal_birth(*row):
        return "start"
    return "" if _find_seal(db, game, STATE) == _seal_state_of(db, game) else "state"


def check_entries(db: sqlite3.Connection, game: int, rows: list[EntryRow]) -> list[EntryRow]:
    """The rows, those with a wrong checksum marked; one that is missing at the end is added as a marked one."""
    seals: dict[int, Seal] = dict(db.execute("SELECT number, hash FROM seal WHERE game = ?", (game,)).fetchall())
    checked = [_check_entry(row, seals) for row in rows]
    last = max(seals, default=BIRTH)
    if last > (rows[-1].number if rows else BIRTH):
        checked.append(EntryRow(game, last, "", "", 0.0, intact=False))
    return checked


def _check_entry(row: EntryRow, seals: dict[int, Seal]) -> EntryRow:
    before = seals.get(row.number - 1, NO_SEAL)
    if seals.get(row.number) == seal_entry(before, row.number, row.entry, row.told, row.at):
        return row
    return EntryRow(row.game, row.number, row.entry, row.told, row.at, intact=False)


def _seal_state_of(db: sqlite3.Connection, game: int) -> Seal | None:
    row = db.execute("SELECT ended, how, names FROM game WHERE id = ?", (game,)).fetchone()
    if row is None:
        return None
    last: Any = db.execute(
        "SELECT number, hash FROM seal WHERE game = ? AND number > ? ORDER BY number DESC LIMIT 1", (game, BIRTH)
    ).fetchone()
    return seal_state(_find_seal(db, game, BIRTH), *row, *(last or (0, None)))


def _find_seal(db: sqlite3.Connection, game: int, number: int) -> Seal:
    found = db.execute("SELECT hash FROM seal WHERE game = ? AND number = ?", (game, number)).fetchone()
    return bytes(found[0]) if found else NO_SEAL
