"""Identification of a card: the shared modules undo the blur, the others are compared with the book."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tags.codebook import cache_by_book
from vision.tags.grid_fit import (
    RIM_MODULES,
    SAMPLES_ACROSS,
    SAMPLES_PER_MODULE,
    SIDE_MODULES,
    Maps,
    Samples,
    find_fixed_modules,
    list_payloads,
    make_sample_points,
    sample_picture,
    stack_patterns,
)

TAPS = 4
"""An equalised module is a weighted sum of this many samples across, at half a module each."""
MAPS = 24
"""Compared at a time: each takes a hundred kilobytes, and memory is short."""
LEAST_SCORE, LEAST_LEAD, LEAST_CLARITY = 0.5, 0.18, 0.7
"""Chance and foreign codes, even of our own format, reach a score of 0.35 and a lead of 0.15 on thousands of grids. The
last is the score relative to the shared modules."""


@dataclass(frozen=True, slots=True)
class Identification:
    """The likeliest card at each map: its score (1: perfect), its lead over the next, the score of the shared part."""

    best: NDArray[np.intp]
    score: Samples
    lead: Samples
    shared: Samples

    @property
    def sure(self) -> NDArray[np.bool_]:
        """High score, clear lead, and data about as clear as the shared part: a foreign code of the same format is
        sharp where all codes agree and contradicts where they differ."""
        return (self.score >= LEAST_SCORE) & (self.lead >= LEAST_LEAD) & (self.score >= LEAST_CLARITY * self.shared)


@cache_by_book
def lay_out_modules() -> tuple[NDArray[np.intp], Samples, NDArray[np.intp], NDArray[np.intp]]:
    """Samples around each module of the code and its rim, known values, and which modules are known or differ."""
    span = SIDE_MODULES + 2
    first = SAMPLES_PER_MODULE * (RIM_MODULES - 1) - (TAPS - SAMPLES_PER_MODULE) // 2
    rows = first + SAMPLES_PER_MODULE * np.arange(span)[:, None] + np.arange(TAPS)
    taps = rows[:, None, :, None] * SAMPLES_ACROSS + rows[None, :, None, :]
    known = find_fixed_modules()[
        RIM_MODULES - 1 : RIM_MODULES + SIDE_MODULES + 1, RIM_MODULES - 1 : RIM_MODULES + SIDE_MODULES + 1
    ].ravel()
    pilots = np.nonzero(known)[0]
    inner = np.pad(find_fixed_modules()[RIM_MODULES:-RIM_MODULES, RIM_MODULES:-RIM_MODULES] == 0, 1).ravel()
    return taps.reshape(span * span, -1), known, pilots, np.nonzero(inner)[0]


@cache_by_book
def _book() -> Samples:
    cells = stack_patterns().reshape(len(list_payloads()), -1)[
        :, find_fixed_modules()[RIM_MODULES:-RIM_MODULES, RIM_MODULES:-RIM_MODULES].ravel() == 0
    ]
    cells = cells - cells.mean(1, keepdims=True)
    return np.asarray(cells / np.linalg.norm(cells, axis=1, keepdims=True), np.float32)


def equalise_modules(seen: Samples, ridge: float = 0.01) -> tuple[Samples, Samples]:
    """Modules (n, 23 * 23) as they were before lens, motion and shade, and how well the shared ones agree then.

    The shared modules are pilots: the linear filter that brings them nearest to their known values undoes the blur of
    the others too, together with a slope of the light.
    """
    taps, known, pilots, _ = lay_out_modules()
    seen = np.asarray(seen - seen.mean(1, keepdims=True), np.float32)
    seen = np.asarray(seen / np.maximum(seen.std(1, keepdims=True), 1.0), np.float32)
    around = seen[:, taps]
    span = SIDE_MODULES + 2
    ys, xs = np.divmod(np.arange(span * span), span)
    slope = np.stack([np.ones(span * span), xs / span - 0.5, ys / span - 0.5], 1).astype(np.float32)
    rows = np.concatenate([around, np.broadcast_to(slope, (len(seen), *slope.shape))], 2)
    learn = rows[:, pilots]
    square = learn.transpose(0, 2, 1) @ learn
    weight = np.full(square.shape[1], ridge * len(pilots))
    weight[-3:] *= 0.1
    want = learn.transpose(0, 2, 1) @ known[pilots]
    filters = np.linalg.solve(square + np.diag(weight).astype(np.float32), want[..., None])
    cells = (rows @ filters)[..., 0]
    told = cells[:, pilots]
    told = told - told.mean(1, keepdims=True)
    truth = known[pilots] - known[pilots].mean()
    shared = told @ truth / np.maximum(np.linalg.norm(told, axis=1) * np.linalg.norm(truth), 1e-6)
    return cells, shared.astype(np.float32)


def compare_with_book(image: NDArray[np.uint8], maps: Maps) -> Identification:
    """Compare the picture under every map with every card of the book."""
    some = [_compare_few(image, maps[first : first + MAPS]) for first in range(0, len(maps), MAPS)]
    none = np.empty(0, np.float32)
    return Identification(
        np.concatenate([np.empty(0, np.intp), *(part.best for part in some)]),
        np.concatenate([none, *(part.score for part in some)]),
        np.concatenate([none, *(part.lead for part in some)]),
        np.concatenate([none, *(part.shared for part in some)]),
    )


def _compare_few(image: NDArray[np.uint8], maps: Maps) -> Identification:
    cells, shared = equalise_modules(sample_picture(image, maps, make_sample_points()))
    data = np.clip(cells[:, lay_out_modules()[3]], -1.5, 1.5)
    data = data - data.mean(1, keepdims=True)
    data /= np.maximum(np.linalg.norm(data, axis=1, keepdims=True), 1e-6)
    scores = data @ _book().T
    best = scores.argmax(1)
    row = np.arange(len(maps))
    score = scores[row, best]
    scores[row, best] = -1
    return Identification(best, score, score - scores.max(1), shared)
