"""The tables of the journal: writes rows and changes to them and reads them back."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from engine.game import Game, Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.options import BadOption, Options, format_value
from engine.pairs import format_pairs, parse_pairs
from engine.text import Text, say
from firmware.journal.errors import JournalError
from firmware.journal.operations import (
    EndGame,
    Names,
    PauseGame,
    QuarantineRows,
    RenamePlayers,
    ReopenGame,
    ResumeGame,
    VerifyDeck,
)
from firmware.journal.rows import Change, EntryRow, Played, Row

Ids = dict[int, int]
"""Negative numbers that games got without the file -> their numbers in the file."""

EVENING_S = 12 * 3600.0
"""Seconds: games that began at most so long before the last one belong to its evening."""
TABLES = (
    """CREATE TABLE game (
        id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, name TEXT NOT NULL, options TEXT NOT NULL,
        names TEXT NOT NULL, began REAL NOT NULL, ended REAL, how TEXT) STRICT""",
    """CREATE TABLE entry (
        game INTEGER NOT NULL, number INTEGER NOT NULL, entry TEXT NOT NULL, told TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE put_aside (
        game INTEGER NOT NULL, number INTEGER NOT NULL, entry, told, at, since REAL NOT NULL)""",
    "CREATE TABLE deck (name TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (name, at)) STRICT, WITHOUT ROWID",
)


class DamagedRows(JournalError):
    """A game with a damaged row: ``row`` is its number (0: head), ``text`` says why, ``good`` is the log before it."""

    def __init__(self, row: int, text: Text, good: Log[Any, Any] | None) -> None:
        super().__init__(text)
        self.row = row
        self.good = good


def format_options(options: Options) -> str:
    """``players=3 variant=base``; several numbers have commas between them, none is a dash."""
    return format_pairs((name, format_value(value) or "-") for name, value in options.items())


def read_options(text: str) -> dict[str, str]:
    return {name: "" if value == "-" else value for name, value in parse_pairs(text.split())}


def fold_rows(played: Played, rows: Iterable[EntryRow], games: Mapping[str, Game[Any, Any]]) -> Log[Any, Any]:
    """The log of a game from its rows; ``DamagedRows`` holds the log before the first damaged one."""
    if played.name not in games:
        raise DamagedRows(0, _bad(played, 0, f"there is no game '{played.name}'"), None)
    try:
        log: Log[Any, Any] = Log(games[played.name], read_options(played.options))
    except (BadOption, Illegal) as why:
        raise DamagedRows(0, _bad(played, 0, str(why)), None) from why
    for expected, row in enumerate(rows, 1):
        if row.number != expected:
            raise DamagedRows(expected, _bad(played, expected, "it is missing"), log)
        try:
            log = log.add(log.parse(row.entry))
        except (BadNotation, Illegal) as why:
            raise DamagedRows(expected, _bad(played, expected, str(why)), log) from why
    return log


def _bad(played: Played, row: int, says: str) -> Text:
    return say("log_row", number=played.id, row=row, says=says)


def standing_entries(rows: Iterable[Row], game: int) -> list[EntryRow]:
    """The entries of a game that are left after these rows are written."""
    found: list[EntryRow] = []
    for row in rows:
        match row:
            case EntryRow() if row.game == game:
                found.append(row)
            case Change(QuarantineRows(first), of, _) if of == game:
                found = [entry for entry in found if entry.number < first]
            case _:
                pass
    return found


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


def find_last_names(heads: Sequence[Played], swapping: Collection[str] = ()) -> dict[int, str]:
    """The players' names in the last evening: of each number the latest one.

    ``swapping`` are games whose players change their numbers from match to match: the other games count first.
    """
    last = heads[-1].began if heads else 0.0
    evening = [head for head in reversed(heads) if head.began >= last - EVENING_S]
    evening.sort(key=lambda head: head.name in swapping)
    return merge_names(*(head.names for head in evening))


def merge_names(*named: Names) -> dict[int, str]:
    """For each number the first name found; no name appears twice."""
    found: dict[int, str] = {}
    for names in named:
        found |= {n: who for n, who in names.items() if n not in found and who not in found.values()}
    return found


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
