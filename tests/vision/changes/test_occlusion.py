"""Occlusion: objects count, changes of light do not, and rectangles cover the whole mask."""

import numpy as np
import pytest

from engine.table import Area
from vision.changes.cell_evidence import measure_change
from vision.changes.occlusion import (
    Polygon,
    cover_mask,
    fill_outlines,
    find_glare,
    find_occlusion,
    find_occupied,
    measure_burnt,
    subtract_explained,
)
from vision.changes.top_view import CELL_MM, EmptyView, TopView
from vision.live.picture_notes import note_light

ROWS, COLUMNS = 100, 150
WHOLE = np.ones((ROWS, COLUMNS), np.bool_)
YS, XS = np.mgrid[0:ROWS, 0:COLUMNS].astype(np.float32)
BOX = (slice(30, 60), slice(50, 90))


def wood(seed: int = 0) -> np.ndarray:
    grain = np.random.default_rng(1).normal(0, 6, (ROWS, 1)) + np.random.default_rng(2).normal(0, 2, (1, COLUMNS))
    noise = np.random.default_rng(seed).normal(0, 0.8, (ROWS, COLUMNS))
    return (120 + grain + noise).astype(np.float32)


def view(light: np.ndarray, inside: np.ndarray = WHOLE) -> TopView:
    levels = np.clip(np.round(light), 0, 255).astype(np.uint8)
    return TopView(levels if levels.ndim == 3 else levels[..., None], inside)


def empty_view(light: np.ndarray) -> EmptyView:
    bare = view(light)
    return EmptyView(bare, np.zeros(bare.levels.shape, np.float32))


def find_hidden(now: TopView, empty: EmptyView, *outlines: Polygon) -> np.ndarray:
    explained = fill_outlines(outlines, now.shape)
    return find_occlusion(now, empty, explained, measure_change(now, empty, explained)).hidden


EMPTY = empty_view(wood())


def with_patch(level: float) -> np.ndarray:
    light = wood(5)
    light[BOX] = level
    return light


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(wood(3), id="noise"),
        pytest.param(wood(3) * 1.35, id="brighter"),
        pytest.param(wood(3) * 0.6, id="darker"),
        pytest.param(wood(3) * (0.8 + 0.4 * XS / COLUMNS), id="a lamp moved"),
        pytest.param(wood(3) * (1 - 0.25 / (1 + np.exp((XS - 70) / 12))), id="a soft shadow"),
    ],
)
def test_a_change_of_light_is_no_occlusion(light: np.ndarray) -> None:
    mask = find_hidden(view(light), EMPTY)
    assert mask.mean() < 0.01


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(with_patch(60), id="something dark"),
        pytest.param(with_patch(200), id="something bright"),
        pytest.param(with_patch(254), id="glare"),
        pytest.param(wood(3) * np.where((XS >= 50) & (XS < 90) & (YS >= 30) & (YS < 60), 0.4, 1.0), id="a deep shadow"),
        pytest.param(with_patch(60) * 1.3, id="something dark, while the light changes"),
    ],
)
def test_an_object_occludes_its_place(light: np.ndarray) -> None:
    mask = find_hidden(view(light), EMPTY)
    assert mask[BOX].mean() > 0.95
    assert mask.sum() < 1.6 * mask[BOX].size


def lit(light: np.ndarray, added: float = 20000.0, x: float = 75, y: float = 50) -> np.ndarray:
    """A lamp switched on: everything is brighter, one side more so, and the table mirrors it softly."""
    patch = np.exp(-((XS - x) ** 2 + (YS - y) ** 2) / 2 / 18**2)
    return np.sqrt((light * (1.1 + 0.1 * XS / COLUMNS)) ** 2 + added * patch)


def disc(level: float, soft: float = 0.5) -> np.ndarray:
    """A mug, a sheet with a soft rim, or the shadow of an arm: ``level`` times as bright as the table."""
    away = np.hypot(XS - 70, YS - 45) - 6
    return wood(5) * (1 + (level - 1) * (1 - np.tanh(away / soft / 2)) / 2)


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(lit(wood(3)), id="a lamp mirrored in the table"),
        pytest.param(lit(wood(3), 26000), id="a brighter one"),
        pytest.param(lit(wood(3), x=120, y=20), id="in a corner of it"),
        pytest.param(wood(3) * (1 + 0.5 * np.exp(-((XS - 60) ** 2 + (YS - 50) ** 2) / 1100)), id="one shining on it"),
    ],
)
def test_a_lamp_switched_on_or_off_is_no_occlusion(light: np.ndarray) -> None:
    assert find_hidden(view(light), EMPTY).mean() < 0.01
    assert find_hidden(view(wood(4)), empty_view(light)).mean() < 0.01


