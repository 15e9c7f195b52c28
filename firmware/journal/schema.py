"""The tables of the journal, and the numbers in the header of its file."""

import sqlite3

from firmware.journal.seals import NO_GAMES

APPLICATION_ID = 0x4F786579
"""SQLite application id in the header of the file: a journal of Oxeye."""
SCHEMA_VERSION = 3
"""SQLite user version. From 2 on a game without an end may be paused; a program that knows only 1 would let it run.
From 3 on every row has its checksum, and the names of people are in a table of their own.
"""
UNSEALED_VERSION = 2
"""The format of version 0.1.0, which has no checksums. It is read and written as it is until it is migrated."""
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
SEAL_TABLES = (
    "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL) STRICT",
    """CREATE TABLE seal (
        game INTEGER NOT NULL, number INTEGER NOT NULL, hash BLOB NOT NULL,
        PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE ledger (
        id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, commits INTEGER NOT NULL, total BLOB NOT NULL) STRICT""",
)
"""``seal`` has number 0 for what a game was begun with, -1 for its state, and that of each entry. ``ledger`` has one
row; a new ``segment`` begins whenever games were found damaged or missing.
"""


def create_tables(db: sqlite3.Connection, *, sealed: bool = True) -> None:
    db.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        db.execute(table)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    if sealed:
        create_seal_tables(db)
    else:
        db.execute(f"PRAGMA user_version = {UNSEALED_VERSION}")
    db.execute("COMMIT")


def create_seal_tables(db: sqlite3.Connection) -> None:
    for table in SEAL_TABLES:
        db.execute(table)
    db.execute("INSERT INTO ledger VALUES (1, 1, 0, ?)", (NO_GAMES,))
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def is_sealed(db: sqlite3.Connection) -> bool:
    """Does each row of this file have a checksum?"""
    return bool(db.execute("PRAGMA user_version").fetchone()[0] > UNSEALED_VERSION)


def has_known_tables(db: sqlite3.Connection) -> bool:
    """Are there exactly the tables of the journal? A view in the place of a table could run for ever."""
    known = {_squeeze(table) for table in (*TABLES, *(SEAL_TABLES if is_sealed(db) else ()))}
    found = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL LIMIT 100").fetchall()
    return {_squeeze(sql) for (sql,) in found} == known


def _squeeze(sql: object) -> str:
    return "".join(str(sql).split())
