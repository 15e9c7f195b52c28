"""The size of the table: what a measured area counts as, and a match that goes on at a table of another size."""

from typing import Any

from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption, Options
from engine.text import Text
from firmware.box.games import ui_of

AREA_TOLERANCE = 0.02
"""Share by which a measured table may fall short of a size and still count as it: a table is measured no better."""


def round_area(area: tuple[int, int]) -> tuple[int, int]:
    """The measured area, rounded up to a size that a game is planned for if it is nearly that large."""
    width, height = area
    for wide, high in sorted({area for game in GAMES for area in ui_of(game).areas}, reverse=True):
        if width >= wide * (1 - AREA_TOLERANCE) and height >= high * (1 - AREA_TOLERANCE):
            return max(width, wide), max(height, high)
    return area


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
