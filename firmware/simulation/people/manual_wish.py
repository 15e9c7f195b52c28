"""A move is entered with the buttons or a phone, and made with the cards afterwards."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.people.wish import MenuWish, is_in_play

if TYPE_CHECKING:
    from firmware.simulation.people.people import People


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """A move to enter: what happened as the form reads, the answers to its questions, and its entry."""

    form: str
    answers: tuple[tuple[str, str], ...]
    """Name and value of the particular of each answer: ``value`` of a card, ``row``, ``zone``."""
    entry: str


class EnterMoveWish(MenuWish):
    """Manual entry: what happened, one answer after the other, and then the move itself."""

    name, path = "manual entry", ("by_hand",)

    def __init__(self) -> None:
        super().__init__()
        self._plan: PlannedEntry | None = None
        self._entered = self._opened = False
        self._given = 0

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return is_in_play(people, screen) and people.company is not None and people.company.plan_entry() is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        company = people.company
        if self._plan is None and company is not None and is_in_play(people, screen):
            self._plan = company.plan_entry()
        plan = self._plan
        if plan is None or company is None:
            self.done = self.lapsed = True
            return None
        if self._entered:
            self.done = True
            return self._make_move(people, plan)
        if screen.find_offer(plan.form) is not None:
            self._opened, self._given = True, 0
            return people.mates.press(plan.form)
        if self._opened and self._given < len(plan.answers):
            return self._give_answer(people, screen, *plan.answers[self._given])
        return super().answer(people, screen)

    def _give_answer(self, people: "People", screen: SeenScreen, name: str, value: str) -> Script | None:
        for offer in screen.offers:
            if offer.args.get(name) == value:
                self._given += 1
                return people.mates.press(offer.topic, **offer.args)
            if offer.topic == "tens" and value.isdigit() and offer.number("low") <= int(value) <= offer.number("high"):
                return people.mates.press(offer.topic, **offer.args)
        return None

    def _make_move(self, people: "People", plan: PlannedEntry) -> Script:
        assert people.company is not None
        yield from people.company.make_move(plan.entry)
        yield from people.mates.go_back()

    def saw(self, effect: Effect) -> None:
        if isinstance(effect, WriteEntries) and self._plan and self._plan.entry in effect.entries:
            self._entered = True
