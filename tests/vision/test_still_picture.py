"""The zones of a game on an area as it was measured."""

import pytest

from vision.still_picture import find_zones


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
