"""A note tells if the table looks like the pieces on it, not if a few of them happen to look like it."""

from dataclasses import replace

import pytest

from engine.table import Area
from tests.support.blank_faces import show_table_through_cards
from tests.support.frames import BARE, card, picture
from vision.changes.table_likeness import count_overlooked
from vision.live.frame_reading import ReadingSetup
from vision.still_picture import read_picture, use_empty

SIZE = (600.0, 400.0)


def square(n: int) -> tuple[tuple[float, float], ...]:
    x, y = 10.0 + 70 * (n % 8), 10.0 + 90 * (n // 8)
    return ((x, y), (x + 57, y), (x + 57, y + 80), (x, y + 80))


def cover(n: int, share: float) -> Area:
    (left, top), (right, _), (_, bottom), _ = square(n)
    return Area(left, top, left + share * (right - left), bottom)


@pytest.mark.parametrize(
    ("shares", "overlooked"),
    [
        pytest.param([1.0] * 8, 0, id="every piece differs from the table"),
        pytest.param([0.0] * 8, 8, id="no piece differs"),
        pytest.param([0.3] * 3 + [0.9], 3, id="most of each looks like the table"),
        pytest.param([0.0] + [1.0] * 3, 1, id="one in four"),
        pytest.param([0.0] + [1.0] * 7, 0, id="one in eight, under a lamp"),
        pytest.param([], 0, id="no pieces"),
    ],
)
def test_pieces_are_overlooked_if_half_of_them_would_not_count_as_hidden(shares: list[float], overlooked: int) -> None:
    areas = [cover(n, share) for n, share in enumerate(shares)]
    assert count_overlooked([square(n) for n in range(len(shares))], areas, SIZE) == overlooked


def test_the_whole_table_unseen_overlooks_nothing() -> None:
    assert count_overlooked([square(3)], [Area(-1e6, -1e6, 1e6, 1e6)], SIZE) == 0


def test_a_piece_beside_the_table_does_not_count() -> None:
    outline = [(700.0, 10.0), (757.0, 10.0), (757.0, 90.0), (700.0, 90.0)]
    assert count_overlooked([outline], [], SIZE) == 0


@pytest.mark.parametrize("alike", [False, True])
def test_a_photo_of_cards_that_look_like_the_table_has_a_note(alike: bool) -> None:
    bare = picture(BARE)
    lying = (card("nimmt", "17", 40), card("nimmt", "23", 150), card("nimmt", "64", 250))
    now = picture(replace(BARE, cards=lying, seed=7))
    setup, left = use_empty(ReadingSetup(), bare, "nimmt")
    if alike:
        now = show_table_through_cards(now, bare)
    reading = read_picture(now, "nimmt", left, setup).frame_reading
    assert len(reading.pieces) == 3
    assert ("alike" in {note.code for note in reading.notes}) == alike
