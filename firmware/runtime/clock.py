"""A clock that runs at any speed and, for a simulated table, never ahead of its frames."""

import time
from collections.abc import Callable
from math import inf
from threading import Event, Lock


class ScaledClock:
    """Call it for the time; any thread may."""

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
            if now > self._until:  # the renderer is slower than time: time waits for it
                self._lost += now - self._until
                now = self._until
            return now

    def allow(self, until: float) -> None:
        """Let the clock run up to ``until``; an earlier value has no effect."""
        now = self()
        with self._lock:
            self._until = max(until, now)

    def change_speed(self, speed: float) -> None:
        """Run at this speed from now on; the time goes on from where it is."""
        now = self()
        with self._lock:
            self.speed, self._began, self._lost = speed, self._clock(), -now

    def rest(self, seconds: float, stop: Event) -> None:
        """Wait this many seconds of this clock, or until ``stop``."""
        stop.wait(seconds / self.speed)
