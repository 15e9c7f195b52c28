"""What people may wish for beside playing on: each is a way through the screens of the box, to its end."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import BeginGame, EndGame, PauseGame, ResumeGame, WriteEntries
from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_habits import REBUILDS
from firmware.simulation.people.screen_reading import SeenScreen, Sentence

if TYPE_CHECKING:
    from firmware.simulation.people.people import People


MENU_TRIES = 3
"""So often they look into the menu for an offer before they mend a mistake instead."""


class Wish:
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

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        raise NotImplementedError

    def saw(self, effect: Effect) -> None:
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


class PauseWish(MenuWish):
    """Pause, with everything set aside; it goes on from the home menu by habit."""

    name, path, ends = "pause", ("pause", "pause_now"), (PauseGame,)


class ResumeWish(Wish):
    """Resume the game that waits, and rebuild the table line by line."""

    name = "resume"
    resumed = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.find_offer("resume_game") is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if self.resumed:
            self.done = screen.prompt.topic not in REBUILDS
        return people.mates.press("resume_game") if screen.find_offer("resume_game") is not None else None

    def saw(self, effect: Effect) -> None:
        self.resumed |= isinstance(effect, ResumeGame)


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
    """Undo from the latest move on that names this card: a person entered it wrongly."""

    name, path, ends, entry = "undo an entry", ("take_moves_back", "step_back"), (WriteEntries,), "amend"

    def __init__(self, card: str) -> None:
        super().__init__()
        self.card = card
        self._opened = False

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if screen.prompt.topic == "take_back_to":
            found = (at for at, offer in enumerate(screen.offers) if offer.names(self.card))
            at = next(found, None)
            self.done = self.lapsed = at is None
            return (
                people.mates.go_back() if at is None else people.mates.press_at(lambda now: now.find_same(screen, at))
            )
        if self._opened or screen.prompt.topic in ("game_menu", "sure_take_back"):
            return super().answer(people, screen)
        self._opened = True
        return people.mates.open_menu()


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


class GiveUpWish(MenuWish):
    """End the game before its rules do."""

    name, path, ends = "give up", ("give_up", "give_up_now"), (EndGame,)


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

    tries = 0

    def _vote(self, people: "People") -> Script | None:
        self.tries += 1
        return people.mates.open_menu() if self.tries % MENU_TRIES else None


class AuditPilesWish(Wish):
    """Every pile is spread before the camera and compared."""

    name = "check the piles"
    begun = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.find_offer("audit") is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        company = people.company
        if company is None:
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
        assert people.company is not None
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
                people.bring_deck(offer.args.get("game") or offer.topic.removeprefix("deck_"))
                return mates.press(offer.topic, **offer.args)
            case "deck_lay" | "deck_next" | "deck_lay_kinds" | "deck_lay_kind" | "deck_lay_card":
                return people.lay_sheet(screen.prompt)
            case "deck_right":
                self.done = True
                return self._finish(people)
            case _:
                return None

    def _finish(self, people: "People") -> Script:
        people.mates.table.clear()
        yield from people.mates.press("done")


class NewGameWish(Wish):
    """A new game: game, variant, rules, and the players, counted by the cards at their seats or by hand.

    ``rules`` are changes of the usual rules: how an option reads in the list, and how its wanted value reads.
    """

    name = "new game"

    def __init__(
        self, game: str, players: int, *, variant: str = "", rules: tuple[tuple[str, Sentence], ...] = ()
    ) -> None:
        super().__init__()
        self.game = game
        self.players = players
        self.variant = variant
        self.rules = list(rules)

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.find_offer("new_game") is not None or is_in_play(people, screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        mates = people.mates
        if self.done:
            return None
        match screen.prompt.topic:
            case "which_game":
                return mates.press("game", game=self.game)
            case "which_variant":
                return mates.press(f"variant_{self.variant}")
            case "choose_rule":
                return self._choose_rule(people, screen)
            case "take_cards_back":
                return None
            case _ if self.rules and screen.find_offer(self.rules[0][1].topic, **self.rules[0][1].args) is not None:
                return self._set_rule(people)
            case "lay_at_seats" | "players_at_seats" | "game_for":
                return self._set_up(people, screen)
            case "how_many_play":
                return mates.press("players", n=self.players)
            case "sure_new_game":
                return mates.press("new_game_now")
            case _ if screen.find_offer("new_game") is not None:
                return mates.press("new_game")
            case _:
                return mates.open_menu() if is_in_play(people, screen) or screen.over else None

    def _choose_rule(self, people: "People", screen: SeenScreen) -> Script:
        if self.rules:
            label = self.rules[0][0]
            if screen.find_offer(label) is not None:
                return people.mates.press(label)
            self.rules.pop(0)  # it is so already
        return people.mates.go_back()

    def _set_rule(self, people: "People") -> Script:
        wanted = self.rules[0][1]
        yield from people.mates.press(wanted.topic, **wanted.args)
        self.rules.pop(0)

    def _set_up(self, people: "People", screen: SeenScreen) -> Script:
        mates = people.mates
        if self.rules:
            return mates.press("other_rules")
        if screen.prompt.topic == "game_for":
            count = screen.prompt.number("n")
            return mates.press("count_players") if count not in (0, self.players) else self._start(people, screen)
        if screen.prompt.topic == "players_at_seats" and screen.prompt.number("n") == self.players:
            return self._start(people, screen)
        return people.show_seats(self.game, self.variant, self.players)

    def _start(self, people: "People", screen: SeenScreen) -> Script:
        topic = "start" if screen.find_offer("start") is not None else "start_unchecked"
        return people.mates.press(topic)

    def saw(self, effect: Effect) -> None:
        self.done |= isinstance(effect, BeginGame)


class AgainWish(MenuWish):
    """After the end: the same game again, with the same people."""

    name, path, ends = "rematch", ("play_again",), (BeginGame,)

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.over and any(screen.find_offer(topic) is not None for topic in self.path)


class PlayOnWish(MenuWish):
    """After the end of a match whose next one continues its log: the loser first."""

    name, path, ends, entry = "next match", ("rematch",), (WriteEntries,), "rematch"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.over and screen.find_offer("rematch") is not None


class ShowHandWish(Wish):
    """After "I cannot play": the hand is shown, and the box says whether it was true."""

    name = "show the hand"
    shown = False

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.over and screen.find_offer("check_hand") is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        company = people.company
        match screen.prompt.topic:
            case _ if company is None or self.done:
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


class NextRoundWish(MenuWish):
    """The round is over: they compare the scores with their piles, and go on."""

    name, path, ends, entry = "next round", ("next_round",), (WriteEntries,), "next"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.prompt.topic == "round_over" and screen.find_offer("next_round") is not None


class ExchangeWish(MenuWish):
    """After a row was taken: a special card goes to the discard, and a new one is drawn."""

    name, ends, entry = "exchange", (WriteEntries,), "exchange"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.find_offer("exchange") is not None and is_in_play(people, screen)

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        if self.done or people.company is None:
            return None
        if screen.find_offer("exchange") is None:
            self.done = True  # it was too late
            return None
        return people.company.exchange(people.company.last_taker)


class GoHomeWish(Wish):
    """Leave the end page for the home menu."""

    name = "home"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.over and screen.find_offer("home_again") is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        self.done = screen.prompt.topic == "home"
        return None if self.done else people.mates.press("home_again")


WISHES: Mapping[str, Callable[[], Wish]] = {
    wish.name: wish
    for wish in (
        PauseWish, ResumeWish, UndoWish, GiveUpWish, RenameWish, LeaveWish, JoinWish, ChangeSeatsWish,
        TableIsRightWish, OverruleWish, AuditPilesWish, CheckDeckWish, NextRoundWish, ExchangeWish,
        AgainWish, PlayOnWish, ShowHandWish, GoHomeWish,
    )
}  # fmt: skip
"""By name; a new game has particulars, so that it is wished for as a ``NewGameWish``."""
