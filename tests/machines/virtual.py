"""The box's camera on the real Picamera2 and libcamera: opened, stopped, opened again, and read by the eyes.

``python3 virtual.py FOLDER`` inside the Debian that ``picamera2.py`` makes. The folder has one more folder for each
camera: pictures, which libcamera's virtual camera shows one after the other; beside it, in ``.json``, what lies there.
Without a FOLDER no camera is there.
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
from hw.frame import Frame
from vision.live.frame_reading import ReadingSetup, read_frame

SETTINGS = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
PATIENCE = 30.0
ALIKE, COLOURED = 2.0, 8.0
"""Levels of 255 by which brightness and colours may be off: a JPEG counts both from 0, a camera's stream from 16."""


def picamera2() -> None:
    """The real library, for a camera that has no raw stream and a kernel without a heap of its own.

    Its window on a bare screen, which a box never opens, wants a library that Debian does not have.
    """
    screen: Any = types.ModuleType("pykms")
    screen.__getattr__ = lambda name: type(name, (type,), {"__getattr__": lambda self, which: which})(name, (), {})
    sys.modules["pykms"] = screen
    import libcamera
    import picamera2
    from picamera2.allocators import LibcameraAllocator

    class Virtual(picamera2.Picamera2):
        def __init__(self, number: int) -> None:
            super().__init__(number)
            self.allocator = LibcameraAllocator(self.camera)

        def _get_raw_modes(self) -> list[dict[str, object]]:
            given = self.camera.generate_configuration([libcamera.StreamRole.VideoRecording]).at(0).formats
            sizes = [(str(format), size) for format in given.pixel_formats for size in given.sizes(format)]
            return [{"format": format, "size": (size.width, size.height)} for format, size in sizes]

    picamera2.Picamera2 = Virtual
    logging.getLogger("picamera2").setLevel(logging.CRITICAL)


class Checks:
    failed = 0

    def __call__(self, what: str, held: bool, why: object = "") -> None:
        print(f"{'ok     ' if held else 'FAILED '} {what}" + ("" if held else f": {why}"), flush=True)
        self.failed += not held


def settings(folders: list[Path]) -> str:
    """As libcamera wants to be told what its virtual cameras show. One that is told a second size makes up others."""
    text = ""
    for folder in folders:
        height, width = cv2.imread(str(next(folder.glob("*.jpg")))).shape[:2]
        text += f'"{folder.name}":\n  location: "CameraLocationBack"\n  model: "{folder.name}"\n'
        text += f'  frames:\n    path: "{folder}/"\n  supported_formats:\n'
        text += f"  - width: {width}\n    height: {height}\n    frame_rates: [30]\n"
    return text


def frames(camera: Camera, most: int) -> Iterator[Frame]:
    end = time.monotonic() + PATIENCE
    while most and time.monotonic() < end:
        frame = camera.read(1.0)
        if frame is not None:
            most -= 1
            yield frame


def off(one: Any, other: Any) -> float:
    return float(np.abs(one.astype(int) - other).mean()) if one.shape == other.shape else 255.0


class Shown:
    """The pictures that one camera shows, and what they are."""

    def __init__(self, folder: Path) -> None:
        self.colours = {path.name: cv2.imread(str(path)) for path in sorted(folder.glob("*.jpg"))}
        self.greys = {name: cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY) for name, colours in self.colours.items()}
        self.truth = json.loads(folder.with_suffix(".json").read_text())
        self.height, self.width = next(iter(self.greys.values())).shape

    def which(self, frame: Frame) -> str:
        return min(self.greys, key=lambda name: off(frame.grey[::8, ::8], self.greys[name][::8, ::8]))


def seen(check: Checks, number: int, shown: Shown) -> None:
    """Every picture comes, whole, in its colours, and what lies on it is read: not one card more or less."""
    came: set[str] = set()
    times = [0.0]
    with open_camera(f"picamera:{number}") as camera:
        for frame in frames(camera, 1000):
            times.append(frame.at)
            name = shown.which(frame)
            if name not in came:
                came.add(name)
                judge(check, f"camera {number}, {name}", frame, shown, name)
            if len(came) == len(shown.greys):
                break
    check(f"camera {number}: all {len(shown.greys)} pictures come", len(came) == len(shown.greys), sorted(came))
    check(f"camera {number}: time never runs backwards", times == sorted(times) and len(times) > 1, times)


def judge(check: Checks, what: str, frame: Frame, shown: Shown, name: str) -> None:
    grey = off(frame.grey, shown.greys[name])
    given = frame.colour() if frame.colour else np.zeros(1)
    colours, swapped = off(given, shown.colours[name]), off(given[..., ::-1], shown.colours[name])
    less = off(frame.small, shown.greys[name]) if frame.small is not None else 255.0
    held = grey < ALIKE and less < ALIKE and colours < COLOURED and 3 * colours < swapped
    says = f"brightness {grey:.1f}, colours {colours:.1f} and the second stream {less:.1f} levels off"
    check(f"{what}, {shown.width} x {shown.height}: {says}", held, f"colours swapped: {swapped:.1f}")
    read = {piece.tag.payload for piece in read_frame(frame.grey, ReadingSetup()).pieces}
    open, there = set(shown.truth[name]["open"]), set(shown.truth[name]["there"])
    check(f"{what}: its {len(open)} cards are read, and no other", open <= read <= there, (sorted(read), sorted(open)))


def again(check: Checks) -> None:
    """What is closed is free for the next who opens it; what is open is not."""
    given = []
    for _ in range(3):
        with open_camera("picamera") as camera:
            given.append(len([*frames(camera, 5)]))
    check("three times opened, read and closed", given == [5, 5, 5], given)
    with open_camera("picamera:0") as camera:
        said = refused("picamera:0")
        check("one that is in use says so", said == "camera_busy", said)
        check("and goes on for who uses it", len([*frames(camera, 3)]) == 3)
        camera.lock()
        settling, end = camera.settling, time.monotonic() + PATIENCE
        while camera.settling and time.monotonic() < end:
            camera.read(1.0)
        check("asked to hold a light of which it tells nothing, it goes on by itself", settling and not camera.settling)
        camera.close()
    with open_camera("picamera:0") as camera:
        check("after all that it gives frames", len([*frames(camera, 3)]) == 3)


def refused(name: str) -> str:
    try:
        open_camera(name).close()
    except NoCamera as why:
        return why.text.id
    return "it opened"


def main(folder: Path | None) -> int:
    check = Checks()
    SETTINGS.unlink(missing_ok=True)
    picamera2()
    if folder is None:
        said = refused("picamera")
        check("without a camera it says so", said == "camera_no_sensor", said)
        return check.failed
    folders = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    SETTINGS.write_text(settings(folders))
    from picamera2 import Picamera2

    infos = Picamera2.global_camera_info()
    check("libcamera finds the cameras", sorted(info["Model"] for info in infos) == [f.name for f in folders], infos)
    for place, info in enumerate(infos):
        seen(check, place, Shown(folder / info["Model"]))
    again(check)
    said = refused(f"picamera:{len(infos)}")
    check("a connector without a camera says so", said == "camera_no_sensor", said)
    return check.failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
