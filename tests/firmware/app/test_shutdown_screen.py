"""The end of the program: screen and light show it until the machine is off."""

from pathlib import Path
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from engine.text import say
from engine.view import View
from firmware.app.app import _say_goodbye
from firmware.app.shutdown_screen import UNTIL_OFF_FILE, Goodbye, service_folder
from firmware.box.effects import PowerOff, Restart
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.display_thread import Display, ScreenFrame, draw_picture
from firmware.runtime.inbox import Inbox
from firmware.runtime.light_buzzer_voice import Indicators
from firmware.runtime.main_loop import Loop
from firmware.runtime.worker_threads import Worker, Workers
from hw.buzzer import DummyBuzzer
from hw.fakes.ssd1306 import FakeSsd1306
from hw.lamp import DummyLamp, PinLamp
from hw.panel.oled_ssd1306 import OledPanel
from hw.panel.panel import PANEL_NAMES, keeps_picture
from hw.panel.reconnecting import ReconnectingPanel
from hw.voice import DummyVoice
from vision.live.perception import Perception

SMALL, WIDE = "oled:ssd1306", "oled:ssd1322"

# ending, panel, light pins, pinctrl exists -> text, request for the shutdown hook
ENDS = {
    "restart": (Restart(), SMALL, (), True, "starts_anew", None),
    "a light stays on": (PowerOff(), WIDE, (17, 27), True, "off_light", "light 17,27\n"),
    "a light and a screen stay on": (PowerOff(), SMALL, (5,), True, "off_light", "light 5\nscreen 1 60\n"),
    "no light": (PowerOff(), SMALL, (), True, "off_screen", "screen 1 60\n"),
    "a light without pinctrl": (PowerOff(), SMALL, (5,), False, "off_screen", "screen 1 60\n"),
    "nothing stays on": (PowerOff(), WIDE, (5,), False, "off_minute", ""),
}


@pytest.mark.parametrize(("ending", "panel", "light", "pinctrl", "said", "wish"), ENDS.values(), ids=ENDS)
def test_the_goodbye_names_only_a_light_or_screen_that_stays_on(
    tmp_path, monkeypatch, ending, panel, light, pinctrl, said, wish
):
    programs = tmp_path / "bin"
    programs.mkdir()
    if pinctrl:
        (programs / "pinctrl").write_text("#!/bin/sh\n")
        (programs / "pinctrl").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    assert Goodbye(tmp_path, panel).prepare(ending, light) == say(said)
    left = (tmp_path / UNTIL_OFF_FILE).read_text() if (tmp_path / UNTIL_OFF_FILE).exists() else None
    assert left == wish


def test_without_a_shutdown_hook_the_goodbye_says_to_wait_a_minute(tmp_path):
    assert Goodbye(tmp_path / "gone", SMALL).prepare(PowerOff(), ()) == say("off_minute")


@pytest.mark.parametrize("ending", [Restart(), PowerOff()])
def test_a_program_started_by_hand_has_no_goodbye(ending):
    assert Goodbye(service_folder({}), SMALL).prepare(ending, (17,)) is None
    assert service_folder({"RUNTIME_DIRECTORY": "/run/oxeye"}) == Path("/run/oxeye")


class Ending:
    """A loop with a panel and a light that has ended."""

    def __init__(self, folder, ending):
        self.bus, self.factory = FakeSsd1306(), MockFactory(pin_class=MockPWMPin)
        self.lamp = PinLamp((17, 27, 22), factory=self.factory)
        panel = ReconnectingPanel(lambda: OledPanel("ssd1306", bus=self.bus), tell=lambda text: None)
        display = Display(lambda shown: panel.show(draw_picture(shown), shown.light))
        signing = Indicators(self.lamp, DummyBuzzer(), DummyVoice())
        companion, clock, stop = Companion(Box(Context(), (Home(),)), Perception()), ScaledClock(), Event()
        loop = Loop(companion, Inbox(), (display,), clock=clock, stop=stop)
        screen = Worker("screen", display.run, display.close)
        with Workers(stop, screen, Worker("signs", signing.run, signing.close)):
            loop.show()
            self.said = _say_goodbye(Goodbye(folder, SMALL), ending, signing, loop)
        if self.said:
            panel.detach()
        panel.close()

    def lit(self):
        return [self.factory.pin(n).state > 0 for n in (17, 27, 22)]


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("ending", "text", "lit"),
    [(Restart(), say("starts_anew"), [False] * 3), (PowerOff(), say("off_screen"), [True, True, False])],
    ids=["restart", "power off"],
)
def test_the_goodbye_stays_on_the_panel_and_the_light_stays_on(tmp_path, monkeypatch, ending, text, lit):
    monkeypatch.setenv("PATH", "")
    end = Ending(tmp_path, ending)
    assert end.bus.image() == draw_picture(ScreenFrame(View(text), {}))
    assert end.lit() == lit
    end.factory.reset()


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
def test_without_a_service_panel_and_light_go_dark():
    end = Ending(None, PowerOff())
    assert not end.bus.image().getbbox()
    assert end.lit() == [False] * 3
    end.factory.reset()


def test_lit_pins_are_those_of_the_lamp():
    factory = MockFactory(pin_class=MockPWMPin)
    one = PinLamp((5,), factory=factory)
    assert (one.lit_pins((1.0, 0.45, 0.0)), DummyLamp().lit_pins((1.0, 0.45, 0.0))) == ((5,), ())
    one.close()


@pytest.mark.parametrize("panel", [name for name in PANEL_NAMES.split() if not name.startswith("oled")])
def test_only_an_oled_keeps_its_picture(panel):
    assert not keeps_picture(panel)
