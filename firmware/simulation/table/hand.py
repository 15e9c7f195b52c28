"""How people lay: never quite straight, now and then far off or upside down, and rows as close as they like."""

import random
from dataclasses import dataclass
from math import cos, pi, sin


@dataclass(frozen=True, slots=True)
class SimulatedHand:
    """Millimetres and degrees are sigmas, shares are parts of one; of ``pitches`` one is taken for each new row."""

    loose: float = 4.0
    turned: float = 3.0
    often_far: float = 1 / 12
    far: tuple[float, float] = (20.0, 15.0)
    often_upside_down: float = 1 / 5
    pitches: tuple[float, ...] = (25.0, 31.0, 40.0, 52.0, 62.0)
    tile_loose: float = 0.9
    tile_turned: float = 2.0

    def slip(self, rng: random.Random) -> "Slip":
        """One laying: usually within two sigmas, sometimes as far off as can be."""
        angle = 180.0 if rng.random() < self.often_upside_down else 0.0
        if rng.random() < self.often_far:
            return Slip(self.far[0], angle + rng.choice((-1, 1)) * self.far[1])
        return Slip(abs(rng.gauss(0, self.loose)), angle + rng.gauss(0, self.turned))


NEAT = SimulatedHand(1.5, 1.0, 0.0, (0.0, 0.0), 0.0, (62.0,), 0.5, 0.5)
"""Somebody who takes care."""


@dataclass(frozen=True, slots=True)
class Slip:
    """How far off the mark a piece comes to lie, in whatever direction there is room, and how it is turned."""

    off: float
    angle: float

    def towards(self, rng: random.Random) -> tuple[float, float]:
        way = rng.uniform(0, 2 * pi)
        return self.off * cos(way), self.off * sin(way)
