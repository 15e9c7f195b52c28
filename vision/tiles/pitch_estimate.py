"""The pitch, the distance of touching tiles, estimated from all heaps of a picture together."""

import numpy as np
from numpy.typing import NDArray

from vision.tiles.colour_masks import ColourMasks
from vision.tiles.heaps import Heap, cut_pixels
from vision.tiles.hex_grid_fit import measure_outline_angle, score_pitches

PITCHES_MM = np.geomspace(24.5, 47.0, 28)
"""The pitches tried: tiles of 25 to 45 mm and the gaps between them."""
PITCHES_PER_MILLE = np.geomspace(18.0, 94.0, 44)
"""The pitches tried without a scale, in thousandths of the picture's longer side."""
RIVAL_SHARE = 0.9
"""A pitch that explains this share of what the best one explains is tried as well."""


def find_likely_pitches(seen: ColourMasks, heaps: list[Heap], pitches: NDArray[np.float64]) -> list[float]:
    """The pitches that together explain the larger heaps best, the best first: all tiles have one size."""
    total = np.zeros(len(pitches))
    for heap in heaps[:8]:
        pixels = cut_pixels(seen, heap, 4, alone=True)
        angle = measure_outline_angle(pixels.red + pixels.black)
        total += score_pitches(pixels, pitches, angle) * heap.count
    ends = np.pad(total, 1, constant_values=-1.0)
    peaks = np.flatnonzero((total >= ends[:-2]) & (total > ends[2:]) & (total > RIVAL_SHARE * total.max()))
    return [_peak(total, pitches, int(i)) for i in sorted(peaks, key=lambda i: -total[i])[:3]]


def _peak(total: NDArray[np.float64], pitches: NDArray[np.float64], i: int) -> float:
    """The top of the parabola through a peak and its neighbours."""
    shift = 0.0
    if 0 < i < len(pitches) - 1:
        low, mid, high = total[i - 1 : i + 2]
        bow = low - 2 * mid + high
        shift = 0.5 * float((low - high) / bow) if bow else 0.0
    return float(pitches[i] * (pitches[1] / pitches[0]) ** shift)
