"""How people lay: never quite straight, now and then far off or upside down, and rows as close as they like."""

import random
from dataclasses import dataclass
from math import cos, pi, sin


@dataclass(frozen=True, slots=True)
class SimulatedHand:
    """Millimetres and degrees are sigmas, shares are parts of one; of ``pitches_mm`` one is taken for each new row."""

    offset_mm: float = 4.0
    turn_deg: float = 3.0
    far_share: float = 1 / 12
    far: tuple[float, float] = (20.0, 15.0)
    upside_down_share: float = 1 / 5
    pitches_mm: tuple[float, ...] = (25.0, 31.0, 40.0, 52.0, 62.0)
    tile_offset_mm: float = 0.9
    tile_turn_deg: float = 2.0

    def draw_slip(self, rng: random.Random) -> "Slip":
        """One laying: usually within two sigmas, sometimes as far off as can be."""
        angle = 180.0 if rng.random() < self.upside_down_share else 0.0
        if rng.random() < self.far_share:
            return Slip(self.far[0], angle + rng.choice((-1, 1)) * self.far[1])
        return Slip(abs(rng.gauss(0, self.offset_mm)), angle + rng.gauss(0, self.turn_deg))


NEAT_HAND = SimulatedHand(1.5, 1.0, 0.0, (0.0, 0.0), 0.0, (62.0,), 0.5, 0.5)
"""Somebody who takes care."""


@dataclass(frozen=True, slots=True)
class Slip:
    """How far off the mark a piece comes to lie, in whatever direction there is room, and how it is turned."""

    offset_mm: float
    angle: float

    def draw_offset(self, rng: random.Random) -> tuple[float, float]:
        way = rng.uniform(0, 2 * pi)
        return self.offset_mm * cos(way), self.offset_mm * sin(way)
