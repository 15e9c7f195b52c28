"""The pitch, the distance of touching tiles, estimated from all heaps of a picture together."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.tiles.colour_masks import ColourMasks
from vision.tiles.heaps import cut_pixels, find_heaps
from vision.tiles.hex_grid_fit import measure_outline_angle, score_pitches

PITCHES_MM = np.geomspace(24.5, 47.0, 28)
"""The pitches tried: tiles of 25 to 45 mm and the gaps between them."""
PITCHES_PER_MILLE = np.geomspace(18.0, 94.0, 44)
"""The pitches tried without a scale, in thousandths of the picture's longer side."""
RIVAL_SHARE = 0.9
"""A pitch that explains this share of what the best one explains is tried as well."""
SAME_SHARE = 0.02
"""Pitches that differ by less are one: the fit of a grid looks further than this."""

LEAST_TILES = 4
"""A heap of one colour shows a pitch of its own if it is as large as so many tiles: two that overlap look like one."""


@dataclass(frozen=True, slots=True)
class LikelyPitch:
    """A pitch in px. ``of_one_colour``: the heaps of both colours do not show it."""

    px: float
    of_one_colour: bool = False


def find_likely_pitches(
    seen: ColourMasks, near: float, least: float, pitches: NDArray[np.float64]
) -> list[LikelyPitch]:
    """The pitches that explain the heaps best, the best first: all tiles have one size.

    Heaps of both colours show the grid best. But a hand that is as dark as black tiles joins a board into one heap with
    it, in which no pitch stands out: the tiles of one colour are heaps of their own, and a pitch of theirs that is
    another is tried as well.
    """
    found = [LikelyPitch(pitch) for pitch in _rank_pitches(seen, near, least, pitches)[0]]
    if len(found) == 1:
        return found
    nothing = np.zeros_like(seen.red)
    for one in (replace(seen, black=nothing), replace(seen, red=nothing)):
        own, largest = _rank_pitches(one, near, least, pitches)
        for px in own[:1]:
            enough = largest > LEAST_TILES * px * px * math.sqrt(3) / 2
            if enough and all(abs(px / other.px - 1) > SAME_SHARE for other in found):
                found.append(LikelyPitch(px, True))
    return found


def _rank_pitches(
    seen: ColourMasks, near: float, least: float, pitches: NDArray[np.float64]
) -> tuple[list[float], int]:
    """The three best pitches, the best first, each nearly as good; and the pixels of the largest heap."""
    heaps = find_heaps(seen.red | seen.black, near, least)
    total = np.zeros(len(pitches))
    for heap in heaps[:8]:
        pixels = cut_pixels(seen, heap, 4, alone=True)
        angle = measure_outline_angle(pixels.red + pixels.black)
        total += score_pitches(pixels, pitches, angle) * heap.count
    if not total.any():
        return [], 0
    ends = np.pad(total, 1, constant_values=-1.0)
    peaks = np.flatnonzero((total >= ends[:-2]) & (total > ends[2:]) & (total > RIVAL_SHARE * total.max()))
    return [_peak(total, pitches, int(i)) for i in sorted(peaks, key=lambda i: -total[i])[:3]], heaps[0].count


def _peak(total: NDArray[np.float64], pitches: NDArray[np.float64], i: int) -> float:
    """The top of the parabola through a peak and its neighbours."""
    shift = 0.0
    if 0 < i < len(pitches) - 1:
        low, mid, high = total[i - 1 : i + 2]
        bow = low - 2 * mid + high
        shift = 0.5 * float((low - high) / bow) if bow else 0.0
    return float(pitches[i] * (pitches[1] / pitches[0]) ** shift)
