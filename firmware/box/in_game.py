"""What can be done in a game besides playing it: the entries of its menu, and the questions they lead to."""

from typing import Any

from engine.log import Log
from engine.text import say
from engine.view import Offer
from firmware.box.menu import Menu

GO_ON = Offer(say("go_on"), "back")
"""The harmless answer, always under the cursor first."""


def menu(log: Log[Any, Any], *, differs: bool) -> Menu:
    """``differs``: the table is not as the record has it."""
    over = log.game.view(log.state).over
    entries = [GO_ON]
    if differs:
        entries += [
            Offer(say("table_is_right"), "table is right"),
            Offer(say("record_is_right"), "record is right"),
            Offer(say("we_overrule"), "we overrule"),
        ]
    if log.moves:
        entries.append(Offer(say("take_moves_back"), "moves"))
    if not over:
        entries += [Offer(say("by_hand"), "by hand"), Offer(say("people"), "people")]
    entries.append(Offer(say("pads"), "pads"))
    if can_audit(log):
        entries.append(Offer(say("audit"), "audit"))
    entries += [Offer(say("rebuild"), "record is right")] if log.moves and not differs else []
    entries.append(Offer(say("aim_camera"), "aim"))
    if not over:
        entries += [Offer(say("pause"), "pause"), Offer(say("give_up"), "give up")]
    entries.append(Offer(say("new_game"), "new game"))
    return Menu(say("game_menu"), tuple(entries))


def can_audit(log: Log[Any, Any]) -> bool:
    """Bull piles may be opened when a round is over: before that only their size is public."""
    state = log.state
    return log.game.name == "nimmt" and state.phase in ("over", "end") and any(state.piles)


def question(words: str) -> Menu | None:
    """Asked before a game is put away or ended: each of the three is its own entry with its own question."""
    match words:
        case "pause":
            return Menu(say("sure_pause"), (GO_ON, Offer(say("pause_now"), "paused")))
        case "give up":
            return Menu(say("sure_give_up"), (GO_ON, Offer(say("give_up_now"), "given up")))
        case "new game":
            return Menu(say("sure_new_game"), (GO_ON, Offer(say("new_game_now"), "other game")))
        case _:
            return None
