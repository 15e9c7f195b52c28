"""The names of people in the journal: a table of their own, so that games hold ids and a name can be forgotten."""

import json
import sqlite3

from firmware.journal.operation_types import Names
from firmware.journal.seals import seal_person

People = dict[int, str]
"""Id of a person -> name, empty if it was forgotten; people whose row is damaged are not in it."""


def encode_players(db: sqlite3.Connection, names: Names) -> str:
    """The ids of these people by player, as JSON; who is new gets an id."""
    return json.dumps({str(player): _find_person(db, name) for player, name in names.items()})


def move_names(db: sqlite3.Connection) -> None:
    """Give the people of every game an id: before, each game held the names themselves."""
    for game, text in db.execute("SELECT id, names FROM game ORDER BY id").fetchall():
        names, _ = decode_players(text, None)
        db.execute("UPDATE game SET names = ? WHERE id = ?", (encode_players(db, names), game))


def read_people(db: sqlite3.Connection) -> People:
    rows = db.execute("SELECT id, name, hash FROM person")
    return {id: name for id, name, seal in rows if seal == seal_person(id, name)}


def _find_person(db: sqlite3.Connection, name: str) -> int:
    found = db.execute("SELECT id FROM person WHERE name = ? ORDER BY id LIMIT 1", (name,)).fetchone()
    if found is None:
        (number,) = db.execute("SELECT coalesce(max(id), 0) + 1 FROM person").fetchone()
        db.execute("INSERT INTO person VALUES (?, ?, ?)", (number, name, seal_person(number, name)))
        return int(number)
    return int(found[0])


def decode_players(text: str, people: People | None) -> tuple[dict[int, str], bool]:
    """The names by player, and whether all were found. Without ``people`` the text itself has the names."""
    try:
        given = {int(player): who for player, who in json.loads(text).items()}
    except (ValueError, AttributeError):
        return {}, False
    if people is None:
        return {player: str(who) for player, who in given.items()}, True
    found = {player: people[who] for player, who in given.items() if isinstance(who, int) and who in people}
    return {player: name for player, name in found.items() if name}, len(found) == len(given)
