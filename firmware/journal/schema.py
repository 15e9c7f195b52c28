"""The tables of the journal, and the numbers in the header of its file."""

import sqlite3

APPLICATION_ID = 0x4F786579
"""SQLite application id in the header of the file: a journal of Oxeye."""
SCHEMA_VERSION = 2
"""SQLite user version. From 2 on a game without an end may be paused; a program that knows only 1 would let it run."""
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


def create_tables(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        db.execute(table)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    db.execute("COMMIT")
