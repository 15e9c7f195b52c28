"""The end of the program: what screen and light say of it, and that both go on saying so until the machine is off."""

from pathlib import Path
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from engine.text import say
from engine.view import View
from firmware.app.app import _say_goodbye
from firmware.app.goodbye import UNTIL_OFF_FILE, Goodbye, service_folder
from firmware.box.context import Context
from firmware.box.effects import PowerOff, Restart
from firmware.box.flows.home import Home
from firmware.box.stack import Box
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.display import Display, ScreenFrame, draw_picture
from firmware.runtime.inbox import Inbox
from firmware.runtime.indicators import Indicators
from firmware.runtime.loop import Loop, Worker, Workers
from hw.buzzer import DummyBuzzer
from hw.fakes.ssd1306 import FakeSsd1306
from hw.lamp import DummyLamp, PinLamp
from hw.panel.oled import OledPanel
from hw.panel.panel import PANEL_NAMES, ReconnectingPanel, keeps_picture
from hw.voice import DummyVoice
from vision.live.perception import Perception

SMALL, WIDE = "oled:ssd1306", "oled:ssd1322"

# what ends, the panel, pins of a light, is pinctrl there -> what is said, what those who come after are told
ENDS = {
    "a new start": (Restart(), SMALL, (), True, "starts_anew", None),
    "a light tells": (PowerOff(), WIDE, (17, 27), True, "off_light", "light 17,27\n"),
    "a light and a screen go out together": (PowerOff(), SMALL, (5,), True, "off_light", "light 5\nscreen 1 60\n"),
    "no light": (PowerOff(), SMALL, (), True, "off_screen", "screen 1 60\n"),
    "a light that nothing keeps on": (PowerOff(), SMALL, (5,), False, "off_screen", "screen 1 60\n"),
    "nothing stays on": (PowerOff(), WIDE, (5,), False, "off_minute", ""),
}


@pytest.mark.parametrize(("ending", "panel", "light", "pinctrl", "said", "wish"), ENDS.values(), ids=ENDS)
def test_only_what_stays_on_is_named(tmp_path, monkeypatch, ending, panel, light, pinctrl, said, wish):
    programs = tmp_path / "bin"
    programs.mkdir()
    if pinctrl:
        (programs / "pinctrl").write_text("#!/bin/sh\n")
        (programs / "pinctrl").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    assert Goodbye(tmp_path, panel).prepare(ending, light) == say(said)
    left = (tmp_path / UNTIL_OFF_FILE).read_text() if (tmp_path / UNTIL_OFF_FILE).exists() else None
    assert left == wish


def test_where_nobody_can_be_told_nothing_is_promised_but_a_minute(tmp_path):
    assert Goodbye(tmp_path / "gone", SMALL).prepare(PowerOff(), ()) == say("off_minute")


@pytest.mark.parametrize("ending", [Restart(), PowerOff()])
def test_a_program_that_was_started_by_hand_says_nothing(ending):
    assert Goodbye(service_folder({}), SMALL).prepare(ending, (17,)) is None
    assert service_folder({"RUNTIME_DIRECTORY": "/run/oxeye"}) == Path("/run/oxeye")


class Ending:
    """A loop with a screen on a bus and a light on pins, which is left."""

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
    ids=["a new start", "power off"],
)
def test_what_was_said_last_stays_on_the_glass_and_the_light_stays_on(tmp_path, monkeypatch, ending, text, lit):
    monkeypatch.setenv("PATH", "")
    end = Ending(tmp_path, ending)
    assert end.bus.image() == draw_picture(ScreenFrame(View(text), {}))
    assert end.lit() == lit
    end.factory.reset()


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
def test_without_a_service_the_glass_is_dark_and_so_is_the_light():
    end = Ending(None, PowerOff())
    assert not end.bus.image().getbbox()
    assert end.lit() == [False] * 3
    end.factory.reset()


def test_a_light_of_one_colour_is_lit_by_its_pin_and_none_by_none():
    factory = MockFactory(pin_class=MockPWMPin)
    one = PinLamp((5,), factory=factory)
    assert (one.lit_pins((1.0, 0.45, 0.0)), DummyLamp().lit_pins((1.0, 0.45, 0.0))) == ((5,), ())
    one.close()


@pytest.mark.parametrize("panel", [name for name in PANEL_NAMES.split() if not name.startswith("oled")])
def test_what_is_no_glass_keeps_nothing(panel):
    assert not keeps_picture(panel)
