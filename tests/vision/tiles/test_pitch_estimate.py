"""The pitch of a board, also where something as dark as black tiles joins it into one heap."""

import math
from itertools import pairwise

import cv2
import numpy as np
import pytest

from engine.axial import count_steps
from vision.tiles.colour_masks import ColourMasks, Mask
from vision.tiles.hex_grid import HexGrid
from vision.tiles.pitch_estimate import PITCHES_MM, SAME_SHARE, LikelyPitch, find_likely_pitches

FINE = 1.6
HIGH, WIDE = 480, 720
PITCHES = PITCHES_MM * FINE
NEAR, LEAST = PITCHES[0] * 0.1, PITCHES[0] ** 2 * 0.5
SIZES_MM = (33.0, 36.0, 41.0, 45.0)


def draw_board(pitch_mm: float, seed: int) -> tuple[Mask, Mask]:
    """The red and the black pixels of a board of 19 tiles in rows of one colour, turned by chance."""
    rng = np.random.default_rng([seed, 3])
    grid = HexGrid(220.0, 230.0, pitch_mm * FINE, float(rng.uniform(0, 60)))
    cells = [(q, r) for q in range(-2, 3) for r in range(-2, 3) if count_steps((0, 0), (q, r)) <= 2]
    red, black = (np.zeros((HIGH, WIDE), np.uint8) for _ in range(2))
    for cell in cells:
        x, y = grid.find_centre(cell)
        at = np.radians(grid.angle + 30 + 60 * np.arange(6))
        corners = np.stack([np.cos(at), np.sin(at)], 1) * grid.pitch * 0.98 / math.sqrt(3) + [x, y]
        cv2.fillPoly(red if (cell[1] + seed) % 2 else black, [np.round(corners).astype(np.int32)], 1)
    return red, black


def draw_arm(seed: int) -> Mask:
    """An arm with a hand of five fingers, from the right on to the board."""
    rng = np.random.default_rng([seed, 4])
    plane = np.zeros((HIGH, WIDE), np.uint8)
    cv2.line(plane, (WIDE, int(rng.integers(150, 330))), (440, 240), 1, 110)
    for finger in range(5):
        tip = (int(rng.integers(290, 320)), 190 + 25 * finger)
        cv2.line(plane, (430, 215 + 12 * finger), tip, 1, 22)
    return plane


def list_likely(red: Mask, black: Mask) -> list[LikelyPitch]:
    nothing = np.zeros_like(red)
    return find_likely_pitches(ColourMasks(red, black & (1 - red), nothing, nothing, nothing), NEAR, LEAST, PITCHES)


def is_near(likely: LikelyPitch, pitch_mm: float) -> bool:
    """Near enough: the fit of a grid looks 4.5 % to both sides, and tiles are placed by their neighbours."""
    return abs(likely.px / FINE / pitch_mm - 1) < 0.06


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pitch_mm", SIZES_MM)
def test_a_board_alone_shows_its_pitch_best(pitch_mm: float, seed: int) -> None:
    likely = list_likely(*draw_board(pitch_mm, seed))
    assert is_near(likely[0], pitch_mm)
    assert not likely[0].of_one_colour


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pitch_mm", SIZES_MM)
@pytest.mark.parametrize("dark", [True, False], ids=["like black tiles", "like red tiles"])
def test_the_pitch_is_among_those_tried_if_an_arm_looks_like_tiles(pitch_mm: float, seed: int, dark: bool) -> None:
    red, black = draw_board(pitch_mm, seed)
    arm = draw_arm(seed)
    red, black = (red & (1 - arm), black | arm) if dark else (red | arm, black & (1 - arm))
    assert any(is_near(one, pitch_mm) for one in list_likely(red, black))


@pytest.mark.parametrize("seed", range(3))
def test_no_pitch_is_tried_twice(seed: int) -> None:
    red, black = draw_board(36.0, seed)
    likely = sorted(one.px for one in list_likely(red, black | draw_arm(seed)))
    assert all(more / less > 1 + SAME_SHARE / 2 for less, more in pairwise(likely))


def test_without_pixels_no_pitch_is_likely() -> None:
    nothing = np.zeros((HIGH, WIDE), np.uint8)
    assert list_likely(nothing, nothing) == []
