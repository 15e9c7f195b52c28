"""The view of a table from above: colour where the camera has it, and what each cell of the empty table is like."""

import numpy as np
import pytest

from hw.frame import Frame
from vision.calibration.table_calibration import TableCalibration
from vision.changes.top_view import CELL_MM, FINE_PER_CELL, project_empty_view, project_fine, project_top_view
from vision.frame import find_small_colour, shrink_frame

PX_MM = 3
WIDE, HIGH = 300, 200
"""Size of the table in mm; the picture shows it from straight above at ``PX_MM``."""
MIDDLE = (WIDE * PX_MM - 1) / 2, (HIGH * PX_MM - 1) / 2
SQUARES = {
    "TL": ((-40.0, -40.0), (0.0, -40.0), (0.0, 0.0), (-40.0, 0.0)),
    "TR": ((WIDE, -40.0), (WIDE + 40.0, -40.0), (WIDE + 40.0, 0.0), (WIDE, 0.0)),
    "BR": ((WIDE, HIGH), (WIDE + 40.0, HIGH), (WIDE + 40.0, HIGH + 40.0), (WIDE, HIGH + 40.0)),
    "BL": ((-40.0, HIGH), (0.0, HIGH), (0.0, HIGH + 40.0), (-40.0, HIGH + 40.0)),
}
CALIBRATION = TableCalibration(
    (1 / PX_MM, 0, WIDE / 2, 0, 1 / PX_MM, HIGH / 2, 0, 0, 1), MIDDLE, 1.0, 0.0, SQUARES, 40.0, 0.0
)
FULL = (HIGH * PX_MM, WIDE * PX_MM)


def draw() -> np.ndarray:
    """Red grows to the right, green downwards."""
    ys, xs = np.mgrid[0 : FULL[0], 0 : FULL[1]]
    red, green = xs * 200 / FULL[1], ys * 200 / FULL[0]
    return np.stack([np.full(FULL, 80), green, red], 2).astype(np.uint8)


def test_each_cell_has_the_colour_of_its_place() -> None:
    view = project_top_view(shrink_frame(draw()), CALIBRATION, FULL)
    assert (view.shape, view.colours) == ((round(HIGH / CELL_MM), round(WIDE / CELL_MM)), 3)
    middles = (np.arange(view.shape[1]) + 0.5) * CELL_MM * 200 / WIDE
    assert np.abs(view.levels[10, 2:-2, 2] - middles[2:-2]).max() < 2
    assert np.abs(view.levels[..., 0].astype(int) - 80).max() == 0
    assert view.inside.all()


def test_a_grey_picture_has_one_channel() -> None:
    assert project_top_view(shrink_frame(draw()[..., 2].copy()), CALIBRATION, FULL).colours == 1


def test_slopes_are_levels_for_each_pixel_of_the_small_picture() -> None:
    small = shrink_frame(draw())
    empty = project_empty_view(small, CALIBRATION, FULL)
    assert np.median(empty.slopes[..., 2]) == pytest.approx(200 / small.shape[1], abs=0.25)
    assert empty.slopes[..., 0].max() == 0
    assert empty.fine is None


def test_a_part_of_the_fine_picture_is_cut_from_the_whole() -> None:
    grey = draw()[..., 2].copy()
    whole = project_empty_view(shrink_frame(draw()), CALIBRATION, FULL, grey=grey).fine
    assert whole is not None
    part = project_fine(grey, CALIBRATION, (50, 75), (20, 10, 40, 30))
    times = FINE_PER_CELL
    assert np.abs(part.astype(int) - whole[10 * times : 30 * times, 20 * times : 40 * times]).max() <= 1


def test_a_frame_without_small_colours_shrinks_the_large_ones() -> None:
    grey, colour = draw()[..., 1].copy(), draw()
    assert find_small_colour(Frame(grey, 0.0)) is None
    shrunk = find_small_colour(Frame(grey, 0.0, colour=lambda: colour))
    assert shrunk is not None
    assert shrunk().shape == shrink_frame(colour).shape
    own = find_small_colour(Frame(grey, 0.0, colour=lambda: colour, small_colour=lambda: colour[:8, :8]))
    assert own is not None
    assert own().shape == (8, 8, 3)
