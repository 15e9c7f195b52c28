"""Play a recording in real time: no frame before its time, and no catching up after a delay."""

import time
from collections.abc import Callable
from dataclasses import replace

from hw.camera import Camera, Clock
from hw.frame import Frame


def pace_camera(camera: Camera, *, clock: Clock, rest: Callable[[float], None]) -> Camera:
    """Pace a recording; a live camera stays as it is: after one late frame pacing would delay all others."""
    return camera if camera.live else PacedCamera(camera, clock=clock, rest=rest)


class PacedCamera(Camera):
    """Delivers the frames of another camera at their times on ``clock``."""

    def __init__(
        self, camera: Camera, *, clock: Clock = time.monotonic, rest: Callable[[float], None] = time.sleep
    ) -> None:
        self._camera = camera
        self._clock = clock
        self._rest = rest
        self._next: Frame | None = None
        self._late = 0.0

    def read(self, timeout: float) -> Frame | None:
        if self._next is None:
            self._next = self._camera.read(timeout)
            self.over = self._camera.over
        if self._next is None:
            return None
        at = self._next.at + self._late
        if (early := at - self._clock()) > 0:
            self._rest(min(early, timeout))
            if early > timeout:
                return None
        now = max(at, self._clock())
        frame, self._next = replace(self._next, at=now), None
        self._late += now - at
        return frame

    def lock(self) -> None:
        self._camera.lock()

    def close(self) -> None:
        self._camera.close()
