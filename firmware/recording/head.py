"""How a recorded evening begins, as JSON and back: what the box knew, and the game it played already."""

from typing import Any

from engine.games import GAMES
from engine.log import Log
from firmware import journal_rows as rows
from firmware.box.box import Box
from firmware.box.flow import Known, Names, Started, Stopped
from firmware.box.home import Home
from firmware.box.playing import playing

Json = dict[str, Any]


def head_of(box: Box, started: Started | None) -> Json:
    known = box.known
    return {
        "names": _names(known.names),
        "people": known.people,
        "last": known.last and _started(known.last),
        "stopped": [_stopped(stopped) for stopped in known.stopped],
        "decks": sorted(known.decks),
        "area": known.area,
        "plays": started and _started(started),
    }


def box_of(head: Json) -> tuple[Box, Started | None]:
    """``KeyError``, ``TypeError`` or ``ValueError`` where this is no head."""
    area = head["area"]
    known = Known(
        names=_names_of(head["names"]),
        people=tuple(map(str, head["people"])),
        last=_started_of(head["last"]),
        stopped=tuple(map(_stopped_of, head["stopped"])),
        decks=frozenset(map(str, head["decks"])),
        area=area and (int(area[0]), int(area[1])),
    )
    started = _started_of(head["plays"])
    if started is None:
        return Box(known, (Home(),)), None
    return Box(known, (Home(), playing(Log(GAMES[started.game], started.options)))), started


def _names(names: Names) -> Json:
    return {str(player): name for player, name in names.items()}


def _names_of(names: Json) -> Names:
    return {int(player): str(name) for player, name in names.items()}


def _started(started: Started) -> Json:
    return {"game": started.game, "options": rows.words(started.options), "names": _names(started.names)}


def _started_of(json: Json | None) -> Started | None:
    if json is None:
        return None
    options = Log(GAMES[json["game"]], rows.read_words(json["options"])).options
    return Started(json["game"], options, _names_of(json["names"]))


def _stopped(stopped: Stopped) -> Json:
    log = stopped.log
    started = Started(log.game.name, log.options, stopped.names)
    return {"id": stopped.id, "paused": stopped.paused, **_started(started), "entries": [str(e) for e in log.entries]}


def _stopped_of(json: Json) -> Stopped:
    log: Log[Any, Any] = Log(GAMES[json["game"]], rows.read_words(json["options"]))
    for entry in json["entries"]:
        log = log.add(log.parse(entry))
    return Stopped(int(json["id"]), _names_of(json["names"]), log, bool(json["paused"]))
