"""One match at a simulated table: the table and its pictures, and the perception, box and companion that follow it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from engine.log import Log
from engine.options import get_number
from engine.text import Text
from engine.view import View
from firmware.box.effects import Effect
from firmware.box.events import parse_told
from firmware.box.flow import Flow
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.journal import Journal
from firmware.journal.operation_types import Names, Started
from firmware.runtime.companion import Action, Companion, Observer
from firmware.simulation.mistakes.frequency import MISTAKE_SHARE
from firmware.simulation.players.player_names import PLAYER_NAMES
from firmware.simulation.table import SimTable, SimulatedAct, has_caught_up
from firmware.simulation.table.hand_timing import SIGHT_TIMEOUT_S
from firmware.simulation.table_camera import FPS
from hw.cameras.images import make_frame
from hw.frame import Frame, Picture
from vision.live.perception import Perception
from vision.live.read_request import ReadRequest
from vision.render.incremental_rendering import SceneRenderer

FRAME_S = 1 / FPS
"""Seconds from one frame of the simulated camera to the next."""
FrameFilter = Callable[[Frame, ReadRequest | None, Perception], Frame]
"""What becomes of a frame before perception gets it: a recording keeps it, and returns it as it was kept."""


@dataclass(frozen=True, slots=True)
class MatchStart:
    """A match before its first move: the box that plays it, its head in the journal, and perception of its empty table.

    A process that does not draw the table itself begins with this.
    """

    box: Box
    started: Started
    perception: Perception

    def start_companion(
        self,
        journal: Journal | None = None,
        *,
        observers: Sequence[Observer] = (),
        actions: Mapping[type[Effect], Action] | None = None,
        notices: list[Text] | None = None,
    ) -> Companion:
        """A companion without threads, with the match begun in its journal."""
        companion = Companion(self.box, self.perception, journal, observers=observers, actions=actions, notices=notices)
        companion.begin(self.started)
        return companion


def prepare_match(
    log: Log[Any, Any], empty: Picture, *, names: Names | None = None, flows: Sequence[Flow] = ()
) -> MatchStart:
    """``empty`` is the picture of the empty table; ``flows`` are open above the match from the beginning."""
    perception = Perception(empty)
    started = Started(log.game.name, log.options, name_players(log) if names is None else names)
    context = Context(names=started.names, last=started, area=perception.area)
    return MatchStart(Box(context, (Home(), play_from(log), *flows)), started, perception)


def name_players(log: Log[Any, Any]) -> Names:
    """A name for each player of the match."""
    return {player: PLAYER_NAMES[player] for player in range(1, get_number(log.options, "players") + 1)}


class SimulatedSession:
    """A match that has just begun at a simulated table. The same table and ``seed`` give the same pictures.

    ``start_companion`` makes the running box; ``play`` shows it the table frame by frame, without threads. ``start`` is
    the match before its first move, ``empty`` the picture of its empty table, ``frame`` the last frame that the
    companion got, and ``at_s`` the time at the table, in seconds since the match began.
    """

    companion: Companion
    frame: Frame

    def __init__(self, table: SimTable, seed: int) -> None:
        self.table = table
        self.renderer = SceneRenderer(seed)
        self.empty = self.renderer.render(table.empty)
        self.start = prepare_match(table.truth, self.empty)
        self.at_s = 0.0

    @classmethod
    def for_match(cls, log: Log[Any, Any], seed: int, *, mistakes: float = MISTAKE_SHARE) -> Self:
        """The same ``seed`` gives the same players, mistakes and pictures."""
        return cls(SimTable(log, random.Random(seed), mistake_share=mistakes), seed)

    @property
    def log(self) -> Log[Any, Any]:
        """The log of the box."""
        assert self.companion.log is not None
        return self.companion.log

    def has_caught_up(self) -> bool:
        """Does the log hold everything that can be seen on the table?"""
        return has_caught_up(self.log, self.table.true_table())

    def start_companion(
        self,
        journal: Journal | None = None,
        *,
        observers: Sequence[Observer] = (),
        empty: Picture | None = None,
    ) -> Companion:
        """``empty`` is the picture of the empty table for perception, if it is not the one drawn here."""
        start = self.start if empty is None else replace(self.start, perception=Perception(empty))
        self.companion = start.start_companion(journal, observers=observers)
        return self.companion

    def enter(self, words: str) -> View:
        """A player enters this with the buttons."""
        return self.companion.handle(parse_told(words, "button", self.at_s))

    def show(self, frame: Frame) -> None:
        """The companion gets this frame."""
        self.frame = frame
        self.companion.read_frame(frame)

    def play(self, frame_filter: FrameFilter | None = None) -> Iterator[SimulatedAct]:
        """Show the match frame by frame; gives each act of hands after its last frame."""
        for act in self.table.acts():
            picture = self.renderer.render(act.scene)
            if act.entry:
                self.enter(act.entry)
            for shown in show_act(act, picture, self.has_caught_up):
                self.at_s = round(self.at_s + FRAME_S, 3)
                frame = make_frame(shown, self.at_s)
                self.show(
                    frame_filter(frame, self.companion.read_request, self.companion.eyes) if frame_filter else frame
                )
            yield act


def show_act(act: SimulatedAct, picture: Picture, has_seen: Callable[[], bool]) -> Iterator[Picture]:
    """The picture, once for each frame of the act; after a legal move also until the box has seen it, or a timeout."""
    for _ in range(max(1, round(act.seconds * FPS))):
        yield picture
    if act.wrong or act.reaching:
        return
    for _ in range(round(SIGHT_TIMEOUT_S * FPS)):
        if has_seen():
            return
        yield picture
