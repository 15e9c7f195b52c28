"""The backs of face-down cards over time: searched where something has changed, kept while nothing changes there."""

from collections.abc import Collection, Iterable, Mapping

import cv2
import numpy as np

from engine.table import Area, Piece
from vision.calibration.table_calibration import TableCalibration
from vision.changes.card_backs import bound_seats, find_backs, view_seats
from vision.changes.card_edges import CardPlace, Raster, rectify_card
from vision.changes.occlusion import Polygon
from vision.frame import CameraFrame, Grey
from vision.live.empty_table import EmptyTable
from vision.tags.placement import PlacedTag, outline_piece

SAME_LIKENESS = 0.9
"""Correlation of a card with itself in another frame: noise takes a few hundredths, a hand over its edge far more."""


class BackTracker:
    """Tracks the backs at the seats of a game whose cards have one ``size``."""

    def __init__(self, empty: EmptyTable, seats: Mapping[str, Area], size: tuple[float, float]) -> None:
        self._seats, self._size = seats, size
        area = bound_seats(seats.values(), empty.calibration.area)
        self._empty = view_seats(empty.colours(), empty.calibration, area)
        self._backs: dict[str, tuple[Piece, Raster]] = {}
        self._calibration: TableCalibration | None = None

    def update(
        self,
        frame: CameraFrame,
        calibration: TableCalibration,
        cards: Iterable[PlacedTag],
        moving: Collection[Area],
    ) -> frozenset[Piece]:
        """The backs after one more frame in which these cards were read and these areas moved."""
        read = [np.array(outline_piece(card)) for card in cards if card.mm is not None]
        first = self._calibration is not calibration
        self._calibration = calibration
        changed = {
            zone: seat for zone, seat in self._seats.items() if first or any(seat.overlaps(area) for area in moving)
        }
        if changed:
            picture = frame.halved() if frame.halved else frame.colour() if frame.colour else frame.grey
            fresh = find_backs(picture, self._empty, calibration, changed, self._size, read, grey=frame.grey)
            for zone in changed:
                if zone in fresh:
                    place = place_back(fresh[zone], self._size)
                    self._backs[zone] = fresh[zone], rectify_card(frame.grey, calibration, place)
                elif zone in self._backs and not self._is_unchanged(frame.grey, calibration, *self._backs[zone]):
                    del self._backs[zone]
        for zone in [
            zone for zone in self._backs if any(self._seats[zone].contains(*o.mean(0).tolist()) for o in read)
        ]:
            del self._backs[zone]
        return frozenset(back for back, _ in self._backs.values())

    def _is_unchanged(self, grey: Grey, calibration: TableCalibration, back: Piece, before: Raster) -> bool:
        """Does the card look as it did when it was found, its edges included?"""
        now = rectify_card(grey, calibration, place_back(back, self._size))
        return float(cv2.matchTemplate(now, before, cv2.TM_CCOEFF_NORMED).max()) > SAME_LIKENESS


def place_back(back: Piece, size: tuple[float, float]) -> CardPlace:
    """The card of a back, whose angle is the direction of its long side."""
    return CardPlace(back.x, back.y, back.angle + 90, size)


def outline_back(back: Piece, size: tuple[float, float]) -> Polygon:
    """The corners of a back in mm."""
    return tuple((float(x), float(y)) for x, y in place_back(back, size).outline())
