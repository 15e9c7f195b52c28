"""The SQL statements of the journal: write rows and changes to them, and read them back."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from firmware.journal.operation_types import (
    EndGame,
    PauseGame,
    QuarantineRows,
    RenamePlayers,
    ReopenGame,
    ResumeGame,
    VerifyDeck,
)
from firmware.journal.row_types import Change, EntryRow, Played, Row

Ids = dict[int, int]
"""Negative numbers that games got without the file -> their numbers in the file."""


def write_rows(db: sqlite3.Connection, rows: Iterable[Row], ids: Ids) -> None:
    """Write all rows or none; they are synced when this returns."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for row in rows:
            match row:
                case Played():
                    _begin(db, row, ids)
                case EntryRow():
                    _enter(db, row, ids.get(row.game, row.game))
                case Change():
                    _change(db, row, ids.get(row.game, row.game))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _change(db: sqlite3.Connection, change: Change, game: int) -> None:
    match change.operation:
        case EndGame(how):
            db.execute("UPDATE game SET ended = ?, how = ? WHERE id = ? AND ended IS NULL", (change.at, how, game))
        case PauseGame():
            db.execute("UPDATE game SET how = 'paused' WHERE id = ? AND ended IS NULL", (game,))
        case ResumeGame():
            stop_running_game(db)
            db.execute("UPDATE game SET ended = NULL, how = NULL WHERE id = ?", (game,))
        case ReopenGame():
            db.execute("UPDATE game SET ended = NULL, how = 'stopped' WHERE id = ?", (game,))
        case RenamePlayers(names):
            text = json.dumps(dict(names), ensure_ascii=False)
            db.execute("UPDATE game SET names = ? WHERE id = ?", (text, game))
        case QuarantineRows(first):
            rows = "FROM entry WHERE game = ? AND number >= ?"
            db.execute(f"INSERT INTO put_aside SELECT *, ? {rows}", (change.at, game, first))
            db.execute(f"DELETE {rows}", (game, first))
        case VerifyDeck(deck):
            db.execute("INSERT OR IGNORE INTO deck VALUES (?, ?)", (deck, change.at))


def _begin(db: sqlite3.Connection, played: Played, ids: Ids) -> None:
    found = db.execute("SELECT id FROM game WHERE token = ?", (played.token,)).fetchone()
    if found is None:
        taken = db.execute("SELECT 1 FROM game WHERE id = ?", (played.id,)).fetchone()
        names = json.dumps(dict(played.names), ensure_ascii=False)
        head = (played.token, played.name, played.options, names, played.began)
        stop_running_game(db)
        found = db.execute(
            "INSERT INTO game (id, token, name, options, names, began) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            (played.id if played.id > 0 and not taken else None, *head),
        ).fetchone()
    ids[played.id] = found[0]


def stop_running_game(db: sqlite3.Connection) -> None:
    """Stop the running game; it can be resumed."""
    db.execute("UPDATE game SET how = 'stopped' WHERE ended IS NULL AND how IS NULL")


def _enter(db: sqlite3.Connection, row: EntryRow, game: int) -> None:
    there = db.execute("SELECT entry, told, at FROM entry WHERE game = ? AND number = ?", (game, row.number)).fetchone()
    if there == (row.entry, row.told, row.at):
        return
    number = row.number
    if there:  # another process has written to this game
        number = db.execute("SELECT max(number) + 1 FROM entry WHERE game = ?", (game,)).fetchone()[0]
    db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (game, number, row.entry, row.told, row.at))


def read_games(db: sqlite3.Connection) -> list[Played]:
    """Every game, the oldest first."""
    return [_played(*row) for row in db.execute("SELECT * FROM game ORDER BY id")]


def read_entries(db: sqlite3.Connection, game: int) -> list[EntryRow]:
    return [EntryRow(*row) for row in db.execute("SELECT * FROM entry WHERE game = ? ORDER BY number", (game,))]


def read_verified_decks(db: sqlite3.Connection) -> dict[str, float]:
    return dict(db.execute("SELECT name, max(at) FROM deck GROUP BY name"))


def _played(id: int, token: str, name: str, options: str, names: str, *when: Any) -> Played:
    return Played(id, token, name, options, _names(names), *when)


def _names(text: str) -> dict[int, str]:
    """The names of the players; none if this column is damaged, so that the game can still be read."""
    try:
        return {int(number): str(name) for number, name in json.loads(text).items()}
    except (ValueError, AttributeError):
        return {}
