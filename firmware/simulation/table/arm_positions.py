"""Arms over the simulated table: they start outside its edge and reach for a place, or hover over it."""

import random

from engine.table import Area
from vision.render import Arm

Spot = tuple[float, float]
ARM_START_MM = 300.0
"""Distance from the edge of the area to the shoulder of an arm, in mm."""
ARM_CLEARANCE_MM = 95.0
"""A place nearer than this to the middle line of an arm counts as covered, in mm: includes shadow and sleeve."""
ARM_STEPS = 24


def make_arm(rng: random.Random, area: Area, spot: Spot, into: float = 1.0) -> Arm:
    """An arm that reaches this share of the way to the spot."""
    x, y = spot
    ways = {
        (x + rng.uniform(-120, 120), area.bottom + ARM_START_MM): area.bottom - y,
        (x + rng.uniform(-120, 120), area.top - ARM_START_MM): y - area.top,
        (area.left - ARM_START_MM, y + rng.uniform(-80, 80)): x - area.left,
        (area.right + ARM_START_MM, y + rng.uniform(-80, 80)): area.right - x,
    }
    start = rng.choice(sorted(ways, key=lambda way: ways[way])[:2])
    hand = (start[0] + (x - start[0]) * into, start[1] + (y - start[1]) * into)
    return Arm(start, hand, sleeve=rng.randrange(5), lift=rng.uniform(25, 55))


def make_bystander_arm(rng: random.Random, area: Area, away: tuple[Area, ...]) -> Arm | None:
    """An arm that covers none of these places, or None if no such arm was found."""
    for _ in range(40):
        spot = (rng.uniform(area.left, area.right), rng.uniform(area.top, area.bottom))
        arm = make_arm(rng, area, spot)
        if not any(_over(place, arm) for place in away):
            return arm
    return None


def _over(place: Area, arm: Arm) -> bool:
    wide = Area(
        place.left - ARM_CLEARANCE_MM,
        place.top - ARM_CLEARANCE_MM,
        place.right + ARM_CLEARANCE_MM,
        place.bottom + ARM_CLEARANCE_MM,
    )
    dx, dy = arm.hand[0] - arm.start[0], arm.hand[1] - arm.start[1]
    return any(
        wide.contains(arm.start[0] + dx * n / ARM_STEPS, arm.start[1] + dy * n / ARM_STEPS)
        for n in range(ARM_STEPS + 1)
    )
