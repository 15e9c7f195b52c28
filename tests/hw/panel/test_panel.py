"""A view on an OLED, in a terminal and on the dummy panel; unplugged panels recover."""

import atexit
import io

import pytest
from PIL import Image

from engine.text import say
from engine.view import Pad, View
from hw.fakes.ssd1306 import FakeSsd1306
from hw.panel.oled_ssd1306 import OledPanel
from hw.panel.panel import PANEL_NAMES, Brightness, DummyPanel, NoDisplay, open_panel, panel_size
from hw.panel.reconnecting import RENEW_S, ReconnectingPanel
from hw.panel.screen import SIZES, Lines, draw_screen
from hw.panel.terminal import HOME, TerminalPanel, to_blocks

# luma calls Image.getdata for an SH1106, which the newest Pillow deprecates
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

PROMPT = say("lay_cards")
NAMES = ("Ada", "Bob", "Christina", "Dora", "Emil", "Franz", "Gerda", "Hans", "Ilse", "Jonas")


def pads(players):
    return tuple(Pad(n, total=n * 13) for n in range(players))


def view(players=4, **more):
    return View(PROMPT, pads=pads(players), **more)


def dark(image):
    return image.getbbox() is None


IMAGE = draw_screen(view(turn=2), Lines("Christina: lay a card", NAMES, offers=("I cannot play",)))
ALERT = draw_screen(view(), Lines("Lay", NAMES, alert="44 belongs in row 3, behind 43"))


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_the_panel_shows_every_pixel(chip):
    bus = FakeSsd1306(chip)
    panel = OledPanel(chip, bus=bus)
    assert dark(bus.image())
    for image in (IMAGE, ALERT, IMAGE):
        panel.show(image)
        assert bus.image() == image
    panel.close()
    assert dark(bus.image())


def test_a_silent_address_is_reported():
    with pytest.raises(NoDisplay, match="panel_silent value=0x3D"):
        OledPanel("ssd1306", address=0x3D, bus=FakeSsd1306())


def test_a_replugged_panel_is_dark_until_it_is_set_up_again():
    bus = FakeSsd1306()
    panel = OledPanel("ssd1306", bus=bus)
    panel.show(IMAGE)
    bus.unplug()
    with pytest.raises(NoDisplay, match="panel_silent"):
        panel.show(ALERT)
    bus.plug()
    panel.show(ALERT)
    assert dark(bus.image())
    panel.renew(IMAGE)
    assert bus.image() == IMAGE


class Glass:
    """A reconnecting panel on a fake bus; records each report with its time."""

    def __init__(self, chip="ssd1306"):
        self.now = 0.0
        self.chip = chip
        self.bus = FakeSsd1306(chip)
        self.opened = 0
        self.told = []
        self.panel = ReconnectingPanel(self.open, tell=self.hear, clock=lambda: self.now)

    def open(self):
        self.opened += 1
        return OledPanel(self.chip, bus=self.bus)

    def hear(self, trouble):
        self.told.append((self.now, trouble and trouble.id))


def test_an_unplugged_panel_is_reported_once_and_its_picture_returns():
    glass = Glass()
    glass.panel.show(IMAGE)
    glass.bus.unplug()
    for second in range(10):
        glass.now = float(second)
        if second == 8:
            glass.bus.plug()
        glass.panel.show(ALERT)
    assert glass.told == [(0.0, "panel_silent"), (8.0, None)]
    assert glass.opened == 4
    assert glass.bus.image() == ALERT
    assert glass.panel.trouble is None


def test_an_unchanged_picture_is_not_sent_again():
    glass = Glass()
    glass.panel.show(IMAGE)
    before = glass.bus.bytes
    glass.panel.show(IMAGE.copy())
    assert glass.bus.bytes - before == 3, "one no-op command checks that the panel answers"


def test_unplugging_an_idle_panel_is_noticed_at_once():
    glass = Glass()
    glass.panel.show(IMAGE)
    glass.bus.unplug()
    glass.panel.show(IMAGE)
    assert glass.told == [(0.0, "panel_silent")]


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_a_panel_replugged_between_two_updates_is_renewed(chip):
    glass = Glass(chip)
    glass.panel.show(IMAGE)
    glass.bus.unplug()
    glass.bus.plug()
    glass.panel.show(IMAGE)
    assert dark(glass.bus.image())
    glass.now = RENEW_S
    glass.panel.show(IMAGE)
    assert glass.bus.image() == IMAGE
    assert (glass.told, glass.opened) == ([], 1)


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_renewing_a_panel_does_not_flicker(chip):
    bus = FakeSsd1306(chip)
    panel = OledPanel(chip, bus=bus)
    panel.show(IMAGE)
    seen = []
    bus.disturb = lambda: seen.append(bus.image()) is not None
    panel.renew(IMAGE)
    assert len(seen) > 10
    assert all(image == IMAGE for image in seen)


