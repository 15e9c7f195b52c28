"""Shows the name, the address, the version and the free space of the box."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Verb
from firmware.box.effects import RequestFacts
from firmware.box.events import BoxFacts, FlowEvent, Ticked, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import UNDERSTOOD, offer
from vision.live.read_request import ReadRequest

FACTS_VALID_S = 5.0
"""Seconds after which the facts are looked up again: the network may have changed."""


@dataclass(frozen=True, slots=True)
class AboutBox:
    """One fact a page; a longer screen shows those that follow too. ``asked`` is the time of the last look-up."""

    at: int = 0
    asked: float | None = None

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        lines = tuple(_lines(known.facts)) if known.facts else ()
        at = min(self.at, len(lines) - 1)
        if not lines:
            return View(say("about_box"), offers=(UNDERSTOOD,))
        shown = UNDERSTOOD if at == len(lines) - 1 else offer(say("about_next"), Verb.NEXT_PAGE)
        return View(lines[at], offers=(shown,), lines=lines)

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Ticked(now) if self.asked is None or now >= self.asked + FACTS_VALID_S:
                return Turn((replace(self, asked=now),), (RequestFacts(),))
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(Verb.NEXT_PAGE, _, _):
                return Turn((replace(self, at=self.at + 1),))
            case _:
                return None


def _lines(facts: BoxFacts) -> Iterator[Text]:
    yield say("about_name", value=facts.name)
    yield say("about_address", value=facts.address) if facts.address else say("about_no_network")
    yield say("about_version", value=facts.version)
    yield say("about_free", value=facts.free)
    if facts.games is not None:
        yield say("about_games", n=facts.games)
