"""Identification of a code that is partly covered, by its likelihood over the whole book.

Two explanations of what is in view are compared: the modules of one card, seen through noise, or of any print, each
dark or light by chance. For print by chance their ratio exceeds K with a probability of 1/K at most (Markov's
inequality), whatever is in view: so the least ratio follows from the rate of false reads that is accepted, and from how
many cards and places are compared. Which modules are in view is not decided but averaged over, weighed by the modules
that all codes share, which tell nothing of the card.
"""

from dataclasses import dataclass
from math import log

import numpy as np

from vision.frame import Grey
from vision.tags.codebook import cache_by_book
from vision.tags.covered_fit import FINE, make_view_stencil
from vision.tags.grid_fit import (
    SIDE_MODULES,
    Maps,
    Samples,
    list_payloads,
    make_sample_points,
    sample_picture,
    stack_patterns,
)
from vision.tags.identification import lay_out_modules

FALSE_READ = 1e-9
"""Accepted probability that prints of another kind in one picture are read as a card."""
VIEWS_COMPARED = 24
"""The likeliest views; all others together weigh less than the last of them."""
ODD_SHARE, ODD_RANGE = 0.05, 6.0
"""Share of the modules that are neither paper nor ink, but gloss, dirt or the cover's edge, and the range in which they
are then, in units of the contrast from ink to middle."""
LEAST_NOISE = 0.15
"""Of a module, in the same units: print, bending and the drawing are never more exact."""
RIDGE = 0.01


@dataclass(frozen=True, slots=True)
class CoveredCard:
    """The likeliest card at one grid: the logarithms of its ratio to chance print, with all cards that were tried taken
    into account, and of that to the next card; and how alike it is, at most 1."""

    payload: str
    ratio: float
    lead: float
    likeness: float

    def is_sure(self, places: int) -> bool:
        """Is it unlikely that another card, or print by chance at one of these places, explains what is in view?"""
        return self.ratio >= log(places / FALSE_READ) and self.lead >= -log(FALSE_READ)


@cache_by_book
def _show_modules() -> Samples:
    """What each view shows of the modules of the code and its rim: (views, 23 * 23)."""
    steps = np.arange(SIDE_MODULES + 2, dtype=np.float32) - SIDE_MODULES // 2 - 1
    at = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    return np.ascontiguousarray(FINE.show(at).T)


@cache_by_book
def _list_cards() -> Samples:
    """The modules in which cards differ, (cards, modules)."""
    inner = lay_out_modules()[3]
    return np.pad(stack_patterns(), ((0, 0), (1, 1), (1, 1))).reshape(len(list_payloads()), -1)[:, inner]


def identify_covered(image: Grey, fitted: Maps) -> CoveredCard:
    """Compare what is in view under one map, (3, 3), with every card of the book."""
    stencil = make_view_stencil()
    evidence = stencil.measure_evidence(sample_picture(image, fitted[None], stencil.at))[0]
    seen = sample_picture(image, fitted[None], make_sample_points())[0]
    cells, noise = equalise_covered(seen, int(evidence.argmax()))
    paper, ink = _measure_density(cells, 1.0, noise), _measure_density(cells, -1.0, noise)
    chance = (paper + ink) / 2
    for_paper, for_ink = np.log(paper / chance), np.log(ink / chance)
    _, known, pilots, inner = lay_out_modules()
    shared = _show_modules()[:, pilots] @ np.where(known[pilots] > 0, for_paper[pilots], for_ink[pilots])
    views = np.argsort(-shared)[:VIEWS_COMPARED]
    weight = shared[views] - shared[views[0]]
    shown, cards = _show_modules()[views][:, inner], _list_cards()
    for_paper, for_ink = for_paper[inner], for_ink[inner]
    ratios = (shown @ (for_paper + for_ink) / 2)[:, None] + (shown * ((for_paper - for_ink) / 2)) @ cards.T
    ratios += (weight - log(float(np.exp(weight).sum())))[:, None]
    most = ratios.max(0)
    total = most + np.log(np.exp(ratios - most).sum(0))
    best, second = np.argsort(-total)[:2].tolist()
    ratio = float(total[best]) - log(len(cards))
    lead = float(total[best] - total[second])
    return CoveredCard(list_payloads()[best], ratio, lead, _measure_likeness(cells[inner], cards[best], shown[0]))


def _measure_likeness(cells: Samples, card: Samples, shown: Samples) -> float:
    """The correlation of modules with those of a card where both are shown."""
    seen, want = np.clip(cells[shown > 0], -1.5, 1.5), card[shown > 0]
    return float(np.corrcoef(seen, want)[0, 1]) if seen.std() > 0 and want.std() > 0 else 0.0


def _measure_density(cells: Samples, level: float, noise: float) -> Samples:
    near = np.exp(-(((cells - level) / noise) ** 2) / 2) / (noise * (2 * np.pi) ** 0.5)
    return np.asarray((1 - ODD_SHARE) * near + ODD_SHARE / ODD_RANGE, np.float64)


def equalise_covered(seen: Samples, view: int) -> tuple[Samples, float]:
    """Modules (23 * 23) as they were before lens, motion and shade, +1 for paper and -1 for ink, and their noise.

    Both are learned from the shared modules that a view shows.
    """
    taps, known, pilots, _ = lay_out_modules()
    shown = _show_modules()[view] > 0
    pilots = pilots[shown[pilots]]
    inside = seen[taps[shown]]
    around = (seen[taps] - inside.mean()) / max(float(inside.std()), 1.0)
    span = SIDE_MODULES + 2
    ys, xs = np.divmod(np.arange(span * span), span)
    rows = np.concatenate([around, np.stack([np.ones(span * span), xs / span - 0.5, ys / span - 0.5], 1)], 1)
    learn, want = rows[pilots].astype(np.float64), known[pilots].astype(np.float64)
    weight = np.full(rows.shape[1], RIDGE * len(pilots))
    weight[-3:] *= 0.1
    cells = rows @ np.linalg.solve(learn.T @ learn + np.diag(weight), learn.T @ want)
    # the ridge draws modules towards the middle
    slope, middle = np.polyfit(want, cells[pilots], 1)
    cells = (cells - middle) / max(float(slope), 0.2)
    free = max(len(pilots) - rows.shape[1], 8)
    noise = float((((cells[pilots] - want) ** 2).sum() / free) ** 0.5)
    return np.asarray(cells, np.float32), max(noise, LEAST_NOISE)
