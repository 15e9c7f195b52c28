"""Part of a match under a disturbance: the simulated table with the real perception and box, and what they show."""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engine.games import GAMES
from engine.log import Log
from engine.options import Options
from engine.referee import Follows, Refused, judge
from engine.text import Text
from engine.view import Pad
from firmware.box.alert_delays import BLIND_DELAY_S
from firmware.box.flows.playing import Playing
from firmware.simulation.session import FRAME_S, SimulatedSession
from firmware.simulation.table import SimTable, SimulatedAct, SimulatedHand
from tests.disturbances.camera import DisturbedCamera
from tests.disturbances.catalogue import Disturbance, find_free_spot
from tests.matches.plan import is_up_to_date
from vision.live.steady_table import REST_S

MAX_STALE_S = BLIND_DELAY_S + REST_S
"""Seconds after the hand has gone by which the score must match the table, or a warning must be shown. The box waits
this long before it warns of hidden parts, because hands often stay."""
HELP_AFTER_S = 5.0
"""Seconds of warning after which the players remove the disturbance."""
TELL_AFTER_S = 12.0
"""Seconds that players wait before they enter with the buttons what the box cannot read."""
SAME_ACCUSATION_S = 10.0
"""Seconds for which an accusation counts only once."""
PX_MODULE, TILT = 1.95, 7.0


@dataclass(frozen=True, slots=True)
class MatchCase:
    game: str
    options: Options
    moves: int
    seed: int


@dataclass
class MatchResult:
    """Of the ``moves``, ``told`` were entered with the buttons, ``unseen`` of them while the table was unreadable;
    after ``wrong`` of them a wrong score was shown without a warning. ``late`` is the longest time in seconds for which
    an outdated score was shown without a warning. ``final``: log and score are right at the end.
    """

    moves: int = 0
    told: int = 0
    unseen: int = 0
    wrong: int = 0
    accused: int = 0
    late: float = 0.0
    final: bool = False
    looks_warned: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


