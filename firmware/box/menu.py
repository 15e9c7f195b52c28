"""A list to choose from: what is chosen is told to whatever asked."""

from dataclasses import dataclass

from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.context import Context
from firmware.box.events import Ticked, Told
from firmware.box.flow import Turn
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest

GO_ON = Offer(say("go_on"), "back")
"""The harmless answer: where something would be lost it stands first, under the cursor."""


@dataclass(frozen=True, slots=True)
class Menu:
    """Closes with the choice, or with BACK. A question is a menu with its answers."""

    prompt: Text
    entries: tuple[Offer, ...]
    lines: tuple[Text, ...] = ()

    def aim(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        return View(self.prompt, offers=self.entries, lines=self.lines)

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        match item:
            case Told("back" | "menu", _, _):
                return Turn(())
            case Told(words, _, _) if any(entry.move == words for entry in self.entries):
                return Turn((), say=words)
            case _:
                return None
