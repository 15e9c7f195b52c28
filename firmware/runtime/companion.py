"""The companion: events and frames go in, effects are carried out, and only then a view is shown."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.text import Text
from engine.view import View
from firmware.box.effects import Effect, KeepEmpty, PowerOff, Restart
from firmware.box.events import BoxEvent
from firmware.box.flow_stack import Box, find_read_request, find_running_game, show_box, step_box
from firmware.journal.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.operation_types import BeginGame, Names, Operation, ResumeGame, Started
from hw.frame import Frame
from vision.live.fault_sources import FaultSource
from vision.live.perception import Perception
from vision.live.perception_events import FaultChanged
from vision.live.read_request import ReadRequest

JOURNAL_RETRY_S = 3.0
"""Seconds after which a journal with an error is tried again."""
NOTICE_SHOWN_S = 20.0
"""Seconds for which a notice, for example on a repaired journal, is shown."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One event, the view before it, its effects, the view after it, the names of the players, and the record after it,
    if a game is at the table.
    """

    event: BoxEvent
    before: View
    effects: tuple[Effect, ...]
    view: View
    names: Names
    log: Log[Any, Any] | None = None


Observer = Callable[[Happened], None]
Action = Callable[[Any], None]


class Companion:
    """Owns the box. With threads, one thread calls ``handle`` and another one reads frames; without threads the
    caller calls ``read_frame`` and ``handle`` in turn.

    ``games`` is how many games there were before, where no journal counts them. ``clock`` is the time of day for the
    journal. ``observers`` are called after every event, in this order. ``actions`` say for the type of an effect
    that is not for the journal what to call with it; an effect without an action does nothing. Each of ``notices``
    is shown for a while, also those that are appended later.
    """

    def __init__(
        self,
        box: Box,
        eyes: Perception,
        journal: Journal | None = None,
        *,
        games: int = 0,
        clock: Callable[[], float] = time.time,
        observers: Sequence[Observer] = (),
        actions: Mapping[type[Effect], Action] | None = None,
        notices: list[Text] | None = None,
    ) -> None:
        self.box = box
        self.eyes = eyes
        self.journal = journal
        self.ending: Restart | PowerOff | None = None
        self.view: View = show_box(box)
        self.read_request: ReadRequest | None = find_read_request(box)
        self._clock = clock
        self._observers = tuple(observers)
        keep_empty: Mapping[type[Effect], Action] = {KeepEmpty: lambda _: eyes.keep_empty()}
        self._actions = {**keep_empty, **(actions or {})}
        running = journal.running() if journal else None
        self._game = running.id if running else 0
        self._games = games
        self._tried_at = box.known.now
        self._notice: tuple[Text, float] | None = None
        self._notices = [] if notices is None else notices
        self._refresh(box.known.now)

    @property
    def log(self) -> Log[Any, Any] | None:
        """The record of the game at the table, if one is played."""
        playing = find_running_game(self.box)
        return playing.log if playing else None

    def begin(self, started: Started) -> None:
        """Enter in the journal a game that the box plays already."""
        self._do(BeginGame(started))
        self._refresh(self.box.known.now)

    def read_frame(self, frame: Frame) -> None:
        """Handle each event that perception reports for one frame."""
        for event in self.eyes.update(frame, self.read_request):
            self.handle(event)

    def handle(self, event: BoxEvent) -> View:
        """The view after this event. Its effects are on disk, or the view shows that they are not."""
        before = self.view
        self.box, effects = step_box(self.box, event)
        for effect in effects:
            self._do(effect)
        self._refresh(event.at)
        happened = Happened(event, before, effects, self.view, self.box.known.names, self.log)
        for observe in self._observers:
            observe(happened)
        return self.view

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, Restart | PowerOff):
            self.ending = effect
        elif isinstance(effect, Operation):
            self._write(effect)
        elif action := self._actions.get(type(effect)):
            action(effect)
        self.box = replace(self.box, known=replace(self.box.known, game=self._game))

    def _write(self, operation: Operation) -> None:
        """To the journal, if there is one. ``_game`` becomes the game that the operation brings to the table."""
        try:
            if isinstance(operation, BeginGame):
                self._game = self._begin(operation.started)
            elif self.journal:
                self.journal.apply(operation, self._game, self._clock())
            if isinstance(operation, ResumeGame):
                self._game = operation.id
        except JournalError as why:  # of a game that is no longer in the file
            self._notices.append(why.text)

    def _begin(self, started: Started) -> int:
        if self.journal:
            return self.journal.begin(started, self._clock())
        self._games += 1
        return self._games

    def _refresh(self, now: float) -> None:
        """Show a fault of the journal, the next notice, and what the box shows and wants read now."""
        if self.journal is not None:
            if self.journal.error and now >= self._tried_at + JOURNAL_RETRY_S:
                self._tried_at = now
                self.journal.flush()
            self._notices += self.journal.notices()
            self._set_fault("journal", self.journal.error.text if self.journal.error else None, now)
        if self._notices and (self._notice is None or now >= self._notice[1] + NOTICE_SHOWN_S):
            self._notice = (self._notices.pop(0), now)
        if self._notice is not None:
            self._set_fault("news", self._notice[0] if now < self._notice[1] + NOTICE_SHOWN_S else None, now)
        self.view, self.read_request = show_box(self.box), find_read_request(self.box)

    def _set_fault(self, source: FaultSource, text: Text | None, now: float) -> None:
        if text != dict(self.box.known.faults).get(source):
            self.box, _ = step_box(self.box, FaultChanged(source, text, now))
