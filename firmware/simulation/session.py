"""One match at a simulated table: the table and its pictures, and the perception, box and companion that follow it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.log import Log
from engine.options import get_number
from engine.view import View
from firmware.box.context import Context
from firmware.box.events import Told
from firmware.box.flow import Flow
from firmware.box.flows.home import Home
from firmware.box.flows.playing import playing
from firmware.box.stack import Box
from firmware.journal.journal import Journal
from firmware.journal.operations import Names, Started
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion, Observer
from firmware.runtime.inbox import Inbox
from firmware.simulation.camera import FPS, SimCamera, show_act
from firmware.simulation.players import NAMES
from firmware.simulation.table import Act, SimTable, caught_up
from hw.cameras.images import frame_of
from hw.frame import Frame, Picture
from vision.live.eyes import Perception
from vision.live.read_request import ReadRequest
from vision.render.scene_renderer import SceneRenderer

FRAME_S = 1 / FPS
"""Seconds from one frame of the simulated camera to the next."""
Film = Callable[[Frame, ReadRequest | None, Perception], Frame]
"""What becomes of a frame before perception gets it: a recording keeps it and gives back what it has kept."""


@dataclass(frozen=True, slots=True)
class MatchStart:
    """A match before its first move: the ``box`` that plays it, how the journal knows it, and the ``eyes`` on its
    empty table.
    """

    box: Box
    started: Started
    eyes: Perception

    def open(self, journal: Journal | None = None, observers: Sequence[Observer] = ()) -> Companion:
        """A companion without threads; the match is begun in the journal."""
        companion = Companion(self.box, self.eyes, journal, observers=observers)
        companion.begin(self.started)
        return companion


def start_match(
    log: Log[Any, Any], empty: Picture, *, names: Names | None = None, flows: Sequence[Flow] = ()
) -> MatchStart:
    """``empty`` is the picture of the empty table; ``flows`` are open above the match from the beginning."""
    eyes = Perception(empty)
    started = Started(log.game.name, log.options, simulated_names(log) if names is None else names)
    context = Context(names=started.names, last=started, area=eyes.area)
    return MatchStart(Box(context, (Home(), playing(log), *flows)), started, eyes)


def simulated_names(log: Log[Any, Any]) -> Names:
    """The name of each simulated player."""
    return {player: NAMES[player] for player in range(1, get_number(log.options, "players") + 1)}


class SimulatedSession:
    """``open`` makes the ``companion``; ``play`` shows it the table, frame by frame, without threads.

    ``start`` is the match before its first move, ``empty`` the picture of its empty table, ``frame`` the last frame
    that the companion got, and ``at_s`` the time at the table: seconds since the match began.
    """

    companion: Companion
    frame: Frame

    def __init__(self, table: SimTable, seed: int) -> None:
        self.table = table
        self.renderer = SceneRenderer(seed)
        self.empty = self.renderer.picture(table.empty)
        self.start = start_match(table.truth, self.empty)
        self.at_s = 0.0

    @property
    def log(self) -> Log[Any, Any]:
        """The record of the box."""
        assert self.companion.log is not None
        return self.companion.log

    def has_caught_up(self) -> bool:
        """Does the record hold everything that can be seen on the table?"""
        return caught_up(self.log, self.table.lies())

    def open(
        self,
        journal: Journal | None = None,
        observers: Sequence[Observer] = (),
        *,
        empty: Picture | None = None,
    ) -> Companion:
        """``empty`` is the picture of the empty table as perception gets it, if that is not the one drawn here."""
        start = self.start if empty is None else replace(self.start, eyes=Perception(empty))
        self.companion = start.open(journal, observers)
        return self.companion

    def enter(self, words: str) -> View:
        """A player enters this with the buttons."""
        return self.companion.take(Told(words, "button", self.at_s))

    def show(self, frame: Frame) -> None:
        """The companion gets this frame."""
        self.frame = frame
        self.companion.frame(frame)

    def play(self, film: Film | None = None) -> Iterator[Act]:
        """Each act of the table, after the companion has been shown all of it."""
        for act in self.table.acts():
            picture = self.renderer.picture(act.scene)
            if act.told:
                self.enter(act.told)
            for still in show_act(act, picture, FPS, self.has_caught_up):
                self.at_s = round(self.at_s + FRAME_S, 3)
                frame = frame_of(still, self.at_s)
                self.show(film(frame, self.companion.aim, self.companion.eyes) if film else frame)
            yield act

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock, acts: int | None = None) -> SimCamera:
        """A camera over the table, for a companion with threads; it ends after so many ``acts``."""
        return SimCamera(
            self.table,
            told=lambda words: inbox.put(Told(words, "button", clock())),
            seen=lambda table: companion.log is None or caught_up(companion.log, table.lies()),
            passing=clock.allow,
            acts=acts,
            draw=partial(self.renderer.picture, noise="fresh"),
            start=clock(),
        )
