"""What people show to the camera to have it checked, or have changed since."""

from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.people.brought_pieces import bring_deck, lay_sheet
from firmware.simulation.people.company import Script
from firmware.simulation.people.company_roles import HandShower, PileSpreader, SpecialExchanger
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.people.wish import MenuWish, Wish, is_in_play

if TYPE_CHECKING:
    from firmware.simulation.people.people import People


class AuditPilesWish(Wish):
    """Every pile is spread before the camera and compared."""

    name = "check the piles"
    begun = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.find_offer("audit") is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        company = people.company
        if not isinstance(company, PileSpreader):
            return None
        match screen.prompt.topic:
            case "show_pile" | "pile_lacks" | "pile_too_many":
                self.begun = True
                return company.spread_pile(screen.prompt.number("player") or screen.turn or 0)
            case "pile_right":
                self.begun = True
                return self._next(people, screen)
            case _ if self.begun:
                self.done = True
                return None
            case _:
                return people.mates.press("audit")

    def _next(self, people: "People", screen: SeenScreen) -> Script:
        assert isinstance(people.company, PileSpreader)
        yield from people.company.take_pile(screen.prompt.number("player"))
        topic = "next_pile" if screen.find_offer("next_pile") is not None else "piles_done"
        yield from people.mates.press(topic)


class CheckDeckWish(Wish):
    """All cards of a deck are laid in order, and each sticker is read."""

    name = "check the stickers"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.prompt.topic == "home"

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        mates = people.mates
        match screen.prompt.topic:
            case "home":
                return None if self.done else mates.press("check_deck")
            case "which_deck":
                offer = mates.rng.choice(screen.offers)
                bring_deck(people.table, offer.args.get("game") or offer.topic.removeprefix("deck_"))
                return mates.press(offer.topic, **offer.args)
            case "deck_lay" | "deck_next" | "deck_lay_kinds" | "deck_lay_kind" | "deck_lay_card":
                return lay_sheet(people.table, screen.prompt)
            case "deck_right":
                self.done = True
                return self._finish(people)
            case _:
                return None

    def _finish(self, people: "People") -> Script:
        people.mates.table.clear()
        yield from people.mates.press("done")


class ShowHandWish(Wish):
    """After "I cannot play": the hand is shown, and the box says whether it was true."""

    name = "show the hand"
    shown = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.over and screen.find_offer("check_hand") is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        company = people.company
        match screen.prompt.topic:
            case _ if self.done or not isinstance(company, HandShower):
                return None
            case "show_hand" | "hand_there":
                if screen.find_offer("that_is_all") is not None:
                    return people.mates.press("that_is_all")
                return company.spread_hand()
            case _:
                return people.mates.press("check_hand")

    def saw(self, effect: Effect) -> None:
        if isinstance(effect, WriteEntries) and any(entry.startswith("verify") for entry in effect.entries):
            self.done = True


class ExchangeWish(MenuWish):
    """After a row was taken: a special card goes to the discard, and a new one is drawn."""

    name, ends, entry = "exchange", (WriteEntries,), "exchange"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.find_offer("exchange") is not None and is_in_play(people, screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if self.done or not isinstance(people.company, SpecialExchanger):
            return None
        if screen.find_offer("exchange") is None:
            self.done = True  # it was too late
            return None
        return people.company.exchange(people.company.last_taker)
