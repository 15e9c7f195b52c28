"""The backs of face-down cards over time: searched where something has changed, kept while nothing changes there."""

from collections.abc import Collection, Iterable, Mapping

import cv2
import numpy as np

from engine.table import Area, Piece
from vision.calibration.table_calibration import TableCalibration
from vision.changes.back_prints import read_print
from vision.changes.card_backs import Outline, SeatView, bound_seats, find_backs, view_seats
from vision.changes.card_edges import CardPlace, Raster, rectify_card
from vision.changes.occlusion import Polygon
from vision.frame import CameraFrame, Grey, Picture, to_grey
from vision.live.due_zones import DueZones
from vision.live.empty_table import EmptyTable
from vision.tags.placement import PlacedTag, outline_piece

WAIT_FRAMES = 2
"""Frames for which a search waits while something moves elsewhere: so many pass before a zone at rest counts."""
LEARNED_PRINTS = 3
"""Prints that are kept of the first backs: one may lie in a gloss or a shadow."""
SAME_LIKENESS = 0.9
"""Correlation of a card with itself in another frame: noise takes a few hundredths, a hand over its edge far more."""


class BackTracker:
    """Tracks the backs at the seats of a game whose cards have one ``size``.

    The search is slow, so a seat is searched once nothing moves there any more; until then the last result stands. The
    first backs teach what the backs of this deck look like.
    """

    def __init__(self, empty: EmptyTable, seats: Mapping[str, Area], size: tuple[float, float]) -> None:
        self._seats, self._size, self._empty = seats, size, empty
        self._views: dict[int, SeatView] = {}
        self._backs: dict[str, tuple[Piece, Raster]] = {}
        self._prints: list[Raster] = []
        self._due = DueZones(seats, WAIT_FRAMES)

    def update(
        self, frame: CameraFrame, calibration: TableCalibration, cards: Iterable[PlacedTag], moving: Collection[Area]
    ) -> frozenset[Piece]:
        """The backs after one more frame in which these cards were read and these areas moved."""
        read = [np.array(outline_piece(card)) for card in cards if card.mm is not None]
        ready = self._due.select_ready(calibration, moving)
        if ready:
            self._search(frame, calibration, ready, read)
        middles = [outline.mean(0).tolist() for outline in read]
        for zone, seat in self._seats.items():
            if any(seat.contains(*middle) for middle in middles):
                self._backs.pop(zone, None)
        return frozenset(back for back, _ in self._backs.values())

    def _search(
        self, frame: CameraFrame, calibration: TableCalibration, seats: Mapping[str, Area], read: Iterable[Outline]
    ) -> None:
        picture = choose_picture(frame)
        empty = self._view_empty(picture.ndim)
        fresh = find_backs(picture, empty, calibration, seats, self._size, read, frame.grey, self._prints)
        self._due.remove(seats)
        for zone in seats:
            if zone in fresh:
                place = place_back(fresh[zone], self._size)
                patch = rectify_card(frame.grey, calibration, place)
                self._backs[zone] = fresh[zone], patch
                if len(self._prints) < LEARNED_PRINTS:
                    self._prints.append(read_print(patch))
            elif zone in self._backs and not self._is_unchanged(frame.grey, calibration, *self._backs[zone]):
                del self._backs[zone]

    def _view_empty(self, dimensions: int) -> SeatView:
        """The empty seats in colour, or in grey for a camera or a recording without colours."""
        if dimensions not in self._views:
            empty = self._empty
            area = bound_seats(self._seats.values(), empty.calibration.area)
            if dimensions == 3:
                picture = empty.colours() if empty.halved is None else empty.halved
            else:
                picture = to_grey(empty.colours())
            self._views[dimensions] = view_seats(picture, empty.calibration, area)
        return self._views[dimensions]

    def _is_unchanged(self, grey: Grey, calibration: TableCalibration, back: Piece, before: Raster) -> bool:
        """Does the card look as it did when it was found, its edges included?"""
        now = rectify_card(grey, calibration, place_back(back, self._size))
        return float(cv2.matchTemplate(now, before, cv2.TM_CCOEFF_NORMED).max()) > SAME_LIKENESS


def choose_picture(frame: CameraFrame) -> Grey | Picture:
    """The frame in colour, at half its size where that is cheaper; in grey where its colours mean nothing."""
    convert = frame.halved or frame.colour
    if convert is None or (frame.small_colour is not None and frame.small_colour().ndim == 2):
        return frame.grey
    return convert()


def place_back(back: Piece, size: tuple[float, float]) -> CardPlace:
    """The card of a back, whose angle is the direction of its long side."""
    return CardPlace(back.x, back.y, back.angle + 90, size)


def outline_back(back: Piece, size: tuple[float, float]) -> Polygon:
    """The corners of a back in mm."""
    return tuple((float(x), float(y)) for x, y in place_back(back, size).outline())
