#!/usr/bin/python3
"""The last thing before the machine is halted, when all is written: light and screen of the box go out."""

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

WISH = Path("/run/oxeye/until-off")
LIGHT = re.compile(r"^light (\d{1,2}(?:,\d{1,2}){0,2})$", re.MULTILINE)
SCREEN = re.compile(r"^screen (\d{1,2}) (\d{1,3})$", re.MULTILINE)
SPEAK_TO = 0x0703
"""How a bus of I2C is told whom the next message is for."""
SWITCH_OFF = bytes((0x00, 0xAE))
PATIENCE = 5.0


def light(pins: str) -> None:
    subprocess.run(("pinctrl", "set", pins, "op", "dl"), timeout=PATIENCE, check=False)


def screen(port: int, address: int, ioctl: Callable[[int, int, int], object] = fcntl.ioctl, dev: str = "/dev") -> None:
    bus = os.open(f"{dev}/i2c-{port}", os.O_RDWR)
    try:
        ioctl(bus, SPEAK_TO, address)
        os.write(bus, SWITCH_OFF)
    finally:
        os.close(bus)


def main(wish: Path = WISH) -> int:
    """Whoever wrote the wish was not root: numbers are taken from it, and nothing else."""
    try:
        wished = wish.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return 0
    with suppress(OSError, subprocess.SubprocessError):
        if found := LIGHT.search(wished):
            light(found[1])
    with suppress(OSError):
        if found := SCREEN.search(wished):
            screen(int(found[1]), int(found[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
