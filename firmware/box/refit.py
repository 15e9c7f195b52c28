"""A match on a table of another size: the moves stay, and only the zones move."""

from typing import Any

from engine.log import Log
from engine.options import BadOption, Options
from engine.text import Text, say
from firmware.box.flows.match_people import has_seats, list_seats
from firmware.box.games import ui_of
from firmware.box.match_start import AREA_TOLERANCE, round_area


def refit_log(log: Log[Any, Any], area: tuple[int, int]) -> Log[Any, Any] | Text:
    """The log on a table of this size, or why it is too small; the same log if its zones fit already."""
    width, height = round_area(area)
    options = {**log.options, "width": width, "height": height}
    try:
        log.game.plan({**options, **_seats(log)})
        laid = log.game.plan(log.options)
        if abs(laid.width - width) <= AREA_TOLERANCE * width and abs(laid.height - height) <= AREA_TOLERANCE * height:
            return log
        return Log(log.game, options, log.entries)
    except BadOption as why:
        return why.text


def refuse_seat(words: str, log: Log[Any, Any]) -> Text | None:
    """Why a player cannot join or move there: the rules know more seats than this table has."""
    match words.split():
        case ["join", seat] | ["sit", _, seat] if has_seats(log) and seat not in map(str, list_seats(log)):
            return say("no_such_seat", seat=int(seat)) if seat.isdecimal() else None
        case _:
            return None


def _seats(log: Log[Any, Any]) -> Options:
    """The seats that are taken now: a player may have joined at a seat that only a larger table has."""
    seated = ui_of(log.game.name).seated(log)
    return {"spots": tuple(seated.values())} if seated else {}