def test_a_single_bus_error_is_not_reported():
    glass = Glass()
    glass.panel.show(IMAGE)
    glass.bus.disturb = iter([True, *[False] * 999]).__next__
    glass.panel.show(ALERT)
    assert glass.bus.image() == ALERT
    assert (glass.told, glass.opened) == ([], 1)


def test_a_missing_panel_is_retried_with_growing_pauses():
    glass = Glass()
    glass.bus.unplug()
    for tenth in range(600):
        glass.now = tenth / 10
        glass.panel.show(IMAGE)
    assert glass.opened == 6
    assert glass.told == [(0.0, "panel_silent")]
    glass.panel.close()


def test_a_panel_is_dimmed_switched_off_and_on_again():
    glass = Glass()
    seen = []
    for light in (Brightness.BRIGHT, Brightness.DIM, Brightness.OFF, Brightness.BRIGHT):
        glass.panel.show(IMAGE, light)
        seen.append((glass.bus.contrast, dark(glass.bus.image())))
    assert seen == [(0xCF, False), (0x01, False), (0x01, True), (0xCF, False)]


def test_renewing_a_dark_panel_keeps_it_dark():
    glass = Glass()
    glass.panel.show(IMAGE, Brightness.OFF)
    glass.now = RENEW_S
    glass.panel.show(IMAGE, Brightness.OFF)
    assert dark(glass.bus.image())
    glass.panel.show(ALERT, Brightness.BRIGHT)
    assert glass.bus.image() == ALERT


def test_failed_attempts_to_open_register_no_exit_callbacks():
    glass = Glass()
    glass.bus.unplug()
    before = atexit._ncallbacks()
    for _ in range(5):
        with pytest.raises(NoDisplay):
            glass.open()
    assert atexit._ncallbacks() == before


def test_block_characters_show_the_pixels():
    image = Image.new("1", (4, 3))
    for at in ((0, 0), (1, 1), (2, 0), (2, 1), (3, 2)):
        image.putpixel(at, 1)
    assert to_blocks(image) == "▀▄█ \n   ▀"


def test_output_to_a_file_has_one_picture_below_the_other():
    out = io.StringIO()
    panel = TerminalPanel(out)
    panel.show(IMAGE)
    panel.show(ALERT)
    assert out.getvalue() == f"{to_blocks(IMAGE)}\n{to_blocks(ALERT)}\n"
    assert HOME not in out.getvalue()


def test_a_terminal_draws_over_the_previous_picture():
    out = io.StringIO()
    out.isatty = lambda: True
    TerminalPanel(out).show(IMAGE)
    assert out.getvalue().startswith(HOME)


def test_a_dummy_panel_keeps_the_picture():
    panel = open_panel("dummy")
    assert isinstance(panel, DummyPanel)
    panel.show(IMAGE)
    assert panel.image == IMAGE


@pytest.mark.parametrize("name", PANEL_NAMES.split())
def test_every_panel_has_a_supported_size(name):
    assert panel_size(name) in SIZES


BAD = {
    "": "panel_unknown",
    "oled": "panel_unknown",
    "oled:": "panel_unknown",
    "oled:ssd9": "panel_unknown",
    "terminal:1": "panel_unknown",
    "oled:ssd1306": "panel_no_i2c port=97",
    "oled:ssd1306:128x32": "panel_no_i2c port=97",
    "oled:sh1106": "panel_no_i2c port=97",
    "oled:sh1106:128x32": "panel_unknown",
    "oled:ssd1322": "panel_no_spi",
}


@pytest.mark.parametrize(("name", "says"), BAD.items(), ids=lambda v: v or "nothing")
def test_a_panel_that_cannot_be_opened_is_reported_with_a_remedy(name, says):
    with pytest.raises(NoDisplay, match=says):
        open_panel(name, port=97)
