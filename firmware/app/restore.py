"""The state of the box at its start, from the journal: names, the last game, and games that can continue."""

from collections.abc import Iterator
from contextlib import suppress

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption
from engine.text import Text
from firmware.box.flow_context import Context, Stopped
from firmware.box.games import ui_of
from firmware.box.rematch import prepare_rematch
from firmware.journal.copies import find_missing_since_copy
from firmware.journal.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.log_from_rows import DamagedRows
from firmware.journal.operation_types import Names, QuarantineRows, Started
from firmware.journal.player_names import merge_names
from firmware.journal.row_types import Played
from firmware.journal.stored_options import read_options

OFFERED_GAMES = 9
"""Games that the box offers to continue; older ones need the command line."""


def restore_session(journal: Journal, at: float) -> tuple[Context, tuple[Text, ...]]:
    """The context of the box and notices for the screen; an unreadable journal gives an empty context.

    A damaged game continues from its good rows: the bad ones are set aside, with the time ``at``.
    """
    told: list[Text] = []
    try:
        history = journal.history()
        stopped = list(_stopped(journal, history, at, told))
        decks = frozenset(journal.decks())
    except JournalError:  # the journal reports this itself
        return Context(names=journal.names(_swapping())), ()
    people = dict.fromkeys(name for played in reversed(history) for name in played.names.values())
    last = _last(journal, history)
    lost = find_missing_since_copy(journal.path, GAMES)
    return Context(
        names=merge_names(last.names if last else {}, journal.names(_swapping())),
        people=tuple(people),
        names_by_seat=_placed(history),
        last=last,
        stopped=tuple(stopped),
        decks=decks,
        missing=len(lost.missing) if lost else 0,
    ), tuple(told)


def _swapping() -> frozenset[str]:
    return frozenset(game for game in GAMES if ui_of(game).swaps_places)


def _stopped(journal: Journal, history: list[Played], at: float, told: list[Text]) -> Iterator[Stopped]:
    """The newest first."""
    for played in [played for played in history if played.ended is None][: -OFFERED_GAMES - 1 : -1]:
        try:
            log = journal.load(played.id, GAMES)
        except DamagedRows as bad:
            told.append(bad.text)
            if bad.good is None:
                continue
            journal.apply(QuarantineRows(bad.row), played.id, at)
            log = bad.good
        yield Stopped(played.id, dict(played.names), log, paused=played.how == "paused")


def _last(journal: Journal, history: list[Played]) -> Started | None:
    """The game that "play again" starts; after a finished match with the next first player."""
    for played in reversed(history):
        with suppress(KeyError, BadOption, Illegal):  # a game or option that this version does not know
            log: Log[object, object] = Log(GAMES[played.name], read_options(played.options))
            started = Started(played.name, log.options, dict(played.names))
            if played.how == "finished":
                with suppress(DamagedRows):  # the winner is unknown then
                    return prepare_rematch(started, journal.load(played.id, GAMES))
            return started
    return None


def _placed(history: list[Played]) -> Names:
    """The names by seat before the colours of SIX changed between the same two players."""
    names: Names = {}
    for played in reversed(history):
        if not ui_of(played.name).swaps_places or (names and set(played.names.values()) != set(names.values())):
            break
        names = dict(played.names)
    return names


def restore_lost_games(journal: Journal) -> None:
    """Bring back what the newest copy has; on an error of the disk the rows wait until it can be written."""
    if lost := find_missing_since_copy(journal.path, GAMES):
        journal.restore(lost.missing)
