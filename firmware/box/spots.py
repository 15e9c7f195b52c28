"""Zones as people call them, a seat by who sits there; and which of them a game cannot do without."""

from dataclasses import replace
from typing import Any

from engine.log import Log
from engine.text import Arg, Text

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
    player = log.state.player_at(int(number)) if hasattr(log.state, "player_at") and number.isdigit() else 0
    return f"{kind}:{player}" if player else f"spot:{number}"


def needed(log: Log[Any, Any]) -> frozenset[str]:
    """The zones of the plan that must be seen now: a mug may stand at a seat where nobody sits."""
    zones = log.game.plan(log.options).zones
    return frozenset(zone for zone in zones if _is_needed(zone, log.state))


def _is_needed(zone: str, state: Any) -> bool:
    kind, _, number = zone.partition(":")
    match kind:
        case "stock" | "discard":
            return False
        case "seat":
            return bool(state.player_at(int(number)))
        case "row":
            return number != "5" or bool(state.row(5)) or (state.slot is not None and state.slot.special == "fifth")
        case _:
            return True
