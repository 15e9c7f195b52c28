"""Overlapping cards: which lies on which, and cards among them that were not read."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np
import pytest

from engine.table import Area
from tests.support.true_calibration import calibrate_by_truth
from vision.changes.card_edges import CardPlace
from vision.changes.card_stacks import CardStacks, ReadCard, examine_cards, mark_changed
from vision.frame import Grey
from vision.render import DrawnCard, RenderCamera, Scene, SceneLight, Sensor, render_scene
from vision.render.projection import make_rectangle
from vision.render.scene_pieces import place_sticker
from vision.tags.codebook import CODES

SIZE = (57.0, 87.0)
CAMERA = RenderCamera.over(Area(-20, -20, 280, 150), 2.0, tilt=6, towards=120)
CALIBRATION = calibrate_by_truth(CAMERA, Area(0, 0, 260, 130))
TABLE = Scene(CAMERA, "felt", 2, light=SceneLight(slope=(0.1, -0.05), sun=200), sensor=Sensor())
NUMBERS = [code for code in CODES if code.game == "nimmt" and code.piece.isdigit()]


def lay(seed: int, steps: Sequence[float]) -> tuple[DrawnCard, ...]:
    """A row of cards, each this far to the right of the one before and on top of it."""
    rng = np.random.default_rng([seed, 14])
    codes = [NUMBERS[int(n)] for n in rng.choice(len(NUMBERS), len(steps) + 1, replace=False)]
    places = np.cumsum([50.0, *steps])
    return tuple(
        DrawnCard(
            "nimmt",
            code.piece,
            float(x),
            65 + float(rng.normal(0, 2)),
            float(rng.normal(0, 1.5)),
            payload=code.payload,
            style="plain" if rng.random() < 0.5 else "busy",
            slip=(float(rng.normal(0, 0.6)), float(rng.normal(0, 0.6)), float(rng.normal(0, 1))),
        )
        for code, x in zip(codes, places, strict=True)
    )


def draw(cards: Sequence[DrawnCard], seed: int = 0) -> Grey:
    return np.asarray(cv2.cvtColor(render_scene(replace(TABLE, cards=tuple(cards), seed=seed)), cv2.COLOR_BGR2GRAY))


def read(card: DrawnCard) -> ReadCard:
    """The card as its sticker tells it."""
    code = place_sticker(card, make_rectangle(card.sticker * 21 / 25, card.sticker * 21 / 25))[:, :2]
    tilt = code[1] - code[0]
    turn = float(np.degrees(np.arctan2(tilt[1], tilt[0])))
    centre = CardPlace(*code.mean(0).tolist(), turn, SIZE).to_table(np.array([[16.5, -31.5]]))[0]
    return ReadCard(card.piece, CardPlace(float(centre[0]), float(centre[1]), turn, SIZE), code)


def examine(cards: Sequence[DrawnCard], hidden: Sequence[DrawnCard] = ()) -> CardStacks:
    return examine_cards(draw(cards), CALIBRATION, [read(card) for card in cards if card not in hidden])


@pytest.mark.parametrize("step", [24.0, 34.0, 45.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_upper_of_two_overlapping_cards_is_told(seed: int, step: float) -> None:
    cards = lay(seed, [step] * 3)
    beside = {(upper.piece, lower.piece) for lower, upper in pairwise(cards)}
    covers = examine(cards).covers
    places = {card.piece: n for n, card in enumerate(cards)}
    assert beside <= covers
    assert all(places[upper] > places[lower] for upper, lower in covers)


def test_a_card_whose_sticker_is_elsewhere_shows_by_its_edges_that_it_is_on_top() -> None:
    lower, upper = lay(1, [30.0])
    turned = replace(upper, angle=upper.angle + 180)
    assert examine([lower, turned]).covers == {(upper.piece, lower.piece)}


@pytest.mark.parametrize(
    ("style", "step"),
    [
        pytest.param("framed", 53.0, id="a white frame on a white card"),
        pytest.param("plain", 52.0, id="the edge of a sticker"),
        pytest.param("busy", 50.0, id="a coloured frame"),
    ],
)
@pytest.mark.parametrize("seed", range(20, 26))
def test_print_near_the_sides_makes_no_card_the_upper_one(
    seed: int, step: float, style: Literal["framed", "plain", "busy"]
) -> None:
    cards = [replace(card, style=style) for card in lay(seed, [step] * 2)]
    cards[0] = replace(cards[0], angle=cards[0].angle + 180)
    places = {card.piece: n for n, card in enumerate(cards)}
    assert all(places[upper] > places[lower] for upper, lower in examine(cards).covers)


def test_a_card_whose_sticker_is_half_covered_is_not_the_upper_one() -> None:
    upper, lower = lay(9, [45.5])
    assert (lower.piece, upper.piece) not in examine([lower, upper]).covers


@pytest.mark.parametrize("style", ["framed", "plain", "busy"])
def test_a_card_is_placed_by_its_own_edges(style: Literal["framed", "plain", "busy"]) -> None:
    errors = []
    for seed in range(30, 36):
        cards = [replace(card, style=style) for card in lay(seed, [31.0, 70.0])]
        for card in cards:
            found = examine(cards).examined[card.piece]
            true = CardPlace(card.x, card.y, card.angle, SIZE).outline()
            errors.append(float(np.abs(found.place.outline() - true).max()))
    assert np.median(errors) < 0.8
    assert np.quantile(errors, 0.9) < 2.0


def test_cards_that_do_not_overlap_cover_nothing() -> None:
    assert examine(lay(2, [62.0, 62.0])).covers == frozenset()


@pytest.mark.parametrize("strip", [6.0, 9.0, 14.0, 25.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_card_between_two_others_that_was_not_read_is_noticed(seed: int, strip: float) -> None:
    lower, hidden, upper = lay(seed, [24.0, strip])
    hidden = replace(hidden, payload="")
    stacks = examine([lower, hidden, upper], [hidden])
    left = hidden.x - SIZE[0] / 2
    assert [area for area in stacks.doubtful if area.left - 3 < left < area.right + 3]
    assert stacks.examined[lower.piece].doubt is not None


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_doubtful_where_every_card_was_read(seed: int) -> None:
    steps = np.random.default_rng(seed).uniform(22, 45, 3).tolist()
    assert examine(lay(seed, steps)).doubtful == ()


def test_a_card_is_examined_again_only_where_something_has_changed() -> None:
    cards = lay(3, [30.0, 70.0])
    grey, seen = draw(cards), [read(card) for card in cards]
    first = examine_cards(grey, CALIBRATION, seen)
    again = examine_cards(grey, CALIBRATION, seen, first)
    assert all(again.examined[name] is card for name, card in first.examined.items())
    moving = [Area(0, 0, 40, 130)]
    while_moving = examine_cards(grey, CALIBRATION, seen, first, moving)
    assert while_moving.covers == first.covers
    assert [name for name, card in while_moving.examined.items() if card.stale] == [cards[0].piece]
    after = examine_cards(grey, CALIBRATION, seen, while_moving)
    assert not any(card.stale for card in after.examined.values())
    assert after.examined[cards[2].piece] is first.examined[cards[2].piece]


def test_as_many_cards_as_asked_for_are_examined_at_a_time_and_give_the_same_in_the_end() -> None:
    cards = lay(3, [30.0, 24.0, 40.0])
    grey, seen = draw(cards), [read(card) for card in cards]
    stacks, waiting = CardStacks(), []
    for _ in range(3):
        stacks = examine_cards(grey, CALIBRATION, seen, stacks, most=2)
        waiting.append(len(stacks.waiting))
    whole = examine(cards)
    assert waiting == [2, 0, 0]
    assert (stacks.covers, stacks.doubtful) == (whole.covers, whole.doubtful)


def test_a_card_beside_which_something_has_changed_is_examined_again() -> None:
    cards = lay(3, [30.0, 70.0])
    grey, seen = draw(cards), [read(card) for card in cards]
    first = examine_cards(grey, CALIBRATION, seen)
    marked = mark_changed(first, [Area(0, 0, 40, 130)])
    assert marked.waiting == (first.examined[seen[0].name].place,)
    after = examine_cards(grey, CALIBRATION, seen, marked)
    assert after.waiting == ()
    assert [after.examined[name] is first.examined[name] for name in first.examined] == [False, True, True]


def test_a_card_is_not_judged_while_its_neighbour_is_in_motion() -> None:
    cards = lay(3, [24.0, 24.0])
    grey, seen = draw(cards), [read(card) for card in cards]
    moving = [Area(110, 0, 200, 130)]
    begun = examine_cards(grey, CALIBRATION, seen, CardStacks(), moving)
    assert (list(begun.examined), begun.doubtful) == ([cards[0].piece], ())
    assert examine_cards(grey, CALIBRATION, seen, begun).covers == examine(cards).covers
