"""The log of a game from its rows, up to the first damaged one."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.game import Game, Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.options import BadOption
from engine.text import Text, say
from firmware.journal.errors import JournalError
from firmware.journal.operation_types import QuarantineRows
from firmware.journal.row_types import Change, EntryRow, Played, Row
from firmware.journal.stored_options import read_options


class DamagedRows(JournalError):
    """A game with a damaged row: ``row`` is its number (0: head), ``text`` says why, ``good`` is the log before it."""

    def __init__(self, row: int, text: Text, good: Log[Any, Any] | None) -> None:
        super().__init__(text)
        self.row = row
        self.good = good


def fold_rows(played: Played, rows: Iterable[EntryRow], games: Mapping[str, Game[Any, Any]]) -> Log[Any, Any]:
    """The log of a game from its rows; ``DamagedRows`` holds the log before the first damaged one."""
    if played.damage == "start":
        raise DamagedRows(0, _bad(played, 0, "its checksum is wrong"), None)
    if played.name not in games:
        raise DamagedRows(0, _bad(played, 0, f"there is no game '{played.name}'"), None)
    try:
        log: Log[Any, Any] = Log(games[played.name], read_options(played.options))
    except (BadOption, Illegal) as why:
        raise DamagedRows(0, _bad(played, 0, str(why)), None) from why
    for expected, row in enumerate(rows, 1):
        if row.number != expected:
            raise DamagedRows(expected, _bad(played, expected, "it is missing"), log)
        if not row.intact:
            raise DamagedRows(expected, _bad(played, expected, "its checksum is wrong"), log)
        try:
            log = log.recall(log.parse(row.entry))
        except (BadNotation, Illegal) as why:
            raise DamagedRows(expected, _bad(played, expected, str(why)), log) from why
    if played.damage == "state":
        after = len(log.entries) + 1
        raise DamagedRows(after, _bad(played, after, "the checksum of the game is wrong"), log)
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
