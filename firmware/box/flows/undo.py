"""Undo: a list of moves, the latest first, and the question before a move and all later ones are taken back."""

from typing import Any

from engine.log import Amend, Log
from engine.text import say
from firmware.box.commands import TakeMovesBack
from firmware.box.menu_and_confirmation import GO_ON, Confirmation, Menu, offer
from firmware.box.secret_cards import hide_secret_cards
from firmware.texts.move_texts import describe_move

LISTED_MOVES = 30
"""Number of moves in the list; older ones are corrected with ``oxeye amend``."""


def list_moves(log: Log[Any, Any]) -> Menu:
    """Each entry takes back its move and all later ones, also those made since the menu was opened."""
    latest = tuple(enumerate(log.moves, 1))[-LISTED_MOVES:]
    entries = (
        offer(hide_secret_cards(describe_move(log.game.name, move), log), TakeMovesBack(n))
        for n, move in reversed(latest)
    )
    return Menu(say("take_back_to"), (GO_ON, *entries))


def ask_take_back(log: Log[Any, Any], first: int) -> Confirmation | None:
    """The question before moves are taken back, with a list of them."""
    count = len(log.moves)
    if not 0 < first <= count:
        return None
    n = count - first + 1
    lines = tuple(hide_secret_cards(describe_move(log.game.name, move), log) for move in log.moves[-n:])
    return Confirmation(say("sure_take_back", n=n), TakeMovesBack(first, count), say("step_back", n=n), lines=lines)


def amend_without(log: Log[Any, Any], moves: TakeMovesBack) -> Amend[Any] | None:
    """The entry that takes these moves back; None if there are other moves by now."""
    if not 0 < moves.first <= moves.last == len(log.moves):
        return None
    return Amend(moves.first - 1, moves.last)
