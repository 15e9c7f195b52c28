"""The matcher: finds all tags of one size in a picture, blurred or half covered, by fitting candidates."""

from collections.abc import Iterator, Sequence
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Grey
from vision.tags.candidates import (
    TAG_REACH_MODULES,
    Box,
    Points,
    find_busy_boxes,
    find_finders,
    guess_around_finder,
    guess_from_pairs,
    guess_from_triples,
    split_box,
)
from vision.tags.codebook import cache_by_book
from vision.tags.grid_fit import Maps, Stencil, fit_maps, list_payloads, make_outline
from vision.tags.identification import compare_with_book
from vision.tags.verification import Corners, find_middle, find_middles, is_near, make_map, map_corners, measure_side

Match = tuple[str, Corners, float]
"""A payload, the place of its code, and how alike the two are."""

SEARCHED_PX_MODULE = 1.4
"""Finders are searched at this many pixels per module."""
GLANCE_TRUST, FIT_TRUST = 0.35, 0.42
"""What a guess and a fitted grid must show of the shared modules to be worth the next step."""
INTACT_LIKENESS = 0.55
"""Likeness of a finder that nothing covers."""
GLANCE_BATCH, FIT_BATCH = 512, 96
"""Guesses judged, and fitted, at a time: memory is short."""
LARGE_PX = 800


@cache_by_book
def make_stencils() -> tuple[Stencil, Stencil]:
    """A soft stencil catches a grid half a module off, a sharp one fits it."""
    return Stencil(make_outline(), 0.8, every=3), Stencil(make_outline(), 0.5, every=2)


def search_tags(
    image: Grey, boxes: Sequence[Box], size: float, read: list[Corners]
) -> tuple[list[Match], list[Corners]]:
    """Tags of about ``size`` px per module apart from those read, and grids that resemble a code but no card."""
    closed = find_middles(read)
    peaks = list(find_peaks(image, boxes, size, closed))
    found: list[Match] = []
    doubtful: list[Corners] = []
    for guesses in (_guess_whole, _guess_halves, _guess_lone):
        taken = read + [place for _, place, _ in found]
        spots = find_middles(taken)
        # finders of a tag that has been read lead to no other
        free = [(at[ok], likeness[ok]) for at, likeness in peaks if (ok := is_apart(at, spots, 10 * size)).any()]
        starts = [maps for maps in guesses(image, free, size, taken) if len(maps)]
        matches, unclear = _decide(image, np.concatenate(starts)) if starts else ([], [])
        found += [match for match in matches if not is_near(match[1], taken)]
        doubtful += unclear
    places = [place for _, place, _ in found]
    return found, [place for place in doubtful if not is_near(place, places)]


Peaks = list[tuple[Points, NDArray[np.float64]]]


def _guess_whole(image: Grey, peaks: Peaks, size: float, known: list[Corners]) -> list[Maps]:
    return [guess_from_triples(at, likeness, size) for at, likeness in peaks]


def _guess_halves(image: Grey, peaks: Peaks, size: float, known: list[Corners]) -> list[Maps]:
    return [guess_from_pairs(at, likeness, size) for at, likeness in peaks]


def _guess_lone(image: Grey, peaks: Peaks, size: float, known: list[Corners]) -> list[Maps]:
    """Guesses where a sleeve covers two finders: a code turned around the third, foreshortened like its neighbours."""
    _, sharp = make_stencils()
    found: list[Maps] = []
    for at, likeness in peaks:
        for place in at[likeness > INTACT_LIKENESS]:
            guess = guess_around_finder(place, find_lean(place, size, known))
            found.append(guess[np.argsort(-sharp.measure_trust(image, guess))[:3]])
    return found


def find_peaks(
    image: Grey, boxes: Sequence[Box], size: float, closed: Points
) -> Iterator[tuple[Points, NDArray[np.float64]]]:
    """Finders in the busy places of boxes, in parts small enough to search at once."""
    overlap = int(2 * TAG_REACH_MODULES * size)
    for left, top, right, bottom in [part for box in boxes for part in split_box(box, overlap, LARGE_PX)]:
        part = image[top:bottom, left:right]
        shrink = min(1.0, SEARCHED_PX_MODULE / size)
        if shrink < 1:
            small = cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            part = np.asarray(small, np.uint8)
        read = (closed - (left, top) + 0.5) * shrink - 0.5
        for place in find_busy_boxes(part, size * shrink, read):
            for a, b, c, d in split_box(place, int(overlap * shrink)):
                at, likeness = find_finders(part[b:d, a:c], size * shrink)
                yield (at + (a, b) + 0.5) / shrink - 0.5 + (left, top), likeness


def _decide(image: Grey, guesses: Maps) -> tuple[list[Match], list[Corners]]:
    """Fit the guesses and compare them with the book: tags, and places that resemble a foreign code."""
    soft, sharp = make_stencils()
    likely = [
        some[sharp.measure_trust(image, some) > GLANCE_TRUST]
        for some in np.split(guesses, range(GLANCE_BATCH, len(guesses), GLANCE_BATCH))
    ]
    maps = np.concatenate(likely)
    found: list[Match] = []
    doubtful: list[Corners] = []
    for some in np.split(maps, range(FIT_BATCH, len(maps), FIT_BATCH)):
        fitted, _ = fit_maps(image, some, soft, 2)
        fitted, fits = fit_maps(image, fitted, sharp, 3)
        fitted = fitted[fits > FIT_TRUST]
        verdict = compare_with_book(image, fitted)
        settled = map_corners(fitted)
        places: list[Corners] = [place for _, place, _ in found]
        for i in np.argsort(-verdict.score).tolist():
            if not verdict.sure[i]:
                doubtful.append(settled[i])
            elif not is_near(settled[i], places):
                found.append((list_payloads()[verdict.best[i]], settled[i], float(verdict.score[i])))
                places.append(settled[i])
    return found, doubtful


def find_lean(place: Points, size: float, known: list[Corners]) -> Points:
    """How a module is foreshortened at a place: like the nearest known tags of about that size."""
    alike = [tag for tag in known if 0.7 < measure_side(tag) / 21 / size < 1.4]
    alike.sort(key=lambda tag: dist(find_middle(tag), place))
    if not alike:
        return np.eye(2) * size
    shapes = [make_map(tag)[:2, :2] for tag in alike[:5]]
    values, vectors = np.linalg.eigh(np.mean([shape @ shape.T for shape in shapes], 0))
    return np.asarray(vectors * np.sqrt(values) @ vectors.T)


def is_apart(places: Points, others: Points, reach: float) -> NDArray[np.bool_]:
    """Which places are farther than ``reach`` from all others, along x or y."""
    if not len(others) or not len(places):
        return np.ones(len(places), np.bool_)
    # two planes instead of pairs: numpy reduces an axis of two elements very slowly
    x, y = (np.abs(places[:, None, axis] - others[None, :, axis]) for axis in (0, 1))
    return np.asarray(np.maximum(x, y).min(1) > reach)
