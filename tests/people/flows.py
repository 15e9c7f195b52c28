"""Evenings in which people go through every flow of the box, in random order; none may get stuck."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from firmware.simulation.people.check_wishes import AuditPilesWish, ShowHandWish
from firmware.simulation.people.company import Script
from firmware.simulation.people.correction_wishes import TableIsRightWish
from firmware.simulation.people.match_wishes import ResumeWish
from firmware.simulation.people.new_game_wish import NewGameWish
from firmware.simulation.people.people import People
from firmware.simulation.people.screen_reading import ScreenReader, SeenScreen
from firmware.simulation.people.special_wish import SPECIAL_WISHES
from firmware.simulation.people.wish import Wish
from firmware.simulation.people.wishes import WISHES
from firmware.simulation.players.six_company import GREED, SixCompany
from tests.people.agreements import AGREEMENTS
from tests.people.evening import Evening
from tests.people.scores import find_wrong_scores, is_settled

STUCK_S = 60.0
"""A flow that does not end within this time is stuck; so is an evening in which nothing changes for so long."""
MATCH_S = 2400.0
"""A match that has not ended after this time, when all flows are done, is stuck too."""
PAUSE_RANGE_S = (0.0, 10.0)
BETWEEN = ("round_over", "home")
MATCH_BEGINS = ("new game", "rematch", "next match")
RARE = ("exchange",)
"""Flows whose offer stands only for a short time."""
MOST_WAITS = 12
EACH = 2
"""So often each kind of flow is chosen before any other kind is chosen more often."""


@dataclass(slots=True)
class FlowsReport:
    """``flows`` counts those that came to their end; ``stuck`` and ``wrong`` say where and how."""

    flows: Counter[str] = field(default_factory=Counter)
    stuck: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    misunderstood: Counter[str] = field(default_factory=Counter)
    scores: int = 0
    ended: int = 0

    def add(self, other: "FlowsReport") -> None:
        self.flows += other.flows
        self.stuck += other.stuck
        self.wrong += other.wrong
        self.misunderstood += other.misunderstood
        self.scores += other.scores
        self.ended += other.ended


class ResumeEarlierWish(ResumeWish):
    """Resume a game of an earlier run of the program: its people know what its record says, and no more."""

    name = "resume of an earlier run"
    _began_anew = False

    def answer(self, people: People, screen: SeenScreen) -> Script | None:
        if not self._began_anew:
            people.companies.clear()
            people.table.bring_game(people.table.game)
            self._began_anew = True
        return super().answer(people, screen)


WAYS: Mapping[str, Callable[[], Wish]] = {**WISHES, ResumeEarlierWish.name: ResumeEarlierWish}
"""What people may wish for here."""


class FlowsEvening:
    """``count`` flows at the table of one agreement, and then the match to its end."""

    def __init__(self, name: str, seed: int, count: int, *, reader: ScreenReader, frames: bool = False) -> None:
        self.name, self.seed, self.count = name, seed, count
        self.rng = random.Random(seed)
        self.evening = Evening(seed, frames=frames, reader=reader)
        self.evening.people.mates.phones = self.rng.random() < 1 / 2
        self.report = FlowsReport()
        self._changed = (0.0, "")
        self._waits = self._matches = 0

    def play(self) -> FlowsReport:
        evening, report = self.evening, self.report
        if not self._run_flow("new game", AGREEMENTS[self.name]()):
            return report
        while report.flows.total() < self.count:
            if not self._wait(self.rng.uniform(*PAUSE_RANGE_S), until_choice=True):
                return report
            wish = self._choose()
            if wish is not None and not self._run_flow(wish.name, wish):
                return report
        evening.people.over_shown_s = float("inf")
        end = evening.now + MATCH_S
        while not evening.companion.view.over:
            if not self._wait(1.0):
                return report
            if evening.now > end:
                return self._fail("the match does not end")
        self._wait(2.0)
        self._check_scores()
        for wish in (ShowHandWish(), AuditPilesWish()):
            if wish.fits(evening.people, evening.people.mates.screen) and not self._run_flow(wish.name, wish):
                return report
        report.ended += 1
        report.misunderstood = evening.people.misunderstood
        return report

    def _choose(self) -> Wish | None:
        people = self.evening.people
        if not people.is_idle:
            return None
        screen = people.read(self.evening.companion.view, self.evening.companion.box.known.names)
        if people.company is None and screen.prompt.topic == "home" and screen.find_offer("resume_game") is None:
            return AGREEMENTS[self.name]()
        fits = [name for name, kind in WAYS.items() if name != "give up" and kind().fits(people, screen)]
        fits = [name for name in fits if self.report.flows[name] < EACH] or self._fits_again(fits)
        if not fits:
            return None
        least = min(self.report.flows[name] for name in fits)
        return WAYS[self.rng.choice([name for name in fits if self.report.flows[name] == least])]()

    def _fits_again(self, fits: list[str]) -> list[str]:
        """When all that fits had its turns, any of it, but only after a long wait for something else."""
        self._waits += 1
        return fits if self._waits % MOST_WAITS == 0 else []

    def _run_flow(self, name: str, wish: Wish) -> bool:
        """Go through one flow; False if it is stuck."""
        evening = self.evening
        self._check_scores()
        evening.people.wishes.append(wish)
        end = evening.now + STUCK_S
        while evening.people.wishes:
            evening.step()
            if evening.now > end:
                self._fail(name)
                return False
        if not wish.lapsed:
            offered = "" if not isinstance(wish, TableIsRightWish) or wish.adopted else " (not offered: mended)"
            self.report.flows[name + offered] += 1
            if name in MATCH_BEGINS:
                self._vary_play()
        return True

    def _vary_play(self) -> None:
        """Every second match of SIX comes to its second phase."""
        self._matches += 1
        if isinstance(company := self.evening.people.company, SixCompany):
            company.greed = GREED if self._matches % 2 else 0.0

    def _wait(self, seconds: float, *, until_choice: bool = False) -> bool:
        """Let them play, or until there is a choice between rounds; False if nothing has changed for too long."""
        evening = self.evening
        end = evening.now + seconds
        while evening.now < end:
            evening.step()
            view = evening.companion.view
            if until_choice and evening.people.is_idle and self._has_choice():
                return True
            seen = f"{view.prompt} {view.alert} {view.cursor} {view.pads} {len(evening.happened)}"
            if seen != self._changed[1] or view.over:
                self._changed = evening.now, seen
            if evening.now - self._changed[0] > STUCK_S:
                self._fail("nothing happens")
                return False
        return True

    def _has_choice(self) -> bool:
        """Is it a moment for a flow that cannot be begun at any time?"""
        view = self.evening.companion.view
        rare = (offer.label.id for offer in view.offers if offer.label.id in RARE)
        if view.over or view.prompt.id in BETWEEN or any(self.report.flows[name] < EACH for name in rare):
            return True
        screen = self.evening.people.mates.screen
        special = [name for name in SPECIAL_WISHES if not self.report.flows[name]]
        return any(SPECIAL_WISHES[name]().fits(self.evening.people, screen) for name in special)

    def _check_scores(self) -> None:
        if is_settled(self.evening):
            self.report.scores += 1
            self.report.wrong += [f"{self.name}, seed {self.seed}: {why}" for why in find_wrong_scores(self.evening)]

    def _fail(self, what: str) -> FlowsReport:
        view = self.evening.companion.view
        offers = ", ".join(str(offer.label) for offer in view.offers[:4])
        where = f"{view.prompt} | {view.alert} | {offers}"
        self.report.stuck.append(f"{self.name}, seed {self.seed}, {self.evening.now:.0f} s: {what}: {where}")
        self.report.misunderstood = self.evening.people.misunderstood
        return self.report


def list_kinds() -> tuple[str, ...]:
    """The kinds of flow that people go through."""
    return (NewGameWish.name, *(name for name in WAYS if name != "give up"))
