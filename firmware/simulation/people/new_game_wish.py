"""A new game: game, variant, rules, and the players."""

from typing import TYPE_CHECKING

from firmware.box.effects import Effect
from firmware.journal.operation_types import BeginGame
from firmware.simulation.people.brought_pieces import show_seats
from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.people.wish import Wish, is_in_play

if TYPE_CHECKING:
    from firmware.simulation.people.people import People


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
        return show_seats(people.table, self.game, self.variant, self.players)

    def _start(self, people: "People", screen: SeenScreen) -> Script:
        topic = "start" if screen.find_offer("start") is not None else "start_unchecked"
        return people.mates.press(topic)

    def saw(self, effect: Effect) -> None:
        self.done |= isinstance(effect, BeginGame)
