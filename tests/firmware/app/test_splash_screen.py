"""A service shows the start screen before heavy modules are imported."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from PIL import Image

from engine.text import say
from engine.view import View
from firmware.app.splash_screen import show_splash
from firmware.runtime.display_thread import ScreenFrame
from firmware.runtime.opened_panel import OpenedPanel
from firmware.runtime.screen_text import render_screen
from firmware.runtime.screens import ScreenOptions, open_screens
from hw.panel.panel import DummyPanel
from hw.panel.screen import draw_screen

PRETENDED = Path(__file__).parents[2] / "machines/pretended"
OXEYE = (sys.executable, "-c", "from firmware.cli import main; main()")
SETTINGS = '[camera]\nname = "files:/nowhere"\n[panel]\nchip = "{chip}"\n[buttons]\nkind = "none"\n[page]\noff = true\n'


def settings(tmp_path: Path, chip: str = "ssd1306") -> Path:
    path = tmp_path / "config.toml"
    path.write_text(SETTINGS.format(chip=chip))
    return path


def test_the_start_screen_is_shown_before_cv2_is_imported(tmp_path):
    """The service ends after the start screen, because its state folder is a file."""
    panel, state = tmp_path / "panel.json", tmp_path / "state"
    state.write_text("")
    given = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "no-socket"), "OXEYE_PANEL": str(panel)}
    given |= {"PYTHONPATH": str(PRETENDED)}
    words = [*OXEYE, "run", "--config", str(settings(tmp_path)), "--state", str(state)]
    done = subprocess.run(words, env=given, capture_output=True, text=True, timeout=60)
    assert "state" in done.stderr
    assert json.loads(panel.read_text())["heavy"] == []
    view = View(say("starting"))
    glass = Image.open(panel.with_suffix(".png")).convert("1")
    assert glass.tobytes() == draw_screen(view, render_screen(view, {})).tobytes()


NO_SPLASH = {
    "started at a terminal": (["--config", "{}"], {}, "ssd1306"),
    "a screen named on the command line": (["--config", "{}", "--panel", "dummy"], {"NOTIFY_SOCKET": "/x"}, "ssd1306"),
    "a box without a screen": (["--config", "{}"], {"NOTIFY_SOCKET": "/x"}, "none"),
    "a silent panel": (["--config", "{}"], {"NOTIFY_SOCKET": "/x"}, "ssd1306"),
    "unreadable settings": (["--config", "/proc/self/mem"], {"NOTIFY_SOCKET": "/x"}, "ssd1306"),
}


@pytest.mark.parametrize(("words", "environ", "chip"), NO_SPLASH.values(), ids=NO_SPLASH)
def test_otherwise_no_start_screen_is_drawn_and_nothing_fails(words, environ, chip, tmp_path):
    path = str(settings(tmp_path, chip))
    assert show_splash([word.format(path) for word in words], environ) is None


def test_the_program_reuses_the_panel_of_the_start_screen():
    """A panel opened twice would flicker or be busy."""
    panel = DummyPanel()
    with ExitStack() as stack:
        screens = open_screens(
            ScreenOptions("dummy", opened=OpenedPanel("dummy", panel)),
            "",
            stack,
            trouble=lambda text: None,
            clock=lambda: 0.0,
        )
        drawing = Thread(target=screens.displays[0].run)
        drawing.start()
        screens.displays[0].put(ScreenFrame(View(say("starting")), {}))
        screens.displays[0].close()
        drawing.join(10)
    assert panel.image is not None
