"""A board with too little power or too hot: what is told of it, for how long, and that the game has the first word."""

from threading import Event, Thread

import pytest

from engine.text import say
from firmware.machine.board import Machine
from firmware.runtime.inbox import Inbox
from firmware.runtime.power_watch import POWER_CALM_S, PowerState, describe_strain, run_power_watch, update_strain

WEAK, HOT = say("power_weak"), say("board_hot")
READINGS = {
    "nothing is known": (None, None, None),
    "all is well": (0, 48.0, None),
    "too weak now": (0x1, 48.0, WEAK),
    "too weak a while ago": (0x50000, 48.0, None),
    "slowed down for its heat": (0x8, 79.0, HOT),
    "slowed down for its supply": (0x6, 48.0, None),
    "hot by its own measure": (None, 80.0, HOT),
    "too weak and too hot": (0x9, 85.0, WEAK),
}


@pytest.mark.parametrize(("bits", "celsius", "told"), READINGS.values(), ids=READINGS)
def test_what_a_reading_means(bits, celsius, told):
    assert describe_strain(bits, celsius) == told


def test_what_comes_and_goes_is_told_once_and_taken_back_when_it_is_over_for_good():
    strain, told = PowerState(), []
    for second in range(0, 200, 5):
        strain = update_strain(strain, WEAK if second in (10, 25, 50, 120) else None, float(second))
        told += [(second, strain.told)] if not told or told[-1][1] != strain.told else []
    assert told == [(0, None), (10, WEAK), (80, None), (120, WEAK), (120 + POWER_CALM_S, None)]


class Readings:
    """A stop that lets a watcher look so many times, and puts the next reading there each time."""

    def __init__(self, path, bits):
        self._path, self._bits = path, iter(bits)
        self.now = 0.0

    def wait(self, seconds):
        self.now += seconds
        bits = next(self._bits, None)
        if bits is not None:
            self._path.write_text(f"{bits:x}\n")
        return bits is None


def test_the_thread_puts_a_trouble_into_the_inbox_and_takes_it_back(tmp_path):
    path = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    readings, inbox = Readings(path, [0, 1, 1, *[0x10000] * 8]), Inbox()
    machine = Machine(tmp_path, lambda command: pytest.fail("a command was asked"))
    run_power_watch(machine, inbox, clock=lambda: readings.now, stop=readings)
    came = [inbox.get(0) for _ in range(len(inbox))]
    assert [(item.source, item.text, item.at) for item in came] == [("power", WEAK, 10.0), ("power", None, 45.0)]


def test_the_thread_ends_when_it_is_told_to(tmp_path):
    stop = Event()
    thread = Thread(
        target=run_power_watch, args=(Machine(tmp_path), Inbox()), kwargs={"clock": lambda: 0.0, "stop": stop}
    )
    thread.start()
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
