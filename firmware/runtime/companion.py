"""The companion: items and frames go in, what must be done is done, and only then anything is shown."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.text import Text
from engine.view import View
from firmware.box.effects import Effect, KeepEmpty, PowerOff, Restart
from firmware.box.events import BoxEvent
from firmware.box.flows.playing import Playing
from firmware.box.stack import Box, aim, step, view
from firmware.journal.errors import JournalError
from firmware.journal.journal import Journal
from firmware.journal.operations import BeginGame, Names, Operation, ResumeGame, Started
from hw.frame import Frame
from vision.live.events import FaultChanged, FaultSource
from vision.live.perception import Perception
from vision.live.read_request import ReadRequest

JOURNAL_RETRY_S = 3.0
"""Seconds after which a journal with an error is tried again."""
NOTICE_SHOWN_S = 20.0
"""Seconds for which a notice, for example on a repaired journal, is shown."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One item, what was shown before it, what it made the box do, what is shown now and who plays."""

    item: BoxEvent
    before: View
    effects: tuple[Effect, ...]
    view: View
    names: Names


Observer = Callable[[Happened], None]
Action = Callable[[Any], None]


class Companion:
    """Owns the box. With threads, one thread calls ``take`` and another one reads frames; without threads the
    caller calls ``frame`` and ``take`` in turn, and everything happens in the order of the calls.

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
        self.view: View = view(box)
        self.aim: ReadRequest | None = aim(box)
        self._clock = clock
        self._observers = tuple(observers)
        keep_empty: Mapping[type[Effect], Action] = {KeepEmpty: lambda _: eyes.keep_empty()}
        self._actions = {**keep_empty, **(actions or {})}
        running = journal.running() if journal else None
        self._game = running.id if running else 0
        self._games = games
        self._tried = box.known.now
        self._notice: tuple[Text, float] | None = None
        self._notices = [] if notices is None else notices
        self._heed(box.known.now)

    @property
    def log(self) -> Log[Any, Any] | None:
        """The record of the game at the table, if one is played."""
        return next((flow.desk.log for flow in self.box.flows if isinstance(flow, Playing)), None)

    def begin(self, started: Started) -> None:
        """A game that no flow has begun: the box plays it already."""
        self._do(BeginGame(started))
        self._heed(self.box.known.now)

    def frame(self, frame: Frame) -> None:
        """What the eyes see in one picture, one thing after the other."""
        for item in self.eyes.update(frame, self.aim):
            self.take(item)

    def take(self, item: BoxEvent) -> View:
        """What is shown after this; what had to be on the disk is there, or trouble is shown as well."""
        before = self.view
        self.box, effects = step(self.box, item)
        for effect in effects:
            self._do(effect)
        self._heed(item.at)
        happened = Happened(item, before, effects, self.view, self.box.known.names)
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

    def _heed(self, now: float) -> None:
        """The trouble of the journal is the box's; what it did by itself is said for a while."""
        if self.journal is not None:
            if self.journal.trouble and now >= self._tried + JOURNAL_RETRY_S:
                self._tried = now
                self.journal.settle()
            self._notices += self.journal.notices()
            self._trouble("journal", self.journal.trouble.text if self.journal.trouble else None, now)
        if self._notices and (self._notice is None or now >= self._notice[1] + NOTICE_SHOWN_S):
            self._notice = (self._notices.pop(0), now)
        if self._notice is not None:
            self._trouble("news", self._notice[0] if now < self._notice[1] + NOTICE_SHOWN_S else None, now)
        self.view, self.aim = view(self.box), aim(self.box)

    def _trouble(self, source: FaultSource, text: Text | None, now: float) -> None:
        if text != dict(self.box.known.troubles).get(source):
            self.box, _ = step(self.box, FaultChanged(source, text, now))
