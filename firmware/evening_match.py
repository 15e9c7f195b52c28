"""One match from frames alone: the simulated table before the real eyes, box and journal, and everything measured."""

import random
import time
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.games import GAMES
from engine.games.six.state import State as SixState
from engine.log import Log
from engine.options import Options
from engine.referee import Follows, judge
from firmware.box.box import Box
from firmware.box.flow import Known, Started
from firmware.box.home import Home
from firmware.box.items import Told
from firmware.box.playing import Playing, playing
from firmware.eyes import Eyes
from firmware.faults import Fault
from firmware.journal import open_journal
from firmware.running import Companion
from firmware.simtable import Act, Hand, SimTable
from firmware.simtable.table import Plant
from firmware.simulate import NAMES
from hw.cameras.pictures import frame_of
from vision.render.studio import Studio

FRAME = 0.2
"""Seconds from one frame to the next."""
SOON, LATE = 0.4, 1.2
"""Seconds after a hand has gone by which a legal piece is accepted, and a wrong one named."""
ASKED = 5.0
"""Seconds by which something that may still become right is asked about."""
PATIENT = 4.0
"""Seconds that people wait for the box before they give up."""
FRESH = 0.25
"""The share of still frames with noise of their own; the others are the same picture again."""


@dataclass(frozen=True, slots=True)
class Given:
    """A match to be played: ``name`` is what the report calls it."""

    name: str
    game: str
    options: Options
    seed: int
    px_module: float = 1.95
    tilt: float = 7.0
    bystanders: float = 0.0


@dataclass
class Result:
    """What came of a match; everything in ``wrong`` is a sentence about something that should not have been."""

    name: str
    placements: int = 0
    planted: dict[str, int] = field(default_factory=dict)
    caught: dict[str, int] = field(default_factory=dict)
    accused: int = 0
    pairs: int = 0
    legal: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    computing: list[float] = field(default_factory=list)
    frames: int = 0
    in_70: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    right: bool = False
    wrong: list[str] = field(default_factory=list)


