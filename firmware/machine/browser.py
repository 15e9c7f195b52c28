"""The browser of this computer: which program opens an address, and whether a person would see it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from threading import Thread

from firmware.machine.config_file import SERVICE_VARIABLE

DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY")
OPENERS = {"darwin": "open"}
USUAL_OPENER = "xdg-open"


def find_opener(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str | None:
    """The program that opens a browser. None for a service, and without a display, as over ssh."""
    opener = OPENERS.get(platform, USUAL_OPENER)
    displayed = platform in OPENERS and "SSH_CONNECTION" not in environ
    if SERVICE_VARIABLE in environ or not (displayed or any(environ.get(name) for name in DISPLAY_VARIABLES)):
        return None
    return shutil.which(opener, path=environ.get("PATH"))


def open_browser(url: str, opener: str) -> bool:
    """Let ``opener`` open the address, away from this terminal; False if it cannot be started."""
    try:
        process = subprocess.Popen(
            [opener, url],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    Thread(target=process.wait, name="browser", daemon=True).start()  # it may run for as long as the browser
    return True
