"""Before and between games: what the box can do now."""

from dataclasses import dataclass

from engine.text import say
from engine.view import View
from firmware.box.flow import Aim, Known, Turn
from firmware.box.items import Aimed, Looked, Ticked, Told


@dataclass(frozen=True, slots=True)
class Home:
    """Always at the bottom."""

    def aim(self, known: Known) -> Aim | None:
        return None

    def view(self, known: Known) -> View:
        return View(say("home"))

    def take(self, item: Looked | Aimed | Told | Ticked, known: Known) -> Turn | None:
        return None