class Match:
    """Plays one match to its end, or until the box has lost it."""

    def __init__(self, given: Given, plant: Plant, folder: Path) -> None:
        self.result = Result(given.name)
        self._game = GAMES[given.game]
        self._rng = random.Random(given.seed)
        log: Log[Any, Any] = Log(self._game, given.options)
        self.table = SimTable(
            log,
            random.Random(given.seed),
            hand=Hand(),
            px_module=given.px_module,
            tilt=given.tilt,
            plant=plant,
            bystanders=given.bystanders,
        )
        self._studio = Studio(given.seed)
        self._journal = open_journal(folder / "journal.sqlite")
        box = Box(Known(names=NAMES), (Home(), playing(log)))
        self._box = Companion(box, Eyes(self._studio.picture(self.table.empty)), self._journal)
        self._box.begin(Started(given.game, log.options, NAMES))
        self._at = 0.0
        self._gone = 0.0
        self._expected = False
        self._excused = 0.0
        self._busy = False

    @property
    def log(self) -> Log[Any, Any]:
        return next(flow.desk.log for flow in self._box.box.flows if isinstance(flow, Playing))

    def play(self) -> Result:
        begun = time.perf_counter()
        with closing(self._journal):
            for act in self.table.acts():
                if not self._spend(act):
                    break
            self._compare()
        self.result.seconds = self._at
        self.result.cost = time.perf_counter() - begun
        return self.result

    def _spend(self, act: Act) -> bool:
        """So many frames of it; False if the box has lost the match."""
        if act.told:
            self._tell(act)
        left = act.seconds
        first = True
        while left > 1e-6 or (self._expected and self._at - self._gone < PATIENT):
            self._look(act, first)
            first = False
            left -= FRAME
            if act.fault and act.wrong and not self._busy:
                break
        if self._expected:
            self._note(f"not recorded: {self.table.truth.moves[-1]}, the box says {self._box.view.prompt}")
            return False
        return True

    def _look(self, act: Act, first: bool) -> None:
        self._at += FRAME
        if first or self._rng.random() < FRESH:
            self._picture = self._studio.picture(act.scene, noise="kept" if first else "fresh")
        frame = frame_of(self._picture, self._at)
        if act.reaching:
            self._gone = 0.0
        elif not self._gone:
            self._let_go(act)
        begun = time.perf_counter()
        self._box.frame(frame)
        spent = time.perf_counter() - begun
        self.result.frames += 1
        if first and not act.reaching and act.cards == 1:
            self.result.computing.append(spent)
        if not act.reaching:
            self._heed(act)

    def _let_go(self, act: Act) -> None:
        """The first frame without the hand."""
        self._gone = self._at
        self._busy = act.wrong
        if act.wrong and act.fault:
            self._count(self.result.planted, act.fault.kind)
            self._expected = False
        elif act.cards:
            self.result.placements += act.cards
        if not act.wrong:
            verdict = judge(self.log, self.table.lies())
            self._expected = isinstance(verdict, Follows) and bool(verdict.moves)

    def _heed(self, act: Act) -> None:
        """What the box says now, and whether it should."""
        view, waited = self._box.view, self._at - self._gone
        if act.wrong and act.fault:
            self._heed_fault(act.fault, waited)
            return
        if self._expected:
            verdict = judge(self.log, self.table.lies())
            if isinstance(verdict, Follows) and not verdict.moves:
                self.result.legal.append(waited)
                self._expected = False
        if view.alert is not None and self._at > self._excused and not act.told and not act.fault:
            self.result.accused += 1
            self._note(f"accused: {view.alert} {view.ruling} after {self.table.truth.moves[-1:]}")
            self._excused = self._at + 10

    def _heed_fault(self, fault: Fault, waited: float) -> None:
        view = self._box.view
        named = view.ruling in fault.rulings and (view.alert is not None or fault.soft)
        if named and self._busy:
            self._busy = False
            self._count(self.result.caught, fault.kind)
            (self.result.asked if fault.soft else self.result.refused).append(waited)
        elif self._busy and waited > (ASKED if fault.soft else LATE) + 1:
            self._busy = False
            self._note(f"missed: {fault.kind}: {view.prompt} / {view.alert} {view.ruling}, not {set(fault.rulings)}")
        self._excused = self._at + 3.0

    def _tell(self, act: Act) -> None:
        entries = len(self.log.entries)
        view = self._box.take(Told(act.told, "button", self._at))
        if act.fault is None:
            if len(self.log.entries) == entries:
                self._note(f"not taken: {act.told}: {view.alert}")
            return
        self._count(self.result.planted, act.fault.kind)
        self._excused = self._at + 3.0
        if len(self.log.entries) > entries or view.alert is None:
            self._note(f"accepted: {act.fault.kind}: {act.told}")
        elif view.ruling not in act.fault.rulings:
            self._note(f"told {view.alert} {view.ruling}, not {set(act.fault.rulings)}: {act.fault.kind}")
        else:
            self._count(self.result.caught, act.fault.kind)

    def _compare(self) -> None:
        """The record against what was played, pads first."""
        state, truth = self.log.state, self.table.truth.state
        if isinstance(truth, SixState):  # where the tiles lie is measured
            state = replace(state, anchor=truth.anchor)
        pads = self._game.view(state).pads == self._game.view(truth).pads
        self.result.right = pads and state == truth
        if not self.result.right:
            self._note("the pads are wrong" if not pads else "the record is not what was played")

    def _note(self, text: str) -> None:
        self.result.wrong.append(f"{self._at:.1f} s: {text}")

    @staticmethod
    def _count(counts: dict[str, int], kind: str) -> None:
        counts[kind] = counts.get(kind, 0) + 1


def play(given: Given, plant: Plant) -> Result:
    with TemporaryDirectory() as folder:
        return Match(given, plant, Path(folder)).play()
