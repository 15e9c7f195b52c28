"""Which tiles of SIX are the board while an arm hides most of them."""

from engine.table import Area
from firmware.watching_board import covered
from vision.tiles import Tile, Tiles

ROW = tuple(Tile("red", (0.0, 0.0), (100.0 + 40 * n, 100.0), 0.0, True, (n, 0)) for n in range(5))
ARM = Area(130, 50, 400, 150)


def test_the_board_under_an_arm_is_remembered_and_what_was_carried_away_is_not():
    found = Tiles(ROW[:1])
    assert tuple(covered(ROW, found, [ARM])) == ROW[1:]
    assert tuple(covered(ROW, found, [Area(130, 50, 200, 150)])) == ROW[1:3]
    assert tuple(covered(ROW, found, [])) == ()


def test_a_tile_that_is_seen_is_not_remembered_twice():
    assert tuple(covered(ROW, Tiles(ROW), [ARM])) == ()
