"""Exports of the journal: the scores of every game, one game as its log, and a score sheet to print."""

from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from engine.games import GAMES
from engine.log_text import write_log
from engine.text import say
from firmware.box.games import ui_of
from firmware.journal.errors import JournalError
from firmware.journal.log_from_rows import DamagedRows, fold_rows
from firmware.journal.queries import find_game
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.row_types import EntryRow, Played
from firmware.journal.scores import GameScore, score_game
from firmware.journal.sqlite_file import read_journal
from firmware.texts.names_times_errors import format_time
from firmware.texts.render import render
from firmware.web.api_state import player_name
from firmware.web.template_rendering import render_template

ScoreKey = tuple[str, int, str | None, tuple[tuple[int, str], ...]]


class ScoreCache:
    """Scores of all games; a game is scored again only when its entries or names have changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[ScoreKey, GameScore] = {}
        self._lock = Lock()

    def all(self) -> list[GameScore]:
        """Every game in the journal; empty without a journal."""
        with self._lock:
            try:
                with read_journal(self._path) as db:
                    self._known = dict(self._score(played, read_entries(db, played.id)) for played in read_games(db))
            except JournalError as why:
                if why.text.id != "journal_none":
                    raise
            return list(self._known.values())

    def _score(self, played: Played, entries: list[EntryRow]) -> tuple[ScoreKey, GameScore]:
        key = (played.token, len(entries), played.how, tuple(played.names.items()))
        return key, self._known.get(key) or score_game(played, entries)


class RoundRunning(RuntimeError):
    """The log would show what players hold."""


def game_log(path: Path, game: int) -> str:
    """The log of one game, up to the first damaged entry; ``JournalError`` if there is no such game.

    ``RoundRunning`` while a round has secrets: corrections would show them.
    """
    played, entries = _recorded(path, game)
    try:
        log = fold_rows(played, entries, GAMES)
    except DamagedRows as bad:
        if bad.good is None:
            raise JournalError(bad.text) from bad
        log = bad.good
    if played.ended is None and ui_of(played.name).secret_from(log) < len(log.moves):
        raise RoundRunning
    return write_log(log)


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A player on the score sheet; ``points`` is shorter than the match for one who came later, or left."""

    name: str
    points: tuple[int, ...]
    total: int
    winner: bool


def score_sheet(path: Path, game: int, language: str) -> str:
    """A page to print: a row for each round, a column for each player, and the totals."""
    scored = score_game(*_recorded(path, game))
    played, pads = scored.played, scored.view.pads if scored.view else ()
    winners = scored.view.winners if scored.view else ()
    return render_template(
        "printable_score_sheet.html",
        language,
        title=render(say("game", game=played.name), language) if played.name in GAMES else played.name,
        began=format_time(played.began),
        columns=[
            SheetColumn(
                player_name(pad.player, played.names, language), pad.rounds, pad.total + pad.now, pad.player in winners
            )
            for pad in pads
        ],
        rounds=max((len(pad.rounds) for pad in pads), default=0),
        damage=scored.damage,
    )


def _recorded(path: Path, game: int) -> tuple[Played, list[EntryRow]]:
    with read_journal(path) as db:
        return find_game(read_games(db), game), read_entries(db, game)
