"""A view on 128 by 64 dots, the same on glass, in a terminal and for nobody, and back after a loose wire."""

import atexit
import io

import pytest
from PIL import Image

from engine.text import say
from engine.view import Pad, View
from hw.panel.bus import FakeBus
from hw.panel.oled import OledPanel
from hw.panel.panel import DummyPanel, NoDisplay, PatientPanel, open_panel
from hw.panel.screen import HEIGHT, WIDTH, Lines, draw
from hw.panel.terminal import HOME, TerminalPanel, blocks

# luma walks over the dots of an SH1106 in a way that the newest Pillow will drop one day
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

PROMPT = say("lay_cards")
NAMES = ("Ada", "Bob", "Christina", "Dora", "Emil", "Franz", "Gerda", "Hans", "Ilse", "Jonas")


def pads(players):
    return tuple(Pad(n, total=n * 13) for n in range(players))


def view(players=4, **more):
    return View(PROMPT, pads=pads(players), **more)


ROWS = {"prompt": (0, 22), "choice": (23, 36), "below": (38, 64)}


def part(image, name):
    top, bottom = ROWS[name]
    return image.crop((0, top, WIDTH, bottom))


def dark(image):
    return image.getbbox() is None


def ink(image):
    return sum(image.histogram()[1:])


def test_a_view_fills_the_screen_it_was_made_for():
    image = draw(view(), Lines("Lay a card", NAMES))
    assert (image.mode, image.size) == ("1", (WIDTH, HEIGHT))
    assert not dark(part(image, "prompt"))
    assert dark(part(image, "choice"))
    assert not dark(part(image, "below"))


AHEAD = View(PROMPT, pads=(Pad(0, now=1), *pads(4)[1:]))

# what is drawn, a change, and the part of the screen where it shows
CHANGES = {
    "the prompt": (view(), Lines("Lay", NAMES), view(), Lines("Take", NAMES), "prompt"),
    "the choice": (view(), Lines("Lay", NAMES), view(), Lines("Lay", NAMES, offers=("Pass",)), "choice"),
    "whose turn": (view(turn=0), Lines("Lay", NAMES), view(turn=1), Lines("Lay", NAMES), "below"),
    "who won": (view(), Lines("Lay", NAMES), view(winners=(2,), over=True), Lines("Lay", NAMES), "below"),
    "a score": (view(), Lines("Lay", NAMES), AHEAD, Lines("Lay", NAMES), "below"),
    "a name": (view(), Lines("Lay", NAMES), view(), Lines("Lay", ("Eva", *NAMES[1:])), "below"),
    "an alert": (view(), Lines("Lay", NAMES), view(alert=PROMPT), Lines("Lay", NAMES, alert="44!"), "below"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "said", "after", "says", "where"), CHANGES.values(), ids=CHANGES)
def test_a_change_shows_where_it_belongs_and_nowhere_else(before, said, after, says, where):
    old, new = draw(before, said), draw(after, says)
    assert [name for name in ROWS if part(old, name) != part(new, name)] == [where]


def test_an_alert_is_inverse():
    image = draw(view(), Lines("Lay", NAMES, alert="44 belongs in row 3"))
    below = part(image, "below")
    assert ink(below) > WIDTH * (64 - 38) / 2
    assert below != part(draw(view(), Lines("Lay", NAMES, alert="45 belongs in row 3")), "below")
    assert ink(part(image, "prompt")) < WIDTH * 22 / 4


LONG = "Ada: 44 belongs in row 3, behind 43, and not where it is"
PROMPTS = {
    "nothing": ("", ""),
    "two lines hold 42 letters in words": ("Lay the card you chose beside a row of the", None),
    "more ends in two dots": (LONG, "Ada: 44 belongs in row 3, behind 43,.."),
    "one long word is broken": ("W" * 30, None),
    "letters of the west": ("Ä é ñ ø", None),
    "letters it lacks are question marks": ("rând ț", "rând ?"),
}


@pytest.mark.parametrize(("prompt", "same"), PROMPTS.values(), ids=PROMPTS)
def test_any_prompt_can_be_drawn(prompt, same):
    image = draw(view(), Lines(prompt, NAMES))
    assert dark(part(image, "prompt")) == (not prompt)
    if same is not None:
        assert image == draw(view(), Lines(same, NAMES))


@pytest.mark.parametrize("players", range(11))
def test_every_player_has_a_score_that_is_never_cut(players):
    low = View(PROMPT, turn=0, pads=tuple(Pad(n, total=180) for n in range(players)))
    shown = [draw(low, Lines("", NAMES))]
    for n in range(players):
        one = tuple(Pad(p.player, total=188 if p.player == n else p.total) for p in low.pads)
        shown.append(draw(View(PROMPT, turn=0, pads=one), Lines("", NAMES)))
    assert len({image.tobytes() for image in shown}) == players + 1


