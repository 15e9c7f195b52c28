"""One match from frames alone: the simulated table with the real perception, box and journal, and all measurements.

One module, because each frame is compared with what the box shows and with what it should show.
"""

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
from firmware.simulation.table import SimTable, SimulatedAct, SimulatedHand, has_caught_up
from firmware.simulation.table.match_acts import MistakePlanner
from hw.cameras.images import make_frame
from tests.matches.expectations import describe_state, find_hidden_card, find_refusal, is_blind
from tests.matches.plan import MatchCase, Planter, is_up_to_date
from tests.matches.report import MAX_ACCEPT_S, MAX_REFUSE_S, MatchResult
from vision.frame import shrink_frame

ACCEPT_TIMEOUT_S = 4.0
"""Seconds that players wait for the box before the match counts as lost."""
ASKED_TIMEOUT_S = 6.0
"""Seconds that players leave the table unchanged while the box says that it cannot see."""
PAIR_SHARE = 0.5
"""Share of consecutive cards of one pile that are placed between two frames."""
MAX_REPLIES = 4
"""Answers to one question of the box; more mean that the box has a fault."""
BLIND_ALERT = "cannot_see"
FRESH_NOISE_SHARE = 0.06
"""Share of still frames with their own noise; the others repeat the picture."""


class Match:
    """Plays one match to its end, or until the box cannot follow any more."""

    def __init__(self, given: MatchCase, planner: Planter, folder: Path) -> None:
        self.result = MatchResult(given.name)
        self._rng = random.Random(given.seed)
        log = given.log()
        self._game = log.game
        table = SimTable(
            log,
            random.Random(given.seed + 1),
            hand=SimulatedHand(),
            players=given.players(),
            pair_share=PAIR_SHARE,
            px_module=given.px_module,
            tilt=given.tilt,
            planner=self._when_up_to_date(planner),
            due=planner.due,
            bystander_share=given.bystander_share,
            declared=given.declared,
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

    def _when_up_to_date(self, planner: MistakePlanner) -> MistakePlanner:
        """Plan mistakes only while the log of the box is up to date."""

        def planted(log: Log[Any, Any], move: Any, hands: Mapping[int, Sequence[int]]) -> Iterable[Mistake]:
            return planner(log, move, hands) if is_up_to_date(self.log, log) else ()

        return planted

    def play(self) -> MatchResult:
        begun = time.process_time()
        with closing(self._journal):
            for act in self.table.acts():
                if not self._spend(act):
                    break
            self._compare()
        self.result.seconds = self._at
        self.result.cost = time.process_time() - begun
        return self.result

    def _spend(self, act: SimulatedAct, *, asked: bool = False) -> bool:
        """Show an act; False if the box cannot follow. ``asked``: the box asked to see it."""
        if act.entry:
            self._tell(act)
        left = act.seconds
        first = True
        while left > 1e-6 or (self._expected and self._at - self._gone < ACCEPT_TIMEOUT_S):
            self._look(act, first)
            first = False
            left -= FRAME_S
            if act.mistake and act.wrong and not self._busy:
                break
        if act.mistake and act.wrong and self._busy:
            self._look_on(act, act.mistake)
        if not (act.reaching or act.mistake):
            self._take_back(act)
        if not (asked or act.reaching or act.wrong) and self._reply() and act.entry:
            self._session.enter(act.entry)  # all cards are there now
        if asked:
            self._expected = False
        if self._expected:
            said, more = self._box.view.prompt, describe_state(self._desk, self.table.true_table())
            self._note(f"not read: {self.table.truth.moves[-1]}, the box shows {said}; {more}")
            return False
        return True

    def _reply(self) -> bool:
        """Answer the box when it asks for a hidden card: show it, or enter it if it is deeper in the pile."""
        for turn in range(MAX_REPLIES):
            asked = find_hidden_card(self.log, self.table.truth, self.table.true_table())
            if asked is None:
                return turn > 0
            card, top, zone = asked
            held = self.table.truth.state.piles[PILES.index(zone)]
            if held[-2:] == (card, top) and not turn:
                for act in self.table.show_under(zone):
                    self._spend(act, asked=True)
            else:
                self._session.enter(f"under {card} {top} {zone}")
        self._note(f"a card under another was asked for {MAX_REPLIES} times")
        return True

    def _look_on(self, act: SimulatedAct, mistake: Mistake) -> None:
        """Players who read that something is hidden leave the table unchanged for a while."""
        while self._busy and self._blind() and self._at - self._gone < ASKED_TIMEOUT_S:
            if self._box.view.ruling in mistake.rulings:
                break
            self._look(act, False)
        if self._busy:
            self._ask_or_miss(mistake)

    def _take_back(self, act: SimulatedAct) -> None:
        """A mistake that could have been legal is in the log; once it is corrected, the box must offer to undo it."""
        until = self._at + ACCEPT_TIMEOUT_S + 1.0
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

    def _look(self, act: SimulatedAct, first: bool) -> None:
        self._session.at_s += FRAME_S
        if first or self._rng.random() < FRESH_NOISE_SHARE:
            picture = self._session.renderer.render(act.scene, noise="kept" if first else "fresh")
            # a ribbon camera delivers its low-resolution colours at no cost to the processor that is measured here
            small_colour = shrink_frame(picture)
            self._frame = frame = replace(make_frame(picture, self._at), small_colour=lambda: small_colour)
        else:  # shrunk once for all frames of a picture, as a camera does in hardware
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
            self._compare_view(act)

    def _let_go(self, act: SimulatedAct) -> None:
        """Note the first frame without the hand."""
        self._gone = self._at
        self._busy, self._hidden = act.wrong, False
        if act.wrong and act.mistake:
            self._count(self.result.planted, act.mistake.kind)
            self._expected = False
        elif act.cards:
            self.result.placements += act.cards
            self.result.pairs += act.pair
        if not act.wrong:
            expected = is_up_to_date(self.log, self.table.truth) or has_caught_up(self.log, self.table.true_table())
            self._expected = not expected
            self._entries = len(self.log.entries)

    def _compare_view(self, act: SimulatedAct) -> None:
        """Compare what the box shows with what it should show."""
        view, waited = self._box.view, self._at - self._gone
        if act.wrong and act.mistake:
            self._check_mistake(act.mistake, waited)
            return
        if self._expected:
            more = len(self.log.entries) > self._entries
            if more and (is_up_to_date(self.log, self.table.truth) or has_caught_up(self.log, self.table.true_table())):
                self.result.legal.append(waited)
                if waited > MAX_ACCEPT_S + FRAME_S / 2:
                    self._note(f"accepted after {waited:.1f} s: {self.table.truth.moves[-1]}")
                self._expected = False
        if self._accuses() and self._at > self._excused and not act.mistake:
            self.result.accused += 1
            self._note(f"accused: {view.alert} {view.ruling} after {self.table.truth.moves[-1:]}")
            self._excused = self._at + 10

    def _check_mistake(self, mistake: Mistake, waited: float) -> None:
        self._hidden = self._hidden or (self._busy and waited > MAX_REFUSE_S and self._blind())
        if self._busy and self._silent and self._named(mistake):
            self._busy = False
            self._count(self.result.caught, mistake.kind)
            asked = mistake.soft or self._hidden or not self._box.view.ruling
            (self.result.asked if asked else self.result.refused).append(waited)
            if not asked and waited > MAX_REFUSE_S + FRAME_S / 2:
                self._note(f"named after {waited:.1f} s: {mistake.kind}")

    def _named(self, mistake: Mistake) -> bool:
        """Does the box name the mistake? Two copies of one card are a reading error (N-8), never a move.

        After the end the result and its ruling stay on the screen and are the answer.
        """
        view = self._box.view
        if view.over:
            return view.ruling in mistake.rulings
        if view.alert is not None and view.alert.id == "card_seen_twice":
            return "N-8" in mistake.rulings
        named = view.alert is not None and not view.alert.id.startswith(BLIND_ALERT)
        return view.ruling in mistake.rulings and (named or mistake.soft)

    def _blind(self) -> bool:
        return is_blind(self._desk, self.table.true_table())

    def _ask_or_miss(self, mistake: Mistake) -> None:
        """While something is hidden the box may ask, citing the same ruling; with a clear view a question is a miss."""
        view = self._box.view
        self._busy = False
        if view.ruling in mistake.rulings and self._blind():
            self._count(self.result.only_asked, mistake.kind)
            self._count(self.result.caught, mistake.kind)
            self.result.asked.append(self._at - self._gone)
            return
        said = f"{view.prompt} / {view.alert} {view.ruling}"
        state = describe_state(self._desk, self.table.true_table())
        self._note(f"missed: {mistake.kind}: {said}, not {set(mistake.rulings)}; {state}")

    def _accuses(self) -> bool:
        """Does the box show an accusation? Announcements of the game and alerts about the view are none."""
        alert = self._box.view.alert
        others: list[Text | None] = [text for _, text in self._box.box.known.faults]
        others += [self._game.view(self.log.state).alert, self._answer]
        return alert is not None and alert not in others and not alert.id.startswith(BLIND_ALERT)

    def _tell(self, act: SimulatedAct) -> None:
        entries = len(self.log.entries)
        self._answer = None
        why = find_refusal(self.log, act.entry)
        view = self._session.enter(act.entry)
        if act.mistake is None:
            if len(self.log.entries) == entries:
                self._note(f"not taken: {act.entry}: {view.alert}")
            return
        self._count(self.result.planted, act.mistake.kind)
        self._answer = view.alert
        if len(self.log.entries) > entries or view.alert is None:
            self._note(f"accepted: {act.mistake.kind}: {act.entry}")
        elif why is None or view.alert != why.text or why.ruling not in act.mistake.rulings:
            self._note(f"told {view.alert} {why}, not {set(act.mistake.rulings)}: {act.mistake.kind}")
        else:
            self._count(self.result.caught, act.mistake.kind)

    def _compare(self) -> None:
        """Compare the log and the pads with the match that was played."""
        truth = self.table.truth
        pads = self._game.view(self.log.state).pads == self._game.view(truth.state).pads
        self.result.right = pads and is_up_to_date(self.log, truth)
        if not self.result.right:
            self._note("the pads are wrong" if not pads else "the log is not what was played")

    def _note(self, text: str) -> None:
        self.result.wrong.append(f"{self._at:.1f} s: {text}")

    @staticmethod
    def _count(counts: dict[str, int], kind: str) -> None:
        counts[kind] = counts.get(kind, 0) + 1


def play_match(given: MatchCase, planner: Planter) -> MatchResult:
    with TemporaryDirectory() as folder:
        return Match(given, planner, Path(folder)).play()
