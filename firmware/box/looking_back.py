"""Moves are taken back by hand, as many as people say: the latest stands first, and nothing goes without a question."""

from dataclasses import replace
from typing import Any

from engine.log import Amend, Log
from engine.text import Arg, Text, say
from engine.view import Offer
from firmware.box.did import did
from firmware.box.menu import GO_ON, Menu

MOST = 30
"""Older moves are corrected with ``oxeye amend``."""


def moves_menu(log: Log[Any, Any]) -> Menu:
    """Each entry takes back its move and every later one."""
    latest = reversed(log.moves[-MOST:])
    entries = (Offer(public(did(log.game.name, move), log), f"moves {n}") for n, move in enumerate(latest, 1))
    return Menu(say("take_back_to"), (GO_ON, *entries))


def public(told: Text, log: Log[Any, Any]) -> Text:
    """What lies in a bull pile by now, was drafted, or went back to a hand, is not shown any more (R-9, P-8)."""
    if log.game.name != "nimmt":
        return told
    lying = {*log.state.shown, *(card for row in log.state.rows for card in row)}

    def shown(value: Arg) -> Arg:
        cards = value if isinstance(value, tuple) else (value,)
        return value if lying.issuperset(cards) else "?"

    args = ((name, shown(value) if name in ("card", "cards") else value) for name, value in told.args)
    return replace(told, args=tuple(args))


def sure(log: Log[Any, Any], words: str) -> Menu | None:
    """The question before so many moves are taken back."""
    head, _, number = words.partition(" ")
    if head != "moves" or not number.isdecimal() or not 0 < int(number) <= len(log.moves):
        return None
    n, count = int(number), len(log.moves)
    return Menu(say("sure_take_back", n=n), (GO_ON, Offer(say("step_back", n=n), str(Amend(count - n, count)))))
