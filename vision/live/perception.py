"""Perception as one object: takes frames, reports what the box asks for and the faults of the picture."""

from collections.abc import Callable
from dataclasses import replace

from engine.text import Text, say
from vision.calibration.camera_check import CameraCheck, check_camera, has_come_to_rest, is_same_picture
from vision.calibration.marker_check import MarkerCheck, check_markers
from vision.frame import CameraFrame, Picture, shrink_frame
from vision.live.camera_pose import CameraPose, update_pose
from vision.live.empty_table import EmptyTable, ReloadPicture, measure_empty
from vision.live.frame_reading import FrameReading
from vision.live.left_tiles import find_left_tiles, leave_out_fixed
from vision.live.perception_events import CameraMeasured, FaultChanged, Perceived, TableSeen
from vision.live.picture_faults import (
    LASTING_S,
    LONG_S,
    FaultTracker,
    PictureFault,
    find_picture_faults,
    update_faults,
)
from vision.live.read_request import ReadRequest
from vision.live.table_watcher import TableWatcher
from vision.sticker_and_marker_sizes import MARKER_MM, STICKER_MM

CHECK_AFTER_S = 4.0
"""Seconds from one check of the markers to the next."""
RELOCK_AFTER_S = 15.0
"""Seconds for which a camera that has measured its light again is left alone."""
NEVER_S = float("-inf")
CALM_S = 0.8
"""Seconds without movement after which the light may be measured and the markers checked."""
REPLACED_MARKERS_MM = 8
"""By how much the size of the area may differ from the picture of the empty table before the markers count as moved."""
ALIKE_NOTICE_S = 20.0
"""Seconds for which it is reported that the table looks like the pieces: it will do so for the whole game."""
MOVED_NOTICE_S = 6.0
"""Seconds for which it is reported that the camera was moved: the players need not do anything about it."""


