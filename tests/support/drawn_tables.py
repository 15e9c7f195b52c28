"""Tables drawn from straight above in linear light, one pixel for each mm, and what the eyes find hidden on them."""

import cv2
import numpy as np

from vision.changes.cell_evidence import measure_change
from vision.changes.occlusion import CellBox, Occlusion, find_occlusion
from vision.changes.texture import TextureShares, compare_textures
from vision.changes.top_view import FINE_PER_CELL, EmptyView, TopView

ROWS, COLUMNS = 90, 130
TIMES = FINE_PER_CELL
WHOLE = np.ones((ROWS, COLUMNS), np.bool_)
NOISE_LEVELS = 1.0
ROW_SHARES = np.repeat((np.arange(ROWS, dtype=np.float32)[:, None] + 0.5) / ROWS, COLUMNS, 1)


def draw_table(name: str) -> np.ndarray:
    """Linear light of a table, one pixel for each mm."""
    rng = np.random.default_rng(5)
    high, wide = ROWS * TIMES, COLUMNS * TIMES
    ys, xs = np.mgrid[0:high, 0:wide]
    grain = cv2.GaussianBlur(rng.normal(0, 1, (high, wide)), (0, 0), 1.0)[..., None] * 3.5
    if name == "laminate":
        return np.array([0.24, 0.27, 0.28]) * (1 + 0.04 * grain)
    if name == "wood":
        return np.array([0.08, 0.14, 0.24]) * (1 + 0.2 * np.sin(ys / 5)[..., None] + 0.05 * grain)
    if name == "gingham":
        check = (xs // 20) % 2 + (ys // 20) % 2
        return np.array([[0.42, 0.42, 0.42], [0.21, 0.18, 0.3], [0.06, 0.04, 0.18]])[check] * (1 + 0.03 * grain)
    return np.array([0.24, 0.27, 0.28]) * np.ones((high, wide, 1))


def photograph(linear: np.ndarray, seed: int) -> np.ndarray:
    linear = np.clip(linear, 0, 1)
    levels = 255 * np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    noise = np.random.default_rng(seed).normal(0, NOISE_LEVELS, linear.shape)
    return np.clip(np.round(levels + noise), 0, 255).astype(np.uint8)


def view(picture: np.ndarray) -> TopView:
    return TopView(
        np.asarray(cv2.resize(picture, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), np.uint8), WHOLE, ROW_SHARES
    )


def grey_of(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def empty_view(picture: np.ndarray) -> EmptyView:
    bare = view(picture)
    soft = bare.levels.astype(np.float32)
    slopes = np.hypot(*(np.gradient(soft, axis=axis) / 2 for axis in (0, 1)))
    return EmptyView(bare, slopes.astype(np.float32), grey_of(picture))


def find_hidden(now: np.ndarray, empty: np.ndarray) -> np.ndarray:
    return find_drawn_occlusion(now, empty).hidden


def find_drawn_occlusion(now: np.ndarray, empty: np.ndarray) -> Occlusion:
    bare, fine = empty_view(photograph(empty, 1)), grey_of(photograph(now, 2))
    assert bare.fine is not None
    then = bare.fine

    def textures(cells: CellBox) -> TextureShares:
        left, top, right, bottom = (TIMES * cell for cell in cells)
        return compare_textures(fine[top:bottom, left:right], then[top:bottom, left:right])

    seen = view(photograph(now, 2))
    return find_occlusion(seen, bare, ~WHOLE, measure_change(seen, bare), textures)
