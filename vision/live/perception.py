"""The eyes: frames in, and out comes what the box wants to know of the table just now, and what the picture lacks."""

from collections.abc import Callable

from engine.text import Text, say
from vision.calibration.camera_check import STICKER_MM, CameraCheck, check_camera, is_same_picture
from vision.calibration.marker_check import MarkerCheck, check_markers
from vision.calibration.table_calibration import MARKER_MM
from vision.frame import CameraFrame, Picture
from vision.live.camera_pose import CameraPose, update_pose
from vision.live.events import CameraMeasured, FaultChanged, Perceived, TableSeen
from vision.live.frame_reading import FrameReading, shrink_frame
from vision.live.picture_faults import LASTING_S, LONG_S, FaultTracker, PictureFault, find_picture_faults, update_faults
from vision.live.read_request import ReadRequest
from vision.live.watcher import EmptyTable, ReloadPicture, TableWatcher, measure_empty

CHECK_AFTER_S = 4.0
"""Seconds from one look at the markers alone to the next."""
RELOCK_AFTER_S = 15.0
"""Seconds for which a camera that has measured its light anew is left alone."""
NEVER = float("-inf")
CALM_S = 0.8
"""Seconds without movement that make a quiet moment."""
REPLACED_MARKERS_MM = 8
"""Millimetres by which the markers may stand elsewhere than on the picture of the empty table."""
MOVED_NOTICE_S = 6.0
"""Seconds for which it is told that the camera was moved; what changes nothing for the players is no standing alert."""


def _bare(aiming: CameraCheck) -> bool:
    """Does it show the table still, with all its markers and nothing of the game?"""
    return aiming.still and not aiming.missing and aiming.area is not None and not aiming.tags


def _unheard(picture: Picture) -> None:
    """For whoever has nowhere to keep it."""
    return None


