"""Open a camera by its name; errors say what to do."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Self

from engine.text import Text, say
from hw.errors import DeviceError
from hw.frame import Frame

CAMERA_NAMES = "auto picamera picamera:N usb:N usb:PATH files:DIR video:FILE"

ABSENT_IDS = frozenset({"camera_no_picamera", "camera_no_sensor"})

Clock = Callable[[], float]
ReportNote = Callable[[Text], None]
"""Called once for each problem that does not stop the camera, such as a truncated picture."""


class NoCamera(DeviceError):
    """There is no such camera, or it cannot be opened."""


class CameraGone(DeviceError):
    """The camera stopped delivering frames. Close it and open it again."""


class Camera(ABC):
    """A source of frames and a context manager.

    ``over``: a recording has ended, no frame will follow. ``settling``: the camera is still adjusting its exposure, so
    its frames say nothing about the light. ``live``: frames arrive as they are taken.
    """

    over = False
    settling = False
    live = False

    @abstractmethod
    def read(self, timeout: float) -> Frame | None:
        """The next frame, or None if none arrives within ``timeout`` seconds; ``CameraGone`` if none will follow."""

    @abstractmethod
    def close(self) -> None:
        """Release the device. Closing twice is allowed."""

    def lock(self) -> None:  # noqa: B027  files and webcams have no such controls
        """Measure exposure and focus now, then hold them. A camera without such controls does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def open_camera(
    name: str,
    *,
    note: ReportNote | None = None,
    clock: Clock = time.monotonic,
    start: float = 0.0,
    fps: float = 10.0,
    mains_hz: int = 50,
) -> Camera:
    """Open the camera of this name; ``NoCamera`` if that fails.

    ``start`` is the time of a recording's first frame, ``fps`` the frame rate of a folder without an index; recordings
    deliver frames as fast as they are requested. ``mains_hz`` is the mains frequency, at which lamps flicker.
    """
    kind, _, where = name.partition(":")
    match kind, where:
        case "auto", "":
            return _any_camera(clock, mains_hz)
        case "picamera", which if which in ("", *"0123"):
            from hw.cameras.picamera import open_picamera

            return open_picamera(int(which or 0), mains_hz=mains_hz, clock=clock)
        case "usb", which if which:
            from hw.cameras.usb import UsbCamera

            return UsbCamera(which, clock=clock)
        case "files", folder if folder:
            from hw.cameras.files import FilesCamera

            return FilesCamera(folder, fps=fps, start=start, note=note)
        case "video", file if file:
            from hw.cameras.video import VideoCamera

            return VideoCamera(file, start=start, note=note)
    raise NoCamera(say("camera_unknown", value=name, known=CAMERA_NAMES))


def _any_camera(clock: Clock, mains_hz: int) -> Camera:
    """The ribbon camera, else a webcam. If both fail, a ribbon camera that does not start is the one to report."""
    try:
        return open_camera("picamera", clock=clock, mains_hz=mains_hz)
    except NoCamera as why:
        ribbon = why
    try:
        return open_camera("usb:0", clock=clock)
    except NoCamera as why:
        raise (NoCamera(say("camera_none")) if ribbon.text.id in ABSENT_IDS else ribbon) from why
