#!/usr/bin/python3
"""Shutdown hook: switches off the light and the screen after all file systems are synced, just before power-off."""

import errno
import fcntl
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

REQUEST = Path("/run/oxeye/until-off")
LIGHT = re.compile(r"^light (\d{1,2}(?:,\d{1,2}){0,2})$", re.MULTILINE)
SCREEN = re.compile(r"^screen (\d{1,2}) (\d{1,3})$", re.MULTILINE)
I2C_SLAVE = 0x0703
"""ioctl request I2C_SLAVE, which sets the address of the next message."""
SWITCH_OFF = bytes((0x00, 0xAE))
PINCTRL_TIMEOUT_S = 5.0
MOST_BYTES = 256


def light(pins: str) -> None:
    subprocess.run(("pinctrl", "set", pins, "op", "dl"), timeout=PINCTRL_TIMEOUT_S, check=False)


def screen(port: int, address: int, ioctl: Callable[[int, int, int], object] = fcntl.ioctl, dev: str = "/dev") -> None:
    bus = os.open(f"{dev}/i2c-{port}", os.O_RDWR)
    try:
        ioctl(bus, I2C_SLAVE, address)
        os.write(bus, SWITCH_OFF)
    finally:
        os.close(bus)


def read_request(request: Path) -> str:
    """The user of the service can put anything here: a link, a FIFO or a device is an ``OSError``."""
    number = os.open(request, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(request))
        return os.read(number, MOST_BYTES).decode("ascii")
    finally:
        os.close(number)


def main(request: Path = REQUEST) -> int:
    """Read the numbers from the file, and nothing else: it was not written by root."""
    try:
        text = read_request(request)
    except (OSError, UnicodeDecodeError):
        return 0
    with suppress(OSError, subprocess.SubprocessError):
        if found := LIGHT.search(text):
            light(found[1])
    with suppress(OSError):
        if found := SCREEN.search(text):
            screen(int(found[1]), int(found[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
