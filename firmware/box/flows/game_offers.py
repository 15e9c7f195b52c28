"""What a game offers beside its own moves: manual entry without a camera, score pads, another match, home."""

from typing import Any

from engine.log import Log
from engine.text import say
from engine.view import Offer, View
from firmware.box.commands import Verb
from firmware.box.flow_context import Context
from firmware.box.games import ui_of
from firmware.box.menu_and_confirmation import offer
from vision.live.fault_sources import VISION_SOURCES


def list_game_offers(log: Log[Any, Any], known: Context, shown: View, *, blind: bool) -> tuple[Offer, ...]:
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
