"""Zones as people call them, a seat by who sits there; and which of them a game cannot do without."""

from dataclasses import replace
from typing import Any

from engine.log import Log
from engine.text import Arg, Text
from firmware.box.games import ui_of

SEATS = ("seat", "special")


def seated(text: Text, log: Log[Any, Any]) -> Text:
    """The text with the seat of a zone exchanged for its player; a seat where nobody sits is just a spot."""
    return replace(
        text, args=tuple((name, _seat(value, log) if name == "zone" else value) for name, value in text.args)
    )


def _seat(value: Arg, log: Log[Any, Any]) -> Arg:
    kind, _, number = str(value).partition(":")
    if kind not in SEATS:
        return value
    seated = ui_of(log.game.name).seated(log)
    player = next((player for player, seat in seated.items() if str(seat) == number), 0)
    return f"{kind}:{player}" if player else f"spot:{number}"


def needed(log: Log[Any, Any]) -> frozenset[str]:
    """The zones of the plan that must be seen now: a mug may stand at a seat where nobody sits."""
    ui = ui_of(log.game.name)
    return frozenset(zone for zone in log.game.plan(log.options).zones if ui.needs(zone, log.state))