@pytest.mark.parametrize("added", [pytest.param(0.0, id="no lamp"), pytest.param(20000.0, id="under a lamp")])
@pytest.mark.parametrize(
    ("light", "least"),
    [
        pytest.param(disc(0.55), 0.8, id="a dark mug on dark wood"),
        pytest.param(disc(1.6), 0.8, id="white paper"),
        pytest.param(disc(0.5, soft=1.5), 0.5, id="the shadow of an arm"),
        pytest.param(disc(1.7, soft=1.5), 0.75, id="a sheet with a soft rim"),
    ],
)
def test_an_object_is_found_under_a_lamp(light: np.ndarray, least: float, added: float) -> None:
    mask = find_hidden(view(lit(light, added)), EMPTY)
    assert mask[abs(light / wood(5) - 1) > 0.2].mean() > least


@pytest.mark.parametrize("soft", [2.0, 4.0])
def test_a_bright_object_with_a_blurred_rim_is_not_taken_for_a_lamp(soft: float) -> None:
    """More out of focus than any object on a table."""
    mask = find_hidden(view(disc(2.0, soft)), EMPTY)
    assert mask[np.hypot(XS - 70, YS - 45) < 5].mean() > 0.95


def test_the_table_is_unseen_where_a_mirrored_lamp_burns_out() -> None:
    mask = find_hidden(view(lit(wood(3), 48000)), EMPTY)
    assert mask[45:55, 70:80].all()


def test_the_drift_of_the_light_is_measured() -> None:
    brighter = view(wood(4) * 1.5)
    assert find_occlusion(brighter, EMPTY, ~WHOLE, measure_change(brighter, EMPTY)).gain == pytest.approx(1.5, rel=0.05)


def test_burnt_out_parts_are_occluded_and_many_are_noted() -> None:
    """White paper on a white cloth, both at the limit of the sensor."""
    light = wood(5) * 2.6
    light[:, :75] = 120
    mask = find_hidden(view(light), empty_view(wood() * 2))
    assert mask[:, 80:].mean() > 0.95
    assert measure_burnt(view(light)) == pytest.approx(0.5, abs=0.03)
    assert [note.code for note in note_light(1.0, 0.5)] == ["light"]


def test_a_read_piece_is_no_occlusion() -> None:
    left, top, right, bottom = 50 * CELL_MM, 30 * CELL_MM, 90 * CELL_MM, 60 * CELL_MM
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    light = view(with_patch(220))
    explained = fill_outlines([outline], (ROWS, COLUMNS))
    assert not find_hidden(light, EMPTY, outline).any()
    occupied = find_occupied(measure_change(light, EMPTY))
    assert not subtract_explained(occupied, explained).any()
    assert subtract_explained(occupied, ~WHOLE)[BOX].mean() > 0.9


def test_cells_outside_the_picture_are_occluded() -> None:
    inside = WHOLE.copy()
    inside[:, 140:] = False
    mask = find_hidden(view(wood(6), inside), EMPTY)
    assert mask[:, 140:].all()
    assert not mask[:, :139].any()


def test_glare_is_found_without_an_empty_table() -> None:
    assert find_glare(view(with_patch(255)))[BOX].mean() > 0.9
    assert not find_glare(view(with_patch(200))).any()


def test_a_view_of_another_size_is_cut_or_widened() -> None:
    wider = EMPTY.resize((ROWS + 2, COLUMNS - 3)).view
    assert wider.shape == (ROWS + 2, COLUMNS - 3)
    assert not wider.inside[ROWS:].any()
    assert wider.inside[:ROWS].all()


@pytest.mark.parametrize(
    ("name", "mask"),
    [
        ("nothing", np.zeros((ROWS, COLUMNS), np.bool_)),
        ("everything", WHOLE),
        ("a disc", (XS - 70) ** 2 + (YS - 50) ** 2 < 900),
        ("an arm", abs(XS - YS - 30) < 12),
        ("crumbs", np.random.default_rng(0).random((ROWS, COLUMNS)) < 0.02),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rectangles_cover_the_whole_mask(name: str, mask: np.ndarray) -> None:
    found = cover_mask(mask)
    assert len(found) <= 80
    for y, x in np.argwhere(mask).tolist():
        middle = ((x + 0.5) * CELL_MM, (y + 0.5) * CELL_MM)
        assert any(area.contains(*middle) for area in found)
    if name == "everything":
        assert len(found) == 1
        assert found[0].overlaps(Area(0, 0, COLUMNS * CELL_MM, ROWS * CELL_MM))
