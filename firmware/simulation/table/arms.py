"""Arms over the simulated table: they come from its rim, reach for a place, and hover where nobody asked them to."""

import random

from engine.table import Area
from vision.render import Arm

Spot = tuple[float, float]
BEYOND = 300.0
"""Arms begin so many mm outside the area."""
BROAD = 95.0
"""Nearer than this to an arm's middle line, in mm, a place counts as under it, shadow and sleeve included."""
STEPS = 24


def reach(rng: random.Random, area: Area, spot: Spot, into: float = 1.0) -> Arm:
    """An arm whose fingers end at the spot, or so much of the way towards it."""
    x, y = spot
    ways = {
        (x + rng.uniform(-120, 120), area.bottom + BEYOND): area.bottom - y,
        (x + rng.uniform(-120, 120), area.top - BEYOND): y - area.top,
        (area.left - BEYOND, y + rng.uniform(-80, 80)): x - area.left,
        (area.right + BEYOND, y + rng.uniform(-80, 80)): area.right - x,
    }
    start = rng.choice(sorted(ways, key=lambda way: ways[way])[:2])
    hand = (start[0] + (x - start[0]) * into, start[1] + (y - start[1]) * into)
    return Arm(start, hand, sleeve=rng.randrange(5), lift=rng.uniform(25, 55))


def bystander(rng: random.Random, area: Area, away: tuple[Area, ...]) -> Arm | None:
    """An arm that is over none of these places."""
    for _ in range(40):
        spot = (rng.uniform(area.left, area.right), rng.uniform(area.top, area.bottom))
        arm = reach(rng, area, spot)
        if not any(_over(place, arm) for place in away):
            return arm
    return None


def _over(place: Area, arm: Arm) -> bool:
    wide = Area(place.left - BROAD, place.top - BROAD, place.right + BROAD, place.bottom + BROAD)
    dx, dy = arm.hand[0] - arm.start[0], arm.hand[1] - arm.start[1]
    return any(wide.contains(arm.start[0] + dx * n / STEPS, arm.start[1] + dy * n / STEPS) for n in range(STEPS + 1))
