"""A running box with its phones, brought to a moment of the table of rights by buttons and words alone."""

import random
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.games import GAMES
from engine.log import Log
from firmware.simulation.players import PLAYERS
from tests.rights.phone_client import PhoneClient
from tests.rights.rights_table import PAGE
from tests.rights.running_box import NotOffered, RunningBox, State

BASE = "game:begin nimmt variant=base players=4"
PAIR = "game:begin nimmt variant=base players=2"
"""Whole rounds are shorter with two players."""
ROUND = (
    *("deal 10,20,30,97", "reveal 1 44", "reveal 2 22", "reveal 3 33", "reveal 4 5"),
    *("take 4", "tidy row:4", "lay 5 4", "lay 22 2", "lay 33 3"),
)
"""Player 4 has taken the 97, and the next act is that player 1 lays 44."""
NEXT_OWN = "lay 44 3"
HIDDEN_CARD = "97"
LOW_CARD = ("deal 10,20,30,97", "reveal 2 22", "reveal 3 33", "reveal 4 44", "reveal 1 5")
"""Player 1 has a low card and is asked for a row."""
LOW_CARD_OF_ANOTHER = ("deal 10,20,30,97", "reveal 1 44", "reveal 2 22", "reveal 3 33", "reveal 4 5")
NO_CAMERA = ("--camera", "usb:9")
"""Without a camera nothing but people change the record, so that an effect has one cause."""
LATER_WORDS = {
    "claim": "phone:claim {player}",
    "release": "phone:release {player}",
    "take player": "phone:take-player {player}",
    "name host": "phone:host {phone}",
    "revoke": "phone:revoke {phone}",
    "mute": "box:mute",
    "laid wrong": "moves:laid-wrong {number}",
    "confirm": "phone:confirm",
}
"""The words of acts that no document names yet. When the documents name them otherwise, this is the place to say so."""
LATER_PATHS = {"phones": "/api/phones", "health": "/api/health"}


class MomentNotReached(Exception):
    """The box could not be brought to the moment."""


class NotThere(Exception):
    """Neither the documents nor any offer of the box name a way to do this."""


