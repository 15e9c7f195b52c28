"""The thread of light and buzzer: it plays the last sign it was given, step by step, then shows the steady colour."""

import time
from collections.abc import Callable
from math import inf
from threading import Condition

from hw.buzzer import Buzzer
from hw.lamp import Lamp
from hw.signals import DARK, DIM_WHITE, SIGNS, Colour, Signal, light_at, next_step, tone_at


class Signaller:
    """``give`` and ``rest_on`` from anywhere; ``run`` is the thread, until ``close``.

    Then all is silent, and dark unless the box is stopping.
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

    def give(self, signal: Signal | None) -> None:
        """This sign from its beginning; None ends one that would go on for ever."""
        with self._changed:
            self._signal, self._began = signal, self._clock()
            self._changed.notify()

    def rest_on(self, colour: Colour) -> None:
        """What is shown when no sign is."""
        with self._changed:
            self._steady = colour
            self._changed.notify()

    def step(self) -> float:
        """Show what is due now; seconds until the next step."""
        after = self._clock() - self._began
        sign = SIGNS[self._signal] if self._signal else None
        colour = (light_at(sign, after) if sign else None) or self._steady
        tone = tone_at(sign, after) if sign else 0
        if colour != self._shown[0]:
            self._lamp.show(colour)
        if tone != self._shown[1]:
            self._buzzer.sound(tone)
        self._shown = (colour, tone)
        return next_step(sign, after) - after if sign else inf

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
