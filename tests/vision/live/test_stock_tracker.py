"""Which tiles of SIX beside the board are reported to the rules."""

from engine.table import Area
from vision.live.stock_tracker import StockTracker
from vision.tiles.finder import FoundTile, FoundTiles

SIZE = 36.0


def row(*places, board):
    return tuple(FoundTile("red", (0.0, 0.0), (40.0 * n, 100.0), 0.0, board, (n, 0) if board else None) for n in places)


def reported(*readings):
    """The places reported after the last of these readings: (on the board, apart, hidden areas)."""
    stock = StockTracker()
    for board, apart, hidden in readings:
        tiles, stock = stock.update(FoundTiles((*row(*board, board=True), *row(*apart, board=False)), SIZE), hidden)
    return [round(tile.mm[0] / 40) for tile in tiles]


def test_a_tile_that_appears_near_the_board_is_reported_while_it_is_there():
    assert reported((range(4), (), ()), (range(4), (5,), ())) == [5]
    assert reported((range(4), (), ()), (range(4), (5,), ()), (range(4), (5,), ())) == [5]


def test_tiles_there_from_the_start_and_tiles_far_away_are_stock():
    assert reported((range(4), (5,), ()), (range(4), (5,), ())) == []
    assert reported((range(4), (), ()), (range(4), (9,), ())) == []


def test_a_part_of_the_board_cut_off_by_an_arm_is_not_stock():
    arm = Area(90, 0, 470, 200)
    assert reported((range(16), (), ()), ((0, 1, 2), (12, 13, 14, 15), (arm,))) == [12, 13, 14, 15]


def test_a_part_cut_off_stays_reported_when_the_tile_between_is_gone():
    arm, parted = Area(90, 0, 470, 200), (*range(3), *range(4, 16))
    later = (range(3), [n for n in parted if n > 3], ())
    assert reported((range(16), (), ()), ((0, 1, 2), (12, 13, 14, 15), (arm,)), later) == list(range(4, 16))


def test_a_tile_laid_at_a_part_cut_off_is_reported():
    arm = Area(90, 0, 470, 200)
    assert reported((range(16), (), ()), ((0, 1, 2), (12, 13, 14, 15, 16), (arm,))) == [12, 13, 14, 15, 16]


def test_a_tile_laid_near_a_hidden_part_is_not_stock():
    arm = Area(90, 0, 470, 200)
    assert (
        reported((range(8), (), ()), ((0, 1, 2), (12,), (arm,)), (range(8), (12,), ())) == []
    )  # too far from all of it
    assert reported((range(8), (), ()), ((0, 1, 2), (9,), (arm,)), (range(8), (9,), ())) == [9]


def test_stock_hidden_by_an_arm_stays_stock():
    arm = Area(190, 0, 470, 200)
    assert reported((range(4), (5,), ()), (range(4), (), (arm,)), (range(4), (5,), ())) == []


def test_a_part_of_the_board_that_was_removed_is_forgotten():
    assert reported((range(16), (), ()), (range(3), range(4, 16), ()), (range(3), (), ()), (range(3), (9,), ())) == []
