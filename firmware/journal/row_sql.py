"""The SQL statements of the journal: write rows and changes to them, and read them back."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace

from firmware.journal.operation_types import (
    EndGame,
    Names,
    PauseGame,
    QuarantineRows,
    RenamePlayers,
    ReopenGame,
    ResumeGame,
    VerifyDeck,
)
from firmware.journal.person_sql import People, decode_players, encode_players, read_people
from firmware.journal.row_types import Change, EntryRow, HeadDamage, Played, RecordedGame, Row
from firmware.journal.schema import is_sealed
from firmware.journal.seal_sql import (
    check_entries,
    check_head,
    remove_entry_seals,
    write_birth,
    write_entry_seal,
    write_states,
)

Ids = dict[int, int]
"""Negative numbers that games got without the file -> their numbers in the file."""


def write_rows(db: sqlite3.Connection, rows: Iterable[Row], ids: Ids) -> None:
    """Write all rows or none, with their checksums if the file has them; they are synced when this returns."""
    sealed = is_sealed(db)
    db.execute("BEGIN IMMEDIATE")
    try:
        changed: list[int] = []
        for row in rows:
            match row:
                case Played():
                    changed += _begin(db, row, ids, sealed=sealed)
                case EntryRow():
                    changed.append(_enter(db, row, ids.get(row.game, row.game), sealed=sealed))
                case Change():
                    changed += _change(db, row, ids.get(row.game, row.game), sealed=sealed)
                case RecordedGame():
                    changed += _restore(db, row, sealed=sealed)
        if sealed:
            write_states(db, changed)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _change(db: sqlite3.Connection, change: Change, game: int, *, sealed: bool) -> Iterator[int]:
    """Gives the games whose rows have changed."""
    yield game
    match change.operation:
        case EndGame(how):
            db.execute("UPDATE game SET ended = ?, how = ? WHERE id = ? AND ended IS NULL", (change.at, how, game))
        case PauseGame():
            db.execute("UPDATE game SET how = 'paused' WHERE id = ? AND ended IS NULL", (game,))
        case ResumeGame():
            yield from _stop_running_games(db)
            db.execute("UPDATE game SET ended = NULL, how = NULL WHERE id = ?", (game,))
        case ReopenGame():
            db.execute("UPDATE game SET ended = NULL, how = 'stopped' WHERE id = ?", (game,))
        case RenamePlayers(names):
            db.execute("UPDATE game SET names = ? WHERE id = ?", (_format_names(db, names, sealed=sealed), game))
        case QuarantineRows(first):
            rows = "FROM entry WHERE game = ? AND number >= ?"
            db.execute(f"INSERT INTO put_aside SELECT *, ? {rows}", (change.at, game, first))
            db.execute(f"DELETE {rows}", (game, first))
            if sealed:
                remove_entry_seals(db, game, first)
        case VerifyDeck(deck):
            db.execute("INSERT OR IGNORE INTO deck VALUES (?, ?)", (deck, change.at))


def _begin(db: sqlite3.Connection, played: Played, ids: Ids, *, sealed: bool) -> Iterator[int]:
    """Gives the games whose rows have changed."""
    found = db.execute("SELECT id FROM game WHERE token = ?", (played.token,)).fetchone()
    if found is None:
        taken = db.execute("SELECT 1 FROM game WHERE id = ?", (played.id,)).fetchone()
        names = _format_names(db, played.names, sealed=sealed)
        head = (played.token, played.name, played.options, names, played.began)
        yield from _stop_running_games(db)
        found = db.execute(
            "INSERT INTO game (id, token, name, options, names, began) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            (played.id if played.id > 0 and not taken else None, *head),
        ).fetchone()
        if sealed:
            write_birth(db, found[0])
    ids[played.id] = found[0]
    yield found[0]


def _restore(db: sqlite3.Connection, game: RecordedGame, *, sealed: bool) -> Iterator[int]:
    """Write a game as a copy has it; other rows of this game are set aside. Gives the games whose rows have changed."""
    played = game.played
    number = _find_game(db, played, sealed=sealed)
    if number is not None and tuple(read_entries(db, number)) == tuple(replace(e, game=number) for e in game.entries):
        return
    how = "stopped" if played.runs else played.how
    head = (played.token, played.name, played.options, _format_names(db, played.names, sealed=sealed), played.began)
    if number is None:
        taken = db.execute("SELECT 1 FROM game WHERE id = ?", (played.id,)).fetchone()
        query = "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"
        (number,) = db.execute(query, (None if taken else played.id, *head, played.ended, how)).fetchone()
    else:
        yield from _change(db, Change(QuarantineRows(1), number, played.began), number, sealed=sealed)
        columns = "token = ?, name = ?, options = ?, names = ?, began = ?, ended = ?, how = ?"
        db.execute(f"UPDATE game SET {columns} WHERE id = ?", (*head, played.ended, how, number))
    if sealed:
        write_birth(db, number)
    for entry in game.entries:
        _enter(db, entry, number, sealed=sealed)
    yield number


def _find_game(db: sqlite3.Connection, played: Played, *, sealed: bool) -> int | None:
    """The number of this game; one with the same number and a damaged head is this one too."""
    if (found := db.execute("SELECT id FROM game WHERE token = ?", (played.token,)).fetchone()) is not None:
        return int(found[0])
    there = db.execute("SELECT 1 FROM game WHERE id = ?", (played.id,)).fetchone()
    return played.id if there and sealed and check_head(db, played.id) == "start" else None


def _format_names(db: sqlite3.Connection, names: Names, *, sealed: bool) -> str:
    return encode_players(db, names) if sealed else json.dumps(dict(names), ensure_ascii=False)


def _stop_running_games(db: sqlite3.Connection) -> list[int]:
    """Stop the running game, which can be resumed; gives its number."""
    stopped = db.execute("UPDATE game SET how = 'stopped' WHERE ended IS NULL AND how IS NULL RETURNING id").fetchall()
    return [id for (id,) in stopped]


def _enter(db: sqlite3.Connection, row: EntryRow, game: int, *, sealed: bool) -> int:
    """Gives the game whose rows have changed."""
    there = db.execute("SELECT entry, told, at FROM entry WHERE game = ? AND number = ?", (game, row.number)).fetchone()
    if there == (row.entry, row.told, row.at):
        return game
    number = row.number
    if there:  # another process has written to this game
        number = db.execute("SELECT max(number) + 1 FROM entry WHERE game = ?", (game,)).fetchone()[0]
    db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (game, number, row.entry, row.told, row.at))
    if sealed:
        write_entry_seal(db, replace(row, game=game, number=number))
    return game


def read_games(db: sqlite3.Connection) -> list[Played]:
    """Every game, the oldest first, each compared with its checksums."""
    people = read_people(db) if (sealed := is_sealed(db)) else None
    rows = db.execute("SELECT id, token, name, options, names, began, ended, how FROM game ORDER BY id").fetchall()
    return [_played(row, people, check_head(db, row[0]) if sealed else "") for row in rows]


def read_entries(db: sqlite3.Connection, game: int) -> list[EntryRow]:
    """The entries of a game, each compared with its checksum."""
    query = "SELECT game, number, entry, told, at FROM entry WHERE game = ? ORDER BY number"
    rows = [EntryRow(*row) for row in db.execute(query, (game,)).fetchall()]
    return check_entries(db, game, rows) if is_sealed(db) else rows


def read_verified_decks(db: sqlite3.Connection) -> dict[str, float]:
    return dict(db.execute("SELECT name, max(at) FROM deck GROUP BY name"))


def _played(row: tuple[object, ...], people: People | None, damage: HeadDamage) -> Played:
    """A damaged cell that is no time or no text becomes one, so that the game can still be shown with its damage."""
    id, token, name, options, names, began, ended, how = row
    known, complete = decode_players(str(names), people)
    return Played(
        int(str(id)),
        str(token),
        str(name),
        str(options),
        known,
        _time(began) or 0.0,
        _time(ended),
        how if how is None else str(how),
        damage or ("" if complete or people is None else "state"),
    )


def _time(value: object) -> float | None:
    return value if isinstance(value, float) else None
