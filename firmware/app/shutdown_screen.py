"""The last text on the screen: what comes next, and until when power must stay on."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.text import Text, say
from firmware.box.effects import PowerOff, Restart
from hw.panel.panel import keeps_picture

UNTIL_OFF_FILE = "until-off"
"""A note for the shutdown hook: which light or screen it switches off last."""
PIN_HOLDER = "pinctrl"
"""The program that keeps a light on after the pins are released."""


@dataclass(frozen=True, slots=True)
class Goodbye:
    """``folder`` is the runtime folder of the service; None where the program runs by hand.

    ``panel`` is the name of the panel, ``port`` and ``address`` its place on the I2C bus.
    """

    folder: Path | None
    panel: str = "none"
    port: int = 1
    address: int = 0x3C

    def prepare(self, ending: Restart | PowerOff, light: tuple[int, ...]) -> Text | None:
        """The text for the last picture, or None without a service; ``light`` holds the lit pins.

        Before power off it writes a note for the shutdown hook: what stays on until the last moment.
        """
        if self.folder is None:
            return None
        match ending:
            case Restart():
                return say("starts_anew")
            case PowerOff():
                return self._until_off(self.folder, light)

    def _until_off(self, folder: Path, light: tuple[int, ...]) -> Text:
        """Note for the shutdown hook which light or screen stays on; its going dark means power may be cut."""
        light = light if shutil.which(PIN_HOLDER) else ()
        lines = [f"light {','.join(map(str, light))}"] if light else []
        lines += [f"screen {self.port} {self.address}"] if keeps_picture(self.panel) else []
        try:
            (folder / UNTIL_OFF_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        except OSError:
            return say("off_minute")
        return say("off_light") if light else say("off_screen") if lines else say("off_minute")


def service_folder(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The runtime folder of the service, which is empty after a reboot; None without a service."""
    folder = environ.get("RUNTIME_DIRECTORY", "")
    return Path(folder) if folder else None
