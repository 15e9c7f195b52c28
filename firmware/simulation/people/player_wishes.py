"""Changes of the players during a match."""

from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.people.wish import MenuWish, is_in_play

if TYPE_CHECKING:
    from firmware.simulation.people.people import People


class RenameWish(MenuWish):
    """Give a player another name."""

    name, path = "rename", ("people", "rename")

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        match screen.prompt.topic:
            case "who_is_renamed":
                return people.mates.press(screen.offers[0].topic, **screen.offers[0].args)
            case "new_name":
                self.done = True
                return people.mates.press(screen.offers[0].topic, **screen.offers[0].args)
            case _:
                return super().answer(people, screen)


class LeaveWish(MenuWish):
    """A player leaves, and the others play on."""

    name, path, ends, entry = "leave", ("people", "somebody_leaves", "leaves_now"), (WriteEntries,), "leave"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        company = people.company
        return is_in_play(people, screen) and company is not None and company.may_leave(screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if screen.prompt.topic == "who_leaves":
            offer = people.mates.rng.choice(screen.offers)
            return people.mates.press(offer.topic, **offer.args)
        return super().answer(people, screen)


class JoinWish(MenuWish):
    """A player joins, and gets a name."""

    name, path, ends, entry = "join", ("people", "somebody_joins"), (WriteEntries,), "join"
    joined = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        company = people.company
        return is_in_play(people, screen) and company is not None and company.may_join(screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if self.joined:
            self.done = True
        match screen.prompt.topic:
            case "joins_where" if len(screen.offers) > 1:
                return people.mates.press(screen.offers[1].topic, **screen.offers[1].args)
            case "new_name":
                return people.mates.press(screen.offers[0].topic, **screen.offers[0].args)
            case _:
                return None if self.joined else super().answer(people, screen)

    def saw(self, effect: Effect) -> None:
        self.joined |= isinstance(effect, WriteEntries) and any(entry.startswith("join") for entry in effect.entries)


class ChangeSeatsWish(MenuWish):
    """A player moves to another seat."""

    name, path, ends, entry = "change seats", ("people", "change_seats"), (WriteEntries,), "sit"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        company = people.company
        return is_in_play(people, screen) and company is not None and company.may_change_seats(screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if screen.prompt.topic in ("who_moves", "sits_where"):
            offer = people.mates.rng.choice(screen.offers)
            return people.mates.press(offer.topic, **offer.args)
        return super().answer(people, screen)
