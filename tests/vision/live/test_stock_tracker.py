"""Which tiles of SIX beside the board the rules hear of."""

from engine.table import Area
from vision.live.stock_tracker import StockTracker
from vision.tiles.finder import FoundTile, FoundTiles

SIZE = 36.0


def row(*places, board):
    return tuple(FoundTile("red", (0.0, 0.0), (40.0 * n, 100.0), 0.0, board, (n, 0) if board else None) for n in places)


def heard(*looks):
    """The places heard of in the last of these looks: (on the board, apart, hidden areas)."""
    beside = StockTracker()
    for board, apart, hidden in looks:
        told, beside = beside.update(FoundTiles((*row(*board, board=True), *row(*apart, board=False)), SIZE), hidden)
    return [round(tile.mm[0] / 40) for tile in told]


def test_a_tile_that_comes_near_the_board_is_heard_of_for_as_long_as_it_lies_there():
    assert heard((range(4), (), ()), (range(4), (5,), ())) == [5]
    assert heard((range(4), (), ()), (range(4), (5,), ()), (range(4), (5,), ())) == [5]


def test_what_lay_there_from_the_beginning_is_stock_and_so_is_what_comes_to_lie_far_away():
    assert heard((range(4), (5,), ()), (range(4), (5,), ())) == []
    assert heard((range(4), (), ()), (range(4), (9,), ())) == []


def test_a_part_of_the_board_that_an_arm_cuts_off_is_no_stock_however_far_the_rest_is():
    arm = Area(90, 0, 470, 200)
    assert heard((range(16), (), ()), ((0, 1, 2), (12, 13, 14, 15), (arm,))) == [12, 13, 14, 15]


def test_nor_is_it_when_the_arm_has_gone_and_the_tile_between_as_well():
    arm, parted = Area(90, 0, 470, 200), (*range(3), *range(4, 16))
    later = (range(3), [n for n in parted if n > 3], ())
    assert heard((range(16), (), ()), ((0, 1, 2), (12, 13, 14, 15), (arm,)), later) == list(range(4, 16))


def test_a_tile_laid_at_a_part_that_is_cut_off_is_heard_of_as_well():
    arm = Area(90, 0, 470, 200)
    assert heard((range(16), (), ()), ((0, 1, 2), (12, 13, 14, 15, 16), (arm,))) == [12, 13, 14, 15, 16]


def test_a_tile_laid_beside_a_part_that_is_hidden_is_not_taken_for_stock():
    arm = Area(90, 0, 470, 200)
    assert heard((range(8), (), ()), ((0, 1, 2), (12,), (arm,)), (range(8), (12,), ())) == []  # too far from all of it
    assert heard((range(8), (), ()), ((0, 1, 2), (9,), (arm,)), (range(8), (9,), ())) == [9]


def test_stock_that_an_arm_has_hidden_is_stock_when_it_has_gone():
    arm = Area(190, 0, 470, 200)
    assert heard((range(4), (5,), ()), (range(4), (), (arm,)), (range(4), (5,), ())) == []


def test_what_was_part_of_the_board_and_was_carried_away_is_forgotten():
    assert heard((range(16), (), ()), (range(3), range(4, 16), ()), (range(3), (), ()), (range(3), (9,), ())) == []
