"""Partly covered codes: one of which half is in view is read, and no print that is not ours is taken for a card."""

from math import cos, radians, sin

import cv2
import numpy as np
import pytest
import segno

from tests.support.pasted import Degradation, degrade, make_photo, make_square, paste_sticker
from vision.tags.codebook import BOOK, draw_pattern
from vision.tags.covered_fit import FINE
from vision.tags.covered_identification import FALSE_READ, identify_covered
from vision.tags.grid_fit import stack_patterns
from vision.tags.reader import read_tags
from vision.tags.verification import make_map

LETTERS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"
CARDS = tuple(BOOK)[5::31]


def cover_half(image: np.ndarray, corners: np.ndarray, in_view: float, way: float, grey: float, bulge: float) -> None:
    """Paint over the side of a code that lies ``way`` degrees from its own right; ``bulge`` modules make it round."""
    middle, side = corners.mean(0), float(np.linalg.norm(corners[1] - corners[0]))
    along, down = (corners[1] - corners[0]) / side, (corners[3] - corners[0]) / side
    out = along * cos(radians(way)) + down * sin(radians(way))
    turned = np.array([-out[1], out[0]])
    steps = np.linspace(-1.2, 1.2, 25)
    edge = [middle + out * side * (in_view - 0.5 + bulge / 21 * (s**2 - 0.3)) + turned * side * s for s in steps]
    shape = np.array([*edge, middle + (out * 1.5 + turned) * side, middle + (out * 1.5 - turned) * side])
    cv2.fillPoly(image, [np.round(shape * 16).astype(np.int32)], grey, cv2.LINE_AA, 4)


