"""A special card is played with the number card that is due."""

from functools import partial
from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.people.company import Script
from firmware.simulation.people.company_roles import SpecialPlayer
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.people.wish import Wish, is_in_play

if TYPE_CHECKING:
    from firmware.simulation.people.people import People

KINDS = ("block", "fifth", "insert", "move", "negpos", "replace", "seven")
CARRIED_OUT = {"negpos": ("negpos", "handback")}
"""By kind: the moves that end its turn, where these are not the usual ones."""
USUAL = ("lay", "take", "handback")
LOOK_S = 0.4
"""Seconds from one look at the screen to the next, until the box has seen the card."""


class PlaySpecialWish(Wish):
    """The player in turn puts a special card of this kind beside the number card, and does what it says."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.name = f"special: {kind}"
        self.kind = kind
        self._put = self._played = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        company = people.company
        able = isinstance(company, SpecialPlayer) and company.may_play_special(screen, self.kind)
        return able and is_in_play(people, screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        company = people.company
        if self._played or screen.fault is not None or not isinstance(company, SpecialPlayer):
            return None
        if self._put:
            return _look()
        if not self.fits(people, screen):
            self.done = self.lapsed = True
            return None
        self._put = True
        return company.play_special(screen, self.kind)

    def saw(self, effect: Effect) -> None:
        for entry in effect.entries if isinstance(effect, WriteEntries) else ():
            self._played |= entry.startswith(("special", "mark"))
            self.done |= self._played and entry.startswith(CARRIED_OUT.get(self.kind, USUAL))


def _look() -> Script:
    yield LOOK_S


SPECIAL_WISHES = {f"special: {kind}": partial(PlaySpecialWish, kind) for kind in KINDS}
