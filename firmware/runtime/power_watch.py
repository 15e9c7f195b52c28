"""The thread that watches for undervoltage and heat; a fault stays reported for a while, because both come and go."""

from dataclasses import dataclass
from threading import Event

from engine.text import Text, say
from firmware.machine.machine_facts import HOT_C, SLOW_BY_HEAT_NOW, WEAK_NOW, Machine
from firmware.runtime.inbox import Inbox
from hw.camera import Clock
from vision.live.perception_events import FaultChanged

POWER_CHECK_INTERVAL_S = 5.0
"""Seconds between two checks."""
POWER_CALM_S = 30.0
"""Seconds without a fault after which it is taken back."""


@dataclass(frozen=True, slots=True)
class PowerState:
    """The reported fault, and when it was last seen."""

    told: Text | None = None
    last: float = float("-inf")


def describe_strain(bits: int | None, celsius: float | None) -> Text | None:
    """The worse fault first: undervoltage can damage the SD card, heat only slows the box down."""
    if (bits or 0) & WEAK_NOW:
        return say("power_weak")
    if (bits or 0) & SLOW_BY_HEAT_NOW or (celsius is not None and celsius >= HOT_C):
        return say("board_hot")
    return None


def update_strain(strain: PowerState, found: Text | None, at: float) -> PowerState:
    """The state after one more check."""
    if found is not None:
        return PowerState(found, at)
    return strain if at - strain.last < POWER_CALM_S else PowerState()


def run_power_watch(machine: Machine, inbox: Inbox, *, clock: Clock, stop: Event) -> None:
    """The thread; only a Raspberry Pi needs it."""
    strain = PowerState()
    while not stop.wait(POWER_CHECK_INTERVAL_S):
        now = clock()
        after = update_strain(strain, describe_strain(machine.throttled(), machine.celsius()), now)
        if after.told != strain.told:
            inbox.put(FaultChanged("power", after.told, now))
        strain = after
