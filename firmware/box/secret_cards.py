"""Hides cards in texts about moves that are secret by now, in a bull pile or a hand."""

from dataclasses import replace
from typing import Any

from engine.log import Log
from engine.text import Arg, Text
from firmware.box.games import ui_of


def hide_secret_cards(told: Text, log: Log[Any, Any]) -> Text:
    """Replace cards that are secret by now, in a bull pile or a hand, by a question mark (R-9, P-8)."""
    lying = ui_of(log.game.name).public_cards(log.state)
    if lying is None:
        return told

    def shown(value: Arg) -> Arg:
        cards = value if isinstance(value, tuple) else (value,)
        return value if lying.issuperset(cards) else "?"

    args = ((name, shown(value) if name in ("card", "cards") else value) for name, value in told.args)
    return replace(told, args=tuple(args))
