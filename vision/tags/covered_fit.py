"""Fit of a grid to a code that is partly covered.

What covers a code has, over so small a square, a nearly straight edge. So a code is tried in many views, each of what
is on one side of a line, and each view counts by how well what is in it resembles the drawing.
"""

from dataclasses import dataclass

import numpy as np

from vision.frame import Grey
from vision.tags.codebook import cache_by_book
from vision.tags.grid_fit import (
    DOUBT_CONTRAST,
    FAINT_LEVELS,
    SAMPLES_PER_MODULE,
    Maps,
    Samples,
    Stencil,
    make_outline,
    move_maps,
    sample_picture,
)

SAMPLES_OF_MODULE = SAMPLES_PER_MODULE**2
NOISE_LEVELS = 2.0
"""Standard deviation of the grey levels in a view below which there is no print: the noise of a sensor."""
CLOSEST_LIKENESS = 0.995
"""No likeness counts for more: a plain view of few samples would reach 1 by chance."""


@dataclass(frozen=True, slots=True)
class Views:
    """The straight edges that may cover a code: directions all around, and modules from the middle of the code."""

    directions: int
    depths: tuple[float, ...]

    def show(self, at: Samples) -> Samples:
        """What each view shows of places, in modules from the middle: 1 or 0, (places, views). The first shows all."""
        turns = np.arange(self.directions) * (2 * np.pi / self.directions)
        reach = at @ np.stack([np.cos(turns), np.sin(turns)]).astype(np.float32)
        shown = np.stack([reach < depth for depth in self.depths], -1).reshape(len(at), -1)
        return np.concatenate([np.ones((len(at), 1), np.bool_), shown], 1).astype(np.float32)


COARSE = Views(16, (-4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 8.0))
"""Enough to fit a grid."""
FINE = Views(24, tuple(np.arange(-6.0, 9.1, 1.5).tolist()))
"""An edge is nowhere farther than a module from one of these."""
GLANCE = Views(8, (0.0, 3.5, 7.0))
"""Enough to tell whether a guess is worth a fit."""


class CoveredStencil:
    """The drawing of what all codes share, and how a sample of it changes when the map moves."""

    def __init__(self, views: Views, soft: float, *, every: int) -> None:
        drawn = Stencil(make_outline(), soft, every=every)
        x, y = drawn.at.T
        tx, ty = drawn.slopes.T
        moved = np.stack([tx * x, tx * y, tx, ty * x, ty * y, ty], 1)
        self.at, self.drawn = drawn.at, drawn.drawn
        self.moved = np.asarray(moved, np.float32)
        self.pairs = np.asarray((moved[:, :, None] * moved[:, None, :]).reshape(len(moved), 36), np.float32)
        self.views = views.show(self.at)
        self.modules = every / SAMPLES_OF_MODULE
        """Modules for each sample: samples of one module are not independent."""

    def measure_evidence(self, seen: Samples) -> Samples:
        """For each map and view, in nats: how much likelier the samples are the drawing, at any contrast, with noise
        than noise alone. With n modules of likeness r that is -n/2 log(1 - r^2)."""
        seen = seen - seen.mean(1, keepdims=True)
        count, drawn, square = self.views.sum(0), self.drawn @ self.views, self.drawn**2 @ self.views
        light = seen @ self.views
        both = (seen * self.drawn) @ self.views - light * (drawn / count)
        spread = np.maximum(seen**2 @ self.views - light**2 / count, NOISE_LEVELS**2 * count)
        like = both / np.sqrt(spread * np.maximum(square - drawn**2 / count, 1e-3))
        like = np.clip(like, 0, CLOSEST_LIKENESS)
        return np.asarray(-0.5 * self.modules * count * np.log(1 - like**2), np.float32)

    def weigh(self, seen: Samples, shown: Samples) -> tuple[Samples, Samples]:
        """Differences of samples from the drawing, in units of its contrast, and the weight of each in its view."""
        weight = shown
        left = np.zeros_like(seen)
        for _ in range(2):
            total = weight.sum(1) + 1e-3
            middle, light = weight @ self.drawn / total, (weight * seen).sum(1) / total
            slope = (weight * seen) @ self.drawn - total * middle * light
            slope = np.maximum(slope / (weight @ self.drawn**2 - total * middle**2 + 1e-3), FAINT_LEVELS)
            left = (seen - light[:, None]) / slope[:, None] - (self.drawn - middle[:, None])
            weight = shown / (1 + (left / DOUBT_CONTRAST) ** 2)
        return np.asarray(left, np.float32), np.asarray(weight, np.float32)


@cache_by_book
def make_covered_stencils() -> tuple[CoveredStencil, CoveredStencil, CoveredStencil]:
    """To glance at guesses, to catch a grid, and to fit it."""
    return (
        CoveredStencil(GLANCE, 0.8, every=8),
        CoveredStencil(COARSE, 0.8, every=4),
        CoveredStencil(COARSE, 0.5, every=3),
    )


@cache_by_book
def make_view_stencil() -> CoveredStencil:
    """To tell what is in view of a fitted grid; it takes 6 MB, and most tables need none."""
    return CoveredStencil(FINE, 0.5, every=1)


def glance_at_guesses(image: Grey, maps: Maps, stencil: CoveredStencil) -> Samples:
    """The evidence for each guess in its best view."""
    return np.asarray(stencil.measure_evidence(sample_picture(image, maps, stencil.at)).max(1), np.float32)


def fit_covered(image: Grey, maps: Maps, stencil: CoveredStencil, turns: int) -> tuple[Maps, Samples]:
    """Maps moved onto what is in view of the drawing, and the evidence for each then."""
    maps = maps.copy()
    best, reached = maps.copy(), np.full(len(maps), -1.0, np.float32)
    for turn in range(turns + 1):
        seen = sample_picture(image, maps, stencil.at)
        evidence = stencil.measure_evidence(seen)
        view, most = evidence.argmax(1), evidence.max(1)
        better = most > reached
        best[better], reached[better] = maps[better], most[better]
        if turn == turns or not len(maps):
            break
        left, weight = stencil.weigh(seen, stencil.views.T[view])
        square = (weight @ stencil.pairs).reshape(-1, 6, 6)
        ridge = 1e-3 / 6 * np.trace(square, axis1=1, axis2=2)
        square = square + ridge[:, None, None] * np.eye(6, dtype=np.float32)
        step = np.linalg.solve(square, ((weight * left) @ stencil.moved)[..., None])[..., 0]
        move_maps(maps, step)
    return best, reached