class ExaminedTable:
    """``guest`` is paired and has claimed nobody, ``second`` is another such phone, ``watcher`` was never paired."""

    def __init__(self, folder: Path, options: tuple[str, ...] = NO_CAMERA, has_buttons: bool = True) -> None:
        self.box = RunningBox(folder, *options, has_buttons=has_buttons)
        self.watcher = PhoneClient(self.box.address)
        self.guest = PhoneClient(self.box.address)
        self.second = PhoneClient(self.box.address)
        own_programs = PAGE.read_text(encoding="utf-8").split("For your own programs")[1]
        self.documents = self.watcher.fetch("/openapi.json").text + own_programs
        self._documented = set(re.findall(r"[a-z]+:[a-z-]+", self.documents))
        self.pair_phones()

    def close(self) -> None:
        self.box.stop()

    def read_menu(self) -> None:
        """Open the menu of a game once, so that the words of its entries are known."""
        self.reach("round")
        self.box.press("B")

    def pair_phones(self) -> None:
        for phone in (self.guest, self.second):
            if not phone.state()["paired"]:
                if self.box.has_buttons:
                    with self.box.showing_pairing_code() as code:
                        phone.pair(code)
                else:
                    phone.pair(self.box.print_pairing_code())
                if not phone.state()["paired"]:
                    raise MomentNotReached("a phone could not be paired")

    def restart(self) -> None:
        self.box.start()
        self.pair_phones()

    def knows(self, words: str) -> bool:
        """Whether the documents or an offer seen so far name these words; moves have their own notation."""
        first = words.removeprefix("yes ").split()[0]
        return ":" not in first or first in self._documented or first in self.box.named

    def actor(self, role: str) -> PhoneClient:
        match role:
            case "watcher":
                return self.watcher
            case "no seat" if self.box.has_buttons:
                return self.guest
            case "no seat":
                raise NotThere("a box without a screen pairs phones by `oxeye pair` only, and those are hosts")
            case "host" if not self.box.has_buttons:
                return self.guest  # paired by `oxeye pair` on the box itself
            case _:
                verb = LATER_WORDS["name host" if role == "host" else "claim"].split()[0]
                if not self.knows(verb):
                    raise NotThere(f"no phone can become {role}")
                return self._become(role)

    def _become(self, role: str) -> PhoneClient:
        if role == "host":
            self.box.find(LATER_WORDS["name host"].split()[0])
            self.choose_first_confirmation()
        else:
            self.guest.tell(LATER_WORDS["claim"].format(player=1))
            self.choose_first_confirmation()
        if self.guest.state().get("me", {}).get("role") != role:
            raise NotThere(f"no phone can become {role}")
        return self.guest

    def choose_first_confirmation(self) -> None:
        for words in self.box.offers():
            if words.startswith(LATER_WORDS["confirm"]):
                self.box.choose(words)
                return
        raise NotOffered(LATER_WORDS["confirm"])

    # moments

    def reach(self, moment: str, moves: tuple[str, ...] | None = None, begin: str = BASE) -> None:
        """Bring the box to this moment of a fresh game of 4 players (``moves`` and ``begin`` for another one)."""
        if not self.box.is_alive():
            self.restart()
        self.pair_phones()
        self.leave_games()
        match moment:
            case "no game":
                pass
            case "set-up":
                for words in ("game:new", "setup:game nimmt", "setup:game nimmt base"):
                    self.box.choose(words)
            case "round":
                self.begin(begin, ROUND if moves is None else moves)
            case "question":
                self.begin(begin, LOW_CARD if moves is None else moves)
            case "paused":
                self.begin(begin, ROUND if moves is None else moves)
                self.pause()
            case "round over":
                self.begin(f"{PAIR} end=rounds rounds=2", legal_round(2))
            case "match over":
                self.begin(f"{PAIR} end=rounds rounds=1", legal_round(1))
        state = self.box.state()
        if (state["game"] is None) != (moment in ("no game", "set-up", "paused")):
            raise MomentNotReached(f"{moment}: the box says {state['prompt']}")

    def begin(self, words: str, moves: tuple[str, ...]) -> None:
        self.say(words)
        for move in moves:
            self.say(move)

    def say(self, words: str) -> None:
        """By a phone that may; where the box has to confirm it, its button does."""
        answer = self.guest.tell(words)
        if not answer.is_accepted:
            raise MomentNotReached(f"{words}: {answer.text}")

    def pause(self) -> None:
        self.choose_all("game:pause", "yes game:pause")
        while "page:next" in self.box.offers():
            with suppress(NotOffered):  # the list is gone meanwhile
                self.choose_all("back")

    def choose_all(self, *words: str) -> None:
        """At the box; a box without buttons is told by its host."""
        for one in words:
            if self.box.has_buttons:
                self.box.find(one)
            else:
                self.say(one)

    def step_back(self) -> None:
        if self.box.has_buttons:
            self.box.press("b")
        else:
            self.say("back")

    def leave_games(self) -> None:
        """Back to the first screen, and no game is left paused."""
        for _ in range(20):
            state = self.box.state()
            offers = [offer["words"] for offer in state["offers"]]
            paused = [words for words in offers if words.startswith("game:resume ")]
            if state["game"] is None and paused:
                self.choose_all(paused[0])
            elif state["game"] is None and "game:new" in offers:
                return
            elif "game:leave" in offers:
                self.choose_all("game:leave")
            elif "table:all-is-right" in offers:
                self.choose_all("table:all-is-right")
            elif state["game"] is None or state["over"]:
                self.step_back()
            else:
                self.choose_all("game:give-up", "yes game:give-up")
        raise MomentNotReached(f"no game: the box says {self.box.state()['prompt']}")


def legal_round(rounds: int) -> tuple[str, ...]:
    """The moves of the first round of a match that ends after so many."""
    log = Log(GAMES["nimmt"], {"players": 2, "end": "rounds", "rounds": rounds})
    players = PLAYERS["nimmt"](log.options, random.Random(3))
    while log.state.phase not in ("over", "end"):
        log = log.add(players.next(log.state))
    return tuple(str(move) for move in log.moves)


Observed = Mapping[str, Any]
Effect = Callable[[Observed, Observed], bool]


def observe(table: ExaminedTable, phone: PhoneClient | None = None) -> Observed:
    """What everybody and this phone can see now; ``{}`` when the box has ended."""
    if not table.box.is_alive():
        return {}
    state = table.box.state()
    history = table.watcher.fetch("/api/history")
    own = phone.state() if phone else state
    return {"state": state, "own": own, "history": history.body.get("moves", []), "screen": table.box.screen()}


def shared_screen(state: State) -> Mapping[str, Any]:
    """What the shared screen asks and offers, without what rises with every command."""
    return {name: state[name] for name in ("title", "prompt", "offers", "lines", "cursor", "game", "picture")}
