"""A camera on the Pi's ribbon: the whole sensor, its light and focus held once they are found.

``CameraDevice`` and ``Request`` hold every call into picamera2. ``make test-picamera2`` runs them on the real library
with libcamera's virtual camera.
"""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.text import say
from hw.camera import Camera, Clock, Gone, NoCamera
from hw.cameras.exposure import Controls, Exposure, Settling, holding, measuring, without_flicker
from hw.cameras.planes import Stream, colour, grey, halved
from hw.frame import Frame

FORMAT = "YUV420"
"""Asked for; a camera that has only others of the kind gives one of those."""
SMALL_WIDTH = 576
MOST_PIXELS = 13_000_000
"""Larger sensors are read at half their size: two buffers of them would not fit beside the rest."""
SILENT = 5.0
"""Seconds without a frame after which a camera is gone: libcamera itself never says so."""
NEAR = 1.0
"""Seconds between the sensor's clock and ours up to which they count as the same clock."""

Size = tuple[int, int]


class Request(Protocol):
    def make_buffer(self, name: str) -> NDArray[np.uint8]: ...
    def get_metadata(self) -> Mapping[str, object]: ...
    def release(self) -> None: ...


class CameraDevice(Protocol):
    """The few methods of Picamera2 that are called."""

    sensor_resolution: Size

    @property
    def camera_controls(self) -> Mapping[str, tuple[Any, Any, Any]]: ...
    def create_video_configuration(self, **given: object) -> Any: ...
    def configure(self, configuration: Any) -> Any: ...
    def camera_configuration(self) -> Mapping[str, Any]: ...
    def start(self) -> None: ...
    def capture_request(self, wait: bool) -> Any: ...
    def wait(self, job: Any, timeout: float) -> Request: ...
    def set_controls(self, controls: Controls) -> None: ...
    def close(self) -> None: ...


def open_picamera(which: int = 0, *, mains_hz: int = 50, clock: Clock = time.monotonic) -> "PiCamera":
    """The camera on this connector; ``NoCamera`` says what to install, plug in or stop."""
    try:
        from picamera2 import Picamera2
    except ImportError as why:
        raise NoCamera(say("camera_no_picamera")) from why
    except ValueError as why:  # its parts were built for another numpy than the one that is here
        raise NoCamera(say("camera_other_numpy")) from why
    found = on_ribbon(Picamera2.global_camera_info())
    if which >= len(found):
        raise NoCamera(say("camera_no_sensor"))
    try:
        device: CameraDevice = Picamera2(found[which])
    except RuntimeError as why:
        raise NoCamera(say("camera_busy")) from why
    try:
        return PiCamera(device, mains_hz=mains_hz, clock=clock)
    except (RuntimeError, OSError, ValueError) as why:
        device.close()  # or it would be busy at the next try
        raise NoCamera(say("camera_no_start")) from why


def on_ribbon(infos: Sequence[Mapping[str, Any]]) -> list[int]:
    """The places in this list of cameras that are no webcam: Picamera2 is asked for a camera by its place.

    ``Num`` in the list is libcamera's own number, which with two cameras may be another.
    """
    return [at for at, info in enumerate(infos) if "usb" not in str(info.get("Id", "")).lower()]


def main_size(sensor: Size) -> Size:
    """The whole sensor, or half of it in both directions until it fits in memory; even numbers."""
    width, height = sensor
    while width * height > MOST_PIXELS:
        width, height = width // 2, height // 2
    return width - width % 2, height - height % 2


def small_size(main: Size) -> Size:
    """The same shape in about 576 pixels across, never larger than the main picture."""
    width, height = main
    across = min(SMALL_WIDTH, width)
    down = across * height // width
    return across - across % 2, down - down % 2


def frame_time(metadata: Mapping[str, object], now: float) -> float:
    """When the sensor took it; when it came, if the sensor counts from somewhere else."""
    taken = metadata.get("SensorTimestamp")
    at = taken / 1e9 if isinstance(taken, int) else now
    return at if abs(now - at) <= NEAR else now


class PiCamera(Camera):
    """``lock`` measures anew, during which the camera is ``settling``; then ``light`` is what it holds."""

    live = True

    def __init__(
        self,
        device: CameraDevice,
        *,
        mains_hz: int = 50,
        clock: Clock = time.monotonic,
    ) -> None:
        self._device = device
        self._mains_hz = mains_hz
        self._clock = clock
        self._job: Any = None
        self._closed = False
        self._settling: Settling | None = None
        self.light: Exposure | None = None
        self._has = device.camera_controls
        main = main_size(device.sensor_resolution)
        device.configure(
            device.create_video_configuration(
                main={"size": main, "format": FORMAT},
                lores={"size": small_size(main), "format": FORMAT},
                raw=None,
                buffer_count=2,
                queue=False,  # a frame from before the question is an old look
                controls=measuring(self._has, mains_hz),
            )
        )
        given = device.camera_configuration()
        self._main = _stream(given["main"])
        self._small = _stream(given["lores"])
        device.start()
        self._heard = clock()

    def read(self, timeout: float) -> Frame | None:
        if self._job is None:  # asked once: a second job would take a frame that nobody collects
            self._job = self._device.capture_request(wait=False)
        try:
            request = self._device.wait(self._job, timeout)
        except TimeoutError:
            if self._clock() - self._heard > SILENT:
                raise Gone(say("camera_silent")) from None
            return None
        except RuntimeError as why:
            raise Gone(say("camera_silent")) from why
        self._job = None
        self._heard = self._clock()
        try:
            metadata = request.get_metadata()
            main = request.make_buffer("main")
            small = grey(request.make_buffer("lores"), self._small)
        finally:
            request.release()
        at = frame_time(metadata, self._heard)
        self._settle(metadata, at)
        colours, half = partial(colour, main, self._main), partial(halved, main, self._main)
        return Frame(grey(main, self._main), at, small, colours, half)

    def lock(self) -> None:
        self._device.set_controls(measuring(self._has, self._mains_hz))
        self._settling = Settling(self._clock())
        self.settling = True

    def hold(self, light: Exposure) -> None:
        """Hold a light found earlier, without measuring."""
        self._device.set_controls(holding(light, self._has))
        self._settling, self.settling, self.light = None, False, light

    def _settle(self, metadata: Mapping[str, object], at: float) -> None:
        if self._settling is None:
            return
        self._settling = self._settling.see(metadata, at)
        found = self._settling.found(at)
        if found is not None:
            least, most, _ = self._has.get("AnalogueGain", (1.0, 8.0, None))
            self.hold(without_flicker(found, self._mains_hz, (float(least), float(most))))
        elif self._settling.late(at):  # a camera that does not tell its light goes on by itself
            self._settling, self.settling = None, False

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._device.close()


def _stream(given: Mapping[str, Any]) -> Stream:
    width, height = given["size"]
    return Stream(given["format"], width, height, given["stride"])
