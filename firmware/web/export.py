"""What people take away: every game for a spreadsheet or a program, one game as its log, and a score sheet to print."""

from collections.abc import Sequence
from contextlib import closing
from html import escape
from pathlib import Path
from threading import Lock

from engine.games import GAMES
from engine.record import write_log
from engine.text import say
from engine.view import Pad
from firmware.journal import schema as rows
from firmware.journal.errors import JournalError
from firmware.journal.file import open_readonly
from firmware.journal.queries import find_game
from firmware.journal.rows import EntryRow, Played
from firmware.journal.schema import DamagedRows
from firmware.journal.scores import GameScore, score_game
from firmware.texts.format import format_time
from firmware.texts.render import render
from firmware.web.api_state import name
from firmware.web.history import round_began
from firmware.web.pages import Html, page

Known = tuple[str, int, str | None, tuple[tuple[int, str], ...]]


class Scores:
    """What was added up once is not added up again before something was written behind it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[Known, GameScore] = {}
        self._one = Lock()

    def all(self) -> list[GameScore]:
        """Every game in the journal; none if there is no journal yet."""
        with self._one:
            try:
                with closing(open_readonly(self._path)) as db:
                    self._known = dict(self._score(played, rows.entries(db, played.id)) for played in rows.games(db))
            except JournalError as why:
                if why.text.id != "journal_none":
                    raise
            return list(self._known.values())

    def _score(self, played: Played, entries: list[EntryRow]) -> tuple[Known, GameScore]:
        key = (played.token, len(entries), played.how, tuple(played.names.items()))
        return key, self._known.get(key) or score_game(played, entries)


class TooSoon(RuntimeError):
    """The log would tell what people hold."""


def log(path: Path, game: int) -> str:
    """The log of one game, as far as it is good; ``JournalError`` if there is no such game.

    ``TooSoon`` while a round runs of which something is secret: corrections cannot be told apart from it.
    """
    played, entries = _recorded(path, game)
    try:
        whole = rows.fold(played, entries, GAMES)
    except DamagedRows as bad:
        if bad.good is None:
            raise JournalError(bad.text) from bad
        whole = bad.good
    if played.ended is None and round_began(whole) < len(whole.moves):
        raise TooSoon
    return write_log(whole)


def sheet(path: Path, game: int, language: str) -> str:
    """A page to print: a row for each round, a column for each player, and the totals."""
    shown = score_game(*_recorded(path, game))
    played, pads = shown.played, shown.view.pads if shown.view else ()
    winners = shown.view.winners if shown.view else ()
    names = [name(pad.player, played.names, language) for pad in pads]
    stars = ["★ " if pad.player in winners else "" for pad in pads]
    heads = "".join(f'<th scope="col">{star}{escape(who)}</th>' for star, who in zip(stars, names, strict=True))
    totals = "".join(f"<td>{pad.total + pad.now}</td>" for pad in pads)
    return page(
        "sheet.html",
        language,
        title=render(say("game", game=played.name), language) if played.name in GAMES else played.name,
        began=format_time(played.began),
        heads=Html(heads),
        rounds=Html("".join(_rounds(pads))),
        totals=Html(totals),
        damage=shown.damage,
    )


def _rounds(pads: Sequence[Pad]) -> list[str]:
    """Who came later, or left, has a gap."""
    most = max((len(pad.rounds) for pad in pads), default=0)
    lines = []
    for number in range(most):
        cells = (str(pad.rounds[number]) if number < len(pad.rounds) else "" for pad in pads)
        lines.append(f'<tr><th scope="row">{number + 1}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>')
    return lines


def _recorded(path: Path, game: int) -> tuple[Played, list[EntryRow]]:
    with closing(open_readonly(path)) as db:
        return find_game(rows.games(db), game), rows.entries(db, game)
