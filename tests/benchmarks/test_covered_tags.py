"""The covered codes of the bench: the picture itself shows the share of each that the generator states."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.benchmarks.covered_tags import KINDS, cover_tags
from vision.render import Scene, Sensor, find_truth, render_scene

EXACT = Sensor(blur=0.0, noise=0.0, sharpen=0.0, bayer=False)
CHANGED_LEVELS = 3
SOFT_EDGE = 0.17
"""A scrap is drawn with a soft edge of up to 5 mm, of which the inner half counts as covering."""


def draw(scene: Scene) -> np.ndarray:
    light = replace(scene.light, shadow=0.0)
    return render_scene(replace(scene, sensor=EXACT, light=light)).astype(np.int16)


@pytest.mark.parametrize("shares", [(0.5, 0.75), (0.75, 0.99)], ids=["half to three quarters", "more"])
def test_the_picture_shows_the_share_that_is_said(shares: tuple[float, float]) -> None:
    kinds = set()
    for seed in range(5):
        scene, tags = cover_tags(400 + seed, 2.0, shares)
        ours = {tag.payload for tag in tags}
        bare = tuple(card for card in scene.cards if card.payload in ours)
        changed = np.abs(
            draw(scene) - draw(replace(scene, cards=bare, scraps=(), foreign=(), objects=(), arms=()))
        ).max(2)
        places = {tag.payload: tag.corners for tag in find_truth(scene).tags}
        for tag in tags:
            code = np.zeros(changed.shape, np.uint8)
            cv2.fillConvexPoly(code, np.round(places[tag.payload]).astype(np.int32), 1)
            left = 1 - (changed[code > 0] > CHANGED_LEVELS).mean()
            assert left == pytest.approx(tag.visible, abs=SOFT_EDGE if tag.kind == "scrap" else 0.05), tag.kind
            assert shares[0] - 0.02 < tag.visible < shares[1] + 0.02
            kinds.add(tag.kind)
    assert kinds == set(KINDS)
