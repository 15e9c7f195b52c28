"""The matcher: blur is undone, cards are told apart, noise and foreign codes are never taken for a card."""

import numpy as np
import pytest

from tests.support import pasted
from tests.support.pasted import Degradation, paste_stickers
from vision.tags.codebook import BOOK, draw_pattern
from vision.tags.grid_fit import Stencil, find_fixed_modules, fit_maps, list_payloads, make_outline, stack_patterns
from vision.tags.identification import LEAST_LEAD, LEAST_SCORE, compare_with_book
from vision.tags.verification import Corners, confirm_claims, find_unmoved, make_map, map_corners

CARDS = ("1N044P8GPX", "1N002HP9MQ", "1T0155W5QF", "1NNP2N3KTC")
KNOWN = tuple(payload for payload in CARDS if payload in BOOK) + tuple(BOOK)[60:66]


def corners(stuck) -> Corners:
    (a, b), (c, d), (e, f), (g, h) = stuck.corners.tolist()
    return (a, b), (c, d), (e, f), (g, h)


def test_no_two_cards_are_alike_where_cards_differ() -> None:
    cells = stack_patterns()[:, find_fixed_modules()[2:-2, 2:-2] == 0]
    cells = cells - cells.mean(1, keepdims=True)
    cells /= np.linalg.norm(cells, axis=1, keepdims=True)
    likeness = cells @ cells.T - 2 * np.eye(len(cells))
    assert likeness.max() < 0.3
    assert len(list_payloads()) == len(BOOK) > 270


@pytest.mark.parametrize(
    ("px", "weather"),
    [
        pytest.param(1.5, Degradation(), id="1.5 px per module"),
        pytest.param(1.5, Degradation(blur=1.2), id="1.5 px, out of focus"),
        pytest.param(2.0, Degradation(blur=1.4), id="blur of 1.4 px"),
        pytest.param(2.0, Degradation(streak=4), id="moved by 4 px"),
        pytest.param(2.0, Degradation(noise=6, gain=0.35), id="noise in poor light"),
    ],
)
def test_cards_are_told_apart(px: float, weather: Degradation) -> None:
    image, stuck = paste_stickers(11, KNOWN, px, weather=weather)
    verdict = compare_with_book(image, np.stack([make_map(corners(tag)) for tag in stuck]))
    assert [list_payloads()[best] for best in verdict.best] == [tag.payload for tag in stuck]
    assert verdict.sure.all()


def test_a_grid_half_a_module_off_is_fitted_to_its_place() -> None:
    image, stuck = paste_stickers(3, KNOWN, 2.0)
    truth = np.stack([make_map(corners(tag)) for tag in stuck])
    off = truth.copy()
    off[:, :2, 2] += np.random.default_rng(1).uniform(-0.6, 0.6, (len(off), 2)) * 2.0
    fitted, trust = fit_maps(image, off, Stencil(make_outline(), 0.5), 6)
    gaps = np.array(map_corners(fitted)) - np.array(map_corners(truth))
    assert np.abs(gaps).max() < 0.5
    assert trust.min() > 0.5


def test_noise_is_not_identified_as_a_card() -> None:
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 256, (600, 600), dtype=np.uint8)
    maps = np.tile(np.diag([2.0, 2.0, 1.0]), (300, 1, 1))
    maps[:, :2, 2] = rng.uniform(50, 550, (300, 2))
    verdict = compare_with_book(noise, maps)
    assert not verdict.sure.any()
    assert verdict.score.max() < LEAST_SCORE - 0.1
    assert verdict.lead.max() < LEAST_LEAD


def test_a_foreign_code_with_our_shared_modules_is_no_card() -> None:
    """The hardest foreign code: everything that cards share, and half of one card's own modules."""
    rng = np.random.default_rng(5)
    image, stuck = paste_stickers(8, KNOWN, 3.0, weather=Degradation(blur=0.4, noise=0.5))
    own = find_fixed_modules()[2:-2, 2:-2] == 0
    forged = {}
    for payload in KNOWN:
        dark = draw_pattern(payload).copy()
        dark[own & (rng.random(own.shape) < 0.5)] ^= True
        forged[payload] = dark

    plain, pasted.draw_pattern = pasted.draw_pattern, forged.__getitem__
    try:
        image, stuck = paste_stickers(8, KNOWN, 3.0, weather=Degradation(blur=0.4, noise=0.5))
    finally:
        pasted.draw_pattern = plain
    assert not compare_with_book(image, np.stack([make_map(corners(tag)) for tag in stuck])).sure.any()


def test_a_claim_is_confirmed_only_if_the_picture_matches() -> None:
    image, stuck = paste_stickers(21, KNOWN, 2.5)
    claims = [(tag.payload, corners(tag)) for tag in stuck]
    stencil = Stencil(make_outline(), 0.5)
    assert [text for text, _, _ in confirm_claims(image, claims, stencil)] == [tag.payload for tag in stuck]
    others = [(KNOWN[i - 1], place) for i, (_, place) in enumerate(claims)]
    assert confirm_claims(image, others, stencil) == []


def test_a_known_tag_is_found_until_it_is_covered_or_moved() -> None:
    image, stuck = paste_stickers(4, KNOWN, 2.0)
    known = [(tag.payload, corners(tag)) for tag in stuck]
    assert all(find_unmoved(image, known))
    covered = image.copy()
    (left, top), (right, bottom) = stuck[0].corners.min(0), stuck[0].corners.max(0)
    covered[int(top) : int(bottom), int(left) : int(right)] = 120
    assert find_unmoved(covered, known) == [False] + [True] * (len(known) - 1)
    assert not any(find_unmoved(np.roll(image, 5, axis=1), known))