def draw_table(
    seed: int, patterns: list[np.ndarray], px: float, in_view: float, way: float, grey: float, bulge: float = 0.0
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Stickers on photo-like noise, each covered from one side, and the corners of their codes."""
    rng = np.random.default_rng(seed)
    pitch = int(px * 60)
    image = make_photo(rng, 2 * pitch, pitch * -(-len(patterns) // 2))
    places = []
    for n, pattern in enumerate(patterns):
        x, y = (np.array([n // 2, n % 2]) + 0.5) * pitch
        corners = make_square(x, y, len(pattern) * px, rng.uniform(0, 360), 6, rng.uniform(0, 360))
        card = make_square(x, y, len(pattern) * px * 1.5, rng.uniform(0, 360)).astype(np.int32)
        cv2.fillPoly(image, [card], float(rng.uniform(60, 200)), cv2.LINE_AA)
        paste_sticker(image, pattern, corners)
        cover_half(image, corners, in_view, way, grey, bulge)
        places.append(corners)
    return degrade(rng, image, Degradation(blur=0.65, noise=1.3)), places


@pytest.mark.parametrize(
    ("px", "in_view", "way", "grey", "bulge"),
    [
        pytest.param(1.5, 0.65, 0.0, 190.0, 0.0, id="a light card from the right, at 1.5 px per module"),
        pytest.param(2.0, 0.56, 180.0, 60.0, 0.0, id="a dark card from the left: one finder is left"),
        pytest.param(2.0, 0.6, 90.0, 120.0, 0.0, id="from below"),
        pytest.param(2.0, 0.6, 270.0, 235.0, 0.0, id="white paper from above"),
        pytest.param(2.5, 0.6, 45.0, 30.0, 0.0, id="across the corner without a finder"),
        pytest.param(2.5, 0.62, 250.0, 140.0, 0.0, id="a slanting edge"),
        pytest.param(3.0, 0.65, 10.0, 90.0, 3.0, id="a round edge, as of a mug"),
        pytest.param(1.5, 0.85, 225.0, 110.0, 0.0, id="one finder and no more"),
    ],
)
def test_a_card_is_read_by_what_is_in_view(px: float, in_view: float, way: float, grey: float, bulge: float) -> None:
    image, places = draw_table(11, [draw_pattern(card) for card in CARDS[:6]], px, in_view, way, grey, bulge)
    found = {tag.payload: tag for tag in read_tags(image, px_module=(px * 0.9, px * 1.1), covered=64)}
    assert set(found) <= set(CARDS[:6])
    for card, corners in zip(CARDS, places, strict=False):
        if card in found:
            assert np.linalg.norm(found[card].centre - corners.mean(0)) < px
    assert len(found) >= 5


def test_nothing_is_searched_that_was_not_asked_for() -> None:
    image, _ = draw_table(12, [draw_pattern(card) for card in CARDS[:4]], 2.0, 0.55, 180.0, 60.0)
    assert read_tags(image, px_module=(1.8, 2.2)) == ()
    assert {tag.by for tag in read_tags(image, px_module=(1.8, 2.2), covered=64)} == {"covered"}


def test_a_card_covered_up_to_a_strip_is_not_guessed() -> None:
    image, _ = draw_table(13, [draw_pattern(card) for card in CARDS[:6]], 2.0, 0.22, 180.0, 60.0)
    assert {tag.payload for tag in read_tags(image, px_module=(1.8, 2.2), covered=64)} <= set(CARDS[:6])


def foreign(text: str, **how: object) -> np.ndarray:
    return np.array([list(row) for row in segno.make(text, micro=False, boost_error=False, **how).matrix], np.bool_)


def by_chance(rng: np.random.Generator, start: str) -> np.ndarray:
    """A code that is printed like ours, with a text that begins with ``start`` and is not in the book."""
    text = start + "".join(LETTERS[int(i)] for i in rng.integers(0, len(LETTERS), 10 - len(start)))
    assert text not in BOOK
    return foreign(text, version=1, error="h", mode="alphanumeric", mask=3)


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("", id="of our kind, with any text"),
        pytest.param("1N", id="of our kind, as of a card of the game"),
        pytest.param("1N044", id="of our kind, with the number of a card and other check characters"),
    ],
)
@pytest.mark.parametrize("way", range(0, 360, 60))
def test_a_covered_code_that_is_not_ours_is_no_card(start: str, way: int) -> None:
    rng = np.random.default_rng([way, len(start)])
    patterns = [by_chance(rng, start) for _ in range(8)]
    for in_view in (0.5, 0.7):
        image, _ = draw_table(way, patterns, 2.0, in_view, float(way), 90.0)
        assert read_tags(image, px_module=(1.8, 2.2), covered=64) == ()


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.random.default_rng(0).integers(0, 256, (300, 300), dtype=np.uint8), id="static"),
        pytest.param(make_photo(np.random.default_rng(1), 400, 400).clip(0, 255).astype(np.uint8), id="a photograph"),
        pytest.param(np.kron(np.indices((60, 60)).sum(0) % 2, np.full((4, 4), 255)).astype(np.uint8), id="gingham"),
        pytest.param(np.tile(np.arange(400) // 3 % 2 * 255, (300, 1)).astype(np.uint8), id="stripes"),
        pytest.param(np.zeros((1, 1), np.uint8), id="one pixel"),
    ],
)
def test_nothing_is_read_where_there_is_no_code(image: np.ndarray) -> None:
    assert read_tags(image, covered=64) == ()


def test_chance_print_reaches_a_ratio_as_seldom_as_it_must() -> None:
    """At most one of K prints by chance reaches K: so the least ratio is the accepted rate of false reads."""
    rng = np.random.default_rng(5)
    ratios = []
    for n in range(120):
        image, places = draw_table(n, [by_chance(rng, "")], 2.0, 0.6, float(rng.uniform(0, 360)), 90.0)
        ratios.append(identify_covered(image, make_map(tuple(map(tuple, places[0].tolist())))).ratio)
    for odds in (10, 30, 100):
        assert sum(ratio >= np.log(odds) for ratio in ratios) <= max(1, 2 * len(ratios) / odds)
    assert max(ratios) < -np.log(FALSE_READ) / 2


@pytest.mark.parametrize(("share", "least"), [(0.5, 12), (0.6, 20), (0.75, 30)])
def test_any_two_cards_differ_in_what_a_straight_edge_leaves_in_view(share: float, least: int) -> None:
    book = stack_patterns().reshape(len(BOOK), -1)
    steps = np.arange(21) - 10.0
    at = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    for turn in np.radians(range(0, 360, 15)):
        reach = at @ np.array([cos(turn), sin(turn)])
        shown = book[:, reach <= np.quantile(reach, share)]
        differ = (shown.shape[1] - shown @ shown.T) / 2 + 441 * np.eye(len(book))
        assert differ.min() >= least


def test_views_hide_one_side_each_and_the_first_hides_nothing() -> None:
    at = np.array([[-10, 0], [10, 0], [0, -10], [0, 10]], np.float32)
    shown = FINE.show(at)
    assert (shown[:, 0] == 1).all()
    assert all((shown[place] == 0).any() for place in range(4))
    assert (shown.max(0) == 1).all()
