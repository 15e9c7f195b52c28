"""Checks the camera code on the real Picamera2 and libcamera, in a separate Debian, with rendered tables.

``python -m tests.machines.picamera2``, as root. Each line reads ok, FAILED, or not run with the reason.
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
"""Camera -> pixels per sticker module, and number of pictures. The large one is almost a full Camera Module 2 frame."""
PACKAGE_NAMES = ("engine", "vision", "hw")
LEFT_OUT = (
    (
        "exposure and focus of a sensor",
        "the virtual camera has no controls; see tests/hw/cameras/test_exposure.py",
    ),
    ("a colour space that is granted, and the tuning of a sensor", "the virtual camera converts nothing and has none"),
    ("a second stream of another size, and padded rows", "the virtual camera has one size for all streams"),
    ("a frame rate, and an unplugged camera", "the virtual camera delivers frames as fast as they are requested"),
    ("the Raspberry Pi packages of libcamera and picamera2", "they run only on a Pi"),
)


def prepare(root: Path) -> None:
    """Install Picamera2 from its lock, and the replacement for DMA heaps."""
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
    """Render the first minutes of a match without hands, and write which tags are visible."""
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
    for name in PACKAGE_NAMES:
        shutil.copytree(ROOT / name, root / "opt/oxeye" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "virtual.py", root / "opt/oxeye")
    checks = root / "opt/oxeye/tests/machines"
    checks.mkdir(parents=True)
    (root / "opt/oxeye/tests/__init__.py").touch()  # before any package of this name in site-packages
    shutil.copy(HERE / "checks.py", checks)
    draw(root / "opt/oxeye/tables")
    more = {"PYTHONPATH": "/opt/oxeye", "OMP_NUM_THREADS": "1", "LIBCAMERA_LOG_LEVELS": "*:FATAL", "LD_PRELOAD": HEAP}
    bad = False
    for given in ([], ["/opt/oxeye/tables"]):
        words = inside(root, "timeout", "300", "python3", "/opt/oxeye/virtual.py", *given, more=more)
        ended = subprocess.run(words, stdin=subprocess.DEVNULL).returncode
        if ended:
            print(f"FAILED  exit code {ended}")
        bad = bad or ended != 0
    for what, why in LEFT_OUT:
        print(f"not run         {what}: {why}")
    print("some checks failed" if bad else "all checks passed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
