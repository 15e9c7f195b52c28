"""Any camera by its name, opened by a call; what it cannot do is said with the remedy."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Self

from engine.text import Text, say
from hw.errors import DeviceError
from hw.frame import Frame

KINDS = "auto picamera picamera:N usb:N usb:PATH files:DIR video:FILE"

NOT_THERE = frozenset({"camera_no_picamera", "camera_no_sensor"})

Clock = Callable[[], float]
Note = Callable[[Text], None]
"""Told once of each thing worth a word that does not stop the camera, such as a picture cut short."""


class NoCamera(DeviceError):
    """There is no such camera, or it does not open."""


class Gone(DeviceError):
    """It was there and is no more. Close it and open it again."""


class Camera(ABC):
    """A context manager that gives frames.

    ``over``: a recording has come to its end, there will be no other frame. ``settling``: the camera is still
    finding its exposure, what it shows now is no measure of the light. ``live``: its frames come when they are taken.
    """

    over = False
    settling = False
    live = False

    @abstractmethod
    def read(self, timeout: float) -> Frame | None:
        """The next frame, or None if there is none within ``timeout`` seconds; ``Gone`` if there will be none."""

    @abstractmethod
    def close(self) -> None:
        """Let the device go. Closing twice is no mistake."""

    def lock(self) -> None:  # noqa: B027  files and webcams have nothing to hold
        """Measure light and focus now, then hold them. A camera without such controls does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def unheard(text: Text) -> None:
    """The note of somebody who does not care."""


def open_camera(
    name: str,
    *,
    note: Note = unheard,
    clock: Clock = time.monotonic,
    start: float = 0.0,
    fps: float = 10.0,
    mains_hz: int = 50,
) -> Camera:
    """The camera of this name, open; ``NoCamera`` if that cannot be.

    ``start`` is the time of a recording's first frame, ``fps`` the pace of a folder that says none itself:
    recordings give their frames as fast as they are asked for. ``mains_hz`` is what lamps flicker with.
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
    raise NoCamera(say("camera_unknown", value=name, known=KINDS))


def _any_camera(clock: Clock, mains_hz: int) -> Camera:
    """A ribbon camera that is there but does not start is worth more words than a webcam that is not."""
    try:
        return open_camera("picamera", clock=clock, mains_hz=mains_hz)
    except NoCamera as why:
        ribbon = why
    try:
        return open_camera("usb:0", clock=clock)
    except NoCamera as why:
        raise (NoCamera(say("camera_none")) if ribbon.text.id in NOT_THERE else ribbon) from why
