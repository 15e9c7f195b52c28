"""What sticks out from under cards that were read, on a part of the table, in a picture of any size."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.table_calibration import TableCalibration
from vision.changes.card_edges import CardPlace, Points
from vision.changes.card_stacks import CardStacks, ReadCard
from vision.changes.light_fit import LightFit, levels_of_log, log_of_fractions, log_of_levels
from vision.changes.occlusion import STEP_CELLS
from vision.changes.top_view import CELL_MM, EmptyView, Raster, TopView, project_fine
from vision.changes.unread_paper import FILL_MM, REACH_MM, TOUCH_MM, fill_polygons, find_unread_paper
from vision.frame import Grey

SURE_MM, EITHER_MM, CLAIMED_MM = 1.5, 1.0, 3.0
"""Margin around a card in its place by its own edges, around where its sticker claims to be if its edges are found too,
and if they are not: its thickness, the blur of the lens, a contact shadow; and besides a sticker out of place."""
AROUND_MM = float(REACH_MM + FILL_MM + TOUCH_MM)
"""Around a part of the table: what may change the answer within it."""
LEAST_CELLS = 4
"""A smaller part of the table holds no card."""
CellBox = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class TablePicture:
    """One picture of a table, and what is known of it: its view from above and its light.

    ``colour`` gives the same picture in colour, maybe in fewer pixels, if there are colours.
    """

    grey: Grey
    calibration: TableCalibration
    empty: EmptyView
    view: TopView
    light: LightFit
    colour: Callable[[], NDArray[np.uint8]] | None = None


def find_paper_at_cards(
    picture: TablePicture, place: Area, cards: Sequence[ReadCard], stacks: CardStacks, others: Iterable[Points] = ()
) -> tuple[Area, ...]:
    """Where paper lies at the ``cards`` in a part of the table, which none of them explains.

    ``stacks`` tell the places of cards that were examined; ``others`` are the outlines of what explains itself.
    """
    empty = picture.empty.resize(picture.view.shape)
    near = [card for card in cards if card.place.bound(REACH_MM).overlaps(place)]
    outlines = [outline for card in cards for outline in _outline(card, stacks)]
    cells = _cut_cells(place, near, picture.view.shape)
    if empty.fine is None or cells is None:
        return ()
    left, top, right, bottom = cells
    corner = (left * CELL_MM, top * CELL_MM)
    now = project_fine(picture.grey, picture.calibration, picture.view.shape, cells)
    then = empty.fine[round(top * CELL_MM) : round(bottom * CELL_MM), round(left * CELL_MM) : round(right * CELL_MM)]
    added = _measure_light(picture, empty, cells)
    shape = now.shape[0], now.shape[1]
    found = find_unread_paper(
        now,
        then,
        _measure_grey_light(empty, added, cells),
        fill_polygons((outline - corner for outline in outlines), shape),
        fill_polygons((np.asarray(outline) - corner for outline in others), shape),
        _compare_colours(picture, empty, added, cells),
        fill_polygons([_list_corners(place) - corner], shape),
    )
    moved = (
        Area(
            max(place.left, area.left + corner[0]),
            max(place.top, area.top + corner[1]),
            min(place.right, area.right + corner[0]),
            min(place.bottom, area.bottom + corner[1]),
        )
        for area in found
    )
    return tuple(area for area in moved if area.left < area.right and area.top < area.bottom)


def _list_corners(area: Area) -> Points:
    return np.array(
        [(area.left, area.top), (area.right, area.top), (area.right, area.bottom), (area.left, area.bottom)]
    )


def _outline(card: ReadCard, stacks: CardStacks) -> Iterator[Points]:
    """Where a card is, by its edges and by its sticker, with a margin."""
    known = stacks.examined.get(card.name)
    if known is not None and known.sure:
        yield known.place.outline(SURE_MM)
        yield card.place.outline(EITHER_MM)
    else:
        yield card.place.outline(CLAIMED_MM)


def outline_alone(card: CardPlace) -> Points:
    """A card that explains itself: one that lies face down, or below others where it was read before."""
    return card.outline(CLAIMED_MM)


def _cut_cells(place: Area, near: Sequence[ReadCard], shape: tuple[int, int]) -> CellBox | None:
    """The cells around these cards, as far as they matter to a part of the table; None if there are none."""
    if not near:
        return None
    corners = np.concatenate([card.place.outline(AROUND_MM) for card in near])
    first = np.maximum(corners.min(0), (place.left - AROUND_MM, place.top - AROUND_MM)) / CELL_MM
    last = np.minimum(corners.max(0), (place.right + AROUND_MM, place.bottom + AROUND_MM)) / CELL_MM
    # in whole steps of the rectangles that are found, so that these do not depend on where the cards lie
    left, top = (np.maximum(np.floor(first / STEP_CELLS), 0) * STEP_CELLS).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(last), shape[::-1]).astype(int).tolist()
    return (left, top, right, bottom) if min(right - left, bottom - top) >= LEAST_CELLS else None


def _measure_light(picture: TablePicture, empty: EmptyView, cells: CellBox) -> Raster:
    """The logarithm of the light of some cells relative to the empty table, for each colour that both views have."""
    left, top, right, bottom = cells
    place, light = Area(float(left), float(top), float(right), float(bottom)), picture.light
    cut = slice(top, bottom), slice(left, right)
    then = log_of_levels(empty.view.levels[cut])
    if light.colours != empty.view.colours:
        then = np.repeat(then.mean(2, keepdims=True), light.colours, 2)
    added = light.relight(then, place) - then
    if light.bands is not None and picture.view.rows is not None:
        added += light.bands.log_gain(picture.view.rows[cut])
    return np.asarray(added, np.float32)


def _measure_grey_light(empty: EmptyView, added: Raster, cells: CellBox) -> Raster:
    """The same for the brightness: of a table in another colour of light it changes as its colours are mixed in it."""
    if added.shape[2] == 1:
        return added[..., 0]
    left, top, right, bottom = cells
    then = empty.view.levels[top:bottom, left:right]
    relit, before = (
        log_of_fractions(np.asarray(cv2.cvtColor(levels, cv2.COLOR_BGR2GRAY), np.float32))
        for levels in (levels_of_log(log_of_levels(then) + added), then.astype(np.float32))
    )
    return relit - before


def _compare_colours(picture: TablePicture, empty: EmptyView, added: Raster, cells: CellBox) -> Iterator[Raster]:
    """The logarithm of the ratio of the picture and the relit empty table for each colour, one pixel for each mm."""
    if picture.colour is None or not empty.view.colours == added.shape[2] == 3:
        return
    coloured = picture.colour()
    if coloured.ndim != 3:
        return
    left, top, right, bottom = cells
    relit = log_of_levels(empty.view.levels[top:bottom, left:right]) + added
    for colour in range(3):
        plane = np.ascontiguousarray(coloured[..., colour])
        now = project_fine(plane, picture.calibration, empty.view.shape, cells)
        then = cv2.resize(relit[..., colour], (now.shape[1], now.shape[0]), interpolation=cv2.INTER_LINEAR)
        yield np.asarray(log_of_levels(now) - then, np.float32)
