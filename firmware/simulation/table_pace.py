"""The pace of simulated time: pause, one step, slow, real and fast; any thread may change it."""

from collections.abc import Callable
from threading import Condition
from typing import Literal

from firmware.runtime.clock import ScaledClock

Speed = Literal["slow", "real", "fast"]
SPEEDS: dict[Speed, float] = {"slow": 0.5, "real": 1.0, "fast": 4.0}


class TablePace:
    """While it is paused no simulated player moves, and the clock stands but for the frames that show what you change.

    ``step`` lets the players make one act and pauses again. A speed of 1 is real time.
    """

    def __init__(self) -> None:
        self._speed = 1.0
        self._change_speed: Callable[[float], None] = lambda speed: None
        self._paused = False
        self._steps = 0
        self._changed = Condition()

    def follow(self, clock: ScaledClock) -> None:
        """From now on a new speed is that of this clock."""
        self._speed, self._change_speed = clock.speed, clock.change_speed

    @property
    def speed(self) -> float:
        return self._speed

    @property
    def paused(self) -> bool:
        """Is time standing still?"""
        return self._paused and not self._steps

    def pause(self) -> None:
        with self._changed:
            self._paused, self._steps = True, 0

    def go_on(self) -> None:
        with self._changed:
            self._paused, self._steps = False, 0
            self._changed.notify_all()

    def step(self) -> None:
        """Let the players make one act more, then pause."""
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify_all()

    def end_act(self) -> None:
        """The players have made one act; those who wait for a step pause here."""
        with self._changed:
            self._steps = max(0, self._steps - 1)

    def set_speed(self, speed: float | Speed) -> None:
        self._speed = SPEEDS[speed] if isinstance(speed, str) else speed
        self._change_speed(self._speed)

    def wait(self, seconds: float) -> bool:
        """Does time run now, or begin to run within so many seconds of real time?"""
        with self._changed:
            return self._changed.wait_for(lambda: not self.paused, seconds)
