"""The camera thread: passes every frame to perception, reports faults and tries again."""

import sys
import traceback
from collections.abc import Callable
from threading import Event

from engine.text import Text, say
from firmware.runtime.inbox import Inbox, Observation
from hw.camera import Camera, Clock
from hw.frame import Frame
from vision.live.fault_sources import FaultSource
from vision.live.perception import Perception
from vision.live.perception_events import FaultChanged
from vision.live.read_request import ReadRequest

FRAME_TIMEOUT_S = 0.5
"""Seconds to wait for a frame, and to pause after an unexpected error."""
FAULT_TEXTS: dict[FaultSource, Text] = {"camera": say("camera_failed"), "eyes": say("eyes_failed")}
RecordFrame = Callable[[Frame, ReadRequest | None], Frame]
"""Records a frame and returns it as recorded, so that a replay gives perception the same pixels."""


class CameraThread:
    """Runs until ``stop`` is set or a recording is over. ``asked`` returns the present read request of the box.

    ``frames`` counts the frames of the camera; it stands still while perception hangs. ``film`` records, ``shown``
    gets every frame after it was read.
    """

    def __init__(
        self,
        camera: Camera,
        eyes: Perception,
        inbox: Inbox,
        *,
        asked: Callable[[], ReadRequest | None],
        stop: Event,
        clock: Clock,
        film: RecordFrame | None = None,
        shown: Callable[[Frame, ReadRequest | None], None] | None = None,
    ) -> None:
        self._camera = camera
        self._eyes = eyes
        self._inbox = inbox
        self._asked = asked
        self._stop = stop
        self._clock = clock
        self._film = film
        self._shown = shown
        self._keep = Event()
        self._failing: dict[FaultSource, str] = {}
        self.frames = 0

    def keep_empty(self) -> None:
        """Lock exposure and focus, and keep the frame after that as the picture of the empty table."""
        self._keep.set()

    def run(self) -> None:
        measuring = False
        while not self._stop.is_set() and not self._camera.over:
            frame = None  # free the memory of the last frame before the camera reads the next one
            try:
                if self._keep.is_set():
                    self._keep.clear()
                    measuring = True
                    self._camera.lock()
                elif self._eyes.wants_lock and not self._camera.settling:
                    self._camera.lock()
                frame = self._camera.read(FRAME_TIMEOUT_S)
            except Exception:
                self._failed("camera")
                continue
            if frame is None:
                continue
            self.frames += 1
            asked = self._asked()
            if asked is None or asked.purpose != "aim":
                measuring = False  # camera set-up was left before its picture was taken
            if self._camera.settling:
                continue  # frames during automatic exposure say nothing about the light
            self._works("camera")
            if measuring:
                self._eyes.keep_empty()
                measuring = False
            self._look(frame, asked)

    def _look(self, frame: Frame, asked: ReadRequest | None) -> None:
        try:
            seen = self._eyes.update(self._film(frame, asked) if self._film else frame, asked)
            if self._shown:
                self._shown(frame, asked)
        except Exception:
            self._failed("eyes")
            return
        self._works("eyes")
        for item in seen:
            # a fault begins or ends whatever the box asks for now
            self._inbox.put(item if isinstance(item, FaultChanged) else Observation(item, asked))

    def _failed(self, who: FaultSource) -> None:
        """Print a new traceback once, and report the fault to the box."""
        why = traceback.format_exc()
        if self._failing.get(who) != why:
            self._failing[who] = why
            print(why, file=sys.stderr, end="", flush=True)
            self._inbox.put(FaultChanged(who, FAULT_TEXTS[who], self._clock()))
        self._stop.wait(FRAME_TIMEOUT_S)

    def _works(self, who: FaultSource) -> None:
        if self._failing.pop(who, None) is not None:
            self._inbox.put(FaultChanged(who, None, self._clock()))
