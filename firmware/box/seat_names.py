"""Names of seats for people: the player who sits there, or the number of a free spot."""

from dataclasses import replace
from typing import Any

from engine.log import Log
from engine.text import Arg, Text
from firmware.box.games import ui_of

SEAT_ZONES = ("seat", "special", "home")
PLACE_ARGS = ("zone", "source", "target")


def name_seats(text: Text, log: Log[Any, Any]) -> Text:
    """The text with the number of a seat replaced by its player; a seat without a player becomes a spot."""
    return replace(
        text, args=tuple((name, _seat(value, log) if name in PLACE_ARGS else value) for name, value in text.args)
    )


def _seat(value: Arg, log: Log[Any, Any]) -> Arg:
    kind, _, number = str(value).partition(":")
    if kind not in SEAT_ZONES:
        return value
    seated = ui_of(log.game.name).seated(log)
    player = next((player for player, seat in seated.items() if str(seat) == number), 0)
    return f"{kind}:{player}" if player else f"spot:{number}"
