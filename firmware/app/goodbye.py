"""What screen and light say when the program ends: what comes next, and how long the plug must stay in."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.text import Text, say
from firmware.box.effects import PowerOff, Restart
from hw.panel.panel import keeps_picture

UNTIL_OFF_FILE = "until-off"
"""The file that tells what goes out as the last thing before the machine is halted."""
PIN_HOLDER = "pinctrl"
"""The program that keeps a light on when nobody holds its pins any more."""


@dataclass(frozen=True, slots=True)
class Goodbye:
    """``folder`` is that of the service while it runs; None where nobody is there to do what the end asks for.

    ``panel`` is its name; ``port`` and ``address`` are its place on the bus.
    """

    folder: Path | None
    panel: str = "none"
    port: int = 1
    address: int = 0x3C

    def prepare(self, ending: Restart | PowerOff, light: tuple[int, ...]) -> Text | None:
        """For the last picture; ``light`` are the pins that are lit. None: nothing is promised to anybody.

        Before the power goes off, those who come after the program are told what stays on until the last moment.
        """
        if self.folder is None:
            return None
        match ending:
            case Restart():
                return say("starts_anew")
            case PowerOff():
                return self._until_off(self.folder, light)

    def _until_off(self, folder: Path, light: tuple[int, ...]) -> Text:
        """Only what is sure to stay on tells by going out that the plug may be pulled."""
        light = light if shutil.which(PIN_HOLDER) else ()
        lines = [f"light {','.join(map(str, light))}"] if light else []
        lines += [f"screen {self.port} {self.address}"] if keeps_picture(self.panel) else []
        try:
            (folder / UNTIL_OFF_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        except OSError:
            return say("off_minute")
        return say("off_light") if light else say("off_screen") if lines else say("off_minute")


def service_folder(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Where the service keeps what must not outlive the machine's next start; None: nobody started this as one."""
    folder = environ.get("RUNTIME_DIRECTORY", "")
    return Path(folder) if folder else None
