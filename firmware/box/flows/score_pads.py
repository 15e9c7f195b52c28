"""Shows the score pads of a game, round by round."""

from dataclasses import dataclass

from engine.text import Text, say
from engine.view import Pad, View
from firmware.box.commands import ShowPad, Verb
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import GO_ON, offer
from vision.live.read_request import ReadRequest

SHOWN_ROUNDS = 5
"""Rounds that fit into one line: the last ones of the match."""


@dataclass(frozen=True, slots=True)
class PadsView:
    """One player on each page; a screen with more lines shows all at once."""

    pads: tuple[Pad, ...]
    at: int = 0

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        lines = tuple(map(_line, self.pads))
        if not lines:
            return View(say("no_pads"), offers=(GO_ON,))
        offers = tuple(offer(_label(pad), ShowPad(pad.player)) for pad in self.pads)
        return View(lines[self.at], offers=(*offers, GO_ON), lines=lines)

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(ShowPad(player), _, _):
                at = next((n for n, pad in enumerate(self.pads) if pad.player == player), None)
                return None if at is None else Turn((PadsView(self.pads, at),))
            case _:
                return None


def _label(pad: Pad) -> Text:
    return say("pad_total", player=pad.player, total=pad.total + pad.now) if pad.player else say("pad_team")


def _line(pad: Pad) -> Text:
    """The rounds, the points of the running one, and the sum."""
    if not pad.player:
        return say("pad_left", n=pad.total, cards=pad.cards)
    rounds = (*pad.rounds[-SHOWN_ROUNDS:], *((pad.now,) if pad.now else ()))
    if not rounds:
        return say("pad_total", player=pad.player, total=pad.total)
    return say("pad_rounds", player=pad.player, rounds=rounds, total=pad.total + pad.now)
