"""Verification: whether a code that a decoder claims, or that was there before, is really in the picture."""

from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tags.codebook import cache_by_book
from vision.tags.grid_fit import (
    RIM_MODULES,
    SIDE_MODULES,
    Maps,
    Samples,
    Stencil,
    find_fixed_modules,
    fit_maps,
    list_payloads,
    sample_picture,
    stack_patterns,
)
from vision.tags.identification import compare_with_book

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Top left, top right, bottom right and bottom left of the 21 x 21 modules, in pixels."""

CODE_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * (SIDE_MODULES / 2)
SAME_LIKENESS = 0.5
"""Least correlation of a known tag with its place: a card laid over it stays below."""
PLAIN_LIKENESS = 0.75
"""Correlation from which blur need not be undone: two cards never reach 0.3 by the modules in which they differ."""


def find_middle(corners: Corners) -> tuple[float, float]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4


def find_middles(places: list[Corners]) -> NDArray[np.float64]:
    return np.array([find_middle(corners) for corners in places]).reshape(-1, 2)


def measure_side(corners: Corners) -> float:
    """The side of a square of the same area."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return float((abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2) ** 0.5)


def is_near(corners: Corners, others: list[Corners]) -> bool:
    """Is one of the others at the same place?"""
    x, y = find_middle(corners)
    reach = measure_side(corners) / 2
    for (ax, ay), _, (cx, cy), _ in others:
        if abs(ax + cx - 2 * x) < 2 * reach and abs(ay + cy - 2 * y) < 2 * reach:
            return True
    return False


def scale_corners(corners: Corners, times: float, left: float, top: float) -> Corners:
    """The corners in a picture ``times`` as large, shifted after that."""
    a, b, c, d = (((x + 0.5) * times - 0.5 + left, (y + 0.5) * times - 0.5 + top) for x, y in corners)
    return a, b, c, d


@lru_cache(maxsize=256)
def make_map(corners: Corners) -> NDArray[np.float64]:
    """From modules to pixels. It is kept: most tags of a frame are where they were in the last one."""
    found = np.asarray(cv2.getPerspectiveTransform(CODE_SQUARE, np.asarray(corners, np.float32)), np.float64)
    found.flags.writeable = False
    return found


def _make_affine(corners: Corners) -> NDArray[np.float64]:
    """The map without perspective: from corners exact to a pixel, perspective would be noise."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    x, y = find_middle(corners)
    step = 2 * SIDE_MODULES
    along, down = (
        ((bx - ax + cx - dx) / step, (by - ay + cy - dy) / step),
        ((dx - ax + cx - bx) / step, (dy - ay + cy - by) / step),
    )
    return np.array([[along[0], down[0], x], [along[1], down[1], y], [0.0, 0.0, 1.0]])


def map_corners(maps: Maps) -> list[Corners]:
    spots = np.concatenate([CODE_SQUARE, np.ones((4, 1))], 1) @ maps.transpose(0, 2, 1)
    found: list[Corners] = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in (spots[..., :2] / spots[..., 2:]).round(2).tolist():
        found.append(((ax, ay), (bx, by), (cx, cy), (dx, dy)))
    return found


def confirm_claims(
    image: NDArray[np.uint8], claims: list[tuple[str, Corners]], stencil: Stencil
) -> list[tuple[str, Corners, float]]:
    """The claims whose picture is that of the claimed card, with their corners fitted, and how alike they are.

    The picture is compared with the book: a damaged or foreign code that spells the name of a card fails.
    """
    if not claims:
        return []
    start = np.stack([_make_affine(corners) for _, corners in claims])
    maps, _ = fit_maps(image, start, stencil, 2)
    plain = _measure_likeness(image, maps, [text for text, _ in claims])
    scores = dict(enumerate(plain.tolist()))
    # a sharp tag needs no equalisation
    blurred = np.nonzero(plain < PLAIN_LIKENESS)[0]
    found = compare_with_book(image, maps[blurred])
    order = list_payloads()
    for i, best, score, sure in zip(blurred.tolist(), found.best, found.score, found.sure, strict=True):
        scores[i] = float(score) if sure and order[best] == claims[i][0] else 0.0
    settled = map_corners(maps)
    return [(text, settled[i], scores[i]) for i, (text, _) in enumerate(claims) if scores[i]]


def _measure_likeness(image: NDArray[np.uint8], maps: Maps, texts: list[str]) -> NDArray[np.float64]:
    """Correlation of the picture under each map with a card, over the modules in which cards differ."""
    at, order, patterns = _lay_out_differences()
    seen = sample_picture(image, maps, at).astype(np.float64)
    want = patterns[[order[text] for text in texts]]
    seen -= seen.mean(1, keepdims=True)
    size = np.linalg.norm(seen, axis=1) * np.linalg.norm(want, axis=1)
    return np.asarray(np.einsum("ij,ij->i", seen, want) / np.maximum(size, 1.0), np.float64)


@cache_by_book
def _lay_out_differences() -> tuple[Samples, Mapping[str, int], Samples]:
    """The middles of the modules in which cards differ, the row of each card, and its pattern there around its mean."""
    steps = np.arange(SIDE_MODULES) - SIDE_MODULES / 2 + 0.5
    at = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2).astype(np.float32)
    differ = find_fixed_modules()[RIM_MODULES:-RIM_MODULES, RIM_MODULES:-RIM_MODULES].ravel() == 0
    patterns = stack_patterns().reshape(len(list_payloads()), -1)[:, differ]
    order = {name: i for i, name in enumerate(list_payloads())}
    return at[differ], order, patterns - patterns.mean(1, keepdims=True)


def find_unmoved(image: NDArray[np.uint8], known: list[tuple[str, Corners]]) -> list[bool]:
    """Which known tags are exactly where they were; nothing is searched."""
    if not known:
        return []
    maps = np.stack([make_map(corners) for _, corners in known])
    return list(_measure_likeness(image, maps, [text for text, _ in known]) > SAME_LIKENESS)
