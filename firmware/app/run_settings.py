"""The settings of the box as options of ``oxeye run``, for everything that its command line does not set."""

import os
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.text import Text
from firmware.machine.config import NONE, Config, Optics, PageSettings, Sockets, panel_name
from firmware.machine.config_file import CONFIG_VARIABLE, config_path, may_exist, read_config, wrong_value
from firmware.machine.network_addresses import EVERYWHERE, LOCALHOST, PageAddress
from hw.button_presses import Button

SCREEN_NOTICES = 3
"""Problems that the screen shows one after the other; ``oxeye config check`` lists all of them."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Values by the name of their command-line option, and settings that have no option.

    ``notices`` are for the screen, ``complaints`` for the log.
    """

    options: Mapping[str, Any]
    sockets: Sockets = field(default_factory=Sockets)
    optics: Optics = field(default_factory=Optics)
    notices: tuple[Text, ...] = ()
    complaints: tuple[str, ...] = ()


def load_run_settings(path: Path | None = None) -> RunSettings | None:
    """The settings; None on a computer without a settings file, if none was named."""
    file = config_path(path)
    if path is None and CONFIG_VARIABLE not in os.environ and not may_exist(file):
        return None
    found = read_config(file)
    chosen, problems = run_options(found.config), [*found.problems]
    if chosen["page"] is not None and not can_bind(chosen["page"].host):
        problems.append(wrong_value("page.host", f"{chosen['page'].host} is not an address of this computer now"))
        chosen["page"] = page_address(PageSettings())
    notices = dict.fromkeys(problem.text for problem in problems)
    return RunSettings(
        chosen,
        button_sockets(found.config),
        camera_optics(found.config),
        tuple(notices)[:SCREEN_NOTICES],
        tuple(map(str, problems)),
    )


def default_settings() -> RunSettings:
    """The defaults, for the safe mode: the settings themselves may be what is wrong."""
    return RunSettings(run_options(Config()))


def run_options(config: Config) -> dict[str, Any]:
    return {
        "camera": config.camera.name,
        "panel": panel_name(config),
        "buttons": config.buttons.kind,
        "language": config.language,
        "big": config.panel.big,
        "light": config.signs.led,
        "buzzer": None if config.signs.buzzer == NONE else config.signs.buzzer,
        "voice": config.signs.voice,
        "state": None if config.state == "auto" else Path(config.state),
        "page": page_address(config.page),
        "record": None if config.record == "off" else Path(config.record) / time.strftime("%Y-%m-%d-%H%M%S"),
    }


def page_address(page: PageSettings) -> PageAddress | None:
    if page.off:
        return None
    return PageAddress({"lan": EVERYWHERE, "localhost": LOCALHOST}.get(page.host, page.host), page.port)


def can_bind(host: str) -> bool:
    """Has this computer the address? The network may have given it another one since."""
    try:
        family, kind, _, _, at = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)[0]
        with socket.socket(family, kind) as door:
            door.bind(at)
    except OSError:
        return False
    return True


def button_sockets(config: Config) -> Sockets:
    pins = config.buttons
    four = {Button.UP: pins.up, Button.DOWN: pins.down, Button.OK: pins.ok, Button.BACK: pins.back}
    power = {} if pins.power == NONE else {Button.POWER: int(pins.power)}
    return Sockets(four | power, config.panel.port, config.panel.address)


def camera_optics(config: Config) -> Optics:
    return Optics(config.camera.mains_hz, config.paper.sticker_mm, config.paper.marker_mm)
