"""Time as it passes at a table: at any speed, and for a simulated one never ahead of its pictures."""

import time
from collections.abc import Callable
from math import inf
from threading import Event, Lock


class ScaledClock:
    """A clock to call, from any thread."""

    def __init__(self, speed: float = 1.0, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.speed = speed
        self._clock = clock
        self._began = clock()
        self._until = inf
        self._lost = 0.0
        self._lock = Lock()

    def __call__(self) -> float:
        with self._lock:
            now = (self._clock() - self._began) * self.speed - self._lost
            if now > self._until:  # whoever draws the pictures is slow: then so is time
                self._lost += now - self._until
                now = self._until
            return now

    def allow(self, until: float) -> None:
        """It may pass as far as this; it never goes back."""
        now = self()
        with self._lock:
            self._until = max(until, now)

    def rest(self, seconds: float, stop: Event) -> None:
        """So long, or until somebody wants to stop."""
        stop.wait(seconds / self.speed)
