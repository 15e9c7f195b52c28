"""Opens, reads, closes and reopens cameras on the real Picamera2 and libcamera, and reads the tags in their frames.

``python3 virtual.py FOLDER`` inside the Debian that ``picamera2.py`` builds. FOLDER has a subfolder of pictures for
each virtual camera of libcamera, and beside it a ``.json`` file with its tags. Without FOLDER there is no camera.
"""

import json
import logging
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hw.camera import Camera, NoCamera, open_camera
from hw.cameras.colour_encoding import SYCC, ColourEncoding, read_encoding
from hw.frame import Frame
from tests.machines.checks import Checks
from vision.live.frame_reading import ReadingSetup, read_frame

SETTINGS = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
TIMEOUT_S = 30.0
ALIKE, COLOURED = 2.0, 4.0
"""Allowed mean error of brightness and of colours, of 255 levels."""


def picamera2() -> None:
    """Adapt the real library to a camera without a raw stream and a kernel without DMA heaps.

    Its DRM preview, which the box never opens, imports pykms, which Debian does not have.
    """
    screen: Any = types.ModuleType("pykms")
    screen.__getattr__ = lambda name: type(name, (type,), {"__getattr__": lambda self, which: which})(name, (), {})
    sys.modules["pykms"] = screen
    import libcamera
    import picamera2
    from picamera2.allocators import LibcameraAllocator

    class Virtual(picamera2.Picamera2):
        def __init__(self, number: int, tuning: object = None) -> None:
            super().__init__(number, tuning=tuning)
            self.allocator = LibcameraAllocator(self.camera)

        def camera_configuration(self) -> dict[str, object]:
            """The virtual camera grants Rec. 709 and delivers the levels of the JPEG file, which are sYCC."""
            return super().camera_configuration() | {"colour_space": libcamera.ColorSpace.Sycc()}

        def _get_raw_modes(self) -> list[dict[str, object]]:
            given = self.camera.generate_configuration([libcamera.StreamRole.VideoRecording]).at(0).formats
            sizes = [(str(format), size) for format in given.pixel_formats for size in given.sizes(format)]
            return [{"format": format, "size": (size.width, size.height)} for format, size in sizes]

    picamera2.Picamera2 = Virtual
    logging.getLogger("picamera2").setLevel(logging.CRITICAL)


def settings(folders: list[Path]) -> str:
    """Configuration of the virtual cameras of libcamera. With a second size they would offer invented ones."""
    text = ""
    for folder in folders:
        height, width = cv2.imread(str(next(folder.glob("*.jpg")))).shape[:2]
        text += f'"{folder.name}":\n  location: "CameraLocationBack"\n  model: "{folder.name}"\n'
        text += f'  frames:\n    path: "{folder}/"\n  supported_formats:\n'
        text += f"  - width: {width}\n    height: {height}\n    frame_rates: [30]\n"
    return text


def frames(camera: Camera, most: int) -> Iterator[Frame]:
    end = time.monotonic() + TIMEOUT_S
    while most and time.monotonic() < end:
        frame = camera.read(1.0)
        if frame is not None:
            most -= 1
            yield frame


def mean_error(one: Any, other: Any) -> float:
    """Mean absolute difference of two pictures, or 255 if their shapes differ."""
    return float(np.abs(one.astype(int) - other).mean()) if one.shape == other.shape else 255.0


class Shown:
    """The pictures of one camera and the tags in them."""

    def __init__(self, folder: Path) -> None:
        self.colours = {path.name: cv2.imread(str(path)) for path in sorted(folder.glob("*.jpg"))}
        self.greys = {name: cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY) for name, colours in self.colours.items()}
        self.truth = json.loads(folder.with_suffix(".json").read_text())
        self.height, self.width = next(iter(self.greys.values())).shape

    def name_of(self, frame: Frame) -> str:
        return min(self.greys, key=lambda name: mean_error(frame.grey[::8, ::8], self.greys[name][::8, ::8]))


