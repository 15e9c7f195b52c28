"""What can be done in a game besides playing it: the entries of its menu, and the questions they lead to."""

from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.table import Table
from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.context import Context
from firmware.box.events import VISION_SOURCES, Answered, Told
from firmware.box.flow import Flow
from firmware.box.flows import people
from firmware.box.flows.about_box import AboutBox
from firmware.box.flows.assign_cards import TABLE, right
from firmware.box.flows.camera_setup import CameraSetup
from firmware.box.flows.rename_player import Renaming
from firmware.box.flows.score_pads import Pads
from firmware.box.flows.undo import moves_menu, sure
from firmware.box.games import ui_of
from firmware.box.menu import GO_ON, Menu

ENDING = frozenset({"cannot", "draw"})
"""Moves that end a game although everything still lies there."""


def menu(log: Log[Any, Any], differs: Table | None = None, *, page: bool = False) -> Menu:
    """``differs`` is a table that is not as the record has it. ``page``: there is one, so that phones can be paired."""
    over = log.game.view(log.state).over
    entries = [GO_ON]
    can_be = bool(right(log, differs))
    if can_be:
        entries.append(Offer(say("table_is_right"), TABLE))
    if differs:
        entries.append(Offer(say("record_is_right"), "record is right"))
    if can_be:
        entries.append(Offer(say("we_overrule"), "we overrule"))
    if log.moves:
        entries.append(Offer(say("take_moves_back"), "moves"))
    checks = ui_of(log.game.name).closing_checks(log)
    if not over or any(check.decides for check in checks):
        entries.append(Offer(say("by_hand"), "by hand"))
    if not over:
        entries.append(Offer(say("people"), "people"))
    entries.append(Offer(say("pads"), "pads"))
    entries += [check.offer for check in checks if not check.decides]
    entries += [Offer(say("rebuild"), "record is right")] if log.moves and not differs else []
    entries.append(Offer(say("aim_camera"), "aim"))
    if page:
        entries.append(Offer(say("pair_phone"), "pair"))
    if page and not over:
        entries.append(Offer(say("picture_phones"), "phones look"))
    entries.append(Offer(say("about_box"), "about"))
    if not over:
        entries += [Offer(say("pause"), "pause"), Offer(say("give_up"), "give up")]
    entries.append(Offer(say("new_game"), "new game"))
    return Menu(say("game_menu"), tuple(entries))


def more(log: Log[Any, Any], known: Context, shown: View, *, blind: bool) -> tuple[Offer, ...]:
    """What the game itself does not offer: a way without a camera, and what comes after the end."""
    ui = ui_of(log.game.name)
    checks = ui.closing_checks(log)
    offers = [check.offer for check in checks if check.decides]
    blind = blind or any(source in VISION_SOURCES for source, _ in known.troubles)
    if blind and (not shown.over or offers):
        offers.append(Offer(say("by_hand"), "by hand"))
    if shown.over:
        offers.append(Offer(say("pads"), "pads"))
    if shown.over and known.last is not None and not ui.plays_on:
        offers.append(Offer(say("play_again"), "again"))
    offers += [check.offer for check in checks if not check.decides]
    if shown.over:
        return (*offers, Offer(say("home_again"), "home"))
    return tuple(offers)


def asked_first(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Offers that would end the game become questions: one press alone never does."""
    return tuple(Offer(o.label, f"sure {o.move}") if o.move.split()[0] in ENDING else o for o in offers)


def confirmed(told: Told, log: Log[Any, Any]) -> Flow | Text | None:
    """An entry typed somewhere that would end the game, or take somebody out of it: the question that is asked with
    the buttons, where nobody types. What the rules refuse need not be asked.
    """
    head, _, player = told.words.partition(" ")
    if told.by == "button" or isinstance(told, Answered) or head not in {*ENDING, "leave"}:
        return None
    try:
        log.add(log.parse(told.words))
    except (Illegal, BadNotation):
        return None
    return people.asked(f"leaves {player}", log) if head == "leave" else _sure(f"sure {told.words}", log)


def _sure(words: str, log: Log[Any, Any]) -> Menu | None:
    if words == "sure draw":
        return Menu(say("sure_end"), (GO_ON, Offer(say("agree_draw"), "draw")))
    sure_of = next((offer for offer in log.game.view(log.state).offers if words == f"sure {offer.move}"), None)
    return Menu(say("sure_end"), (GO_ON, sure_of)) if sure_of else None


def opened(words: str, log: Log[Any, Any], known: Context) -> Flow | Text | None:
    """What these words open on top of the game, or why they cannot now; None: they are about something else.

    Before a game is put away or ended somebody is asked: each of the three is its own entry with its own question.
    """
    match words:
        case "pause":
            return Menu(say("sure_pause"), (GO_ON, Offer(say("pause_now"), "paused")))
        case "give up":
            return Menu(say("sure_give_up"), (GO_ON, Offer(say("give_up_now"), "given up")))
        case "new game" if not log.game.view(log.state).over:
            return Menu(say("sure_new_game"), (GO_ON, Offer(say("new_game_now"), "other game")))
        case _ if question := _sure(words, log):
            return question
        case "moves":
            return moves_menu(log)
        case "pads":
            return Pads(log.game.view(log.state).pads)
        case "aim":
            return CameraSetup()
        case "about":
            return AboutBox()
        case "people":
            return people.menu(log)
        case _ if words.startswith("rename ") and words[7:].isdecimal() and int(words[7:]) in people.at_table(log):
            return Renaming(int(words[7:]))
        case _:
            checks = ui_of(log.game.name).closing_checks(log)
            check = next((check for check in checks if check.offer.move == words), None)
            return check.open() if check else sure(log, words) or people.asked(words, log)
