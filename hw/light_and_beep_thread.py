"""The thread of light and buzzer: plays the latest signal step by step, then shows the steady colour."""

import time
from collections.abc import Callable
from math import inf
from threading import Condition

from hw.buzzer import Buzzer
from hw.lamp import Lamp
from hw.light_and_beep_patterns import DARK, DIM_WHITE, PATTERNS, Colour, Signal, colour_at, next_change, tone_at


class SignalThread:
    """``play`` and ``set_steady`` may be called from any thread; ``run`` is the thread's function, until ``close``.

    At the end the buzzer is silent, and the light is off unless the box is shutting down.
    """

    def __init__(self, lamp: Lamp, buzzer: Buzzer, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._lamp = lamp
        self._buzzer = buzzer
        self._clock = clock
        self._changed = Condition()
        self._signal: Signal | None = None
        self._began = clock()
        self._steady: Colour = DIM_WHITE
        self._shown: tuple[Colour, int] = (DARK, 0)
        self._over = False

    def play(self, signal: Signal | None) -> None:
        """Play this signal from its beginning; None ends a repeating one."""
        with self._changed:
            self._signal, self._began = signal, self._clock()
            self._changed.notify()

    def set_steady(self, colour: Colour) -> None:
        """The colour between signals."""
        with self._changed:
            self._steady = colour
            self._changed.notify()

    def step(self) -> float:
        """Show the current step; return the seconds until the next one."""
        after = self._clock() - self._began
        sign = PATTERNS[self._signal] if self._signal else None
        colour = (colour_at(sign, after) if sign else None) or self._steady
        tone = tone_at(sign, after) if sign else 0
        if colour != self._shown[0]:
            self._lamp.show(colour)
        if tone != self._shown[1]:
            self._buzzer.sound(tone)
        self._shown = (colour, tone)
        return next_change(sign, after) - after if sign else inf

    def run(self) -> None:
        with self._changed:
            while not self._over:
                wait = self.step()
                self._changed.wait(None if wait == inf else wait)
            self._buzzer.sound(0)
            if self._signal == Signal.STOPPING:
                self.step()
            else:
                self._lamp.show(DARK)

    def close(self) -> None:
        with self._changed:
            self._over = True
            self._changed.notify()
