"""What happened in one game, move by move, with the words that take back or correct each; hands stay secret."""

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from engine.games import GAMES
from engine.log import Adopt, Log
from engine.text import say
from firmware.box.flows.undo import hide_secret_cards
from firmware.box.games import ui_of
from firmware.journal import schema as rows
from firmware.journal.errors import JournalError
from firmware.journal.file import open_readonly
from firmware.journal.queries import find_game, rows_of_moves
from firmware.journal.rows import EntryRow, Played
from firmware.journal.schema import DamagedRows
from firmware.texts.moves import describe_move
from firmware.texts.render import Names, render
from firmware.web.snapshot import Snapshot


class HistoryMove(msgspec.Struct, frozen=True):
    """``words`` are empty while a card is meant that lies in a bull pile or that somebody holds (R-9, P-8).

    ``told`` is who told it: seen, button, web or cli, and ``at`` when, where the journal knows.

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
    """``later`` is how many moves are told in full only when their round is over.

    ``damage`` says what could not be read any more.
    """

    game: int
    name: str
    title: str
    running: bool
    moves: list[HistoryMove]
    later: int
    damage: str


def running_history(snapshot: Snapshot, path: Path, language: str) -> History | None:
    """Of the game at the table, also while the journal is in trouble; None if there is none."""
    if snapshot.log is None:
        return None
    try:
        _, standing = _rows(path, snapshot.game)
    except JournalError:
        standing = []
    return _history(snapshot.game, snapshot.log, standing, snapshot.names, language, running=True)


def recorded_history(path: Path, game: int, language: str) -> History:
    """Of any game in the journal, else ``JournalError``; of one that is over nothing is secret."""
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
    """The log as far as it is good, and what is wrong with the rest."""
    try:
        return rows.fold_rows(played, entries, GAMES), ""
    except DamagedRows as bad:
        return bad.good, render(bad.text, language)


def _rows(path: Path, game: int) -> tuple[Played, list[EntryRow]]:
    with closing(open_readonly(path)) as db:
        return find_game(rows.read_games(db), game), rows.read_entries(db, game)


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
    told_by_now = count if over else ui.secret_from(log)
    moves: list[HistoryMove] = []
    for number, (move, row) in enumerate(zip(log.moves, standing, strict=True)):
        every_card = describe_move(log.game.name, move)
        text = every_card if number < told_by_now else hide_secret_cards(every_card, log)
        names_piles = isinstance(move, (Adopt, *ui.pile_moves))
        secret = text != every_card or (number >= told_by_now and names_piles)
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
