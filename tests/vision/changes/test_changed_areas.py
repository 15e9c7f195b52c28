"""What moved between two shrunken pictures; drift and jumps of the light have not moved."""

import cv2
import numpy as np
import pytest

from vision.changes.changed_areas import find_changes

HIGH, WIDE = 108, 144
FULL = (HIGH * 7, WIDE * 7)


def draw(exposure: float = 1.0, seed: int = 1, card: tuple[int, int] | None = None) -> np.ndarray:
    """A table between white paper and black markers; the exposure clips the paper."""
    rng = np.random.default_rng(0)
    linear = cv2.GaussianBlur(rng.uniform(0.05, 0.5, (HIGH, WIDE)), (0, 0), 2) + np.linspace(0, 0.15, WIDE)
    linear[:14, :14], linear[4:10, 4:10] = 0.9, 0.01
    linear[60:84, 20:38] = 0.8
    if card is not None:
        x, y = card
        linear[y : y + 12, x : x + 8] = 0.75
    levels = 255 * np.clip(linear * exposure, 0, 1) ** (1 / 2.2)
    noise = np.random.default_rng(seed).normal(0, 0.6, levels.shape)
    return np.clip(np.round(levels + noise), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("exposure", [0.45, 0.7, 1.0, 1.4, 1.8])
def test_a_jump_of_the_exposure_is_no_movement(exposure: float) -> None:
    assert find_changes(draw(exposure, 2), draw(), FULL) == []


@pytest.mark.parametrize("exposure", [0.7, 1.0, 1.4])
def test_a_card_that_is_put_down_during_a_jump_is_found_at_its_place(exposure: float) -> None:
    boxes = find_changes(draw(exposure, 2, card=(90, 40)), draw(), FULL)
    assert boxes
    assert all(
        left > 80 * 7 and right < 108 * 7 and top > 30 * 7 and bottom < 62 * 7 for left, top, right, bottom in boxes
    )


def test_a_picture_of_another_size_has_changed_everywhere() -> None:
    assert find_changes(draw()[:-2], draw(), FULL) == [(0, 0, FULL[1], FULL[0])]
