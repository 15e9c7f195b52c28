"""The search for codes that are partly covered, around each finder that is left in view."""

from collections.abc import Sequence
from math import dist

import numpy as np

from vision.frame import Grey
from vision.tags.candidates import Box, Points, guess_around_finder
from vision.tags.covered_fit import fit_covered, glance_at_guesses, make_covered_stencils
from vision.tags.covered_identification import identify_covered
from vision.tags.grid_fit import Maps, sample_picture
from vision.tags.matcher import Match, find_lean, find_peaks, is_apart
from vision.tags.verification import Corners, find_middles, is_near, make_map, map_corners, measure_side

GUESSES_EACH, FITS_EACH, MOST_FITS = 10, 4, 160
"""Turns of a code around one finder that are looked at closely, how many of them, a little changed, are fitted, and
most fits in a picture: with half a code in view the right turn is not always the first."""
GLANCE_EVIDENCE, CAUGHT_EVIDENCE, FIT_EVIDENCE = 16.0, 32.0, 48.0
"""What a guess, a caught and a fitted grid must show, in nats. True ones show twice as much at least, grain and print
seldom as much; that no card is invented rests on the identification alone."""


def search_covered(image: Grey, boxes: Sequence[Box], size: float, read: list[Corners], most: int) -> list[Match]:
    """Partly covered tags of about ``size`` px per module apart from those read, around ``most`` finders at most."""
    closed = find_middles(read)
    glance, soft, sharp = make_covered_stencils()
    starts, glances = [np.empty((0, 3, 3))], [np.empty(0, np.float32)]
    for place in _list_finders(image, boxes, size, closed)[:most]:
        guesses = guess_around_finder(place, find_lean(place, size, read))
        guesses = guesses[is_apart(guesses[:, :2, 2], closed, 10 * size)]
        evidence = glance_at_guesses(image, guesses, glance)
        first = np.argsort(-evidence)[:GUESSES_EACH]
        near = _vary_guesses(guesses[first], place)
        evidence = glance_at_guesses(image, near, glance)
        first = np.argsort(-evidence)[:FITS_EACH]
        first = first[evidence[first] > GLANCE_EVIDENCE]
        starts.append(near[first])
        glances.append(evidence[first])
    likely = np.argsort(-np.concatenate(glances))[:MOST_FITS]
    maps, evidence = fit_covered(image, np.concatenate(starts)[likely], soft, 3)
    maps, evidence = fit_covered(image, maps[evidence > CAUGHT_EVIDENCE], sharp, 3)
    settled = map_corners(maps)
    spots: list[int] = []
    for i in np.argsort(-evidence).tolist():
        known = is_near(settled[i], read) or any(_is_same(settled[i], settled[spot]) for spot in spots)
        if evidence[i] >= FIT_EVIDENCE and not known:
            spots.append(i)
    found: list[Match] = []
    for i in spots:
        card = identify_covered(image, maps[i])
        if card.is_sure(len(spots)) and not is_near(settled[i], [taken for _, taken, _ in found]):
            found.append((card.payload, settled[i], card.likeness))
    return found


def _is_same(one: Corners, other: Corners) -> bool:
    """The same place, turned alike? With half a code in view a wrong turn may show more evidence than the right one."""
    return is_near(one, [other]) and dist(one[0], other[0]) < measure_side(one) / 4


def find_partly_in_view(image: Grey, known: list[tuple[str, Corners]]) -> list[bool]:
    """Which known tags are exactly where they were, by what is in view of them; nothing is searched."""
    if not known:
        return []
    maps, sharp = np.stack([make_map(corners) for _, corners in known]), make_covered_stencils()[2]
    evidence = sharp.measure_evidence(sample_picture(image, maps, sharp.at)).max(1)
    found = []
    for (payload, _), fitted, shown in zip(known, maps, evidence.tolist(), strict=True):
        card = identify_covered(image, fitted) if shown >= FIT_EVIDENCE else None
        found.append(card is not None and card.payload == payload and card.is_sure(1))
    return found


def _list_finders(image: Grey, boxes: Sequence[Box], size: float, closed: Points) -> list[Points]:
    """Places that resemble finders of no code that was read, the likeliest first."""
    found: list[tuple[float, Points]] = []
    for at, likeness in find_peaks(image, boxes, size, closed):
        free = is_apart(at, closed, 10 * size)
        found += zip(likeness[free].tolist(), at[free], strict=True)
    found.sort(key=lambda place: -place[0])
    return [place for _, place in found]


def _vary_guesses(guesses: Maps, place: Points) -> Maps:
    """Each guess turned and scaled a little around its finder."""
    found = []
    for turn in np.radians((-1.3, 0.0, 1.3)):
        for scale in (0.97, 1.0, 1.03):
            c, s = scale * np.cos(turn), scale * np.sin(turn)
            moved = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            moved[:2, 2] = place - moved[:2, :2] @ place
            found.append(moved @ guesses)
    return np.concatenate(found)
