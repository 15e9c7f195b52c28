"""An update, decided: whether it may begin, how it goes on after each step, and when what was installed does run."""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from engine.text import Text, say

PACKAGE_NAME = "oxeye"
STEADY_S = 20.0
"""Seconds for which a new version must run without a new start."""
START_TIMEOUT_S = 180.0
"""Seconds in which it must have got as far: a Zero 2 W needs a while, and one that hangs is started anew."""
UNDER_VOLTAGE = 0x1 | 0x10000
"""Bits of what a Raspberry Pi says of its power: too weak now, or since it was switched on."""


@dataclass(frozen=True, slots=True)
class Package:
    """What a .deb says of itself; its version ends with the suite it was built for."""

    name: str
    version: str
    architecture: str


@dataclass(frozen=True, slots=True)
class UpdateMachine:
    """``power`` is what a Raspberry Pi says of it, None elsewhere; ``playing`` is a game that nobody has put aside."""

    suite: str
    architecture: str
    power: int | None
    playing: bool


def refuse_package(package: Package, machine: UpdateMachine) -> Text | None:
    """Why this may not be installed now."""
    _, _, suite = package.version.partition("+")
    if (package.name, suite, package.architecture) != (PACKAGE_NAME, machine.suite, machine.architecture):
        return say("update_wrong")
    if machine.playing:
        return say("update_in_game")
    if machine.power is not None and machine.power & UNDER_VOLTAGE:
        return say("update_weak_power")
    return None


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
    """Each step is answered with whether it went well."""
    if not (yield Step.KEEP):
        return Outcome.UNTOUCHED
    if (yield Step.INSTALL) and (yield Step.RUNS):
        return Outcome.UPDATED
    if (yield Step.GO_BACK) and (yield Step.RUNS):
        return Outcome.UNDONE
    return Outcome.STUCK


def resume_update() -> Generator[Step, bool, Outcome]:
    """The same after a power cut in the middle of it, the old version being kept: nothing is tried a second time."""
    if (yield Step.FINISH) and (yield Step.RUNS):
        return Outcome.UPDATED
    if (yield Step.GO_BACK) and (yield Step.RUNS):
        return Outcome.CUT_SHORT
    return Outcome.STUCK


@dataclass(frozen=True, slots=True)
class Service:
    """What systemd says of the service; ``active`` from the moment on that it has said it is ready."""

    active: bool
    pid: int
    restarts: int


@dataclass(frozen=True, slots=True)
class ServiceProbe:
    """Looks at the service from its installation on: ``saw`` each time, until the answer is a word."""

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
