"""The decisions of an update: may it begin, which step is next, and does the new version run."""

import re
from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from engine.text import Text, say

PACKAGE_NAME = "oxeye"
STEADY_S = 20.0
"""Seconds that the new version must run without a restart."""
START_TIMEOUT_S = 180.0
"""Seconds after which the new version counts as failed: a Zero 2 W starts slowly, and a hanging one is restarted."""
UNDER_VOLTAGE = 0x1 | 0x10000
"""Bits of the throttling flags: undervoltage now, or since power-on."""


@dataclass(frozen=True, slots=True)
class Package:
    """Fields of a .deb; its version ends with the Debian suite that it was built for."""

    name: str
    version: str
    architecture: str


@dataclass(frozen=True, slots=True)
class UpdateMachine:
    """``power`` has the throttling flags of a Raspberry Pi, else None; ``playing``: a game runs now.

    ``installed`` is the present version, empty if an older one may be installed.
    """

    suite: str
    architecture: str
    power: int | None
    playing: bool
    installed: str = ""


def refuse_package(package: Package, machine: UpdateMachine) -> Text | None:
    """Why this package may not be installed now, or None."""
    _, _, suite = package.version.partition("+")
    if (package.name, suite, package.architecture) != (PACKAGE_NAME, machine.suite, machine.architecture):
        return say("update_wrong")
    if machine.installed and order_version(package.version) < order_version(machine.installed):
        return say("update_older")
    if machine.playing:
        return say("update_in_game")
    if machine.power is not None and machine.power & UNDER_VOLTAGE:
        return say("update_weak_power")
    return None


def order_version(version: str) -> tuple[int, ...]:
    """The numbers of a version such as 0.2.0+trixie, without the suite, to compare it."""
    number, _, _ = version.partition("+")
    return tuple(int(part) for part in re.findall(r"\d+", number))


class Step(StrEnum):
    KEEP = "keep what is installed now"
    INSTALL = "install the new version"
    RUNS = "see whether it runs"
    GO_BACK = "install again what was kept"
    FINISH = "finish the installation that was cut short"


class Outcome(StrEnum):
    UPDATED = "the new version runs"
    UNTOUCHED = "nothing was done: what is installed could not be kept"
    UNDONE = "the new version does not run: the old one is back"
    CUT_SHORT = "the update was cut short: the old version is back"
    STUCK = "neither the new version nor the old one runs: see 'journalctl -u oxeye'"


def plan_update() -> Generator[Step, bool, Outcome]:
    """A new update: send whether each step succeeded."""
    if not (yield Step.KEEP):
        return Outcome.UNTOUCHED
    if (yield Step.INSTALL) and (yield Step.RUNS):
        return Outcome.UPDATED
    if (yield Step.GO_BACK) and (yield Step.RUNS):
        return Outcome.UNDONE
    return Outcome.STUCK


def resume_update() -> Generator[Step, bool, Outcome]:
    """An update after a power cut, with the old version kept: no step is tried a second time."""
    if (yield Step.FINISH) and (yield Step.RUNS):
        return Outcome.UPDATED
    if (yield Step.GO_BACK) and (yield Step.RUNS):
        return Outcome.CUT_SHORT
    return Outcome.STUCK


@dataclass(frozen=True, slots=True)
class Service:
    """The state of the service from systemd; ``active`` after it has reported that it is ready."""

    active: bool
    pid: int
    restarts: int


@dataclass(frozen=True, slots=True)
class ServiceProbe:
    """Judges the new service: call ``saw`` with each state until the answer is a word."""

    began: float
    pid: int = 0
    since: float | None = None

    def saw(self, service: Service, now: float) -> "ServiceProbe | Literal['runs', 'fails']":
        if service.restarts or now >= self.began + START_TIMEOUT_S:
            return "fails"
        if not service.active:
            return ServiceProbe(self.began)
        if service.pid != self.pid or self.since is None:
            return ServiceProbe(self.began, service.pid, now)
        return "runs" if now >= self.since + STEADY_S else self
