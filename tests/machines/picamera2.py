"""Rung B: the box's camera on the real Picamera2 and libcamera, in a Debian of its own, before rendered tables.

``python -m tests.machines.picamera2``, as root. Every line says ok, FAILED, or what could not be run.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import cv2

from engine.games import GAMES
from engine.log import Log
from firmware.simulation.table import SimTable
from tests.machines.chroot import ROOT, debian, inside, quiet
from tests.machines.machine import NotHere, needs
from vision.render import SceneRenderer, find_truth

HERE = Path(__file__).parent
PLACE = ROOT / "build/machines/sid"
PACKAGES = ("python3-libcamera", "libcamera-ipa", "python3-prctl", "libzbar0t64", "libarchive13t64", "python3-pip",
            "python3-setuptools", "python3-dev", "gcc", "libc6-dev")  # fmt: skip
LOCK = HERE / "picamera2.txt"
HEAP = "/opt/heap.so"
TABLES = {"usual": (2.1, 8), "large": (3.0, 4)}
"""Pixels to a module of the stickers, and how many pictures. The last is nearly all of a Camera Module 2."""
ROOMS = ("engine", "vision", "hw")
LEFT_OUT = (
    (
        "light and focus of a sensor",
        "the virtual camera has no controls; see tests/hw/cameras/test_exposure.py",
    ),
    ("a second stream of its own size, rows longer than the picture", "the virtual camera has one size for all"),
    ("a pace, and a camera that is pulled out", "the virtual camera gives frames as fast as they are asked for"),
    ("Raspberry Pi's own packages of libcamera and picamera2", "they run on a Pi alone"),
)


def prepare(root: Path) -> None:
    """Picamera2 from its lock, and a heap for its buffers."""
    shutil.copy(LOCK, root / "root")
    quiet(inside(root, "python3", "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes",
                 "--no-build-isolation", "--break-system-packages", "--root-user-action=ignore",
                 "--requirement", f"/root/{LOCK.name}"))  # fmt: skip
    shutil.copy(HERE / "heap.c", root / "opt")
    quiet(inside(root, "gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", HEAP, "/opt/heap.c"))
    heaps = root / "dev/dma_heap"
    heaps.mkdir(exist_ok=True)
    for name in ("system", "linux,cma"):
        (heaps / name).touch()


def draw(folder: Path) -> None:
    """The first minutes of a match, whenever no hand is over the table, and what lies there."""
    for name, (px_module, count) in TABLES.items():
        place = folder / name
        place.mkdir(parents=True)
        table = SimTable(Log(GAMES["nimmt"], {"players": 4}), random.Random(5), px_module=px_module, mistake_share=0.0)
        renderer, lies = SceneRenderer(5), dict[str, dict[str, list[str]]]()
        for act in table.acts():
            if act.reaching:
                continue
            tags = find_truth(act.scene).tags
            now = {"open": sorted(tag.payload for tag in tags if tag.covered == 0),
                   "there": sorted(tag.payload for tag in tags if tag.covered < 1)}  # fmt: skip
            if now in lies.values():
                continue
            picture = f"{len(lies):03}.jpg"
            cv2.imwrite(str(place / picture), renderer.render(act.scene), [cv2.IMWRITE_JPEG_QUALITY, 95])
            lies[picture] = now
            if len(lies) == count:
                break
        place.with_suffix(".json").write_text(json.dumps(lies))


def main() -> int:
    os.nice(10)
    try:
        needs("debootstrap")
        make = ["debootstrap", "--variant=minbase", "sid"]
        recipe = LOCK.read_text() + (HERE / "heap.c").read_text()
        root = debian(PLACE, make, PACKAGES, prepare, recipe)
    except NotHere as why:
        print(f"not run: the camera on Picamera2: {why}")
        return 1
    shutil.rmtree(root / "opt/oxeye", ignore_errors=True)
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / "opt/oxeye" / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "virtual.py", root / "opt/oxeye")
    draw(root / "opt/oxeye/tables")
    more = {"PYTHONPATH": "/opt/oxeye", "OMP_NUM_THREADS": "1", "LIBCAMERA_LOG_LEVELS": "*:FATAL", "LD_PRELOAD": HEAP}
    bad = False
    for given in ([], ["/opt/oxeye/tables"]):
        words = inside(root, "timeout", "300", "python3", "/opt/oxeye/virtual.py", *given, more=more)
        ended = subprocess.run(words, stdin=subprocess.DEVNULL).returncode
        if ended:
            print(f"FAILED  it ended with {ended}")
        bad = bad or ended != 0
    for what, why in LEFT_OUT:
        print(f"not run {what}: {why}")
    print("something failed" if bad else "all of it held")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
