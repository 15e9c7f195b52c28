"""Runs inside the virtual machine: presses buttons on the lines of a GPIO chip simulated by the kernel.

Kernel edges pass through lgpio and gpiozero into the button code of the box.
"""

import json
import subprocess
import time
from itertools import pairwise
from pathlib import Path

from gpiozero.pins.lgpio import LGPIOFactory

from hw.button_pins import DEFAULT_PINS, ButtonPins
from hw.button_presses import DEBOUNCE_S, Button, ButtonsState, process_edges

CHIP = Path("/sys/kernel/config/gpio-sim/oxeye")
LINES = 28
PI_5 = 0xD04171
BOUNCE = 0.003
"""Seconds from one bounce of a contact to the next."""
TRIES = 8
"""Attempts per case: a busy emulator can stretch a bounce beyond the debounce time."""


class Simulated(LGPIOFactory):
    """Reports a Pi 5, because gpiozero knows no pins on other boards."""

    def _get_revision(self):
        return PI_5


def chip():
    """Create the simulated chip; return its number and the sysfs folder of its lines."""
    subprocess.run(["modprobe", "configfs"], check=True)
    subprocess.run(["insmod", "/opt/vm/oxeye-gpio.ko"], check=True)
    if not CHIP.parent.exists():
        subprocess.run(["mount", "-t", "configfs", "none", "/sys/kernel/config"], check=True)
    bank = CHIP / "bank0"
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text(str(LINES))
    (CHIP / "live").write_text("1")
    name = (bank / "chip_name").read_text().strip()
    where = Path("/sys/devices/platform") / (CHIP / "dev_name").read_text().strip() / name
    return int(name.removeprefix("gpiochip")), where


def main():
    number, lines = chip()

    def pull(button, down):
        (lines / f"sim_gpio{DEFAULT_PINS[button]}/pull").write_text("pull-down" if down else "pull-up")

    def bounce(button, down):
        """Toggle the contact as a bouncing button; return the longest pause in seconds."""
        times = [time.monotonic()]
        for change in (down, not down) * 4 + (down,):
            pull(button, change)
            times.append(time.monotonic())
            time.sleep(BOUNCE)
        return max(after - before for before, after in pairwise(times))

    for button in DEFAULT_PINS:
        pull(button, False)
    edges = []
    with ButtonPins(DEFAULT_PINS, edges.append, factory=Simulated(number)):
        told = {}
        for what, moves in {
            "each button is pressed briefly": [(b, d, 0.2) for b in DEFAULT_PINS for d in (True, False)],
            "OK is held for a second": [(Button.OK, True, 1.1), (Button.OK, False, 0.2)],
            "OK and BACK are held for three seconds": [(Button.OK, True, 0.05), (Button.BACK, True, 3.3),
                                               (Button.OK, False, 0.05), (Button.BACK, False, 0.2)],
        }.items():  # fmt: skip
            for _ in range(TRIES):
                edges.clear()
                rested = 0.0
                for button, down, wait in moves:
                    rested = max(rested, bounce(button, down))
                    time.sleep(wait)
                time.sleep(0.5)
                _, presses = process_edges(ButtonsState(), time.monotonic(), edges)
                if rested < DEBOUNCE_S / 2:
                    break
            told[what] = {
                "edges": len(edges), "presses": [[press.button, press.kind] for press in presses], "rested": rested
            }  # fmt: skip
    print(json.dumps(told))


if __name__ == "__main__":
    main()
