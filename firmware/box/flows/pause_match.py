"""What players keep apart when a match pauses, so that it can go on another day."""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Command, Verb
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import offer
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class KeepApart:
    """One line at a time, and all lines for a longer screen. The match is paused already.

    ``then`` is told after the last line.
    """

    lines: tuple[Text, ...]
    then: Command | None = None
    at: int = 0

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        more = self.at + 1 < len(self.lines)
        offers = ((offer(say("keep_next"), Verb.NEXT_PAGE),) if more else ()) + (offer(say("all_put_by"), Verb.BACK),)
        return View(self.lines[self.at], offers=offers, lines=self.lines, bar=(self.at + 1) / len(self.lines))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn((), tell=self.then)
            case Told(Verb.NEXT_PAGE, _, _) if self.at + 1 < len(self.lines):
                return Turn((replace(self, at=self.at + 1),))
            case _:
                return None


def list_tidy_entries(log: Log[Any, Any]) -> tuple[str, ...]:
    """Entries for pieces that the rules have removed and that are still on the table: they are packed up now."""
    told: list[str] = []
    for entry in ("clear", *(f"tidy {zone}" for zone in log.game.layout(log.state).zones)):
        try:
            log = log.add(log.parse(entry))
        except (Illegal, BadNotation):
            continue
        told.append(entry)
    return tuple(told)
