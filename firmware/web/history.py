"""What happened in one game, move by move, with the words that take back or correct each."""

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware import journal_rows as rows
from firmware.box.did import did
from firmware.journal_deeds import Played, Row
from firmware.journal_file import look
from firmware.journal_rows import Damaged
from firmware.journal_trouble import JournalTrouble
from firmware.show_log import find, told
from firmware.web.snapshot import Snapshot
from firmware.words import Names, render


class Move(msgspec.Struct, frozen=True):
    """``told`` is who told it: seen, button, web or cli, and ``at`` when, where the journal knows.

    Only of the game that runs: ``back`` are the words that take back this move and every later one, and
    ``instead`` with the right move behind it those that correct this one alone.
    """

    number: int
    text: str
    words: str
    told: str
    at: float | None
    back: str
    instead: str


class History(msgspec.Struct, frozen=True):
    """``damage`` says what could not be read any more."""

    game: int
    name: str
    title: str
    running: bool
    moves: list[Move]
    damage: str


def running(snapshot: Snapshot, path: Path, language: str) -> History | None:
    """Of the game at the table, also while the journal is in trouble; None if there is none."""
    if snapshot.log is None:
        return None
    try:
        _, standing = _rows(path, snapshot.game)
    except JournalTrouble:
        standing = []
    return _history(snapshot.game, snapshot.log, standing, snapshot.names, language, running=True)


def recorded(path: Path, game: int, language: str) -> History:
    """Of any game in the journal; ``JournalTrouble`` if there is no such game."""
    played, entries = _rows(path, game)
    log, damage = folded(played, entries, language)
    if log is None:
        return History(game, played.name, played.name, False, [], damage)
    return _history(game, log, entries, played.names, language, running=False, damage=damage)


def folded(played: Played, entries: list[Row], language: str) -> tuple[Log[Any, Any] | None, str]:
    """The log as far as it is good, and what is wrong with the rest."""
    try:
        return rows.fold(played, entries, GAMES), ""
    except Damaged as bad:
        return bad.good, render(bad.text, language)


def _rows(path: Path, game: int) -> tuple[Played, list[Row]]:
    with closing(look(path)) as db:
        return find(rows.games(db), game), rows.entries(db, game)


def _history(
    game: int, log: Log[Any, Any], entries: list[Row], names: Names, language: str, *, running: bool, damage: str = ""
) -> History:
    count = len(log.moves)
    head = Played(game, "", log.game.name, "", names, 0.0)
    whole = len(entries) == len(log.entries) or damage
    standing: list[Row | None] = [*told(head, entries[: len(log.entries)])] if whole else [None] * count
    moves = [
        Move(
            number,
            render(did(log.game.name, move), language, names),
            str(move),
            row.told if row else "",
            row.at if row else None,
            f"amend {number} {count}" if running else "",
            f"amend {number} {number + 1} ;" if running else "",
        )
        for number, (move, row) in enumerate(zip(log.moves, standing, strict=True))
    ]
    title = render(say("game", game=log.game.name), language)
    return History(game, log.game.name, title, running, moves, damage)
