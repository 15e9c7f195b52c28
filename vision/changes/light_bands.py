"""Bands across the picture: LED lamps flicker, and a sensor reads its rows one after the other."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

LEAST_BANDS, MOST_BANDS, BANDS_STEP = 1.0, 30.0, 0.1
"""Bands in the height of a picture that are tried. The mains at 100 or 120 Hz make 2 in the fastest modes of a camera
and 9 in the slowest one; dimmed lamps make more, and cells of 4 mm show no more than this."""
BINS = 256
"""Samples are added up in this number of steps down the picture: eight for the narrowest band."""
FLICKER_SPREAD = 0.5
"""The natural logarithm of a difference at which a cell counts a quarter. Flicker is smaller, most objects are not."""
EXPLAINED_SHARE = 0.1
"""Less of the variance than this is not worth a fit: noise alone explains 1 %."""


@dataclass(frozen=True, slots=True, eq=False)
class LightBands:
    """``count`` bands in the height of a picture: ``waves`` are the cosine and the sine, per colour, of the logarithm
    of the light."""

    count: float
    waves: NDArray[np.float32]

    def log_gain(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """``rows`` tell where in the height of the picture each cell is, as a share."""
        turn = (2 * np.pi * self.count) * rows[..., None]
        return np.asarray(np.cos(turn) * self.waves[0] + np.sin(turn) * self.waves[1], np.float32)


def sample_waves(count: float, rows: Numbers) -> Numbers:
    """The cosine and the sine at some places."""
    turn = 2 * np.pi * count * rows
    return np.stack([np.cos(turn), np.sin(turn)], 1)


def count_bands(rest: Numbers, rows: Numbers) -> float | None:
    """How many bands explain most of what the general light leaves of the samples; None if there are none."""
    even, belief = _weigh_samples(rest)
    even = even - (belief @ even) / belief.sum()
    counts, turns = _list_turns()
    bins = np.clip(rows * BINS, 0, BINS - 1).astype(np.intp)
    sums = np.stack([np.bincount(bins, colour * belief, BINS) for colour in even.T], 1)
    power = np.square(np.abs(turns @ sums)).sum(1) * 2 / belief.sum()
    best = int(np.argmax(power))
    whole = float((np.square(even).sum(1) * belief).sum())
    return float(counts[best]) if power[best] > EXPLAINED_SHARE * whole else None


@lru_cache(maxsize=1)
def _list_turns() -> tuple[Numbers, NDArray[np.complex128]]:
    """The numbers of bands that are tried, and the wave of each at every bin."""
    counts = np.arange(LEAST_BANDS, MOST_BANDS, BANDS_STEP)
    return counts, np.exp((2j * np.pi) * np.outer(counts, (np.arange(BINS) + 0.5) / BINS))


def fit_waves(rest: Numbers, waves: Numbers) -> Numbers:
    """The mean and the two waves that fit the samples best, per colour."""
    _, belief = _weigh_samples(rest)
    terms = np.hstack([np.ones((len(rest), 1)), waves])
    weighed = terms * belief[:, None]
    return np.asarray(np.linalg.solve(terms.T @ weighed + np.eye(3), weighed.T @ rest))


def _weigh_samples(rest: Numbers) -> tuple[Numbers, Numbers]:
    """The samples around their middle, as the general light may have been fitted to the brightest rows or to the
    darkest; and their weights: objects are farther from the light than flicker, and count little."""
    even = rest - np.median(rest, 0)
    return even, np.asarray(1 / (1 + np.square(even / FLICKER_SPREAD).sum(1)) ** 2)
