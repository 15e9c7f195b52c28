"""The menu of a running game, and what its commands open."""

from typing import Any

from engine.log import Log
from engine.table import Table
from engine.text import Text, say
from firmware.box.commands import AskFirst, Command, RenamePlayer, TakeMovesBack, Verb
from firmware.box.flow import Flow
from firmware.box.flow_context import Context
from firmware.box.flows import change_players
from firmware.box.flows.about_box import AboutBox
from firmware.box.flows.assign_cards import find_adoption
from firmware.box.flows.camera_setup import CameraSetup
from firmware.box.flows.ending_confirmation import ask_end
from firmware.box.flows.rename_player import PlayerRenaming
from firmware.box.flows.score_pads import PadsView
from firmware.box.flows.undo import ask_take_back, list_moves
from firmware.box.games import ui_of
from firmware.box.menu_and_confirmation import GO_ON, Confirmation, Menu, offer


def list_menu_commands(log: Log[Any, Any], differs: Table | None = None, *, page: bool = False) -> Menu:
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
    entries += [correction.offer for correction in ui_of(log.game.name).corrections(log)]
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
            return ask_end(entry, log)
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
            return change_players.people_menu(log)
        case RenamePlayer(player) if player in change_players.list_players(log):
            return PlayerRenaming(player)
        case _:
            ui = ui_of(log.game.name)
            ways = {check.offer.move: check.open for check in ui.closing_checks(log)}
            ways |= {correction.offer.move: correction.open for correction in ui.corrections(log)}
            way = ways.get(str(command))
            return way() if way else change_players.ask_about_people(command, log)
