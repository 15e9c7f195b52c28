"""A game on the table as it is now: what was played is the same on every table, and only the zones lie elsewhere."""

from typing import Any

from engine.log import Log
from engine.options import BadOption, Options
from engine.text import Text, say
from firmware.box.flows.people import has_seats, seats_of
from firmware.box.games import ui_of
from firmware.box.match_start import MERCY, size


def on_table(log: Log[Any, Any], area: tuple[int, int]) -> Log[Any, Any] | Text:
    """The same moves on a table of this size, or why it cannot hold them; the log itself if its zones lie right."""
    width, height = size(area)
    options = {**log.options, "width": width, "height": height}
    try:
        log.game.plan({**options, **_seats(log)})
        laid = log.game.plan(log.options)
        if abs(laid.width - width) <= MERCY * width and abs(laid.height - height) <= MERCY * height:
            return log
        return Log(log.game, options, log.entries)
    except BadOption as why:
        return why.text


def off_table(words: str, log: Log[Any, Any]) -> Text | None:
    """Why nobody can be told to sit there: the rules know more seats than this table has."""
    match words.split():
        case ["join", seat] | ["sit", _, seat] if has_seats(log) and seat not in map(str, seats_of(log)):
            return say("no_such_seat", seat=int(seat)) if seat.isdecimal() else None
        case _:
            return None


def _seats(log: Log[Any, Any]) -> Options:
    """Where people sit by now: somebody may have joined at a seat that only a larger table has."""
    seated = ui_of(log.game.name).seated(log)
    return {"spots": tuple(seated.values())} if seated else {}
