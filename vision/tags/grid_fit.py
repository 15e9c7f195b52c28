"""Fit of a grid to a tag that is not identified yet: the modules that all tags share, and maps fitted to them."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tags.codebook import BOOK, cache_by_book, draw_pattern

Maps = NDArray[np.float64]
"""Maps (n, 3, 3) from code coordinates, in modules from the centre of the code, to pixels.

Fitted maps are affine: within so small a square neither lens nor tilt shows, and one corner has no fixed module.
"""
Samples = NDArray[np.float32]

SIDE_MODULES = 21
RIM_MODULES = 2
SAMPLES_PER_MODULE = 2
"""Fine enough to see an edge move, and for the equaliser to undo any shift."""
DOUBT_CONTRAST = 0.7
"""A sample this far from the drawing, in units of its contrast, has half its weight."""
GLIMPSE_SAMPLES = 300
"""Samples for a first estimate."""
FAINT_LEVELS = 2.0
"""Less contrast than this, in grey levels from ink to middle, is no print."""
SAMPLES_ACROSS = (SIDE_MODULES + 2 * RIM_MODULES) * SAMPLES_PER_MODULE


@cache_by_book
def list_payloads() -> tuple[str, ...]:
    return tuple(BOOK)


@cache_by_book
def stack_patterns() -> Samples:
    """Every code of the book as +1 for paper and -1 for ink, (n, 21, 21)."""
    return np.where(np.stack([draw_pattern(name) for name in list_payloads()]), -1, 1).astype(np.float32)


@cache_by_book
def find_fixed_modules() -> Samples:
    """The code with its rim: +1 or -1 where all codes of the book agree, 0 where they differ, (25, 25)."""
    book = stack_patterns()
    inner = np.where((book == book[0]).all(0), book[0], 0)
    return np.pad(inner, RIM_MODULES, constant_values=1).astype(np.float32)


@cache_by_book
def make_outline() -> Samples:
    """What a grid is fitted to: the shared modules and half the rim, since a border may be cut or covered."""
    cells = find_fixed_modules().copy()
    cells[[0, -1], :] = 0
    cells[:, [0, -1]] = 0
    return cells


@cache
def make_sample_points() -> Samples:
    """Code coordinates of all samples, row by row, (50 * 50, 2)."""
    steps = (np.arange(SAMPLES_ACROSS) + 0.5) / SAMPLES_PER_MODULE - SIDE_MODULES / 2 - RIM_MODULES
    ys, xs = np.meshgrid(steps, steps, indexing="ij")
    return np.stack([xs, ys], -1).reshape(-1, 2).astype(np.float32)


def sample_picture(image: NDArray[np.uint8] | Samples, maps: Maps, at: Samples) -> Samples:
    """The picture at code coordinates ``at`` (p, 2) under each map: (n, p)."""
    if not len(maps):
        return np.empty((0, len(at)), np.float32)
    spots = np.concatenate([at, np.ones((len(at), 1), np.float32)], 1).T
    across, down, depth = (maps[:, row].astype(np.float32) for row in range(3))
    x, y = across @ spots, down @ spots
    if (depth[:, :2] != 0).any():
        away = depth @ spots
        x, y = x / away, y / away
    # remap takes at most 32767 rows
    parts = [
        cv2.remap(
            image, x[some : some + 16384], y[some : some + 16384], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        for some in range(0, len(maps), 16384)
    ]
    return np.concatenate(parts).astype(np.float32)


class Stencil:
    """A drawing that maps are fitted to: its samples, and the gain from differences to a step of the map."""

    def __init__(self, cells: Samples, soft: float, *, every: int = 1) -> None:
        known = np.kron((cells != 0).astype(np.float32), np.ones((SAMPLES_PER_MODULE, SAMPLES_PER_MODULE), np.float32))
        drawn = np.kron(cells, np.ones((SAMPLES_PER_MODULE, SAMPLES_PER_MODULE), np.float32))
        share = cv2.GaussianBlur(known, (0, 0), soft * SAMPLES_PER_MODULE, borderType=cv2.BORDER_REPLICATE)
        drawn = cv2.GaussianBlur(
            drawn, (0, 0), soft * SAMPLES_PER_MODULE, borderType=cv2.BORDER_REPLICATE
        ) / np.maximum(share, 0.3)
        down, along = np.gradient(drawn, 1 / SAMPLES_PER_MODULE)
        kept = np.nonzero((known * share).ravel() > 0.5)[0]
        # a random part of the samples leads as surely as all of them
        kept = np.sort(np.random.default_rng(0).permutation(kept)[: len(kept) // every])
        self.at = make_sample_points()[kept]
        self.drawn = drawn.ravel()[kept].astype(np.float32)
        self.slopes = np.stack([along.ravel()[kept], down.ravel()[kept]], 1)
        x, y = self.at.T
        tx, ty = self.slopes.T
        jacobian = np.stack([tx * x, tx * y, tx, ty * x, ty * y, ty], 1).astype(np.float64)
        basis = np.stack([np.ones(len(kept)), self.drawn], 1)
        jacobian -= basis @ np.linalg.lstsq(basis, jacobian, rcond=None)[0]
        ridge = 1e-3 * np.diag((jacobian**2).sum(0))
        self.gain = np.linalg.solve(jacobian.T @ jacobian + ridge, jacobian.T).T.astype(np.float32)

    def measure_trust(self, image: NDArray[np.uint8], maps: Maps) -> Samples:
        """How much of the drawing each map shows, 0 to 1, from a fraction of the samples."""
        some = slice(None, None, max(1, len(self.at) // GLIMPSE_SAMPLES))
        _, belief = _weigh(sample_picture(image, maps, self.at[some]), self.drawn[some])
        return np.asarray(belief.mean(1), np.float32)


def _weigh(seen: Samples, drawn: Samples) -> tuple[Samples, Samples]:
    """Differences of samples from a drawing, in units of its contrast, and the weight of each: what contradicts the
    drawing outright is a finger, not a shift."""
    count = len(drawn)
    level = drawn - drawn.mean()
    centred = seen - seen.mean(1, keepdims=True)
    slope = centred @ level / (level @ level)
    left = centred / np.maximum(slope, FAINT_LEVELS)[:, None] - level
    belief = 1 / (1 + (left / DOUBT_CONTRAST) ** 2)
    # once more, with these weights
    total = belief.sum(1) + 1e-3 * count
    middle, light = belief @ drawn / total, (belief * seen).sum(1) / total
    slope = ((belief * seen) @ drawn - total * middle * light) / (belief @ drawn**2 - total * middle**2 + 1e-3)
    left = (seen - light[:, None]) / np.maximum(slope, FAINT_LEVELS)[:, None] - (drawn - middle[:, None])
    return np.asarray(left, np.float32), np.asarray(1 / (1 + (left / DOUBT_CONTRAST) ** 2) ** 2, np.float32)


def fit_maps(image: NDArray[np.uint8], maps: Maps, stencil: Stencil, turns: int) -> tuple[Maps, Samples]:
    """Maps moved onto the stencil (inverse compositional, all at once), and how much of it they show then."""
    maps = maps.copy()
    best, reached = maps.copy(), np.zeros(len(maps), np.float32)
    for turn in range(turns + 1):
        left, belief = _weigh(sample_picture(image, maps, stencil.at), stencil.drawn)
        trust = belief.mean(1)
        better = trust > reached
        best[better], reached[better] = maps[better], trust[better]
        if turn == turns or not len(maps):
            break
        step = (belief * left) @ stencil.gain / np.maximum(trust, 0.3)[:, None]
        move_maps(maps, step)
    return best, reached


def move_maps(maps: Maps, step: Samples) -> None:
    """Undo a fitted change of each grid in its map, in place; a change that is no small one is not believed."""
    a, b, c, d, e, f = (step.astype(np.float64) + np.array([1, 0, 0, 0, 1, 0])).T
    size = a * e - b * d
    sane = abs(size - 1) < 0.5
    # written out: for a few small matrices numpy's own inverse takes longer than all the rest of a step
    back = np.zeros((len(maps), 3, 3))
    back[:, 0] = np.stack([e, -b, b * f - c * e], 1)
    back[:, 1] = np.stack([-d, a, c * d - a * f], 1)
    back[:, 2, 2] = size
    maps[sane] = maps[sane] @ (back[sane] / size[sane, None, None])
