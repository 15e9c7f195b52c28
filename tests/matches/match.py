"""One match from frames alone: the simulated table before the real eyes, box and journal, and everything measured;
one module because a frame, what is said to it and what should be said are looked at together."""

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.games.the_game.state import PILES
from engine.log import Log
from engine.text import Text
from firmware.box.flows.playing import Playing
from firmware.box.referee_desk import RefereeDesk
from firmware.journal.journal import open_journal
from firmware.simulation.mistakes import Mistake
from firmware.simulation.session import FRAME_S, SimulatedSession
from firmware.simulation.table import Act, SimTable, SimulatedHand, caught_up
from firmware.simulation.table.table import Plant
from hw.cameras.images import make_frame
from tests.matches.expectations import blind, refused, state_of, unseen
from tests.matches.plan import Given, Planter, up_to_date
from tests.matches.report import LATE, SOON, Result
from vision.frame import shrink_frame

MENDING = 3.0
"""Seconds after a fault was named by which nothing must be said of it any more."""
PATIENT = 4.0
"""Seconds that people wait for the box before they give up."""
ASKED = 6.0
"""Seconds that they leave it as it lies when the box says that it cannot see."""
PAIRS = 0.5
"""How often two cards that follow each other on a pile are laid before anybody looks."""
REPLIES = 4
"""As often at most people answer before they ask themselves what is wrong with the box."""
BLIND = "cannot_see"
FRESH = 0.06
"""The share of still frames with noise of their own; the others are the same picture again."""


