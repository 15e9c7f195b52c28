"""``make hour``: run the box with all its threads for an hour of play; no thread dies, and memory does not grow."""

import gc
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, NamedTuple

import click
import cv2
import numpy as np

from engine.games import GAMES
from engine.log import Log
from engine.text import Text
from firmware.app.app import AppOptions, run_app
from firmware.app.table_sources import SessionStart
from firmware.box.events import parse_told
from firmware.journal.journal import Journal
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox
from firmware.simulation.session import FRAME_S, prepare_match
from firmware.simulation.table import SimTable, SimulatedHand
from hw.camera import Camera
from hw.frame import Frame, Picture, Plane
from vision.live.perception import Perception
from vision.render.incremental_rendering import SceneRenderer

PLAY_S, WARM_UP_S = 3600.0, 600.0
"""Seconds of play, and seconds after which every part has been used once."""
MAX_GROWTH_MB = 5.0
"""Growth of memory that is allowed from then on, in megabytes."""
MAX_WAIT_FRAMES = 10
"""Frames that players wait at most until the box has read what they did."""
OPTIONS = {"players": 4, "target": 999}
"""Options of a match that lasts longer than an hour."""
CLOCK_SPEED = 10_000.0
"""The clock runs as fast as the pictures allow."""


class DrawnAct(NamedTuple):
    """A picture and its number of frames, the entry of a player, and the number of moves made until then."""

    grey: Plane
    frames: int
    entry: str
    moves: int


def draw_acts(pipe: Connection, seed: int) -> None:
    """Draw the table in its own process, so that its memory is not counted."""
    cv2.setNumThreads(1)
    table = SimTable(_log(), random.Random(seed), hand=SimulatedHand(), px_module=1.95, mistake_share=0.0)
    renderer = SceneRenderer(seed)
    pipe.send(renderer.render(table.empty))
    for act in table.acts():
        grey = np.asarray(cv2.cvtColor(renderer.render(act.scene), cv2.COLOR_BGR2GRAY), np.uint8)
        pipe.send(
            DrawnAct(grey, round(act.seconds / FRAME_S), act.entry, 0 if act.reaching else len(table.truth.moves))
        )


class PipeCamera(Camera):
    """Gives the frames that another process draws, for an hour."""

    def __init__(
        self, pipe: Connection, companion: Companion, inbox: Inbox, clock: ScaledClock, memory: "MemoryLog"
    ) -> None:
        self._pipe = pipe
        self._companion = companion
        self._inbox = inbox
        self._clock = clock
        self._memory = memory
        self._sent = DrawnAct(np.zeros((1, 1), np.uint8), 0, "", 0)
        self._at = clock()
        self._end = self._at + PLAY_S
        self._left = 0
        self._waits = 0

    def read(self, timeout: float) -> Frame | None:
        if self._at >= self._end:
            self.over = True
            self._clock.allow(self._at + 60.0)
            return None
        log = self._companion.log
        if self._left <= 0 and self._waits and (log is None or len(log.moves) < self._sent.moves):
            self._waits -= 1
        elif self._left <= 0:
            self._sent = self._pipe.recv()
            self._left, self._waits = self._sent.frames, MAX_WAIT_FRAMES
            if self._sent.entry:
                self._inbox.put(parse_told(self._sent.entry, "button", self._clock()))
        self._left -= 1
        self._at += FRAME_S
        self._clock.allow(self._at)
        self._memory.note(self._at)
        return Frame(self._sent.grey, self._at)

    def close(self) -> None:
        """The other process ends the table."""


class MemoryLog:
    """Memory of the process for every minute of play, in megabytes."""

    def __init__(self) -> None:
        self.minutes: list[float] = []

    def note(self, seconds: float) -> None:
        if seconds >= 60.0 * (len(self.minutes) + 1):
            gc.collect()
            self.minutes.append(read_resident_mb())

    @property
    def grown(self) -> float:
        """Growth from the end of the warm-up to the end; a short peak does not count."""
        warm = self.minutes[round(WARM_UP_S / 60) - 1 :]
        return min(warm[-5:]) - min(warm[:5]) if len(warm) > 9 else 0.0


class PipeTable:
    """A table whose match runs already, drawn by another process."""

    title = "Oxeye · an hour at a simulated table"
    observers = ()

    def __init__(self, pipe: Connection, empty: Picture, memory: MemoryLog) -> None:
        self._pipe = pipe
        self._start = prepare_match(_log(), empty)
        self._memory = memory
        self.companion: Companion | None = None

    def open_perception(self, folder: Path, notices: list[Text]) -> Perception:
        return self._start.perception

    def start_session(self, journal: Journal, perception: Perception, notices: list[Text]) -> SessionStart:
        return SessionStart(self._start.box, self._start.started)

    def open_camera(self, companion: Companion, inbox: Inbox, clock: ScaledClock) -> Camera:
        self.companion = companion
        return PipeCamera(self._pipe, companion, inbox, clock, self._memory)

    def open_page(self, inbox: Inbox, clock: ScaledClock, language: str) -> None:
        """There is none."""


def read_resident_mb() -> float:
    """Resident memory of this process in megabytes."""
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmRSS:") + 1]) / 1024


def _log() -> Log[Any, Any]:
    return Log(GAMES["nimmt"], OPTIONS)


def play_hour(seed: int, tell: Callable[[str], None]) -> list[str]:
    """Play for an hour; returns the missed bars."""
    cv2.setNumThreads(1)
    ours, theirs = multiprocessing.Pipe()
    table = multiprocessing.get_context("spawn").Process(target=draw_acts, args=(theirs, seed), daemon=True)
    table.start()
    theirs.close()
    memory, begun = MemoryLog(), time.monotonic()
    place = PipeTable(ours, ours.recv(), memory)
    clock = ScaledClock(CLOCK_SPEED)
    clock.allow(0.0)  # no time passes before there are pictures
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), TemporaryDirectory() as folder:
        ended = run_app(AppOptions(place, Path(folder), "dummy", "none", clock), Event())
    table.terminate()
    log = place.companion.log if place.companion else None
    moves = len(log.moves) if log else 0
    tell(f"an hour of play in {time.monotonic() - begun:.0f} s, {moves} moves recorded")
    tell(f"memory, every ten minutes: {' '.join(f'{mb:.0f}' for mb in memory.minutes[9::10])} MB")
    tell(f"grown since minute {WARM_UP_S / 60:.0f}: {memory.grown:.1f} MB")
    missed = [] if ended == 0 else ["a thread has died"]
    if len(memory.minutes) < PLAY_S / 60 - 1 or moves < 300:
        missed.append("the hour was not played to its end")
    if memory.grown >= MAX_GROWTH_MB:
        missed.append(f"memory grew by {memory.grown:.1f} MB, and may by {MAX_GROWTH_MB:.0f}")
    return missed


def main() -> int:
    missed = play_hour(1, click.echo)
    for text in missed:
        click.echo(f"MISSED: {text}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
