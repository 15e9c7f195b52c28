"""How a recorded evening begins, as JSON and back: what the box knew, and the game it played already."""

from typing import Any

import msgspec

from engine.games import GAMES
from engine.log import Log
from firmware.box.context import Context, Stopped
from firmware.box.flows.home import Home
from firmware.box.flows.playing import playing
from firmware.box.stack import Box
from firmware.journal import schema as rows
from firmware.journal.operations import Started
from firmware.machine.config import Marker, Sticker
from vision.calibration.camera_check import STICKER_MM
from vision.calibration.table_calibration import MARKER_MM


class Begun(msgspec.Struct, frozen=True):
    game: str
    options: str
    names: dict[int, str]


class Rests(Begun, frozen=True, kw_only=True):
    """A game that can go on."""

    id: int
    paused: bool
    entries: tuple[str, ...]


class Head(msgspec.Struct, frozen=True):
    """``games`` is the highest number that a game had until then; how large stickers and markers were printed is
    usual where it is not said.
    """

    names: dict[int, str]
    people: tuple[str, ...]
    last: Begun | None
    stopped: tuple[Rests, ...]
    decks: tuple[str, ...]
    area: tuple[int, int] | None
    plays: Begun | None
    placed: dict[int, str] = {}
    games: int = 0
    sticker_mm: Sticker = STICKER_MM
    marker_mm: Marker = MARKER_MM


def head_of(box: Box, started: Started | None, games: int, sticker_mm: float, marker_mm: float) -> Head:
    known = box.known
    return Head(
        dict(known.names),
        known.people,
        _begun(known.last) if known.last else None,
        tuple(map(_rests, known.stopped)),
        tuple(sorted(known.decks)),
        known.area,
        _begun(started) if started else None,
        dict(known.placed),
        games,
        sticker_mm,
        marker_mm,
    )


def box_of(head: Head) -> tuple[Box, Started | None]:
    """``KeyError``, ``TypeError`` or ``ValueError`` where this is no head."""
    known = Context(
        names=head.names,
        people=head.people,
        placed=head.placed,
        last=_started(head.last) if head.last else None,
        stopped=tuple(map(_stopped, head.stopped)),
        decks=frozenset(head.decks),
        area=head.area,
    )
    if head.plays is None:
        return Box(known, (Home(),)), None
    started = _started(head.plays)
    return Box(known, (Home(), playing(Log(GAMES[started.game], started.options)))), started


def _begun(started: Started) -> Begun:
    return Begun(started.game, rows.words(started.options), dict(started.names))


def _started(begun: Begun) -> Started:
    return Started(begun.game, _log(begun).options, begun.names)


def _rests(stopped: Stopped) -> Rests:
    log = stopped.log
    return Rests(
        log.game.name,
        rows.words(log.options),
        dict(stopped.names),
        id=stopped.id,
        paused=stopped.paused,
        entries=tuple(map(str, log.entries)),
    )


def _stopped(rests: Rests) -> Stopped:
    log = _log(rests)
    return Stopped(rests.id, rests.names, log.add(*map(log.parse, rests.entries)), rests.paused)


def _log(begun: Begun) -> Log[Any, Any]:
    return Log(GAMES[begun.game], rows.read_words(begun.options))
