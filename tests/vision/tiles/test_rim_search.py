"""Which tiles are found by their rims where a hand has joined a board into one heap with it, and that it holds none."""

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.axial import Cell
from vision.tiles.colour_masks import ColourMasks, Mask
from vision.tiles.groups import FoundGroups, TileGroup, draw_unclear
from vision.tiles.hex_grid import HexGrid, outline_hexagon
from vision.tiles.rim_search import find_by_rims
from vision.tiles.table_light import GAIN_STEP_PX
from vision.tiles.tile_rims import RimView

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
HIGH, WIDE = 520, 760
TABLE, RED, BLACK = (150, 160, 165), (45, 40, 150), (32, 30, 30)
PITCHES = np.geomspace(39.0, 75.0, 28)
BOARD: dict[Cell, str] = {
    (0, 0): "black", (1, 0): "red", (2, 0): "black", (3, 0): "red", (0, 1): "red", (1, 1): "black", (2, 1): "black",
    (1, -1): "black", (2, -1): "red", (3, -1): "black", (4, -1): "red",
}  # fmt: skip
COVERED: tuple[Cell, ...] = ((3, -1), (4, -1), (3, 0))
ARMS: dict[str, tuple[Colour, str]] = {
    "skin": ((95, 120, 165), "black"),
    "a glove as dark as black tiles": ((40, 36, 34), "black"),
    "a red sleeve": ((60, 55, 140), "red"),
}


def make_grid(pitch: float, angle: float) -> HexGrid:
    return HexGrid(220.0, 240.0, pitch, angle)


def paint(
    board: dict[Cell, str], grid: HexGrid, arm: tuple[Colour, str] | None
) -> tuple[Picture, Picture, ColourMasks]:
    """The picture, the empty table, and the pixels as they are sorted: all of the arm has the colour of one tile."""
    rng = np.random.default_rng(5)
    empty = np.clip(np.array(TABLE) + rng.normal(0, 1.5, (HIGH, WIDE, 3)), 0, 255).astype(np.uint8)
    now, red, black = empty.copy(), np.zeros((HIGH, WIDE), np.uint8), np.zeros((HIGH, WIDE), np.uint8)
    masks = {"red": red, "black": black}
    for cell, colour in board.items():
        outline = [outline_hexagon(*grid.find_centre(cell), grid, 0.97)]
        cv2.fillPoly(now, outline, RED if colour == "red" else BLACK)
        for name, mask in masks.items():
            cv2.fillPoly(mask, outline, int(name == colour))
    if arm is not None:
        x, y = (round(at) for at in grid.find_centre((3, -1)))
        for mask, value in ((now, arm[0]), (red, int(arm[1] == "red")), (black, int(arm[1] == "black"))):
            cv2.line(mask, (x + 14, y), (WIDE + 60, -90), value, 120)
            cv2.line(mask, (x + 10, y + 10), (x + 10, y + round(grid.pitch)), value, 26)
    now = np.asarray(np.clip(cv2.GaussianBlur(now, (0, 0), 0.8) + rng.normal(0, 1.5, now.shape), 0, 255), np.uint8)
    nothing = np.zeros((HIGH, WIDE), np.uint8)
    return now, empty, ColourMasks(red, black, nothing, nothing.copy(), nothing.copy())


def search(
    board: dict[Cell, str], grid: HexGrid, arm: tuple[Colour, str] | None, told: tuple[TileGroup, ...] = ()
) -> FoundGroups:
    """What is found where the whole heap fitted no grid."""
    return read(*paint(board, grid, arm), told)


