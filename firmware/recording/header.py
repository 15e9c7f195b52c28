"""The first line of a recording: the context of the box and its running game, as JSON and back."""

from typing import Any

import msgspec

from engine.games import GAMES
from engine.log import Log
from firmware.box.flow_context import Context, Stopped
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.operation_types import Started
from firmware.journal.stored_options import format_options, read_options
from firmware.machine.config import Marker, Sticker
from vision.sticker_and_marker_sizes import MARKER_MM, STICKER_MM


class StartedGame(msgspec.Struct, frozen=True):
    game: str
    options: str
    names: dict[int, str]


class StoppedGame(StartedGame, frozen=True, kw_only=True):
    """A game that can be resumed."""

    id: int
    paused: bool
    entries: tuple[str, ...]


class RecordingHeader(msgspec.Struct, frozen=True):
    """``games`` is the highest number that a game had until then; how large stickers and markers were printed is
    usual where it is not said.
    """

    names: dict[int, str]
    people: tuple[str, ...]
    last: StartedGame | None
    stopped: tuple[StoppedGame, ...]
    decks: tuple[str, ...]
    area: tuple[int, int] | None
    plays: StartedGame | None
    placed: dict[int, str] = {}
    games: int = 0
    sticker_mm: Sticker = STICKER_MM
    marker_mm: Marker = MARKER_MM


def describe_start(
    box: Box, started: Started | None, games: int, sticker_mm: float, marker_mm: float
) -> RecordingHeader:
    known = box.known
    return RecordingHeader(
        dict(known.names),
        known.people,
        _begun(known.last) if known.last else None,
        tuple(map(_rests, known.stopped)),
        tuple(sorted(known.decks)),
        known.area,
        _begun(started) if started else None,
        dict(known.names_by_seat),
        games,
        sticker_mm,
        marker_mm,
    )


def restore_box(head: RecordingHeader) -> tuple[Box, Started | None]:
    """The box of this header; ``KeyError``, ``TypeError`` or ``ValueError`` if it is not valid."""
    known = Context(
        names=head.names,
        people=head.people,
        names_by_seat=head.placed,
        last=_started(head.last) if head.last else None,
        stopped=tuple(map(_stopped, head.stopped)),
        decks=frozenset(head.decks),
        area=head.area,
    )
    if head.plays is None:
        return Box(known, (Home(),)), None
    started = _started(head.plays)
    return Box(known, (Home(), play_from(Log(GAMES[started.game], started.options)))), started


def _begun(started: Started) -> StartedGame:
    return StartedGame(started.game, format_options(started.options), dict(started.names))


def _started(begun: StartedGame) -> Started:
    return Started(begun.game, _log(begun).options, begun.names)


def _rests(stopped: Stopped) -> StoppedGame:
    log = stopped.log
    return StoppedGame(
        log.game.name,
        format_options(log.options),
        dict(stopped.names),
        id=stopped.id,
        paused=stopped.paused,
        entries=tuple(map(str, log.entries)),
    )


def _stopped(rests: StoppedGame) -> Stopped:
    log = _log(rests)
    return Stopped(rests.id, rests.names, log.recall(*map(log.parse, rests.entries)), rests.paused)


def _log(begun: StartedGame) -> Log[Any, Any]:
    return Log(GAMES[begun.game], read_options(begun.options))
