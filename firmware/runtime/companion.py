"""The companion: items and frames go in, what must be done is done, and only then anything is shown."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.text import Text
from engine.view import View
from firmware.box.events import BoxEvent
from firmware.box.flow import (
    Begin,
    DeckChecked,
    Effect,
    EndGame,
    Invite,
    KeepEmpty,
    Names,
    PowerOff,
    PutAside,
    Rename,
    RequestFacts,
    Restart,
    Started,
    TakeUp,
    Write,
)
from firmware.box.flows.playing import Playing
from firmware.box.stack import Box, aim, step, view
from firmware.journal.errors import JournalError
from firmware.journal.journal import Journal
from hw.frame import Frame
from vision.live.events import FaultChanged, FaultSource
from vision.live.eyes import Perception
from vision.live.read_request import ReadRequest

SETTLE = 3.0
"""Seconds after which a journal in trouble is tried again."""
NOTICE = 20.0
"""Seconds for which what the journal did by itself is said."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One item, what was shown before it, what it made the box do, what is shown now and who plays."""

    item: BoxEvent
    before: View
    effects: tuple[Effect, ...]
    view: View
    names: Names


def unheard(happened: Happened) -> None:
    """For somebody who only wants the view."""


def uninvited(open: bool) -> None:
    """For a box without a page."""


def unasked() -> None:
    """For a box that has nothing to say of itself."""


class Companion:
    """Owns the box. Whoever has threads calls ``take`` from one of them, and lets the eyes look in another;
    whoever has none calls ``frame`` and ``take`` in turn, and everything happens in the order of the calls.

    ``games`` is how many there were before, for whoever has no journal that counts them.
    ``clock`` is the time of day for the journal; ``keep_empty`` has the next good frame kept as the empty table;
    ``invite`` lets phones in, or no longer; ``look_up`` has the box told how things stand; ``notices`` are each said
    for a while, also those that anybody adds later.
    """

    def __init__(
        self,
        box: Box,
        eyes: Perception,
        journal: Journal | None = None,
        *,
        games: int = 0,
        clock: Callable[[], float] = time.time,
        tell: Callable[[Happened], None] = unheard,
        keep_empty: Callable[[], None] | None = None,
        invite: Callable[[bool], None] = uninvited,
        look_up: Callable[[], None] = unasked,
        notices: list[Text] | None = None,
    ) -> None:
        self.box = box
        self.eyes = eyes
        self.journal = journal
        self.ending: Restart | PowerOff | None = None
        self.view: View = view(box)
        self.aim: ReadRequest | None = aim(box)
        self._clock = clock
        self._tell = tell
        self._keep_empty = keep_empty or eyes.keep_empty
        self._invite = invite
        self._look_up = look_up
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
        self._do(Begin(started))
        self._heed(self.box.known.now)

    def frame(self, frame: Frame) -> None:
        """What the eyes see in one picture, one thing after the other."""
        for item in self.eyes.see(frame, self.aim):
            self.take(item)

    def take(self, item: BoxEvent) -> View:
        """What is shown after this; what had to be on the disk is there, or trouble is shown as well."""
        before = self.view
        self.box, effects = step(self.box, item)
        for effect in effects:
            self._do(effect)
        self._heed(item.at)
        self._tell(Happened(item, before, effects, self.view, self.box.known.names))
        return self.view

    def _do(self, effect: Effect) -> None:
        match effect:
            case Begin() if self.journal is None:
                self._games += 1
                self._game = self._games
            case TakeUp(game) if self.journal is None:
                self._game = game
            case KeepEmpty():
                self._keep_empty()
            case Invite(open):
                self._invite(open)
            case RequestFacts():
                self._look_up()
            case Restart() | PowerOff():
                self.ending = effect
            case _ if self.journal is not None:
                try:
                    self._write(self.journal, effect)
                except JournalError as why:  # of a game that is no longer there
                    self._notices.append(why.text)
        self.box = replace(self.box, known=replace(self.box.known, game=self._game))

    def _write(self, journal: Journal, effect: Effect) -> None:
        match effect:
            case Begin(started):
                self._game = journal.begin(started.game, started.options, started.names, self._clock())
            case TakeUp(game):
                journal.take_up(game)
                self._game = game
            case Write(entries, told):
                journal.append(self._game, entries, told, self._clock())
            case PutAside():
                journal.pause(self._game)
            case EndGame(how):
                journal.finish(self._game, how, self._clock())
            case Rename(names):
                journal.rename(self._game, names)
            case DeckChecked(deck):
                journal.check_deck(deck, self._clock())
            case KeepEmpty() | Invite() | RequestFacts() | Restart() | PowerOff():
                pass

    def _heed(self, now: float) -> None:
        """The trouble of the journal is the box's; what it did by itself is said for a while."""
        if self.journal is not None:
            if self.journal.trouble and now >= self._tried + SETTLE:
                self._tried = now
                self.journal.settle()
            self._notices += self.journal.notices()
            self._trouble("journal", self.journal.trouble.text if self.journal.trouble else None, now)
        if self._notices and (self._notice is None or now >= self._notice[1] + NOTICE):
            self._notice = (self._notices.pop(0), now)
        if self._notice is not None:
            self._trouble("news", self._notice[0] if now < self._notice[1] + NOTICE else None, now)
        self.view, self.aim = view(self.box), aim(self.box)

    def _trouble(self, source: FaultSource, text: Text | None, now: float) -> None:
        if text != dict(self.box.known.troubles).get(source):
            self.box, _ = step(self.box, FaultChanged(source, text, now))
