"""What the box knows when it starts: names, the last game and games that can go on, out of the journal."""

from collections.abc import Iterator
from contextlib import suppress

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption
from engine.text import Text
from firmware.box.context import Context, Stopped
from firmware.box.games import ui_of
from firmware.box.match_start import prepare_rematch
from firmware.journal import schema as rows
from firmware.journal.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.operations import Names, QuarantineRows, Started
from firmware.journal.rows import Played
from firmware.journal.schema import DamagedRows

OFFERED_GAMES = 9
"""Games that can go on: older ones are left to the command line."""


def restore_session(journal: Journal, at: float) -> tuple[Context, tuple[Text, ...]]:
    """A journal that cannot be read tells nothing; and what people should be told of it.

    A game that is damaged goes on from what is good: the bad rows are put aside, at this time.
    """
    told: list[Text] = []
    try:
        history = journal.history()
        stopped = list(_stopped(journal, history, at, told))
        decks = frozenset(journal.decks())
    except JournalError:  # which the journal itself still tells
        return Context(names=journal.names(_swapping())), ()
    people = dict.fromkeys(name for played in reversed(history) for name in played.names.values())
    last = _last(journal, history)
    return Context(
        names=rows.one_place(last.names if last else {}, journal.names(_swapping())),
        people=tuple(people),
        placed=_placed(history),
        last=last,
        stopped=tuple(stopped),
        decks=decks,
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
    """What the same again means: after a match that was played to its end, with whoever begins the next."""
    for played in reversed(history):
        with suppress(KeyError, BadOption, Illegal):  # of a game this Oxeye does not know
            log: Log[object, object] = Log(GAMES[played.name], rows.read_words(played.options))
            started = Started(played.name, log.options, dict(played.names))
            if played.how == "finished":
                with suppress(DamagedRows):  # who has won is not known then
                    return prepare_rematch(started, journal.load(played.id, GAMES))
            return started
    return None


def _placed(history: list[Played]) -> Names:
    """Who was where before the colours of SIX went round between the same two."""
    names: Names = {}
    for played in reversed(history):
        if not ui_of(played.name).swaps_places or (names and set(played.names.values()) != set(names.values())):
            break
        names = dict(played.names)
    return names
