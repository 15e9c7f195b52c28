"""Zones that a slow search has yet to look at: where something has moved, once nothing moves there any more."""

from collections.abc import Collection, Mapping

from engine.table import Area
from vision.calibration.table_calibration import TableCalibration


class DueZones:
    """All zones are due at first, and whenever the camera has been calibrated again.

    While something moves elsewhere a search waits for so many frames: those have enough to read already.
    """

    def __init__(self, zones: Mapping[str, Area], wait_frames: int) -> None:
        self._zones, self._wait_frames = zones, wait_frames
        self._due = set(zones)
        self._calibration: TableCalibration | None = None
        self._waited = 0

    def __bool__(self) -> bool:
        return bool(self._due)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._due)

    def add(self, zones: Collection[str]) -> None:
        self._due.update(zones)

    def select_ready(self, calibration: TableCalibration, moving: Collection[Area]) -> dict[str, Area]:
        """The zones to be searched in a frame in which these areas moved; they stay due until they are removed."""
        busy = {zone for zone, place in self._zones.items() if any(place.overlaps(area) for area in moving)}
        self._due |= busy if self._calibration is calibration else set(self._zones)
        self._calibration = calibration
        ready = {zone: place for zone, place in self._zones.items() if zone in self._due - busy}
        if ready and moving and self._waited < self._wait_frames:
            self._waited += 1
            return {}
        self._waited = 0 if ready else self._waited
        return ready

    def remove(self, zones: Collection[str]) -> None:
        self._due.difference_update(zones)
