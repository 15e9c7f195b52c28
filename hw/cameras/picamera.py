"""The camera on the Pi's ribbon cable: full sensor, with exposure and focus held once they are measured.

``CameraDevice`` and ``Request`` hold every call into picamera2. ``make test-picamera2`` runs them on the real library
with libcamera's virtual camera.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.text import say
from hw.camera import Camera, CameraGone, Clock, NoCamera
from hw.cameras.colour_encoding import ColourEncoding, read_encoding
from hw.cameras.exposure import Controls, Exposure, Settling, holding_controls, measuring_controls, remove_flicker
from hw.cameras.tuning import fix_tuning
from hw.cameras.yuv_planes import Stream, read_colour, read_grey, read_half_colour, stretch_brightness
from hw.frame import Frame

FORMAT = "YUV420"
"""The requested format; a camera without it delivers a similar one."""
SMALL_WIDTH = 576
MOST_PIXELS = 13_000_000
"""Larger sensors are read at half their size: two full buffers would not fit in memory."""
SILENT_S = 5.0
"""A camera without a frame for this time counts as gone: libcamera reports no disconnection."""
SAME_CLOCK_S = 1.0
"""Largest difference at which the sensor's timestamps count as our clock."""

Size = tuple[int, int]


class Request(Protocol):
    def make_buffer(self, name: str) -> NDArray[np.uint8]: ...
    def get_metadata(self) -> Mapping[str, object]: ...
    def release(self) -> None: ...


class CameraDevice(Protocol):
    """The methods of Picamera2 in use."""

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
    """Open the camera on this connector; ``NoCamera`` says what to install, plug in or stop."""
    try:
        from libcamera import ColorSpace
        from picamera2 import Picamera2
    except ImportError as why:
        raise NoCamera(say("camera_no_picamera")) from why
    except ValueError as why:  # its binary parts were built for another numpy version
        raise NoCamera(say("camera_other_numpy")) from why
    infos = Picamera2.global_camera_info()
    found = list_ribbon_cameras(infos)
    if which >= len(found):
        raise NoCamera(say("camera_no_sensor"))
    try:
        tuning = load_fixed_tuning(Picamera2.load_tuning_file, infos[found[which]])
        device: CameraDevice = Picamera2(found[which], tuning=tuning)
    except (RuntimeError, OSError) as why:
        raise NoCamera(say("camera_busy")) from why
    try:
        return PiCamera(device, ColorSpace.Sycc(), mains_hz=mains_hz, clock=clock)
    except (RuntimeError, OSError, ValueError) as why:
        device.close()  # otherwise it is busy at the next try
        raise NoCamera(say("camera_no_start")) from why


def list_ribbon_cameras(infos: Sequence[Mapping[str, Any]]) -> list[int]:
    """Indexes of the cameras in this list that are not webcams; Picamera2 takes an index.

    ``Num`` in the list is libcamera's own number, which may differ with two cameras.
    """
    return [at for at, info in enumerate(infos) if "usb" not in str(info.get("Id", "")).lower()]


def load_fixed_tuning(load: Callable[[str], Any], info: Mapping[str, Any]) -> Any:
    """The tuning of this sensor without what adapts to the scene; None, for libcamera's own, if there is no file."""
    try:
        return fix_tuning(load(f"{info.get('Model')}.json"))
    except (RuntimeError, OSError, ValueError):
        return None


def choose_main_size(sensor: Size) -> Size:
    """The full sensor, halved in both directions until it fits in memory; even numbers."""
    width, height = sensor
    while width * height > MOST_PIXELS:
        width, height = width // 2, height // 2
    return width - width % 2, height - height % 2


def choose_small_size(main: Size) -> Size:
    """The same shape about 576 pixels wide, never larger than the main picture."""
    width, height = main
    across = min(SMALL_WIDTH, width)
    down = across * height // width
    return across - across % 2, down - down % 2


def compute_frame_time(metadata: Mapping[str, object], now: float) -> float:
    """When the sensor took the frame, or when it arrived if the sensor uses another clock."""
    taken = metadata.get("SensorTimestamp")
    at = taken / 1e9 if isinstance(taken, int) else now
    return at if abs(now - at) <= SAME_CLOCK_S else now


class PiCamera(Camera):
    """``lock`` measures exposure and focus, while the camera is ``settling``; then it holds ``light``."""

    live = True

    def __init__(
        self,
        device: CameraDevice,
        colour_space: object,
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
        main = choose_main_size(device.sensor_resolution)
        device.configure(
            device.create_video_configuration(
                main={"size": main, "format": FORMAT},
                lores={"size": choose_small_size(main), "format": FORMAT},
                raw=None,
                colour_space=colour_space,  # a video of this size would be in limited range
                buffer_count=2,
                queue=False,  # a queued frame would be older than the request
                controls=measuring_controls(self._has, mains_hz),
            )
        )
        given = device.camera_configuration()
        # what was granted, which may differ; all streams share it
        encoding = read_encoding(given.get("colour_space"))
        self._main = _stream(given["main"], encoding)
        self._small = _stream(given["lores"], encoding)
        device.start()
        self._heard = clock()

    def read(self, timeout: float) -> Frame | None:
        if self._job is None:  # only one job: the frame of a second one would be lost
            self._job = self._device.capture_request(wait=False)
        try:
            request = self._device.wait(self._job, timeout)
        except TimeoutError:
            if self._clock() - self._heard > SILENT_S:
                raise CameraGone(say("camera_silent")) from None
            return None
        except RuntimeError as why:
            raise CameraGone(say("camera_silent")) from why
        self._job = None
        self._heard = self._clock()
        try:
            metadata = request.get_metadata()
            main = stretch_brightness(request.make_buffer("main"), self._main)
            small = stretch_brightness(request.make_buffer("lores"), self._small)
        finally:
            request.release()
        at = compute_frame_time(metadata, self._heard)
        self._settle(metadata, at)
        colours, half = partial(read_colour, main, self._main), partial(read_half_colour, main, self._main)
        small_colours = partial(read_colour, small, self._small)
        return Frame(read_grey(main, self._main), at, read_grey(small, self._small), colours, half, small_colours)

    def lock(self) -> None:
        self._device.set_controls(measuring_controls(self._has, self._mains_hz))
        self._settling = Settling(self._clock())
        self.settling = True

    def hold(self, light: Exposure) -> None:
        """Hold an exposure measured earlier."""
        self._device.set_controls(holding_controls(light, self._has))
        self._settling, self.settling, self.light = None, False, light

    def _settle(self, metadata: Mapping[str, object], at: float) -> None:
        if self._settling is None:
            return
        self._settling = self._settling.add(metadata, at)
        found = self._settling.found(at)
        if found is not None:
            least, most, _ = self._has.get("AnalogueGain", (1.0, 8.0, None))
            self.hold(remove_flicker(found, self._mains_hz, (float(least), float(most))))
        elif self._settling.late(at):  # a camera that reports no exposure stays automatic
            self._settling, self.settling = None, False

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._device.close()


def _stream(given: Mapping[str, Any], encoding: ColourEncoding) -> Stream:
    width, height = given["size"]
    return Stream(given["format"], width, height, given["stride"], encoding)
