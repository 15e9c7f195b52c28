"""Findings of ``oxeye doctor``: each turns what was measured into one line that says what helps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from firmware.box.flows.camera_setup import advise_camera, find_camera_problem
from firmware.journal.errors import explain_journal_error
from firmware.machine.config import Config
from firmware.machine.config_file import Problem
from firmware.machine.machine_facts import HOT_C, SLOW_NOW, WEAK_NOW, WEAK_ONCE, DeviceNode, Machine
from firmware.texts.render import render
from vision.calibration.camera_check import CameraCheck

NO_RASPBERRY_PI = "not a Raspberry Pi: nothing to tell"
WARM_C = 70.0
"""Degrees Celsius from which the report mentions the temperature."""
RECORDING_ROOM_MB, LEAST_ROOM_MB = 500, 50
"""MB of free disk: below the first a recording may fill it, below the second the journal may."""
CLOCK_BEHIND_S = 600.0
"""Seconds by which the newest journal entry may be ahead of the clock."""


@dataclass(frozen=True, slots=True)
class Finding:
    """``well`` is None where nothing was measured, or nothing has to be done."""

    name: str
    well: bool | None
    says: str

    def __str__(self) -> str:
        mark = {True: "✓", False: "✗", None: "·"}[self.well]
        return f"{mark} {self.name:<12} {self.says}"


@dataclass(frozen=True, slots=True)
class Installation:
    """What the doctor examines: the machine, the settings with their file, and the folder of the journal."""

    machine: Machine
    path: Path
    there: bool
    config: Config
    problems: tuple[Problem, ...]
    folder: Path


def check_settings_file(problems: Iterable[Problem], path: Path, *, there: bool) -> tuple[Finding, ...]:
    lines = tuple(Finding("settings", False, f"{problem}. Change it in {path}") for problem in problems)
    return lines or (Finding("settings", True, f"{path}" if there else "all defaults, there is no file"),)


def check_camera_frame(frame: tuple[int, int] | None, why: str) -> Finding:
    """The height and width of a frame, or why there is none."""
    if frame is None:
        return Finding("camera", False, why)
    return Finding("camera", True, f"pictures of {frame[1]} x {frame[0]}")


def check_picture(found: CameraCheck) -> tuple[Finding, ...]:
    """Findings on light, markers and focus of one picture."""
    lit = not {note.code for note in found.notes} & {"dark", "bright"}
    light = Finding("light", lit, "enough" if lit else _said(found))
    if not lit:
        return (light, *(Finding(name, None, "first the light") for name in ("markers", "focus")))
    placed = not (found.missing or found.twice or found.swapped or found.askew)
    if not placed or found.px_module is None:
        return light, Finding("markers", False, _said(found)), Finding("focus", None, "first the markers")
    small = find_camera_problem(found)
    markers = f"all four, {found.px_module:.1f} pixels for each square of a code"
    sizes = Finding("markers", True, markers)
    if small is not None and small.id not in ("aim_focus", "aim_cards"):
        sizes = Finding("markers", False, f"{markers}. {render(small)}")
    better = small if small is not None and small.id == "aim_focus" else advise_camera(found)
    blurred = better is not None and better.id in ("aim_focus", "aim_soft")
    sharp = f"{found.focus:.0%} sharp"
    return light, sizes, Finding("focus", not blurred, f"{sharp}. {render(better)}" if better and blurred else sharp)


def check_screen(chip: str, address: int, answers: Mapping[int, bool] | str) -> Finding:
    """``answers`` says which addresses answer on the bus, or why the bus cannot be used."""
    match chip:
        case "ssd1322":
            return Finding("screen", None, "SPI screens do not answer: oxeye doctor panel shows whether it works")
        case "terminal" | "none":
            return Finding("screen", None, f"{chip}, as in the settings")
    if isinstance(answers, str):
        return Finding("screen", False, answers)
    if answers.get(address):
        return Finding("screen", True, f"answers at 0x{address:02X}")
    others = [other for other, there in answers.items() if there]
    if others:
        told = f"oxeye config set panel.address 0x{others[0]:02X}"
        return Finding("screen", False, f"none at 0x{address:02X}, but one at 0x{others[0]:02X}: {told}")
    return Finding("screen", False, f"nothing at 0x{address:02X}: check its four wires (3.3 V, ground, SDA, SCL)")


def check_devices(name: str, found: tuple[DeviceNode, ...], group: str, remedy: str) -> Finding:
    """Device files that have to exist and to be usable by this user."""
    if not found:
        return Finding(name, False, remedy)
    if closed := [device for device in found if not device.usable]:
        return Finding(name, False, f"no right to {closed[0]}: sudo usermod -aG {group} $USER, then log in again")
    return Finding(name, True, " ".join(device.path.name for device in found))


def check_access(name: str, found: tuple[DeviceNode, ...], group: str) -> tuple[Finding, ...]:
    """A finding only where this user may use none of the devices."""
    return () if not found or any(device.usable for device in found) else (check_devices(name, found, group, ""),)


def check_disk(free: int, folder: Path) -> Finding:
    if free < LEAST_ROOM_MB:
        return Finding("disk", False, f"{free} MB free for {folder}: delete what is not needed")
    return Finding(
        "disk", True, f"{free} MB free" if free >= RECORDING_ROOM_MB else f"{free} MB free: no room for recordings"
    )


def check_state_folder(folder: Path, *, writable: bool) -> Finding:
    if writable:
        return Finding("folder", True, str(folder))
    return Finding("folder", False, f"{folder} cannot be written: run this as the user of the box, with sudo -u oxeye")


def check_journal(path: Path, newest: float | Exception | None) -> Finding:
    if isinstance(newest, PermissionError):
        return Finding("journal", False, f"{path} cannot be read: run this as the user of the box, with sudo -u oxeye")
    if isinstance(newest, Exception):
        return Finding("journal", False, render(explain_journal_error(newest, path).text))
    if newest is None:
        return Finding("journal", True, "no game yet")
    return Finding("journal", True, f"whole, last written {datetime.fromtimestamp(newest, UTC):%Y-%m-%d %H:%M} UTC")


def check_power(bits: int | None) -> Finding:
    if bits is None:
        return Finding("power", None, NO_RASPBERRY_PI)
    if bits & WEAK_NOW:
        return Finding("power", False, "too weak now: use the supply made for this Pi, and a short thick cable")
    if bits & WEAK_ONCE:
        return Finding("power", False, "was too weak since the start: use the supply made for this Pi")
    return Finding("power", True, "strong enough since the start")


def check_temperature(celsius: float | None, bits: int | None) -> Finding:
    if celsius is None:
        return Finding("temperature", None, "not measured on this machine")
    if celsius >= HOT_C or (bits or 0) & SLOW_NOW:
        return Finding("temperature", False, f"{celsius:.0f} °C: it slows down. Give the box more air, or a heat sink")
    return Finding("temperature", True, f"{celsius:.0f} °C" + (", rather warm" if celsius >= WARM_C else ""))


def check_clock(now: float, set_by_network: bool | None, newest: float | None) -> Finding:
    told = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d %H:%M} UTC"
    if newest is not None and newest > now + CLOCK_BEHIND_S:
        return Finding(
            "clock", False, f"{told}, and the journal is ahead of it: let it reach a network, or set the time"
        )
    match set_by_network:
        case True:
            return Finding("clock", True, f"{told}, set by the network")
        case False:
            return Finding("clock", None, f"{told}, not set by a network yet: games may have a wrong date")
        case None:
            return Finding("clock", None, f"{told}, unknown whether a network set it")


def _said(found: CameraCheck) -> str:
    text = find_camera_problem(found)
    return render(text) if text else "the markers do not tell where the table is"
