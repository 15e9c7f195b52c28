"""Pairing a phone: shows the address of the page and the code."""

from dataclasses import dataclass

from engine.text import say
from engine.view import View
from firmware.box.commands import Verb
from firmware.box.effects import Invite
from firmware.box.events import FlowEvent, PageStatus, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import offer
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class PhonePairing:
    """``since`` is when it was opened; a phone that pairs later is the one that was awaited."""

    since: float

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        page, done = known.page or PageStatus(""), offer(say("pair_done"), Verb.BACK)
        again = offer(say("pair_new_code"), Verb.NEW_CODE)
        if page.paired is not None and page.paired >= self.since:
            return View(say("pair_is_in"), offers=(done, again))
        if page.code and known.now < page.until:
            left = (page.until - known.now) / max(page.until - self.since, 1)
            spaced = f"{page.code[:3]} {page.code[3:]}"
            prompt = say("pair_code", value=spaced, line=page.address)
            return View(prompt, offers=(done, again), bar=min(left, 1), link=f"http://{page.address}")
        return View(say("pair_over"), offers=(again, done))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn((), (Invite(False),))
            case Told(Verb.NEW_CODE, _, at):
                return Turn((PhonePairing(at),), (Invite(True),))
            case _:
                return None
