"""Facts about this machine from files of the system and a few of its commands; read-only."""

import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path

from engine.name_value_pairs import parse_pairs
from firmware.machine.update_root import INCOMING_PACKAGE, UPDATE_FOLDER

COMMAND_TIMEOUT_S = 5.0
"""Seconds after which a command of the system counts as failed."""
HOT_C = 80.0
"""Degrees Celsius from which the firmware of a Raspberry Pi slows the board down."""
WEAK_NOW, SLOW_NOW, SLOW_BY_HEAT_NOW, WEAK_ONCE = 1 << 0, 0b1110, 1 << 3, 1 << 16
"""Bits of ``throttled``: undervoltage now, slowed down now, slowed down now by heat, undervoltage since the start."""
PYTHON_PACKAGES = (
    "oxeye",
    "numpy",
    "opencv-python-headless",
    "zxing-cpp",
    "pyzbar",
    "gpiozero",
    "luma.oled",
    "pillow",
    "msgspec",
)
APT_PACKAGES = ("picamera2", "libcamera")
PIN_LIBRARY = "lgpio"
"""Never imported to ask for its version: the import creates pipes in the working directory."""


def run_command(words: Sequence[str]) -> str | None:
    """The output of a command; None if it is missing, fails or takes too long."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout.strip()


@dataclass(frozen=True, slots=True)
class DeviceNode:
    """A file below /dev, and whether this user may use it."""

    path: Path
    usable: bool

    def __str__(self) -> str:
        return f"/dev/{str(self.path).rpartition('/dev/')[2]}"


@dataclass(frozen=True, slots=True)
class Machine:
    """``root`` holds /sys, /proc, /dev and /etc; ``ask`` runs a command and returns its output."""

    root: Path = Path("/")
    ask: Callable[[Sequence[str]], str | None] = run_command

    def model(self) -> str:
        """The model of the board; empty on a computer without a device tree."""
        return self._read("proc/device-tree/model") or ""

    def system(self) -> str:
        name = dict(parse_pairs((self._read("etc/os-release") or "").splitlines())).get("PRETTY_NAME", "").strip('"')
        return f"{name} {platform.machine()}".strip()

    def memory_mb(self) -> int | None:
        for line in (self._read("proc/meminfo") or "").splitlines():
            if line.startswith("MemTotal:"):
                return int(line.split()[1]) // 1024
        return None

    def celsius(self) -> float | None:
        said = self._read("sys/class/thermal/thermal_zone0/temp")
        return int(said) / 1000 if said and said.lstrip("-").isdecimal() else None

    def throttled(self) -> int | None:
        """Bits of the firmware: undervoltage and throttling, now (bits 0 to 3) or since the start (bits 16 to 19)."""
        files = sorted((self.root / "sys/devices/platform").glob("soc*/soc*:firmware/get_throttled"))
        said = self._read(str(files[0].relative_to(self.root))) if files else self.ask(("vcgencmd", "get_throttled"))
        if not said:
            return None
        try:
            return int(said.partition("=")[2] or said, 16)
        except ValueError:
            return None

    def devices(self, *patterns: str) -> tuple[DeviceNode, ...]:
        found = sorted(path for pattern in patterns for path in (self.root / "dev").glob(pattern))
        return tuple(DeviceNode(path, os.access(path, os.R_OK | os.W_OK)) for path in found)

    def set_by_network(self) -> bool | None:
        """Has a network set the clock? None if unknown."""
        said = self.ask(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
        return {"yes": True, "no": False}.get(said or "")

    def _read(self, path: str) -> str | None:
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip().strip("\0")
        except OSError:
            return None


def is_update_running(folder: Path = UPDATE_FOLDER) -> bool:
    """Is an update not over yet? Until then the old version may come back, which needs its old files."""
    return (folder / INCOMING_PACKAGE).exists()


def free_mb(folder: Path) -> int:
    """Free megabytes on the disk of a folder, which may not exist yet."""
    return shutil.disk_usage(_reached(folder)).free >> 20


def _reached(folder: Path) -> Path:
    """The folder, or its nearest parent that exists."""
    while not os.path.exists(folder):  # unlike Path.exists it never raises: without permission it is False
        folder = folder.parent
    return folder


def may_write(folder: Path) -> bool:
    folder = _reached(folder)
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def installed_versions() -> Mapping[str, str]:
    """Versions of Oxeye and what it needs; a dash for what is not installed."""
    found = {"python": platform.python_version()}
    for name in (*PYTHON_PACKAGES, PIN_LIBRARY):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "-"
    for name in APT_PACKAGES:
        try:
            found[name] = str(getattr(import_module(name), "__version__", None) or metadata.version(name))
        except metadata.PackageNotFoundError:
            found[name] = "there"
        except (ImportError, ValueError, OSError):  # an extension built for another numpy raises the second
            found[name] = "-"
    if found[PIN_LIBRARY] == "-" and find_spec(PIN_LIBRARY):
        found[PIN_LIBRARY] = "there"
    return found
