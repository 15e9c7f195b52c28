"""Screens of a whole match on the bus: bytes sent, and the right picture after every bus error."""

import random

import pytest
from PIL import Image

from engine.text import say
from engine.view import Pad, View
from hw.fakes.ssd1306 import FakeSsd1306
from hw.fakes.ssd1322 import FakeSsd1322
from hw.panel.dirty_regions import BRIDGE, DirtyRun, find_changed_runs, to_pages
from hw.panel.oled_ssd1306 import OledPanel
from hw.panel.oled_ssd1322 import WidePanel, find_changed_rows
from hw.panel.panel import Brightness
from hw.panel.reconnecting import RENEW_S, ReconnectingPanel
from hw.panel.screen import Lines, draw_screen
from hw.retry_delays import RETRY_PAUSES_S

# luma calls Image.getdata, which the newest Pillow deprecates
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

NAMES = ("Ada", "Bob", "Christina", "Dora")


def pictures(count, size=(128, 64), seed=7):
    """Screens like those of a match, which differ in a number or a name."""
    dice = random.Random(seed)
    totals = [0, 0, 0, 0]
    for turn in range(count):
        totals[turn % 4] += dice.choice((0, 0, 0, 1, 12))
        card, row = dice.randint(1, 104), dice.randint(1, 4)
        pads = tuple(Pad(n, total=total) for n, total in enumerate(totals, 1))
        alert = "44 belongs in row 3, behind 43" if dice.random() < 0.1 else ""
        view = View(say("lay_behind", card=card, row=row, behind=card - 1), turn % 4 + 1, pads)
        yield draw_screen(view, Lines(f"{card} to row {row}, behind {card - 1}", NAMES, alert), size)


@pytest.mark.parametrize(("chip", "size"), [("ssd1306", (128, 64)), ("ssd1306", (128, 32)), ("sh1106", (128, 64))])
def test_after_each_update_the_panel_shows_the_drawn_picture(chip, size):
    bus = FakeSsd1306(chip, size=size)
    panel = OledPanel(chip, size=size, bus=bus)
    for image in pictures(60, size):
        panel.show(image)
        assert bus.image() == image


LONGEST = max(RETRY_PAUSES_S) + RENEW_S
"""Seconds after the last bus error within which the panel must show the right picture."""


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_500_updates_with_bus_errors_and_unplugging_end_with_the_drawn_picture(chip):
    dice = random.Random(chip)
    now, last, told, calm = 0.0, 0.0, [], 0

    def disturbed():
        nonlocal last
        if bad := dice.random() < 0.001:
            last = now
        return bad

    bus = FakeSsd1306(chip, disturb=disturbed)
    panel = ReconnectingPanel(lambda: OledPanel(chip, bus=bus), tell=told.append, clock=lambda: now)
    for turn, image in enumerate(pictures(500)):
        now += dice.choice((0.2, 1.0, 3.0, 6.0))
        if turn % 60 == 40:
            bus.unplug()
        if turn % 60 in (20, 44):  # once without a failed call in between
            bus.plug()
            last = now
        panel.show(image)
        if now - last > LONGEST and turn % 60 not in range(40, 44):
            calm += 1
            assert bus.image() == image
    for _ in range(60):
        now += 1.0
        panel.show(image)
    assert bus.image() == image
    assert (panel.trouble, told[-1]) == (None, None)
    assert calm > 50


def test_an_update_sends_less_than_the_whole_picture():
    bus = FakeSsd1306()
    panel = OledPanel("ssd1306", bus=bus)
    sent = []
    for image in pictures(60):
        before = bus.bytes
        panel.show(image)
        sent.append(bus.bytes - before)
    before = bus.bytes
    panel.renew(image)
    assert sorted(sent)[len(sent) // 2] < (bus.bytes - before) / 2


DOTS = {
    "nothing": ([], []),
    "one pixel": ([(3, 9)], [DirtyRun(1, 3, b"\x02")]),
    "two pixels of one column": ([(3, 8), (3, 15)], [DirtyRun(1, 3, b"\x81")]),
    "a short gap is bridged": ([(0, 0), (BRIDGE, 0)], [DirtyRun(0, 0, b"\x01" + b"\0" * (BRIDGE - 1) + b"\x01")]),
    "a long gap is not": ([(0, 0), (BRIDGE + 1, 0)], [DirtyRun(0, 0, b"\x01"), DirtyRun(0, BRIDGE + 1, b"\x01")]),
    "the edges": ([(0, 0), (127, 63)], [DirtyRun(0, 0, b"\x01"), DirtyRun(7, 127, b"\x80")]),
}


@pytest.mark.parametrize(("dots", "runs"), DOTS.values(), ids=DOTS)
def test_only_changed_runs_are_sent(dots, runs):
    image = Image.new("1", (128, 64))
    for at in dots:
        image.putpixel(at, 1)
    assert find_changed_runs(to_pages(Image.new("1", (128, 64))), to_pages(image)) == tuple(runs)


def wide():
    bus = FakeSsd1322()
    return bus, WidePanel(bus=bus, pins=bus)


def test_the_wide_panel_shows_every_pixel_and_receives_changed_rows():
    bus, panel = wide()
    assert bus.image().getbbox() is None
    sent = []
    for image in pictures(25, (256, 64)):
        before = bus.bytes
        panel.show(image)
        sent.append(bus.bytes - before)
        assert bus.image() == image
    assert sorted(sent)[len(sent) // 2] < 256 * 64 // 2


ROWS = {
    "none": ((), []),
    "one": ((5,), [(5, 5)]),
    "two groups": ((5, 6, 8), [(5, 6), (8, 8)]),
    "edges": ((0, 63), [(0, 0), (63, 63)]),
}


@pytest.mark.parametrize(("rows", "groups"), ROWS.values(), ids=ROWS)
def test_changed_rows_are_sent_in_groups(rows, groups):
    image = Image.new("1", (256, 64))
    for y in rows:
        image.putpixel((200, y), 1)
    assert find_changed_rows(Image.new("1", (256, 64)), image) == groups


def test_a_wide_panel_that_lost_power_is_set_up_again():
    bus, panel = wide()
    image = next(pictures(1, (256, 64)))
    now = [0.0]
    patient = ReconnectingPanel(lambda: panel, tell=lambda trouble: None, clock=lambda: now[0])
    patient.show(image)
    bus.power_up()
    now[0] = RENEW_S
    patient.show(image)
    assert bus.image() == image


def test_a_wide_panel_is_dimmed_and_switched_off():
    bus, panel = wide()
    panel.show(next(pictures(1, (256, 64))))
    seen = []
    for light in (Brightness.DIM, Brightness.OFF, Brightness.BRIGHT):
        panel.set_brightness(light)
        seen.append((bus.brightness, bus.image().getbbox() is None))
    panel.close()
    assert seen == [(0x01, False), (0x01, True), (0x0F, False)]
    assert bus.image().getbbox() is None
