"""Warnings of weak power and heat: which, for how long, and after those of the game."""

from threading import Event, Thread

import pytest

from engine.text import say
from firmware.machine.machine_facts import Machine
from firmware.runtime.inbox import Inbox
from firmware.runtime.power_watch import POWER_CALM_S, PowerState, describe_strain, run_power_watch, update_strain

WEAK, HOT = say("power_weak"), say("board_hot")
READINGS = {
    "unknown": (None, None, None),
    "good": (0, 48.0, None),
    "weak now": (0x1, 48.0, WEAK),
    "weak earlier": (0x50000, 48.0, None),
    "throttled by heat": (0x8, 79.0, HOT),
    "throttled without weak power or heat": (0x6, 48.0, None),
    "hot by temperature": (None, 80.0, HOT),
    "weak and hot": (0x9, 85.0, WEAK),
}


@pytest.mark.parametrize(("bits", "celsius", "told"), READINGS.values(), ids=READINGS)
def test_a_reading_gives_a_warning_or_none(bits, celsius, told):
    assert describe_strain(bits, celsius) == told


def test_an_intermittent_fault_is_reported_once_and_cleared_when_it_stays_away():
    strain, told = PowerState(), []
    for second in range(0, 200, 5):
        strain = update_strain(strain, WEAK if second in (10, 25, 50, 120) else None, float(second))
        told += [(second, strain.told)] if not told or told[-1][1] != strain.told else []
    assert told == [(0, None), (10, WEAK), (80, None), (120, WEAK), (120 + POWER_CALM_S, None)]


class Readings:
    """A stop event that writes the next reading at each wait, and sets itself after the last."""

    def __init__(self, path, bits):
        self._path, self._bits = path, iter(bits)
        self.now = 0.0

    def wait(self, seconds):
        self.now += seconds
        bits = next(self._bits, None)
        if bits is not None:
            self._path.write_text(f"{bits:x}\n")
        return bits is None


def test_the_thread_reports_a_fault_and_clears_it(tmp_path):
    path = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    readings, inbox = Readings(path, [0, 1, 1, *[0x10000] * 8]), Inbox()
    machine = Machine(tmp_path, lambda command: pytest.fail("a command was asked"))
    run_power_watch(machine, inbox, clock=lambda: readings.now, stop=readings)
    came = [inbox.get(0) for _ in range(len(inbox))]
    assert [(item.source, item.text, item.at) for item in came] == [("power", WEAK, 10.0), ("power", None, 45.0)]


def test_the_thread_ends_at_the_stop_event(tmp_path):
    stop = Event()
    thread = Thread(
        target=run_power_watch, args=(Machine(tmp_path), Inbox()), kwargs={"clock": lambda: 0.0, "stop": stop}
    )
    thread.start()
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
