"""Which tiles beside a doubtful place are doubtful too: those on which something else lies in part."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.axial import Cell
from vision.tiles.hex_grid import HexGrid, outline_hexagon
from vision.tiles.tile_faces import find_uneven

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
HIGH, WIDE, PITCH = 260, 460, 58.0
GRID = HexGrid(100.0, 130.0, PITCH, 4.0)
HIDDEN: Cell = (-1, 0)
ROW: tuple[Cell, ...] = ((0, 0), (1, 0), (2, 0), (3, 0))
SPOTS = {cell: GRID.find_centre(cell) for cell in ROW}
RED, BLACK, SATIN = (40, 40, 150), (32, 30, 30), (75, 70, 66)
SKINS: dict[str, Colour] = {"skin": (95, 120, 165), "skin in the dark": (70, 76, 92), "a dark glove": (88, 84, 82)}


def paint_row(*colours: Colour) -> Picture:
    picture = np.full((HIGH, WIDE, 3), (150, 150, 150), np.uint8)
    for cell, colour in zip(ROW, colours, strict=True):
        cv2.fillPoly(picture, [outline_hexagon(*SPOTS[cell], GRID, 0.97)], colour)
    return picture


def lay_finger(picture: Picture, cell: Cell, colour: Colour, *, wide: int = 24) -> Picture:
    """A finger that ends in the middle of a tile, with the dark gap beside it."""
    x, y = (round(at) for at in SPOTS[cell])
    cv2.line(picture, (x + wide // 2, y), (x + wide // 2, 0), (12, 10, 10), wide, cv2.LINE_AA)
    cv2.line(picture, (x - wide // 2, y + 10), (x - wide // 2, 0), colour, wide, cv2.LINE_AA)
    return picture


def add_noise(picture: Picture) -> Picture:
    noise = np.random.default_rng(6).normal(0, 1.7, picture.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255), np.uint8)


def hide(*cells: Cell) -> Picture:
    unclear = np.zeros((HIGH, WIDE), np.uint8)
    for cell in cells:
        cv2.fillPoly(unclear, [outline_hexagon(*GRID.find_centre(cell), GRID)], 1)
    return unclear


@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
@pytest.mark.parametrize("tile", [RED, BLACK], ids=["red", "black"])
def test_a_tile_with_a_finger_on_it_is_doubtful_beside_what_the_hand_hides(skin: Colour, tile: Colour) -> None:
    picture = add_noise(lay_finger(paint_row(tile, BLACK, RED, BLACK), (0, 0), skin))
    assert find_uneven(SPOTS, hide(HIDDEN), GRID, picture) == {(0, 0)}


@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
def test_fingers_on_one_tile_after_the_other_are_followed(skin: Colour) -> None:
    picture = paint_row(BLACK, RED, BLACK, RED)
    for cell in ROW[:3]:
        lay_finger(picture, cell, skin)
    assert find_uneven(SPOTS, hide(HIDDEN), GRID, add_noise(picture)) == set(ROW[:3])


@pytest.mark.parametrize("tile", [RED, BLACK, SATIN], ids=["red", "black", "satin in the light"])
@pytest.mark.parametrize("left", [1.0, 0.7], ids=["in the light", "half in the shadow of the hand"])
def test_a_tile_that_is_seen_as_a_whole_is_sure_beside_a_doubtful_place(tile: Colour, left: float) -> None:
    picture = paint_row(tile, BLACK, RED, BLACK)
    picture[: HIGH // 2] = picture[: HIGH // 2] * left
    assert find_uneven(SPOTS, hide(HIDDEN), GRID, add_noise(picture)) == frozenset()


def test_a_lamp_mirrored_in_a_tile_far_from_all_that_is_unclear_puts_nothing_in_doubt() -> None:
    picture = paint_row(BLACK, RED, BLACK, BLACK)
    cv2.circle(picture, tuple(round(at) for at in SPOTS[3, 0]), 15, (170, 180, 190), -1)
    assert find_uneven(SPOTS, hide(HIDDEN), GRID, picture) == frozenset()
    assert find_uneven(SPOTS, hide(HIDDEN, (4, 0)), GRID, picture) == {(3, 0)}
    assert find_uneven(SPOTS, hide(), GRID, picture) == frozenset()


def test_a_tile_beyond_the_edge_of_the_picture_is_even() -> None:
    picture = paint_row(BLACK, RED, BLACK, RED)
    spots = {(0, 0): (-80.0, 130.0), (1, 0): (-10.0, 5.0), (2, 0): (WIDE + 2.0, HIGH + 2.0)}
    assert find_uneven(spots, np.ones((HIGH, WIDE), np.uint8), GRID, picture) <= {(1, 0)}