def check_pictures(check: Checks, number: int, shown: Shown) -> None:
    """Check that every picture arrives complete, in the right colours, and that exactly its tags are read."""
    came: set[str] = set()
    times = [0.0]
    with open_camera(f"picamera:{number}") as camera:
        for frame in frames(camera, 1000):
            times.append(frame.at)
            name = shown.name_of(frame)
            if name not in came:
                came.add(name)
                check_frame(check, f"camera {number}, {name}", frame, shown, name)
            if len(came) == len(shown.greys):
                break
    check(f"camera {number}: all {len(shown.greys)} pictures arrive", len(came) == len(shown.greys), sorted(came))
    check(f"camera {number}: timestamps never decrease", times == sorted(times) and len(times) > 1, times)


def check_frame(check: Checks, what: str, frame: Frame, shown: Shown, name: str) -> None:
    grey = mean_error(frame.grey, shown.greys[name])
    given = frame.colour() if frame.colour else np.zeros(1)
    colours, swapped = mean_error(given, shown.colours[name]), mean_error(given[..., ::-1], shown.colours[name])
    less = mean_error(frame.small, shown.greys[name]) if frame.small is not None else 255.0
    held = grey < ALIKE and less < ALIKE and colours < COLOURED and 3 * colours < swapped
    says = f"brightness {grey:.1f}, colours {colours:.1f} and the second stream {less:.1f} levels off"
    check(f"{what}, {shown.width} x {shown.height}: {says}", held, f"colours swapped: {swapped:.1f}")
    read = {piece.tag.payload for piece in read_frame(frame.grey, ReadingSetup()).pieces}
    open, there = set(shown.truth[name]["open"]), set(shown.truth[name]["there"])
    check(f"{what}: exactly its {len(open)} open tags are read", open <= read <= there, (sorted(read), sorted(open)))


def check_colour_spaces(check: Checks) -> None:
    """Check that the names of libcamera's matrices and ranges are understood."""
    from libcamera import ColorSpace

    spaces = (ColorSpace.Sycc(), ColorSpace.Smpte170m(), ColorSpace.Rec709(), ColorSpace.Rec2020())
    limited = [ColourEncoding(matrix, full=False) for matrix in ("Rec601", "Rec709", "Rec2020")]
    read = [read_encoding(space) for space in spaces]
    check("the colour spaces of libcamera are read", read == [SYCC, *limited], read)


def check_reopening(check: Checks) -> None:
    """Check that a closed camera can be opened again, and that an open one is reported as busy."""
    given = []
    for _ in range(3):
        with open_camera("picamera") as camera:
            given.append(len([*frames(camera, 5)]))
    check("a camera can be opened, read and closed three times", given == [5, 5, 5], given)
    with open_camera("picamera:0") as camera:
        said = open_error("picamera:0")
        check("a camera in use is reported as busy", said == "camera_busy", said)
        check("the camera in use keeps delivering frames", len([*frames(camera, 3)]) == 3)
        camera.lock()
        settling, end = camera.settling, time.monotonic() + TIMEOUT_S
        while camera.settling and time.monotonic() < end:
            camera.read(1.0)
        check("without exposure metadata, locking ends by a timeout", settling and not camera.settling)
        camera.close()
    with open_camera("picamera:0") as camera:
        check("a reopened camera delivers frames", len([*frames(camera, 3)]) == 3)


def open_error(name: str) -> str:
    """Text id of the error when opening the camera, or ``opened``."""
    try:
        open_camera(name).close()
    except NoCamera as why:
        return why.text.id
    return "opened"


def main(folder: Path | None) -> int:
    check = Checks()
    SETTINGS.unlink(missing_ok=True)
    picamera2()
    if folder is None:
        said = open_error("picamera")
        check("a missing camera is reported", said == "camera_no_sensor", said)
        return check.failed
    folders = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    SETTINGS.write_text(settings(folders))
    from picamera2 import Picamera2

    infos = Picamera2.global_camera_info()
    check("libcamera lists the cameras", sorted(info["Model"] for info in infos) == [f.name for f in folders], infos)
    for place, info in enumerate(infos):
        check_pictures(check, place, Shown(folder / info["Model"]))
    check_colour_spaces(check)
    check_reopening(check)
    said = open_error(f"picamera:{len(infos)}")
    check("a connector without a camera is reported", said == "camera_no_sensor", said)
    return check.failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
