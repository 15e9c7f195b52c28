"""The history of one game, move by move, with the commands that take back or correct each; hands stay secret."""

from pathlib import Path
from typing import Any

import msgspec

from engine.games import GAMES
from engine.log import Adopt, Log
from engine.text import say
from firmware.box.games import ui_of
from firmware.box.secret_cards import hide_secret_cards
from firmware.journal.errors import JournalError
from firmware.journal.log_from_rows import DamagedRows, fold_rows
from firmware.journal.queries import find_game, rows_of_moves
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.row_types import EntryRow, Played
from firmware.journal.sqlite_file import read_journal
from firmware.texts.move_texts import describe_move
from firmware.texts.render import Names, render
from firmware.web.page_snapshot import Snapshot


class HistoryMove(msgspec.Struct, frozen=True):
    """``words`` is the notation; empty while it names a card in a bull pile or in a hand (R-9, P-8).

    ``told`` is its source (seen, button, web or cli) and ``at`` its time, where the journal knows them.

    Only for the running game: ``back`` is the command that takes back this move and every later one;
    ``instead``, followed by the right move, corrects this one alone.
    """

    number: int
    text: str
    words: str
    told: str
    at: float | None
    back: str
    instead: str


class History(msgspec.Struct, frozen=True):
    """``later`` counts the moves that are shown in full only after their round.

    ``damage`` says what could not be read.
    """

    game: int
    name: str
    title: str
    running: bool
    moves: list[HistoryMove]
    later: int
    damage: str


def running_history(snapshot: Snapshot, path: Path, language: str) -> History | None:
    """Of the game at the table, also while the journal fails; None without a game."""
    if snapshot.log is None:
        return None
    try:
        _, standing = _rows(path, snapshot.game)
    except JournalError:
        standing = []
    return _history(snapshot.game, snapshot.log, standing, snapshot.names, language, running=True)


def recorded_history(path: Path, game: int, language: str) -> History:
    """Of any game in the journal, otherwise ``JournalError``; a finished game has no secrets."""
    played, entries = _rows(path, game)
    log, damage = fold_readable(played, entries, language)
    if log is None:
        return History(game, played.name, played.name, False, [], 0, damage)
    return _history(
        game,
        log,
        entries,
        played.names,
        language,
        running=False,
        over=played.ended is not None,
        damage=damage,
    )


def fold_readable(played: Played, entries: list[EntryRow], language: str) -> tuple[Log[Any, Any] | None, str]:
    """The log up to the first damaged entry, and what is wrong with the rest."""
    try:
        return fold_rows(played, entries, GAMES), ""
    except DamagedRows as bad:
        return bad.good, render(bad.text, language)


def _rows(path: Path, game: int) -> tuple[Played, list[EntryRow]]:
    with read_journal(path) as db:
        return find_game(read_games(db), game), read_entries(db, game)


def _history(
    game: int,
    log: Log[Any, Any],
    entries: list[EntryRow],
    names: Names,
    language: str,
    *,
    running: bool,
    over: bool = False,
    damage: str = "",
) -> History:
    count, ui = len(log.moves), ui_of(log.game.name)
    head = Played(game, "", log.game.name, "", names, 0.0)
    whole = len(entries) == len(log.entries) or damage
    standing: list[EntryRow | None] = [*rows_of_moves(head, entries[: len(log.entries)])] if whole else [None] * count
    public_count = count if over else ui.secret_from(log)
    moves: list[HistoryMove] = []
    for number, (move, row) in enumerate(zip(log.moves, standing, strict=True)):
        in_full = describe_move(log.game.name, move)
        text = in_full if number < public_count else hide_secret_cards(in_full, log)
        names_piles = isinstance(move, (Adopt, *ui.pile_moves))
        secret = text != in_full or (number >= public_count and names_piles)
        moves.append(
            HistoryMove(
                number,
                render(text, language, names),
                "" if secret else str(move),
                row.told if row else "",
                row.at if row else None,
                f"amend {number} {count}" if running else "",
                f"amend {number} {number + 1} ;" if running else "",
            )
        )
    title = render(say("game", game=log.game.name), language)
    return History(game, log.game.name, title, running, moves, sum(not move.words for move in moves), damage)