class Match:
    """Plays one match to its end, or until the box has lost it."""

    def __init__(self, given: Given, plant: Planter, folder: Path) -> None:
        self.result = Result(given.name)
        self._rng = random.Random(given.seed)
        log = given.log()
        self._game = log.game
        table = SimTable(
            log,
            random.Random(given.seed + 1),
            hand=SimulatedHand(),
            players=given.players(),
            pairs=PAIRS,
            px_module=given.px_module,
            tilt=given.tilt,
            plant=self._when_told(plant),
            due=plant.due,
            bystanders=given.bystanders,
            said=given.said,
        )
        self._journal = open_journal(folder / "journal.sqlite")
        self._session = SimulatedSession(table, given.seed)
        self._box = self._session.start_companion(self._journal)
        self._gone = 0.0
        self._expected = False
        self._entries = 0
        self._excused = 0.0
        self._busy = self._hidden = False
        self._silent = True  # since the last hand came
        self._answer: Text | None = None

    @property
    def table(self) -> SimTable:
        return self._session.table

    @property
    def log(self) -> Log[Any, Any]:
        return self._session.log

    @property
    def _at(self) -> float:
        return self._session.at_s

    @property
    def _desk(self) -> RefereeDesk:
        return next(flow.desk for flow in self._box.box.flows if isinstance(flow, Playing))

    def _when_told(self, plant: Plant) -> Plant:
        """Nothing is done wrong before the box knows all that was done right."""

        def planted(log: Log[Any, Any], move: Any, hands: Mapping[int, Sequence[int]]) -> Iterable[Mistake]:
            return plant(log, move, hands) if up_to_date(self.log, log) else ()

        return planted

    def play(self) -> Result:
        begun = time.process_time()
        with closing(self._journal):
            for act in self.table.acts():
                if not self._spend(act):
                    break
            self._compare()
        self.result.seconds = self._at
        self.result.cost = time.process_time() - begun
        return self.result

    def _spend(self, act: Act, *, asked: bool = False) -> bool:
        """So many frames of it; False if the box has lost the match. ``asked`` says that the box wanted to see it."""
        if act.told:
            self._tell(act)
        left = act.seconds
        first = True
        while left > 1e-6 or (self._expected and self._at - self._gone < PATIENT):
            self._look(act, first)
            first = False
            left -= FRAME_S
            if act.fault and act.wrong and not self._busy:
                break
        if act.fault and act.wrong and self._busy:
            self._look_on(act, act.fault)
        if not (act.reaching or act.fault):
            self._take_back(act)
        if not (asked or act.reaching or act.wrong) and self._reply() and act.told:
            self._session.enter(act.told)  # all cards are there now
        if asked:
            self._expected = False
        if self._expected:
            said, more = self._box.view.prompt, state_of(self._desk, self.table.lies())
            self._note(f"not recorded: {self.table.truth.moves[-1]}, the box says {said}; {more}")
            return False
        return True

    def _reply(self) -> bool:
        """The box asks for a card that lies unseen under another: it is shown, or told if it lies deeper."""
        for turn in range(REPLIES):
            asked = unseen(self.log, self.table.truth, self.table.lies())
            if asked is None:
                return turn > 0
            card, top, zone = asked
            held = self.table.truth.state.piles[PILES.index(zone)]
            if held[-2:] == (card, top) and not turn:
                for act in self.table.show_under(zone):
                    self._spend(act, asked=True)
            else:
                self._session.enter(f"under {card} {top} {zone}")
        self._note(f"a card under another was asked for {REPLIES} times")
        return True

    def _look_on(self, act: Act, fault: Mistake) -> None:
        """Who is told that something is hidden leaves it for a while as it lies."""
        while self._busy and self._blind() and self._at - self._gone < ASKED:
            if self._box.view.ruling in fault.rulings:
                break
            self._look(act, False)
        if self._busy:
            self._ask_or_miss(fault)

    def _take_back(self, act: Act) -> None:
        """What was done wrong, and could be right so far, is in the record: mended, the box offers to take it back."""
        until = self._at + PATIENT + 1.0
        while len(self.log.moves) > len(self.table.truth.moves) and not self._box.view.over:
            rewind = getattr(self._desk.verdict, "rewind", None)
            if rewind is None or rewind.moves:
                return
            if back := next((it.move for it in self._box.view.offers if it.label.id == "step_back"), None):
                self._session.enter(back)
                self._expected = False
            elif self._at > until:
                self._note(f"no way to take back {self.log.moves[-1]}: {self._box.view.prompt}")
                return
            else:
                self._look(act, False)

    def _look(self, act: Act, first: bool) -> None:
        self._session.at_s += FRAME_S
        if first or self._rng.random() < FRESH:
            picture = self._session.renderer.render(act.scene, noise="kept" if first else "fresh")
            self._frame = frame = make_frame(picture, self._at)
        else:  # made smaller once for all its looks, as by a camera that does so for nothing
            small = shrink_frame(self._frame.grey) if self._frame.small is None else self._frame.small
            self._frame = frame = replace(self._frame, at=self._at, small=small)
        if act.reaching:
            self._silent = self._silent and not self._gone
            self._gone = 0.0
        elif not self._gone:
            self._let_go(act)
        begun = time.thread_time()
        self._session.show(frame)
        spent = time.thread_time() - begun
        self.result.frames += 1
        self.result.with_arms += bool(act.scene.arms)
        if first and not act.reaching and act.cards == 1:
            (self.result.tiles if self._game.name == "six" else self.result.computing).append(spent)
        self._silent = self._silent or not self._accuses()
        if not act.reaching:
            self._heed(act)

    def _let_go(self, act: Act) -> None:
        """The first frame without the hand."""
        self._gone = self._at
        self._busy, self._hidden = act.wrong, False
        if act.wrong and act.fault:
            self._count(self.result.planted, act.fault.kind)
            self._expected = False
        elif act.cards:
            self.result.placements += act.cards
            self.result.pairs += act.pair
        if not act.wrong:
            self._expected = not (up_to_date(self.log, self.table.truth) or caught_up(self.log, self.table.lies()))
            self._entries = len(self.log.entries)

    def _heed(self, act: Act) -> None:
        """What the box says now, and whether it should."""
        view, waited = self._box.view, self._at - self._gone
        if act.wrong and act.fault:
            self._heed_fault(act.fault, waited)
            return
        if self._expected:
            more = len(self.log.entries) > self._entries
            if more and (up_to_date(self.log, self.table.truth) or caught_up(self.log, self.table.lies())):
                self.result.legal.append(waited)
                if waited > SOON + FRAME_S / 2:
                    self._note(f"accepted after {waited:.1f} s: {self.table.truth.moves[-1]}")
                self._expected = False
        if self._accuses() and self._at > self._excused and not act.fault:
            self.result.accused += 1
            self._note(f"accused: {view.alert} {view.ruling} after {self.table.truth.moves[-1:]}")
            self._excused = self._at + 10

    def _heed_fault(self, fault: Mistake, waited: float) -> None:
        self._hidden = self._hidden or (self._busy and waited > LATE and self._blind())
        if self._busy and self._silent and self._named(fault):
            self._busy = False
            self._count(self.result.caught, fault.kind)
            asked = fault.soft or self._hidden or not self._box.view.ruling
            (self.result.asked if asked else self.result.refused).append(waited)
            if not asked and waited > LATE + FRAME_S / 2:
                self._note(f"named after {waited:.1f} s: {fault.kind}")

    def _named(self, fault: Mistake) -> bool:
        """Is it said what is wrong? Two prints of one card are a reading error (N-8): looked at again, never played.

        Whoever goes on after the end is answered by the result and its ruling, which stay.
        """
        view = self._box.view
        if view.over:
            return view.ruling in fault.rulings
        if view.alert is not None and view.alert.id == "card_seen_twice":
            return "N-8" in fault.rulings
        named = view.alert is not None and not view.alert.id.startswith(BLIND)
        return view.ruling in fault.rulings and (named or fault.soft)

    def _blind(self) -> bool:
        return blind(self._desk, self.table.lies())

    def _ask_or_miss(self, fault: Mistake) -> None:
        """Where something cannot be seen the box asks, by the same ruling; where all can be, asking is too little."""
        view = self._box.view
        self._busy = False
        if view.ruling in fault.rulings and self._blind():
            self._count(self.result.only_asked, fault.kind)
            self._count(self.result.caught, fault.kind)
            self.result.asked.append(self._at - self._gone)
            return
        said = f"{view.prompt} / {view.alert} {view.ruling}"
        self._note(f"missed: {fault.kind}: {said}, not {set(fault.rulings)}; {state_of(self._desk, self.table.lies())}")

    def _accuses(self) -> bool:
        """Does the box say that something lies wrong? What the game announces, or that too little is seen, is none."""
        alert = self._box.view.alert
        others: list[Text | None] = [text for _, text in self._box.box.known.faults]
        others += [self._game.view(self.log.state).alert, self._answer]
        return alert is not None and alert not in others and not alert.id.startswith(BLIND)

    def _tell(self, act: Act) -> None:
        entries = len(self.log.entries)
        self._answer = None
        why = refused(self.log, act.told)
        view = self._session.enter(act.told)
        if act.fault is None:
            if len(self.log.entries) == entries:
                self._note(f"not taken: {act.told}: {view.alert}")
            return
        self._count(self.result.planted, act.fault.kind)
        self._answer = view.alert
        if len(self.log.entries) > entries or view.alert is None:
            self._note(f"accepted: {act.fault.kind}: {act.told}")
        elif why is None or view.alert != why.text or why.ruling not in act.fault.rulings:
            self._note(f"told {view.alert} {why}, not {set(act.fault.rulings)}: {act.fault.kind}")
        else:
            self._count(self.result.caught, act.fault.kind)

    def _compare(self) -> None:
        """The record against what was played, pads first."""
        truth = self.table.truth
        pads = self._game.view(self.log.state).pads == self._game.view(truth.state).pads
        self.result.right = pads and up_to_date(self.log, truth)
        if not self.result.right:
            self._note("the pads are wrong" if not pads else "the record is not what was played")

    def _note(self, text: str) -> None:
        self.result.wrong.append(f"{self._at:.1f} s: {text}")

    @staticmethod
    def _count(counts: dict[str, int], kind: str) -> None:
        counts[kind] = counts.get(kind, 0) + 1


def play(given: Given, plant: Planter) -> Result:
    with TemporaryDirectory() as folder:
        return Match(given, plant, Path(folder)).play()
