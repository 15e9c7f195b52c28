"""A recording at the speed of its time: no frame comes before it was taken, and after a delay none in a hurry."""

import time
from collections.abc import Callable
from dataclasses import replace

from hw.camera import Camera, Clock
from hw.frame import Frame


def paced(camera: Camera, *, clock: Clock, rest: Callable[[float], None]) -> Camera:
    """A live camera has a pace of its own: held back, its frames would be late for good after a single late one."""
    return camera if camera.live else PacedCamera(camera, clock=clock, rest=rest)


class PacedCamera(Camera):
    """Gives the frames of another camera, whose times count from ``clock`` when it was opened."""

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
