"""A wish of simulated people: a way through the screens of the box, to its end."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_reading import SeenScreen

if TYPE_CHECKING:
    from firmware.simulation.people.people import People


class Wish(ABC):
    """A flow that they want to go through. ``fits`` says whether it can begin at this screen.

    ``answer`` is what they do for it at a screen, None where they do as always. ``saw`` tells what the box has done.
    """

    name = ""
    lapsed = False
    """Did it become impossible before it was done, for example because the match was over?"""

    def __init__(self) -> None:
        self.done = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return is_in_play(people, screen)

    @abstractmethod
    def answer(self, people: "People", screen: SeenScreen) -> Script | None: ...

    def saw(self, effect: Effect) -> None:  # noqa: B027  most wishes do not wait for an effect
        """The box has done this."""


def is_in_play(people: "People", screen: SeenScreen) -> bool:
    """Is a match on, with nothing on the screen but its prompt?"""
    company = people.company
    return company is not None and screen.fault is None and not screen.over and company.knows(screen.prompt.topic)


class MenuWish(Wish):
    """A way through menus: at each of the topics of ``path`` that is offered, the last one first, they press it.

    It is done when an effect of the kind ``ends`` was seen, and ``settle`` is over.
    """

    path: tuple[str, ...] = ()
    ends: tuple[type, ...] = ()
    entry = ""
    pressed = False

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        for topic in reversed(self.path):
            if screen.find_offer(topic) is not None:
                return people.mates.press(topic)
        if screen.prompt.topic == "game_menu":
            self.done = self.lapsed = True
            return people.mates.go_back()
        return people.mates.open_menu() if is_in_play(people, screen) or screen.over else None

    def saw(self, effect: Effect) -> None:
        if isinstance(effect, self.ends) and (
            not self.entry
            or (isinstance(effect, WriteEntries) and any(entry.startswith(self.entry) for entry in effect.entries))
        ):
            self.done = True
