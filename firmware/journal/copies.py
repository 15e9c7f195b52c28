"""Good copies of the journal: made each day, found again after a loss, with the games that they would bring back."""

import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.text import say
from firmware.journal.database_copy import copy_database
from firmware.journal.errors import JournalError, explain_journal_error
from firmware.journal.log_from_rows import DamagedRows, fold_rows
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.row_types import RecordedGame
from firmware.journal.sqlite_file import UNSEALED_COPY, read_journal

COPIES_FOLDER = "copies"
COPIES_KEPT = 10
Games = Mapping[str, Game[Any, Any]]


@dataclass(frozen=True, slots=True)
class GamesInCopy:
    """``missing``: the games of a copy that the journal has not, or has damaged or shorter. ``made`` is Unix time."""

    copy: Path
    made: float
    missing: tuple[RecordedGame, ...]


def copy_journal(path: Path, target: Path) -> None:
    """A consistent copy, even during a game; ``JournalError`` leaves an older copy as it was.

    The journal is read with the rights of its owner, and the copy written with those of the caller.
    """
    with closing(_read_into_memory(path)) as db:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            copy_database(db, target)
        except (sqlite3.Error, OSError) as why:
            raise explain_journal_error(why, target) from why


def add_daily_copy(path: Path, games: Games) -> Path:
    """Write the copy of today and delete the oldest ones. ``JournalError``: a damaged journal replaces no copy."""
    copies = path.parent / COPIES_FOLDER
    copy = copies / f"{path.stem}-{time.strftime('%Y-%m-%d')}{path.suffix}"
    fresh = copy.with_name(f".{copy.name}")
    copy_journal(path, fresh)
    try:
        damaged = _count_damaged(fresh, games)
        if copy.exists() and damaged > _count_damaged(copy, games):
            raise JournalError(say("journal_damaged"))
        fresh.replace(copy)
    finally:
        fresh.unlink(missing_ok=True)
    for old in _list_daily_copies(path)[COPIES_KEPT:]:
        old.unlink()
    return copy


def find_missing_games(path: Path, games: Games) -> GamesInCopy | None:
    """The newest readable copy with games that the journal has not; None if no copy has any."""
    for copy in list_copies(path):
        with suppress(JournalError, OSError):
            if (found := compare_copy(copy, path, games)).missing:
                return found
    return None


def find_missing_since_copy(path: Path, games: Games) -> GamesInCopy | None:
    """The same of the newest copy alone: quick, because only games with a doubt are replayed."""
    for copy in list_copies(path)[:1]:
        with suppress(JournalError, OSError):
            there = {game.played.token: len(game.entries) for game in _read_games(copy)}
            here = {game.played.token: len(game.entries) for game in _read_games(path) if _has_right_seals(game)}
            if any(here.get(token, -1) < entries for token, entries in there.items()):
                return compare_copy(copy, path, games)
    return None


def compare_copy(copy: Path, path: Path, games: Games) -> GamesInCopy:
    """The games of this copy that the journal ``path`` has not; ``JournalError`` if the copy cannot be read."""
    there = _read_games(copy)
    try:
        here = _read_games(path)
    except JournalError:
        here = []
    missing = tuple(game for game in there if _replays(game, games) and not _holds(here, game, games))
    return GamesInCopy(copy, copy.stat().st_mtime, missing)


def list_copies(path: Path) -> list[Path]:
    """The newest first: the daily ones, and the one from before the journal got checksums."""
    unsealed = path.with_name(f"{path.stem}{UNSEALED_COPY}{path.suffix}")
    return [*_list_daily_copies(path), *([unsealed] if unsealed.is_file() else [])]


def _list_daily_copies(path: Path) -> list[Path]:
    """Sorted by modification time: the date in a name is only as right as the clock was."""
    copies = [file for file in (path.parent / COPIES_FOLDER).glob(f"{path.stem}-*{path.suffix}") if file.is_file()]
    return sorted(copies, key=lambda file: file.stat().st_mtime, reverse=True)


def _read_into_memory(path: Path) -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:", isolation_level=None)
    with read_journal(path) as db:
        db.backup(memory)
    return memory


def _read_games(path: Path) -> list[RecordedGame]:
    with read_journal(path) as db:
        return [RecordedGame(played, tuple(read_entries(db, played.id))) for played in read_games(db)]


def _count_damaged(path: Path, games: Games) -> int:
    return sum(not _replays(game, games) for game in _read_games(path))


def _replays(game: RecordedGame, games: Games) -> bool:
    try:
        fold_rows(game.played, game.entries, games)
    except DamagedRows:
        return False
    return True


def _has_right_seals(game: RecordedGame) -> bool:
    return not game.played.damage and all(entry.intact for entry in game.entries)


def _holds(here: list[RecordedGame], wanted: RecordedGame, games: Games) -> bool:
    """Does the journal have this game undamaged, with at least as many entries?"""
    return any(
        game.played.token == wanted.played.token and len(game.entries) >= len(wanted.entries) and _replays(game, games)
        for game in here
    )
