"""The splash screen: says that the box starts, before the slow imports."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from engine.text import say
from engine.view import View
from firmware.machine.config import Config, panel_name
from firmware.machine.config_file import SERVICE_VARIABLE, config_path, read_config
from firmware.runtime.opened_panel import OpenedPanel
from firmware.runtime.screen_text import render_screen
from hw.panel.panel import open_panel, panel_size
from hw.panel.screen import draw_screen

CONFIG_FLAG, SAFE_FLAG, PANEL_FLAG = "--config", "--safe", "--panel"


def show_splash(words: Sequence[str], environ: Mapping[str, str] = os.environ) -> OpenedPanel | None:
    """Show the splash screen; ``words`` are the arguments of ``oxeye run``. A missing screen is reported later."""
    if SERVICE_VARIABLE not in environ or PANEL_FLAG in words:
        return None
    with suppress(Exception):  # no error here may keep the box from starting
        config = Config() if SAFE_FLAG in words else read_config(config_path(_named(words))).config
        name, view = panel_name(config), View(say("starting"))
        if not name.startswith("oled:"):
            return None
        panel = open_panel(name, port=config.panel.port, address=config.panel.address)
        panel.show(draw_screen(view, render_screen(view, {}, config.language), panel_size(name), big=config.panel.big))
        return OpenedPanel(name, panel)
    return None


def _named(words: Sequence[str]) -> Path | None:
    return next((Path(value) for name, value in pairwise(words) if name == CONFIG_FLAG), None)
