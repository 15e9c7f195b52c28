"""Moves are taken back by hand, as many as people say: the latest stands first, and nothing goes without a question."""

from dataclasses import replace
from typing import Any

from engine.log import Amend, Log
from engine.text import Arg, Text, say
from engine.view import Offer
from firmware.box.games import ui_of
from firmware.box.menu import GO_ON, Menu
from firmware.texts.moves import describe_move

MOST = 30
"""Older moves are corrected with ``oxeye amend``."""


def moves_menu(log: Log[Any, Any]) -> Menu:
    """Each entry names its move, which stays the same however the game goes on, and takes it back with all later."""
    latest = tuple(enumerate(log.moves, 1))[-MOST:]
    entries = (Offer(public(describe_move(log.game.name, move), log), f"moves {n}") for n, move in reversed(latest))
    return Menu(say("take_back_to"), (GO_ON, *entries))


def public(told: Text, log: Log[Any, Any]) -> Text:
    """What lies in a bull pile by now, was drafted, or went back to a hand, is not shown any more (R-9, P-8)."""
    lying = ui_of(log.game.name).public_cards(log.state)
    if lying is None:
        return told

    def shown(value: Arg) -> Arg:
        cards = value if isinstance(value, tuple) else (value,)
        return value if lying.issuperset(cards) else "?"

    args = ((name, shown(value) if name in ("card", "cards") else value) for name, value in told.args)
    return replace(told, args=tuple(args))


def sure(log: Log[Any, Any], words: str) -> Menu | None:
    """The question before a move and all later ones are taken back, which it lists; again if there are more by now."""
    head, first, *_ = (*words.split(), "", "")
    if head != "moves" or taken_back(log, words) or not first.isdecimal() or not 0 < int(first) <= len(log.moves):
        return None
    count = len(log.moves)
    n = count - int(first) + 1
    lines = tuple(public(describe_move(log.game.name, move), log) for move in log.moves[-n:])
    return Menu(say("sure_take_back", n=n), (GO_ON, Offer(say("step_back", n=n), f"moves {first} to {count}")), lines)


def taken_back(log: Log[Any, Any], words: str) -> str:
    """The entry that yes to the question stands for; nothing where these are other words, or the moves others."""
    match words.split():
        case ["moves", first, "to", last] if first.isdecimal() and last == str(len(log.moves)):
            return str(Amend(int(first) - 1, int(last))) if 0 < int(first) <= int(last) else ""
        case _:
            return ""