def test_players_without_names_are_numbers():
    assert draw(view(2), Lines("")) == draw(view(2), Lines("", ("0", "1")))


IMAGE = draw(view(turn=2), Lines("Christina: lay a card", NAMES, offers=("I cannot play",)))
ALERT = draw(view(), Lines("Lay", NAMES, alert="44 belongs in row 3, behind 43"))


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_the_glass_shows_every_dot(chip):
    bus = FakeBus(chip)
    panel = OledPanel(chip, bus=bus)
    assert dark(bus.image())
    for image in (IMAGE, ALERT, IMAGE):
        panel.show(image)
        assert bus.image() == image
    panel.close()
    assert dark(bus.image())


def test_nobody_answers_at_this_address():
    with pytest.raises(NoDisplay, match="panel_silent value=0x3D"):
        OledPanel("ssd1306", address=0x3D, bus=FakeBus())


def test_a_panel_that_is_plugged_in_again_is_dark_until_it_is_set_up_again():
    bus = FakeBus()
    panel = OledPanel("ssd1306", bus=bus)
    panel.show(IMAGE)
    bus.unplug()
    with pytest.raises(NoDisplay, match="panel_silent"):
        panel.show(ALERT)
    bus.plug()
    panel.show(IMAGE)
    assert dark(bus.image())
    OledPanel("ssd1306", bus=bus).show(IMAGE)
    assert bus.image() == IMAGE


class Glass:
    """A patient panel on a bus, and all it told, with the time."""

    def __init__(self):
        self.now = 0.0
        self.bus = FakeBus()
        self.opened = 0
        self.told = []
        self.panel = PatientPanel(self.open, tell=self.hear, clock=lambda: self.now)

    def open(self):
        self.opened += 1
        return OledPanel("ssd1306", bus=self.bus)

    def hear(self, trouble):
        self.told.append((self.now, trouble and trouble.id))


def test_a_loose_wire_is_told_once_and_the_picture_comes_back():
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


def test_a_picture_that_is_there_already_is_not_sent_again():
    glass = Glass()
    glass.panel.show(IMAGE)
    glass.bus.unplug()
    glass.panel.show(IMAGE.copy())
    assert glass.told == []


def test_a_screen_that_was_never_there_is_tried_ever_less_often():
    glass = Glass()
    glass.bus.unplug()
    for tenth in range(600):
        glass.now = tenth / 10
        glass.panel.show(IMAGE)
    assert glass.opened == 6
    assert glass.told == [(0.0, "panel_silent")]
    glass.panel.close()


def test_asking_in_vain_leaves_nothing_behind():
    glass = Glass()
    glass.bus.unplug()
    before = atexit._ncallbacks()
    for _ in range(5):
        with pytest.raises(NoDisplay):
            glass.open()
    assert atexit._ncallbacks() == before


def test_blocks_are_the_dots():
    image = Image.new("1", (4, 3))
    for at in ((0, 0), (1, 1), (2, 0), (2, 1), (3, 2)):
        image.putpixel(at, 1)
    assert blocks(image) == "▀▄█ \n   ▀"


def test_a_terminal_that_is_a_file_gets_one_picture_below_the_other():
    out = io.StringIO()
    panel = TerminalPanel(out)
    panel.show(IMAGE)
    panel.show(ALERT)
    assert out.getvalue() == f"{blocks(IMAGE)}\n{blocks(ALERT)}\n"
    assert HOME not in out.getvalue()


def test_a_terminal_keeps_its_place():
    out = io.StringIO()
    out.isatty = lambda: True
    TerminalPanel(out).show(IMAGE)
    assert out.getvalue().startswith(HOME)


def test_a_dummy_keeps_the_picture():
    panel = open_panel("dummy")
    assert isinstance(panel, DummyPanel)
    panel.show(IMAGE)
    assert panel.image == IMAGE


BAD = {
    "": "panel_unknown",
    "oled": "panel_unknown",
    "oled:": "panel_unknown",
    "oled:ssd9": "panel_unknown",
    "terminal:1": "panel_unknown",
    "oled:ssd1306": "panel_no_i2c port=97",
    "oled:sh1106": "panel_no_i2c port=97",
}


@pytest.mark.parametrize(("name", "says"), BAD.items(), ids=lambda v: v or "nothing")
def test_a_screen_that_cannot_be_says_what_would_help(name, says):
    with pytest.raises(NoDisplay, match=says):
        open_panel(name, port=97)
