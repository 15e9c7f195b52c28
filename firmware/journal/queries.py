"""Queries on what was read from a journal: one game by its number, and the row behind each move."""

from collections.abc import Sequence

from engine.games import GAMES
from engine.log import Amend, parse_entry
from engine.text import say
from firmware.journal.errors import JournalError
from firmware.journal.row_types import EntryRow, Played


def find_game(heads: Sequence[Played], game: int) -> Played:
    """The head of a game; ``JournalError`` if there is no game with this number."""
    for played in heads:
        if played.id == game:
            return played
    raise JournalError(say("journal_no_game", number=game))


def rows_of_moves(played: Played, entries: Sequence[EntryRow]) -> list[EntryRow]:
    """For each move that stands, the row that brought it: its own row, or that of its last correction."""
    standing: list[EntryRow] = []
    for row in entries:
        entry = parse_entry(GAMES[played.name].parse, row.entry)
        if isinstance(entry, Amend):  # later moves are judged again, but keep the row that first brought them
            standing[entry.first : entry.last] = [row] * len(entry.moves)
        else:
            standing.append(row)
    return standing
