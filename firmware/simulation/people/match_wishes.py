"""Ways out of a match and back to it: pause and resume, the next round, the next match, home."""

from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import BeginGame, EndGame, PauseGame, ResumeGame, WriteEntries
from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_habits import REBUILDS
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.people.wish import MenuWish, Wish

if TYPE_CHECKING:
    from firmware.simulation.people.people import People


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


class GiveUpWish(MenuWish):
    """End the game before its rules do."""

    name, path, ends = "give up", ("give_up", "give_up_now"), (EndGame,)


class NextRoundWish(MenuWish):
    """The round is over: they compare the scores with their piles, and go on."""

    name, path, ends, entry = "next round", ("next_round",), (WriteEntries,), "next"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.prompt.topic == "round_over" and screen.find_offer("next_round") is not None


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


class GoHomeWish(Wish):
    """Leave the end page for the home menu."""

    name = "home"

    def fits(self, people: "People", screen: SeenScreen) -> bool:
        return screen.over and screen.find_offer("home_again") is not None

    def answer(self, people: "People", screen: SeenScreen) -> Script | None:
        self.done = screen.prompt.topic == "home"
        return None if self.done else people.mates.press("home_again")
