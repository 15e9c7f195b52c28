"""Zones as people call them: a seat goes by who sits there, not by its number."""

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
