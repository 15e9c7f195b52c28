"""The zones of a game on an area as it was measured, and rows with a card that cannot be read."""

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
import pytest

from engine.table import Cover
from tests.benchmarks.hidden_cards import MARKER_MM, LaidTable, draw_pictures, judge, make_table, read_table
from tests.benchmarks.watched_tables import watch_table
from vision.live.frame_reading import ReadingSetup
from vision.still_picture import FIELD_NAMES, find_zones, read_picture
from vision.tags.placement import PlacedTag


@pytest.mark.parametrize(("width", "height"), [(593.4, 420.0), (589.0, 417.0)])
def test_an_area_that_measures_1_percent_too_little_keeps_its_zones_and_a_note(width: float, height: float) -> None:
    zones, notes = find_zones("nimmt", width, height)
    assert "row:1" in zones
    assert [note.code for note in notes] == ["area"]
    assert max(zone.right for zone in zones.values()) <= width + 1
    assert max(zone.bottom for zone in zones.values()) <= height + 1


def test_a_smaller_area_has_no_zones() -> None:
    zones, notes = find_zones("nimmt", 570.0, 420.0)
    assert set(zones) == {"table"}
    assert "594" in notes[0].text


def test_an_area_of_the_least_size_needs_no_note() -> None:
    assert find_zones("nimmt", 594.0, 420.0)[1] == []


@pytest.mark.parametrize(
    ("width", "height", "seats", "notes"),
    [
        pytest.param(700.0, 460.0, 10, 0, id="the least area for 10 seats"),
        pytest.param(700.9, 459.4, 10, 1, id="measured 0.6 mm less"),
        pytest.param(700.0, 450.0, 6, 0, id="an area for 6 seats"),
    ],
)
def test_an_area_that_measures_a_little_less_keeps_its_seats(
    width: float, height: float, seats: int, notes: int
) -> None:
    zones, noted = find_zones("nimmt", width, height)
    assert sum(name.startswith("seat:") for name in zones) == seats
    assert len(noted) == notes
    assert max(zone.bottom for zone in zones.values()) <= height + 1


Flagged = tuple[set[str], set[str], tuple[str, ...]]
"""The zones with an unread card, the flagged ones, and the cards that were read."""
FlagZones = Callable[[LaidTable], Flagged]


@pytest.fixture(scope="module")
def row() -> LaidTable:
    """Three cards of 6 nimmt! on a table of which nothing else is laid, the picture of one of them upside down."""
    table = make_table(5003)
    first = table.zones["row:2"]
    places = ((first.left + 40, 0.0), (first.left + 70, 180.0), (first.left + 102, 0.0))
    cards = tuple(
        replace(card, x=x, y=(first.top + first.bottom) / 2, angle=angle, slip=(0.0, 0.0, 0.5))
        for card, (x, angle) in zip(table.scene.cards, places, strict=False)
    )
    return replace(table, scene=replace(table.scene, cards=cards))


def flag_in_photo(table: LaidTable) -> Flagged:
    now, empty = draw_pictures(table)
    reading = read_table(now, empty, table.game)
    found = reading.frame_reading
    return _sort(table, found.pieces, reading.unseen, found.table.covers)


def flag_in_game(table: LaidTable) -> Flagged:
    now, empty = draw_pictures(table)
    watched = watch_table(table.game, table.zones, empty, (now,), MARKER_MM)
    assert watched is not None
    assert not watched.waits.keys() & watched.unseen
    return _sort(table, watched.pieces, watched.unseen, watched.covers)


def _sort(
    table: LaidTable, pieces: tuple[PlacedTag, ...], unseen: Collection[str], covers: frozenset[Cover]
) -> Flagged:
    verdict = judge(table, pieces, unseen, covers)
    read = tuple(sorted(piece.piece for piece in pieces))
    return {zone for zone, _, _ in verdict.hidden}, set(unseen), read


EACH_WAY = pytest.mark.parametrize(
    "flag_zones", [pytest.param(flag_in_photo, id="on a photo"), pytest.param(flag_in_game, id="in a game")]
)


@EACH_WAY
def test_a_row_with_an_upside_down_card_that_was_not_read_is_not_seen(row: LaidTable, flag_zones: FlagZones) -> None:
    hidden, flagged, read = flag_zones(row)
    assert row.scene.cards[1].piece not in read
    assert hidden == {"row:2"} == flagged


@EACH_WAY
@pytest.mark.parametrize("stuck_out", [4.5, 7.0, 10.0])
def test_a_card_that_sticks_out_from_under_another_one_is_noticed(
    row: LaidTable, stuck_out: float, flag_zones: FlagZones
) -> None:
    upper = row.scene.cards[0]
    below = replace(row.scene.cards[1], x=upper.x - stuck_out, y=upper.y, angle=1.0)
    _, flagged, read = flag_zones(replace(row, scene=replace(row.scene, cards=(below, upper))))
    assert read == (upper.piece,)
    assert flagged == {"row:2"}


@EACH_WAY
@pytest.mark.parametrize("step", [26.0, 41.0, 60.0])
def test_a_row_whose_cards_were_all_read_is_seen(row: LaidTable, step: float, flag_zones: FlagZones) -> None:
    cards = tuple(replace(card, x=60 + step * n, angle=1.0 - n) for n, card in enumerate(row.scene.cards))
    _, flagged, read = flag_zones(replace(row, scene=replace(row.scene, cards=cards)))
    assert len(read) == 3
    assert flagged == set()


@pytest.mark.parametrize(
    ("game", "zones"),
    [
        ("nimmt", [*(f"row:{n}" for n in range(1, 5)), *(f"seat:{n}" for n in range(1, 11))]),
        ("thegame", ["down:1", "down:2", "up:1", "up:2"]),
        ("six", FIELD_NAMES),
        (None, FIELD_NAMES),
    ],
)
def test_no_zone_is_seen_in_a_picture_without_markers(game: str | None, zones: list[str]) -> None:
    picture = np.full((600, 800, 3), 120, np.uint8)
    assert sorted(read_picture(picture, game, None, ReadingSetup()).unseen) == sorted(zones)
