"""A table that has shifted in the picture by less than its markers tell."""

import cv2
import numpy as np
import pytest

from vision.changes.table_shift import MOST_MM, fit_shift
from vision.frame import Grey

SHAPE = (140, 200)
CELLS = (35, 50)
FREE = np.ones(SHAPE, np.bool_)


def paint_cloth(contrast: float) -> np.ndarray:
    """A printed cloth, at four pixels for each mm."""
    grain = np.random.default_rng(4).normal(0, 1, (4 * SHAPE[0], 4 * SHAPE[1])).astype(np.float32)
    return 120 + contrast * cv2.GaussianBlur(grain, (0, 0), 6) * 400


def view(cloth: np.ndarray, shift: tuple[float, float], seed: int, gain: float = 1.0) -> Grey:
    moved = cv2.warpAffine(
        cloth, np.array([[1, 0, 4 * shift[0]], [0, 1, 4 * shift[1]]]), cloth.shape[::-1], borderMode=cv2.BORDER_REFLECT
    )
    small = cv2.resize(moved, SHAPE[::-1], interpolation=cv2.INTER_AREA) * gain
    noise = np.random.default_rng(seed).normal(0, 1, SHAPE)
    return np.asarray(np.clip(small + noise, 0, 255), np.uint8)


def fit(now: Grey, empty: Grey, level: float = 0.0, free: np.ndarray = FREE) -> tuple[float, float]:
    return fit_shift(now, empty, np.full(CELLS, level, np.float32), free)


@pytest.mark.parametrize("shift", [(0.4, 0.0), (-0.6, 0.3), (0.2, -1.1)])
@pytest.mark.parametrize("covered", [False, True], ids=["bare", "an unknown card on it"])
def test_the_shift_of_a_printed_cloth_is_found(shift: tuple[float, float], covered: bool) -> None:
    cloth = paint_cloth(1.0)
    now = view(cloth, shift, 2)
    if covered:
        now[20:107, 50:107] = 200
    assert fit(now, view(cloth, (0.0, 0.0), 1)) == pytest.approx(shift, abs=0.08)


@pytest.mark.parametrize(
    "shift",
    [
        pytest.param((0.0, 0.0), id="a cloth that has not moved"),
        pytest.param((MOST_MM + 0.8, 0.0), id="a shift that the markers tell"),
    ],
)
def test_no_shift_is_told_of_other_cloths(shift: tuple[float, float]) -> None:
    cloth = paint_cloth(1.0)
    assert fit(view(cloth, shift, 2), view(cloth, (0.0, 0.0), 1)) == (0.0, 0.0)


def test_noise_on_a_table_without_texture_is_hardly_a_shift() -> None:
    plain = paint_cloth(0.0)
    assert np.hypot(*fit(view(plain, (0.0, 0.0), 2), view(plain, (0.0, 0.0), 1))) < 0.3


def test_another_light_is_no_shift() -> None:
    cloth = paint_cloth(1.0)
    now = view(cloth, (0.5, 0.0), 2, gain=0.7)
    assert fit(now, view(cloth, (0.0, 0.0), 1), 2.2 * float(np.log(0.7))) == pytest.approx((0.5, 0.0), abs=0.1)