class Perception:
    """Reads a table in frames. ``keep_empty`` takes the next still picture as that of the empty table, as long as the
    camera is set up, and gives it to ``on_empty`` to be stored.

    Without a picture of the empty table nothing can be read: a fault says so, and people enter moves by hand until the
    camera has been set up. ``reload`` returns the stored picture, as does what ``on_empty`` returns: most games do not
    need its colours, and then they take no memory. Where ``on_empty`` returns None, the picture stays in memory.
    """

    def __init__(
        self,
        empty: Picture | None = None,
        *,
        sticker_mm: float = STICKER_MM,
        marker_mm: float = MARKER_MM,
        on_empty: Callable[[Picture], ReloadPicture | None] | None = None,
        reload: ReloadPicture | None = None,
    ) -> None:
        self._sticker_mm, self._marker_mm = sticker_mm, marker_mm
        self._on_empty = on_empty
        self._empty: EmptyTable | None = None if empty is None else measure_empty(empty, sticker_mm, marker_mm, reload)
        self._colours: Picture | None = None
        self._unfit: Text | None = None
        if empty is not None and self._empty is None:
            self._unfit = say("empty_no_markers")
        self._wants_empty = self._kept = False
        self._camera_check: CameraCheck | None = None
        self._request: ReadRequest | None = None
        self._watcher: TableWatcher | None = None
        self._pose: CameraPose | None = None
        self._marker_check: tuple[MarkerCheck, float] | None = None
        self._faults = FaultTracker()
        self._reported: Text | None = None
        self._light_good_at = self._locked_at = self._moved_at = NEVER_S
        self._unlike_at = NEVER_S
        self._calm_since: tuple[Picture, float] | None = None
        self.wants_lock = False
        """True after a frame in which the light was found changed, and in the first calm moment of an evening: time for
        the camera to measure the light and hold its exposure.
        """

    @property
    def empty(self) -> Picture | None:
        """The picture of the empty table in colour; from the first use on it stays in memory."""
        if self._empty is not None and self._colours is None:
            self._colours = self._empty.colours()
        return self._colours

    @property
    def sizes(self) -> tuple[float, float]:
        """Printed sizes of stickers and markers in mm."""
        return self._sticker_mm, self._marker_mm

    @property
    def reading(self) -> FrameReading | None:
        """What the last frame showed by itself, while a game is read."""
        return None if self._watcher is None else self._watcher.reading

    @property
    def area(self) -> tuple[int, int] | None:
        """Width and height of the table between the markers in mm, measured in the picture of the empty table."""
        if self._empty is None:
            return None
        area = self._empty.calibration.area
        return round(area.right), round(area.bottom)

    def keep_empty(self) -> None:
        """Take the next still picture without pieces as that of the empty table, if the camera is still set up then."""
        self._wants_empty, self._kept, self._camera_check = True, False, None

    def update(self, frame: CameraFrame, request: ReadRequest | None) -> tuple[Perceived, ...]:
        """What this frame tells about the request, and the faults that began or ended; without a request only those."""
        self.wants_lock = False
        checks = request is not None and request.purpose == "aim"
        if self._empty is not None and self._locked_at == NEVER_S and not checks:
            self._lock_when_calm(frame)
        if checks:
            self._camera_check = self._check_camera(frame, self._camera_check)
            assert request is not None
            measured = replace(self._camera_check, tiles=leave_out_fixed(self._camera_check.tiles, request.fixed))
            if self._wants_empty and _is_bare(measured):
                self._keep(frame)
            self._faults = FaultTracker()  # set-up shows the faults by the check of the camera
            return (*self._report(frame.at, ()), CameraMeasured(measured, frame.at, self._kept))
        self._wants_empty = self._kept = False
        if request is None:
            return self._report(frame.at, ())
        if self._empty is not None and not self._empty.calibration.has_shape(frame.grey.shape):
            self._empty, self._colours, self._unfit = None, None, say("empty_other_camera")
        if self._empty is None:
            return self._report(frame.at, ((self._unfit or say("empty_none"), 0.0),))
        if self._watcher is None or request != self._request:
            self._watcher = TableWatcher(request.game, request.zones, self._empty, sticker_mm=self._sticker_mm)
            self._request, self._marker_check = request, None
            self._light_good_at = self._unlike_at = frame.at
        table = self._watcher.update(frame, request.log)
        return (*self._report(frame.at, self._find_faults(frame, self._watcher)), TableSeen(table, frame.at))

    def _check_camera(self, frame: CameraFrame, before: CameraCheck | None) -> CameraCheck:
        sizes = {"sticker_mm": self._sticker_mm, "marker_mm": self._marker_mm}
        check = check_camera(frame.grey, frame.small, before, **sizes)
        if self._empty is None or not has_come_to_rest(check, before):
            return check
        return replace(check, tiles=find_left_tiles(frame, self._empty, **sizes))

    def _keep(self, frame: CameraFrame) -> None:
        picture = frame.colour() if frame.colour else frame.grey
        reload = None if self._on_empty is None else self._on_empty(picture)
        self._empty = measure_empty(picture, self._sticker_mm, self._marker_mm, reload)
        self._colours = self._unfit = None
        self._wants_empty, self._kept = False, True
        self._watcher = self._pose = None
        self._locked_at, self._calm_since = frame.at, None

    def _lock_when_calm(self, frame: CameraFrame) -> None:
        """Ask for a lock once, as soon as nothing moves: until then automatic exposure reacts to every sleeve."""
        small = shrink_frame(frame.grey) if frame.small is None else frame.small
        shape = (frame.grey.shape[0], frame.grey.shape[1])
        if self._calm_since is None or not is_same_picture(small, self._calm_since[0], shape):
            self._calm_since = small, frame.at
        elif frame.at - self._calm_since[1] >= CALM_S:
            self.wants_lock, self._locked_at, self._calm_since = True, frame.at, None

    def _find_faults(self, frame: CameraFrame, watcher: TableWatcher) -> tuple[PictureFault, ...]:
        reading = watcher.reading
        assert reading is not None
        assert self._empty is not None
        self._moved_at = frame.at if reading.moving else self._moved_at
        calm = frame.at - self._moved_at >= CALM_S
        due = self._marker_check is None or frame.at - self._marker_check[1] >= CHECK_AFTER_S
        if reading.calibration is not None and calm and due:
            self._marker_check = check_markers(frame.grey, reading.calibration, self._sticker_mm), frame.at
        check = self._marker_check[0] if self._marker_check else None
        found = find_picture_faults(reading, check, watcher.hidden_share, unclear=watcher.unclear)
        self._pose = update_pose(self._pose or CameraPose(self._empty.calibration), frame.at, reading)
        if frame.at - self._pose.moved_at < MOVED_NOTICE_S:
            found += ((say("picture_moved"), 0.0),)
        if any(
            abs(now - then) > REPLACED_MARKERS_MM for now, then in zip(self._pose.area, self.area or (), strict=True)
        ):
            found = ((say("picture_markers_moved"), 0.0), *found)
        light = {note.code for note in reading.notes} & {"light", "dark", "bright"}
        self._light_good_at = self._light_good_at if light else frame.at
        # cards are still read in another light, so this is not reported for ever
        if "light" in light and frame.at - self._light_good_at < LONG_S + 2 * MOVED_NOTICE_S:
            found += ((say("picture_light"), LONG_S),)
        alike = watcher.alike
        self._unlike_at = self._unlike_at if alike else frame.at
        if alike is not None and frame.at - self._unlike_at < ALIKE_NOTICE_S:
            found += ((alike, LASTING_S),)
        relock = frame.at - self._light_good_at >= LASTING_S and frame.at - self._locked_at >= RELOCK_AFTER_S
        if calm and relock:
            self.wants_lock, self._locked_at = True, frame.at
        return found

    def _report(self, at: float, now: tuple[PictureFault, ...]) -> tuple[Perceived, ...]:
        self._faults = update_faults(self._faults, at, now)
        before, self._reported = self._reported, self._faults.find_lasting(at)
        return () if before == self._reported else (FaultChanged("picture", self._reported, at),)


def _is_bare(check: CameraCheck) -> bool:
    """Is the picture still, with all markers in it and no piece?"""
    return check.still and not check.missing and check.area is not None and not (check.tags or check.tiles)
