"""How exactly simulated players place pieces: offset, turn, upside-down cards and the pitch of rows."""

import random
from dataclasses import dataclass
from math import cos, pi, sin


@dataclass(frozen=True, slots=True)
class SimulatedHand:
    """Single numbers in mm and degrees are standard deviations. ``far`` is an exact offset in mm and turn in degrees,
    used for the share ``far_share`` of placements. Each new row takes one of ``pitches_mm``.
    """

    offset_mm: float = 4.0
    turn_deg: float = 3.0
    far_share: float = 1 / 12
    far: tuple[float, float] = (20.0, 15.0)
    upside_down_share: float = 1 / 5
    pitches_mm: tuple[float, ...] = (25.0, 31.0, 40.0, 52.0, 62.0)
    tile_offset_mm: float = 0.9
    tile_turn_deg: float = 2.0

    def draw_slip(self, rng: random.Random) -> "Slip":
        """Draw the error of one placement: usually normally distributed, sometimes the exact far error."""
        angle = 180.0 if rng.random() < self.upside_down_share else 0.0
        if rng.random() < self.far_share:
            return Slip(self.far[0], angle + rng.choice((-1, 1)) * self.far[1])
        return Slip(abs(rng.gauss(0, self.offset_mm)), angle + rng.gauss(0, self.turn_deg))


NEAT_HAND = SimulatedHand(1.5, 1.0, 0.0, (0.0, 0.0), 0.0, (62.0,), 0.5, 0.5)
"""A hand with small errors, for matches that test something else."""


@dataclass(frozen=True, slots=True)
class Slip:
    """The error of one placement: distance from the target, in any direction that has room, and turn in degrees."""

    offset_mm: float
    angle: float

    def draw_offset(self, rng: random.Random) -> tuple[float, float]:
        way = rng.uniform(0, 2 * pi)
        return self.offset_mm * cos(way), self.offset_mm * sin(way)
