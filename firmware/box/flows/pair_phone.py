"""A phone is asked in: where it finds the page, and with which code."""

from dataclasses import dataclass

from engine.text import say
from engine.view import Offer, View
from firmware.box.context import Context
from firmware.box.effects import Invite
from firmware.box.events import PageStatus, Ticked, Told
from firmware.box.flow import Turn
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class PairingPhone:
    """``since`` is when it was opened: a phone that comes in after that is the one."""

    since: float

    def aim(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        page, done = known.page or PageStatus(""), Offer(say("pair_done"), "back")
        again = Offer(say("pair_new_code"), "new code")
        if page.paired is not None and page.paired >= self.since:
            return View(say("pair_is_in"), offers=(done, again))
        if page.code and known.now < page.until:
            left = (page.until - known.now) / max(page.until - self.since, 1)
            spaced = f"{page.code[:3]} {page.code[3:]}"
            prompt = say("pair_code", value=spaced, line=page.address)
            return View(prompt, offers=(done, again), bar=min(left, 1), link=f"http://{page.address}")
        return View(say("pair_over"), offers=(again, done))

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        match item:
            case Told("back" | "menu", _, _):
                return Turn((), (Invite(False),))
            case Told("new code", _, at):
                return Turn((PairingPhone(at),), (Invite(True),))
            case _:
                return None
