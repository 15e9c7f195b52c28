"""The menu of a running game, and what its commands open."""

from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.table import Table
from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.commands import AskFirst, Command, EntryLine, RenamePlayer, TakeMovesBack, Verb
from firmware.box.context import Context
from firmware.box.events import VISION_SOURCES, Told
from firmware.box.flow import Flow
from firmware.box.flows import match_people
from firmware.box.flows.about_box import AboutBox
from firmware.box.flows.assign_cards import find_adoption
from firmware.box.flows.camera_setup import CameraSetup
from firmware.box.flows.rename_player import PlayerRenaming
from firmware.box.flows.score_pads import PadsView
from firmware.box.flows.undo import ask_take_back, list_moves
from firmware.box.games import ui_of
from firmware.box.menu import GO_ON, Confirmation, Menu, offer

ENDING_VERBS = frozenset({"cannot", "draw"})
"""Moves that end a game at once."""


def list_game_commands(log: Log[Any, Any], differs: Table | None = None, *, page: bool = False) -> Menu:
    """``differs`` is a table that differs from the record. ``page``: there is a page, so that phones can be paired."""
    over = log.game.view(log.state).over
    entries = [GO_ON]
    can_be = bool(find_adoption(log, differs))
    if can_be:
        entries.append(offer(say("table_is_right"), Verb.TABLE_IS_RIGHT))
    if differs:
        entries.append(offer(say("record_is_right"), Verb.RECORD_IS_RIGHT))
    if can_be:
        entries.append(offer(say("we_overrule"), Verb.OVERRULE))
    if log.moves:
        entries.append(offer(say("take_moves_back"), Verb.MOVES))
    checks = ui_of(log.game.name).closing_checks(log)
    if not over or any(check.decides for check in checks):
        entries.append(offer(say("by_hand"), Verb.BY_HAND))
    if not over:
        entries.append(offer(say("people"), Verb.PEOPLE))
    entries.append(offer(say("pads"), Verb.PADS))
    entries += [check.offer for check in checks if not check.decides]
    entries += [offer(say("rebuild"), Verb.RECORD_IS_RIGHT)] if log.moves and not differs else []
    entries.append(offer(say("aim_camera"), Verb.SET_UP_CAMERA))
    if page:
        entries.append(offer(say("pair_phone"), Verb.PAIR))
    if page and not over:
        entries.append(offer(say("picture_phones"), Verb.SHOW_PHONES))
    entries.append(offer(say("about_box"), Verb.ABOUT))
    if not over:
        entries += [offer(say("pause"), Verb.PAUSE), offer(say("give_up"), Verb.GIVE_UP)]
    entries.append(offer(say("new_game"), Verb.NEW_GAME))
    return Menu(say("game_menu"), tuple(entries))


def list_further_offers(log: Log[Any, Any], known: Context, shown: View, *, blind: bool) -> tuple[Offer, ...]:
    """Offers beside those of the game: manual entry without a camera, and what comes after the end."""
    ui = ui_of(log.game.name)
    checks = ui.closing_checks(log)
    offers = [check.offer for check in checks if check.decides]
    blind = blind or any(source in VISION_SOURCES for source, _ in known.faults)
    if blind and (not shown.over or offers):
        offers.append(offer(say("by_hand"), Verb.BY_HAND))
    if shown.over:
        offers.append(offer(say("pads"), Verb.PADS))
    if shown.over and known.last is not None and not ui.plays_on:
        offers.append(offer(say("play_again"), Verb.PLAY_AGAIN))
    offers += [check.offer for check in checks if not check.decides]
    if shown.over:
        return (*offers, offer(say("home_again"), Verb.LEAVE_GAME))
    return tuple(offers)


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
    return match_people.ask_removal(log, int(player)) if head == "leave" else _ask_end(entry, log)


def _ask_end(entry: str, log: Log[Any, Any]) -> Confirmation | None:
    if entry == "draw":
        return Confirmation(say("sure_end"), EntryLine(entry), say("agree_draw"))
    offered = next((o for o in log.game.view(log.state).offers if o.move == entry), None)
    return Confirmation(say("sure_end"), EntryLine(entry), offered.label) if offered else None


def open_flow(command: Command, log: Log[Any, Any], known: Context) -> Flow | Text | None:
    """What this command opens on top of the game, or why it cannot now; None: it opens nothing.

    Each of the three ways to leave a game has its own question.
    """
    match command:
        case Verb.PAUSE:
            return Confirmation(say("sure_pause"), command, say("pause_now"))
        case Verb.GIVE_UP:
            return Confirmation(say("sure_give_up"), command, say("give_up_now"))
        case Verb.NEW_GAME if not log.game.view(log.state).over:
            return Confirmation(say("sure_new_game"), command, say("new_game_now"))
        case AskFirst(entry):
            return _ask_end(entry, log)
        case Verb.MOVES:
            return list_moves(log)
        case TakeMovesBack(first, _):
            return ask_take_back(log, first)
        case Verb.PADS:
            return PadsView(log.game.view(log.state).pads)
        case Verb.SET_UP_CAMERA:
            return CameraSetup()
        case Verb.ABOUT:
            return AboutBox()
        case Verb.PEOPLE:
            return match_people.people_menu(log)
        case RenamePlayer(player) if player in match_people.list_players(log):
            return PlayerRenaming(player)
        case _:
            checks = ui_of(log.game.name).closing_checks(log)
            check = next((check for check in checks if check.offer.move == str(command)), None)
            return check.open() if check else match_people.ask_about_people(command, log)