class Match:
    """Plays the given number of moves, or until the log is not what was played."""

    def __init__(self, given: MatchCase, disturbance: Disturbance) -> None:
        self.result = MatchResult()
        self._given = given
        self._least = disturbance.looks
        log: Log[Any, Any] = Log(GAMES[given.game], given.options)
        self._game, self._ideal = log.game, log
        hand = (
            SimulatedHand()
            if disturbance.upside_down is None
            else SimulatedHand(upside_down_share=disturbance.upside_down)
        )
        self.table = SimTable(
            log, random.Random(given.seed), hand=hand, px_module=PX_MODULE, tilt=TILT, mistake_share=0.0
        )
        self._session = SimulatedSession(self.table, given.seed)
        spot = find_free_spot(self.table.area, log.game.plan(log.options).zones)
        self._camera = DisturbedCamera(self._session, disturbance, spot, given.seed)
        self.box = self._session.start_companion()
        self._gone = 0.0
        self._complained = self._old = self._excused = 0.0
        self._been: set[tuple[Pad, ...]] = set()
        self._bad = self._lost = False

    @property
    def _at(self) -> float:
        return self._session.at_s

    @property
    def log(self) -> Log[Any, Any]:
        return self._session.log

    def play(self) -> MatchResult:
        for act in self.table.acts():
            self._spend(act)
            enough = self.result.moves >= self._given.moves and self._camera.looks >= self._least
            if self._lost or (enough and not act.reaching and is_up_to_date(self._ideal, self.table.truth)):
                break
        self.result.final = self._same() and is_up_to_date(self.log, self.table.truth) and self._shown() == self._pads()
        return self.result

    def _spend(self, act: SimulatedAct) -> None:
        """Show an act; after a move also the frames that the box or the players need."""
        if act.entry:
            self._session.enter(act.entry)
        if not act.reaching:
            self._record(act.entry)
        looks = max(1, round(act.seconds / FRAME_S))
        if act.reaching:
            self._gone = 0.0
        elif not self._gone:
            self._gone, self._bad = self._at, False
        for _ in range(looks):
            self._look(act)
        if act.reaching:
            return
        while not self._same() and self._at - self._gone < TELL_AFTER_S:
            self._look(act)
        self._count(0 if self._same() else self._tell())

    def _count(self, by_hand: int) -> None:
        """Count the moves since the last rest."""
        moves = len(self._ideal.moves) - self.result.moves
        told = min(by_hand, moves)
        self.result.moves += moves
        self.result.told += told
        self.result.wrong += moves * self._bad
        if told and self._camera.nothing_to_see():
            self.result.unseen += told

    def _record(self, told: str) -> None:
        """Keep the ideal log, from perfect perception and all entries."""
        if told:
            self._ideal = self._ideal.add(self._ideal.parse(told))
        verdict = judge(self._ideal, self.table.true_table())
        if isinstance(verdict, Follows):
            self._ideal = self._ideal.add(*verdict.moves)
        self._been.add(self._pads())

    def _look(self, act: SimulatedAct) -> None:
        self._session.show(self._camera.frame(act.scene))
        self._compare_view(act)

    def _compare_view(self, act: SimulatedAct) -> None:
        """Compare what the box shows with what it should show."""
        warning = self._warning()
        if warning is not None:
            self.result.looks_warned[warning.id] += 1
            self._complained += FRAME_S
            self._old = 0.0
            if self._complained >= HELP_AFTER_S and self._camera.ease():
                self._complained, self._gone = 0.0, self._at
        else:
            self._complained = 0.0
            self._old = self._old + FRAME_S if not act.reaching and self._shown() != self._pads() else 0.0
            self.result.late = max(self.result.late, self._old)
            if not act.reaching and self._shown() not in self._been:
                self._wrong("a score that was never right")
            elif self._old > MAX_STALE_S:
                self._wrong("an outdated score")
        if self._accuses() and self._at > self._excused:
            self.result.accused += 1
            self._note(f"accused: {self.box.view.alert} {self.box.view.ruling}")
            self._excused = self._at + SAME_ACCUSATION_S

    def _wrong(self, why: str) -> None:
        if not self._bad:
            self._note(f"{why}, and no warning: {self.box.view.prompt}; truth {self._last()}")
        self._bad = True

    def _warning(self) -> Text | None:
        """What the box shows besides the game: an alert, a fault, or a question about the table."""
        view, own = self.box.view, self._game.view(self.log.state)
        if view.alert is not None and view.alert != own.alert:
            return view.alert
        return view.prompt if view.prompt != own.prompt else None

    def _accuses(self) -> bool:
        """Does the box accuse? Every accusation is false here."""
        alert = self.box.view.alert
        desk = next(flow.desk for flow in self.box.box.flows if isinstance(flow, Playing))
        others = (self._game.view(self.log.state).alert, desk.refused, *(t for _, t in self.box.box.known.faults))
        return isinstance(desk.verdict, Refused) and alert is not None and alert not in others

    def _same(self) -> bool:
        return is_up_to_date(self.log, self._ideal)

    def _tell(self) -> int:
        """Enter the missing moves with the buttons; returns their number."""
        missing = self._missing()
        self._note(f"entered: {', '.join(map(str, missing))}; the box shows {self._warning()}")
        warned = self._warning() is not None
        for move in missing:
            self._session.enter(str(move))
        if not self._same():
            self._lost, self._bad = True, self._bad or not warned
            self._note(f"lost: the log ends with {self.log.moves[-1:]}, not with {self._last()}")
        return len(missing)

    def _missing(self) -> list[Any]:
        """The moves since the log was right; if the log has other moves, those that it lacks."""
        moves = self._ideal.moves
        at = next((n for n in range(len(moves), -1, -1) if self._reached(n)), None)
        return list(moves[at:]) if at is not None else [move for move in moves if move not in self.log.moves]

    def _reached(self, moves: int) -> bool:
        then: Log[Any, Any] = Log(self._game, self._ideal.options, self._ideal.entries[:moves])
        return is_up_to_date(self.log, then)

    def _shown(self) -> tuple[Pad, ...]:
        return self.box.view.pads

    def _pads(self) -> tuple[Pad, ...]:
        return self._game.view(self._ideal.state).pads

    def _last(self) -> str:
        return " ".join(map(str, self._ideal.moves[-1:]))

    def _note(self, text: str) -> None:
        self.result.notes.append(f"{self._at:.1f} s, move {len(self._ideal.moves)}: {text}")
