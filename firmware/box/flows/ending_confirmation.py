"""The question before an entry that ends a game or takes a player out of it: one press alone never does."""

from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.text import say
from engine.view import Offer
from firmware.box.commands import AskFirst, EntryLine
from firmware.box.events import Told
from firmware.box.flows import change_players
from firmware.box.menu_and_confirmation import Confirmation, offer

ENDING_VERBS = frozenset({"cannot", "draw"})
"""Moves that end a game at once."""


def ask_before_ending(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Replace offers that would end the game by a question: one press alone never ends it."""
    return tuple(offer(o.label, AskFirst(o.move)) if o.move.split()[0] in ENDING_VERBS else o for o in offers)


def ask_about_entry(told: Told, log: Log[Any, Any]) -> Confirmation | None:
    """The question before an entry that was typed and would end the game, or take a player out of it; with the
    buttons it was asked before. What the rules refuse need not be asked.
    """
    entry = str(told.command)
    head, _, player = entry.partition(" ")
    if told.by == "button" or head not in {*ENDING_VERBS, "leave"}:
        return None
    try:
        log.add(log.parse(entry))
    except (Illegal, BadNotation):
        return None
    return change_players.ask_removal(log, int(player)) if head == "leave" else ask_end(entry, log)


def ask_end(entry: str, log: Log[Any, Any]) -> Confirmation | None:
    if entry == "draw":
        return Confirmation(say("sure_end"), EntryLine(entry), say("agree_draw"))
    offered = next((o for o in log.game.view(log.state).offers if o.move == entry), None)
    return Confirmation(say("sure_end"), EntryLine(entry), offered.label) if offered else None