def read(now: Picture, empty: Picture, pixels: ColourMasks, told: tuple[TileGroup, ...] = ()) -> FoundGroups:
    gain = np.zeros((HIGH // GAIN_STEP_PX + 1, WIDE // GAIN_STEP_PX + 1, 3), np.float32)
    lost: Mask = np.asarray(cv2.dilate(pixels.red | pixels.black, np.ones((9, 9), np.uint8)), np.uint8)
    return find_by_rims(FoundGroups(told, lost), pixels, RimView(now, empty, gain), PITCHES)


def name_told(found: FoundGroups, grid: HexGrid) -> dict[Cell, str]:
    """The cells on which tiles were told, each within a tenth of the pitch, and their colours."""
    told: dict[Cell, str] = {}
    for group in found.groups:
        for cell, spot in group.spots.items():
            true = grid.find_cell(*spot)
            assert math.dist(spot, grid.find_centre(true)) < 0.1 * grid.pitch
            told[true] = group.colours[cell]
    return told


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
@pytest.mark.parametrize(("pitch", "angle"), [(46.0, 0.0), (56.0, 17.0), (66.0, 41.0)])
def test_tiles_beside_an_arm_of_their_colour_are_told_and_the_arm_is_not(
    pitch: float, angle: float, arm: tuple[Colour, str]
) -> None:
    grid = make_grid(pitch, angle)
    told = name_told(search(BOARD, grid, arm), grid)
    assert told.items() <= BOARD.items()
    assert len(told) >= 6


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_what_an_arm_hides_stays_unclear(arm: tuple[Colour, str]) -> None:
    grid = make_grid(56.0, 17.0)
    unclear = draw_unclear(search(BOARD, grid, arm))
    for cell in COVERED:
        x, y = (round(at) for at in grid.find_centre(cell))
        assert unclear[y, x]


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_an_arm_alone_holds_no_tile(arm: tuple[Colour, str]) -> None:
    assert name_told(search({}, make_grid(56.0, 17.0), arm), make_grid(56.0, 17.0)) == {}


@pytest.mark.parametrize("turn", [0.0, 12.0, 25.0])
def test_a_tile_lighter_than_the_others_of_its_colour_is_not_told(turn: float) -> None:
    """A wrist between a sleeve and a tile has straight sides too."""
    grid = make_grid(56.0, 17.0)
    now, empty, pixels = paint(BOARD, grid, None)
    wrist = HexGrid(560.0, 400.0, 56.0, turn)
    cv2.fillPoly(now, [outline_hexagon(560.0, 400.0, wrist, 0.97)], (95, 120, 165))
    cv2.fillPoly(pixels.black, [outline_hexagon(560.0, 400.0, wrist, 0.97)], 1)
    found = read(now, empty, pixels)
    spots = [spot for group in found.groups for spot in group.spots.values()]
    assert len(spots) >= 6
    assert not any(math.dist(spot, (560.0, 400.0)) < 28 for spot in spots)


@pytest.mark.parametrize("reds", [0, 3])
def test_more_places_in_a_palm_than_black_tiles_are_not_black(reds: int) -> None:
    grid = make_grid(56.0, 17.0)
    board = {(0, -2): "black", (-1, 2): "black"} if reds else {}
    board |= {cell: "red" for cell in [(5, -2), (5, 1), (3, 3)][:reds]}
    palm: list[Cell] = [(0, 0), (1, 0), (2, 0), (1, 1), (0, 1)]
    now, empty, pixels = paint(board, grid, None)
    for cell in palm:
        outline = [outline_hexagon(*grid.find_centre(cell), grid, 0.97)]
        cv2.fillPoly(now, outline, (125, 130, 150))
        cv2.fillPoly(pixels.black, outline, 1)
    found = read(now, empty, pixels)
    told = [grid.find_cell(*spot) for group in found.groups for spot in group.spots.values()]
    assert not set(told) & set(palm)
    assert len(told) <= len(board)


def test_a_wrong_tile_gives_way_and_a_right_one_stays() -> None:
    grid = make_grid(56.0, 17.0)
    x, y = grid.find_centre((0, 0))
    right, wrong = (x + 2.0, y), (grid.find_centre((0, 1))[0] + 25.0, grid.find_centre((0, 1))[1])
    told = TileGroup(grid, {(0, 0): right, (0, 1): wrong}, {(0, 0): "black", (0, 1): "red"})
    found = search(BOARD, grid, ARMS["skin"], (told,))
    spots = [spot for group in found.groups for spot in group.spots.values()]
    assert right in spots
    assert wrong not in spots
    assert name_told(found, grid).items() <= BOARD.items()


def test_where_little_is_unclear_nothing_is_searched() -> None:
    grid = make_grid(56.0, 17.0)
    now, empty, pixels = paint({(0, 0): "red"}, grid, None)
    gain = np.zeros((HIGH // GAIN_STEP_PX + 1, WIDE // GAIN_STEP_PX + 1, 3), np.float32)
    found = FoundGroups((), pixels.red)
    assert find_by_rims(found, pixels, RimView(now, empty, gain), PITCHES) is found