class Perception:
    """``keep_empty`` takes the next still picture for that of the empty table, and tells it to ``kept``.

    Without one nothing can be read: whoever asks gets a trouble that says so, and the box plays by hand until the
    camera has been set up. ``again`` gives the same picture, as does what comes back from ``kept``: nobody needs its
    colours in most games, and then they take no memory.
    """

    def __init__(
        self,
        empty: Picture | None = None,
        *,
        sticker_mm: float = STICKER_MM,
        marker_mm: float = MARKER_MM,
        kept: Callable[[Picture], ReloadPicture | None] = _unheard,
        again: ReloadPicture | None = None,
    ) -> None:
        self._sticker_mm, self._marker_mm = sticker_mm, marker_mm
        self._kept = kept
        self._empty: EmptyTable | None = None if empty is None else measure_empty(empty, sticker_mm, marker_mm, again)
        self._colours: Picture | None = None
        self._unfit: Text | None = None
        if empty is not None and self._empty is None:
            self._unfit = say("empty_no_markers")
        self._wanted = False
        self._aiming: CameraCheck | None = None
        self._aim: ReadRequest | None = None
        self._watching: TableWatcher | None = None
        self._poise: CameraPose | None = None
        self._check: tuple[MarkerCheck, float] | None = None
        self._ailing = FaultTracker()
        self._told: Text | None = None
        self._lit = self._locked = self._stirred = NEVER
        self._first: tuple[Picture, float] | None = None
        self.wants_lock = False
        """True after a frame in which the light was found to be another, and in the first quiet moment of an evening:
        time to measure it.
        """

    @property
    def empty(self) -> Picture | None:
        """In colour. Whoever asks often has it kept."""
        if self._empty is not None and self._colours is None:
            self._colours = self._empty.colours()
        return self._colours

    @property
    def sizes(self) -> tuple[float, float]:
        """Of stickers and markers, as they were printed, in mm."""
        return self._sticker_mm, self._marker_mm

    @property
    def look(self) -> FrameReading | None:
        """What the last frame showed by itself, while a game is watched."""
        return None if self._watching is None else self._watching.look

    @property
    def area(self) -> tuple[int, int] | None:
        """The table between the markers in mm, as the picture of the empty table tells it."""
        if self._empty is None:
            return None
        area = self._empty.calibration.area
        return round(area.right), round(area.bottom)

    def keep_empty(self) -> None:
        self._wanted, self._aiming = True, None

    def update(self, frame: CameraFrame, aim: ReadRequest | None) -> tuple[Perceived, ...]:
        """What this frame tells of what is asked, and what is amiss with it; nothing if nothing is asked."""
        self.wants_lock = False
        if self._empty is not None and self._locked == NEVER and not (aim is not None and aim.purpose == "aim"):
            self._await_calm(frame)
        if self._wanted or (aim is not None and aim.purpose == "aim"):
            self._aiming = check_camera(
                frame.grey, frame.small, self._aiming, sticker_mm=self._sticker_mm, marker_mm=self._marker_mm
            )
            if self._wanted and _bare(self._aiming):
                self._keep(frame)
        if aim is None:
            return self._heeded(frame.at, self._waiting())
        if aim.purpose == "aim":
            assert self._aiming is not None
            self._ailing = FaultTracker()  # who sets the camera up is told what is amiss by that
            return (*self._heeded(frame.at, ()), CameraMeasured(self._aiming, frame.at))
        if self._empty is not None and self._empty.grey.shape != frame.grey.shape:
            self._empty, self._colours, self._unfit = None, None, say("empty_other_camera")
        if self._empty is None:
            return self._heeded(frame.at, (*self._waiting(), (self._unfit or say("empty_none"), 0.0)))
        if self._watching is None or aim != self._aim:
            self._watching = TableWatcher(aim.game, aim.zones, self._empty, sticker_mm=self._sticker_mm)
            self._aim, self._check, self._lit = aim, None, frame.at
        table = self._watching.update(frame, aim.log)
        amiss = (*self._waiting(), *self._amiss(frame, self._watching))
        return (*self._heeded(frame.at, amiss), TableSeen(table, frame.at))

    def _keep(self, frame: CameraFrame) -> None:
        picture = frame.colour() if frame.colour else frame.grey
        self._empty = measure_empty(picture, self._sticker_mm, self._marker_mm, self._kept(picture))
        self._colours = self._unfit = None
        self._wanted, self._watching, self._poise = False, None, None
        self._locked, self._first = frame.at, None

    def _await_calm(self, frame: CameraFrame) -> None:
        """Until its light is held a camera goes after every sleeve: so once, before anything is read if that can be."""
        small = shrink_frame(frame.grey) if frame.small is None else frame.small
        if self._first is None or not is_same_picture(
            small, self._first[0], (frame.grey.shape[0], frame.grey.shape[1])
        ):
            self._first = small, frame.at
        elif frame.at - self._first[1] >= CALM_S:
            self.wants_lock, self._locked, self._first = True, frame.at, None

    def _waiting(self) -> tuple[PictureFault, ...]:
        return ((say("aim_hold"), LASTING_S),) if self._wanted else ()

    def _amiss(self, frame: CameraFrame, watching: TableWatcher) -> tuple[PictureFault, ...]:
        look = watching.look
        assert look is not None
        assert self._empty is not None
        self._stirred = frame.at if look.moving else self._stirred
        quiet = frame.at - self._stirred >= CALM_S
        if (
            look.calibration is not None
            and quiet
            and (self._check is None or frame.at - self._check[1] >= CHECK_AFTER_S)
        ):
            self._check = check_markers(frame.grey, look.calibration, self._sticker_mm), frame.at
        found = find_picture_faults(
            look, self._check[0] if self._check else None, watching.hidden, unclear=watching.unclear
        )
        self._poise = update_pose(self._poise or CameraPose(self._empty.calibration), frame.at, look)
        if frame.at - self._poise.knocked < MOVED_NOTICE_S:
            found += ((say("picture_moved"), 0.0),)
        if any(
            abs(now - then) > REPLACED_MARKERS_MM for now, then in zip(self._poise.area, self.area or (), strict=True)
        ):
            found = ((say("picture_markers_moved"), 0.0), *found)
        light = {note.why for note in look.notes} & {"light", "dark", "bright"}
        self._lit = self._lit if light else frame.at
        if "light" in light and frame.at - self._lit < LONG_S + 2 * MOVED_NOTICE_S:  # cards are read all the same
            found += ((say("picture_light"), LONG_S),)
        if quiet and frame.at - self._lit >= LASTING_S and frame.at - self._locked >= RELOCK_AFTER_S:
            self.wants_lock, self._locked = True, frame.at
        return found

    def _heeded(self, at: float, now: tuple[PictureFault, ...]) -> tuple[Perceived, ...]:
        self._ailing = update_faults(self._ailing, at, now)
        told, self._told = self._told, self._ailing.told(at)
        return () if told == self._told else (FaultChanged("picture", self._told, at),)
