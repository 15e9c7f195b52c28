"""One session at a simulated table: its table, camera, perception and box, with or without threads."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from engine.log import Log
from engine.text import Text
from firmware.box.context import Context
from firmware.box.effects import Effect
from firmware.box.events import Told
from firmware.box.flows.home import Home
from firmware.box.flows.playing import playing
from firmware.box.stack import Box
from firmware.journal.journal import Journal
from firmware.journal.operations import Started
from firmware.runtime.companion import Action, Companion, Observer
from firmware.simulation.camera import SimCamera
from firmware.simulation.players import NAMES
from firmware.simulation.table import SimTable, caught_up
from vision.live.perception import Perception
from vision.render.scene_renderer import SceneRenderer

MISTAKE_SHARE = 0.1
"""One card in ten is placed wrongly: with fewer mistakes a demonstration shows too little of the referee."""


class SimulatedSession:
    """A match that has just begun at a simulated table, and a box that plays it already.

    ``start_companion`` makes the running box, ``open_camera`` the camera that watches the table. The same ``seed``
    gives the same players, mistakes and pictures. ``table`` replaces the usual table.
    """

    def __init__(
        self, log: Log[Any, Any], seed: int, *, mistakes: float = MISTAKE_SHARE, table: SimTable | None = None
    ) -> None:
        self.log = log
        self.table = table or SimTable(log, random.Random(seed), mistakes=mistakes)
        self.renderer = SceneRenderer(seed)
        pads = log.game.view(log.state).pads
        self.names = {pad.player: NAMES[pad.player] for pad in pads if pad.player in NAMES}
        self.started = Started(log.game.name, log.options, self.names)

    def open_perception(self) -> Perception:
        """Perception that knows the empty table already."""
        return Perception(self.renderer.render(self.table.empty))

    def make_box(self, perception: Perception) -> Box:
        context = Context(names=self.names, last=self.started, area=perception.area)
        return Box(context, (Home(), playing(self.log)))

    def start_companion(
        self,
        journal: Journal | None = None,
        *,
        observers: Sequence[Observer] = (),
        actions: Mapping[type[Effect], Action] | None = None,
        notices: list[Text] | None = None,
    ) -> Companion:
        """A companion without threads, with the match begun in its journal."""
        perception = self.open_perception()
        companion = Companion(
            self.make_box(perception), perception, journal, observers=observers, actions=actions, notices=notices
        )
        companion.begin(self.started)
        return companion

    def open_camera(
        self,
        companion: Companion,
        tell: Callable[[str], None],
        *,
        allow: Callable[[float], None] = lambda until: None,
        acts: int | None = None,
        start: float = 0.0,
    ) -> SimCamera:
        """A camera over the table. ``tell`` gets what a player says with a button, ``allow`` the time of each frame."""

        def has_seen(table: SimTable) -> bool:
            return companion.log is None or caught_up(companion.log, table.lies())

        draw = partial(self.renderer.render, noise="fresh")
        return SimCamera(self.table, told=tell, seen=has_seen, passing=allow, acts=acts, draw=draw, start=start)

    def play(self, companion: Companion, *, acts: int | None = None) -> None:
        """Play the match frame by frame in this thread, to its end or for this many acts of hands."""
        now = 0.0

        def tell(words: str) -> None:
            companion.take(Told(words, "button", now))

        camera = self.open_camera(companion, tell, acts=acts)
        while (frame := camera.read(0.0)) is not None:
            now = frame.at
            companion.frame(frame)
