"""Does a change against the empty table have the outline of a card? By edges in the picture, and by its own."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.table_calibration import TableCalibration
from vision.changes.card_edges import (
    CardPlace,
    find_edges,
    measure_noise,
    measure_side_strength,
    rectify_card,
    refine_place,
)
from vision.frame import Grey

Points = NDArray[np.float64]

LEVEL_PX_MM = 1.0
"""Pixels per mm of the rectified seats."""
LEAST_FILL, MOST_AROUND = 0.7, 0.4
"""The changed shares of the outline of a card and of the ring around it: a hand may be beside it."""
CLEAR_SIDE, CLEAR_FILL = 0.9, 0.5
"""A card whose sides all show so much of an edge may look like the table in places: this share of it is changed."""
LEAST_SIDE, MEAN_SIDE = 0.4, 0.7
"""The shares of one side and of all sides that must show an edge."""
END_MM, STEP_MM = 5.0, 4.0
"""Sides are looked at from so far from their ends, since the corners of cards are round, in these steps."""
INNER_MM, AROUND_MM = (-20.0, -15.375, -10.75, -6.125, -1.5), (3.0, 5.5, 8.0)
"""Rings in a card and around it where the change is measured, mm outwards from its outline."""
TRIALS = np.array(sorted(product((-1, 0, 1), repeat=3), key=lambda trial: -sum(map(abs, trial))))
"""Steps of angle, right and down in which a place is improved, the smallest last."""
INSIDE_MM, OUTSIDE_MM = (-2.5, -1.5), (2.0, 3.0)
"""A change has an edge along a side of a card if it reaches the first places and not the second ones, mm outwards."""


@dataclass(frozen=True, slots=True, eq=False)
class CardChange:
    """What differs from the empty table, 1 where it does, in a part of the table."""

    changed: NDArray[np.uint8]
    area: Area

    def look_up(self, places: Points) -> NDArray[np.uint8]:
        """The change at places in mm; nothing beyond the area."""
        at = np.floor((places - (self.area.left, self.area.top)) * LEVEL_PX_MM).astype(np.intp)
        high, wide = self.changed.shape
        inside = (at >= 0).all(-1) & (at[..., 0] < wide) & (at[..., 1] < high)
        at = np.where(inside[..., None], at, 0)
        return np.where(inside, self.changed[at[..., 1], at[..., 0]], 0).astype(np.uint8)


def confirm_card(grey: Grey, calibration: TableCalibration, change: CardChange, place: CardPlace) -> CardPlace | None:
    """The place of the card if all four sides show edges and the change fills its outline.

    A card that is as bright as the table has its edges in the change alone, if it differs in colour; and on a pattern
    the edges of the table hide those of the card in the picture.
    """
    place = _fit_to_change(change, place)
    patch = rectify_card(grey, calibration, place)
    noise = measure_noise(patch)
    down, across = find_edges(patch, noise), find_edges(np.ascontiguousarray(patch.T), noise)
    refined, sure = refine_place(place, down, across, whole=True)
    if sure and _has_outline(grey, calibration, change, refined, noise):
        return refined
    refined = _fit_edges_of_change(change, place)
    return refined if _has_outline(grey, calibration, change, refined, noise) else None


def _has_outline(grey: Grey, calibration: TableCalibration, change: CardChange, place: CardPlace, noise: float) -> bool:
    """Is there a card exactly at this place?"""
    patch = rectify_card(grey, calibration, place)
    down, across = find_edges(patch, noise), find_edges(np.ascontiguousarray(patch.T), noise)
    wide, high = place.size
    sides = []
    for edges, side, length in ((down, wide, high), (across, high, wide)):
        sides += [measure_side_strength(edges, at, _step_along(length)) for at in (-side / 2, side / 2)]
    inner, ring = _measure_shares(change, place)
    if ring > MOST_AROUND or inner < (CLEAR_FILL if min(sides) >= CLEAR_SIDE else LEAST_FILL):
        return False
    if min(sides) < LEAST_SIDE or np.mean(sides) < MEAN_SIDE:
        sides = np.maximum(sides, _measure_own_sides(change, place)).tolist()
    return min(sides) >= LEAST_SIDE and float(np.mean(sides)) >= MEAN_SIDE


def _step_along(length: float) -> Points:
    """Places along a side of this length."""
    return np.arange(-length / 2 + END_MM, length / 2 - END_MM + 1, STEP_MM)


def _measure_own_sides(change: CardChange, place: CardPlace) -> list[float]:
    """The share of each side, in the order left, right, top, bottom, along which the change has an edge."""
    wide, high = place.size
    found = []
    for axis, side, length in ((0, wide, high), (1, high, wide)):
        along = _step_along(length)
        for way in (-1, 1):
            depth = np.array([*INSIDE_MM, *OUTSIDE_MM])[:, None]
            across = np.broadcast_to(way * (side / 2 + depth), (len(depth), len(along)))
            local = np.stack([across, np.broadcast_to(along, across.shape)], -1)
            at = place.to_table((local if axis == 0 else local[..., ::-1]).reshape(-1, 2))
            there = change.look_up(at).reshape(across.shape)
            inside = len(INSIDE_MM)
            found.append(float((there[:inside].all(0) & ~there[inside:].any(0)).mean()))
    return found


def _fit_to_change(change: CardChange, place: CardPlace) -> CardPlace:
    """The place and angle at which the outline fits the change best."""
    return _fit(change, place, (INNER_MM, AROUND_MM), (5.0, 2.5))


def _fit_edges_of_change(change: CardChange, place: CardPlace) -> CardPlace:
    """The place at which the sides of a card lie along edges of the change."""
    return _fit(change, place, (INSIDE_MM[1:], OUTSIDE_MM[:1]), (1.2, 0.6))


def _fit(
    change: CardChange, place: CardPlace, rings: tuple[tuple[float, ...], ...], steps: tuple[float, ...]
) -> CardPlace:
    """The place near this one, in steps of mm and degrees, with most change in the first rings and least in the others.

    Of equal ones the last in the order of ``TRIALS``, where the place itself is last.
    """
    inner, around = (_draw_rings(place.size, grow) for grow in rings)
    for step in steps:
        at = _try_places(place, np.concatenate([inner, around]), step)
        there = change.look_up(at).reshape(len(TRIALS), -1)
        fit = there[:, : len(inner)].mean(1) - there[:, len(inner) :].mean(1)
        turn, dx, dy = step * TRIALS[len(fit) - 1 - int(fit[::-1].argmax())]
        place = place.shift(float(dx), float(dy), float(turn))
    return place


def _try_places(place: CardPlace, local: Points, step: float) -> Points:
    """Places in the frame of a card on the table, for each trial."""
    turned = {turn: CardPlace(0.0, 0.0, place.angle + turn * step, place.size).to_table(local) for turn in (-1, 0, 1)}
    moved = place.to_table(TRIALS[:, 1:] * step)
    return np.stack([turned[int(turn)] + to for turn, to in zip(TRIALS[:, 0], moved, strict=True)])


def _measure_shares(change: CardChange, place: CardPlace) -> tuple[float, float]:
    """The changed share of the outline of a card, and of a ring around it."""
    inner, around = (
        float(change.look_up(place.to_table(_draw_rings(place.size, grow))).mean()) for grow in (INNER_MM, AROUND_MM)
    )
    return inner, around


@lru_cache(maxsize=16)
def _draw_rings(size: tuple[float, float], grow: tuple[float, ...]) -> Points:
    """Places in the frame of a card, all around its outline and outlines that many mm larger."""
    steps = np.arange(24)[:, None] / 24
    corners = [CardPlace(0.0, 0.0, 0.0, size).outline(mm) for mm in grow]
    sides = [(a, b) for ring in corners for a, b in zip(ring, np.roll(ring, -1, 0), strict=True)]
    return np.concatenate([a + (b - a) * steps for a, b in sides])
