"""The camera is set up again, at home or in the middle of a match."""

from typing import TYPE_CHECKING

from firmware.box.effects import Effect, KeepEmpty
from firmware.simulation.people.company import REACH_S, Script
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.people.wish import MenuWish, is_in_play

if TYPE_CHECKING:
    from firmware.simulation.people.people import People

WAIT_S = 0.4
"""Seconds between two looks at the screen while the camera measures."""
WAITING = frozenset({"aim_hold", "aim_looking"})
CLEARING = frozenset({"aim_clear", "aim_cards", "aim_tiles", "aim_push"})


class SetUpCameraWish(MenuWish):
    """They clear the table for its picture, and put everything back to where it was."""

    name, path = "set up the camera", ("aim_camera",)

    def __init__(self) -> None:
        super().__init__()
        self._asked = self._cleared = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.prompt.topic == "home" or is_in_play(people, screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        match screen.prompt.topic:
            case topic if topic in WAITING:
                return _wait()
            case topic if topic in CLEARING:
                return self._clear(people) if people.table.lying() else people.mates.press("aim_keep")
            case _ if self._asked:  # the picture is taken, and the screen goes on
                self.done = True
                return people.company.unpack() if people.company and self._cleared else None
            case _:
                return super().answer(people, screen)

    def _clear(self, people: "People") -> Script:
        self._cleared = True
        if people.company is not None:
            people.company.set_aside()
        else:
            people.table.clear()
        yield REACH_S

    def saw(self, effect: Effect) -> None:
        self._asked |= isinstance(effect, KeepEmpty)


def _wait() -> Script:
    yield WAIT_S
