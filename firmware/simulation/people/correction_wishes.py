"""Corrections: moves are undone, and the table or the record is taken as right."""

from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_habits import REBUILDS
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.people.wish import MenuWish, Wish, is_in_play

if TYPE_CHECKING:
    from firmware.simulation.people.people import People

MENU_TRIES = 3
"""So often they look into the menu for an offer before they mend a mistake instead."""


class UndoWish(MenuWish):
    """Undo the last move, and put the table back."""

    name, path, ends, entry = "undo", ("take_moves_back", "step_back"), (WriteEntries,), "amend"
    undone = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        company = people.company
        return is_in_play(people, screen) and company is not None and company.may_undo(screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if self.undone:
            self.done = screen.prompt.topic not in REBUILDS
            return None
        if screen.prompt.topic == "take_back_to" and len(screen.offers) > 1:
            return people.mates.press(screen.offers[1].topic, **screen.offers[1].args)
        return super().answer(people, screen)

    def saw(self, effect: Effect) -> None:
        self.undone |= isinstance(effect, WriteEntries) and any(entry.startswith("amend") for entry in effect.entries)


class UndoEntryWish(MenuWish):
    """Undo from the latest move on that names this card: a person entered it wrongly. If none does, the latest.

    Also while there is an alert on the screen.
    """

    name, path, ends, entry = "undo an entry", ("take_moves_back", "step_back"), (WriteEntries,), "amend"

    def __init__(self, card: str = "") -> None:
        super().__init__()
        self.card = card
        self._opened = False

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if screen.prompt.topic == "take_back_to":
            at = self._find_entry(screen)
            return people.mates.press_at(lambda now: now.find_same(screen, at))
        if self._opened or screen.prompt.topic in ("game_menu", "sure_take_back"):
            return super().answer(people, screen)
        self._opened = True
        return people.mates.open_menu()

    def _find_entry(self, screen: SeenScreen) -> int:
        """The latest move that names the card, with the moves before it that name it too; else the latest move."""
        named = [at for at, offer in enumerate(screen.offers) if self.card and offer.names(self.card)]
        run = [at for n, at in enumerate(named) if at == named[0] + n]
        return run[-1] if run else 1


class KeepScoreWish(MenuWish):
    """Put the table back as the record has it, because the screen does not say more."""

    name, path = "keep the score", ("rebuild", "record_is_right")

    def __init__(self) -> None:
        super().__init__()
        self._opened = False

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if screen.prompt.topic in REBUILDS:
            self.done = True
            return None
        if self._opened or screen.prompt.topic == "game_menu":
            self.done = self._opened and screen.prompt.topic != "game_menu"
            return None if self.done else super().answer(people, screen)
        self._opened = True
        return people.mates.open_menu()


class TableIsRightWish(Wish):
    """A mistake is made, and they take the table as it is; where the box does not offer that, they mend it."""

    name = "take the table as it is"
    erred = False
    adopted = False
    path: tuple[str, ...] = ("table_is_right",)
    ends = "adopt"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        company = people.company
        return is_in_play(people, screen) and company is not None and company.may_adopt(screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        for topic in reversed(self.path):
            if self.erred and screen.find_offer(topic) is not None:
                return people.mates.press(topic)
        if not self.erred and is_in_play(people, screen):
            company = people.company
            script = company.err() if company else None
            if script is not None and company is not None:
                company.remember()
                people.wait_for_alert()
                self.erred = True
            return script
        if self.erred and screen.fault is not None and screen.prompt.topic != "game_menu":
            return self._vote(people)
        if self.erred and is_in_play(people, screen) and not people.waits_for_alert:
            self.done = True  # the table cannot be taken as it is, so the mistake was mended
        return None

    def _vote(self, people: "People") -> Script | None:
        return None

    def saw(self, effect: Effect) -> None:
        if isinstance(effect, WriteEntries) and any(entry.startswith(self.ends) for entry in effect.entries):
            self.done = self.adopted = True


class OverruleWish(TableIsRightWish):
    """A mistake is made, and all vote that the table is right; where that is not offered, they mend it."""

    name, path, ends = "overrule", ("we_overrule", "agree"), "overrule"

    looked = 0
    """How often they opened the menu and did not find it."""

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        script = super().answer(people, screen)
        self.looked += script is None and screen.prompt.topic == "game_menu"
        return script

    def _vote(self, people: "People") -> Script | None:
        return people.mates.open_menu() if self.looked < MENU_TRIES else None


class AgreeWish(MenuWish):
    """All vote that the table is right, because the screen tells them again and again to change it."""

    path: tuple[str, ...] = ("we_overrule", "agree")
    name, ends, entry = "agree on the table", (WriteEntries,), "overrule"

    def __init__(self) -> None:
        super().__init__()
        self._opened = False

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if screen.prompt.topic == "game_menu" or any(screen.find_offer(topic) is not None for topic in self.path):
            return super().answer(people, screen)
        if self._opened:
            self.done = self.lapsed = True  # it was refused
            return None
        self._opened = True
        return people.mates.open_menu()


class AdoptWish(AgreeWish):
    """Take the table as it is, because nothing else has helped."""

    name, path, entry = "adopt the table", ("table_is_right",), "adopt"
