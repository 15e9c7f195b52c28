"""A match on a table of another size: the moves stay, and only the zones move."""

from typing import Any

from engine.log import Log
from engine.options import BadOption, Options
from engine.text import Text
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


def _seats(log: Log[Any, Any]) -> Options:
    """The seats that are taken now: a player may have joined at a seat that only a larger table has."""
    seated = ui_of(log.game.name).seated(log)
    return {"spots": tuple(seated.values())} if seated else {}
