"""Camera setup from the first start to reading cards, with rendered frames and one button."""

from dataclasses import replace

from firmware.box.effects import KeepEmpty
from firmware.box.events import Pressed
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.home_menu import Home
from hw.button_presses import Button, Press, PressKind
from hw.frame import Frame
from tests.support.frames import BARE, MARKERS, READ, card, picture
from vision.live.perception import Perception
from vision.live.perception_events import TableSeen
from vision.render import Arm

OK = Press(Button.OK, PressKind.SHORT)
PACE = 0.2


class Person:
    """A player who follows the screen and presses OK."""

    def __init__(self):
        self.box = Box(Context(language="en"), (Home(),))
        self.eyes = Perception()
        self.at = 0.0

    def show(self, scene, seconds):
        for _ in range(round(seconds / PACE)):
            self.at += PACE
            for item in self.eyes.update(Frame(picture(scene), self.at), find_read_request(self.box)):
                self._take(item)
        return show_box(self.box).prompt.id

    def press(self):
        self.at += PACE
        self._take(Pressed(OK, self.at))
        return show_box(self.box).prompt.id

    def _take(self, item):
        self.box, effects = step_box(self.box, item)
        if KeepEmpty() in effects:
            self.eyes.keep_empty()


def test_camera_setup_by_following_the_screen_takes_under_30_s():
    person = Person()
    assert show_box(person.box).offers[0].move == "camera:set-up"
    assert person.press() == "aim_looking"
    assert person.show(replace(BARE, markers=()), 0.4) == "aim_none"
    assert person.show(replace(BARE, markers=MARKERS[:3]), 0.4) == "aim_missing"
    assert person.show(replace(BARE, cards=(card("nimmt", "33"),)), 0.8) == "aim_cards"
    assert person.show(BARE, 0.6) == "aim_clear"
    assert person.press() == "aim_hold"
    assert person.show(replace(BARE, arms=(Arm((150, 500), (150, 100)),)), PACE) == "aim_hold"
    assert person.show(BARE, 2) == "home"
    assert person.box.known.area == person.eyes.area
    assert person.at < 30
    seen = [
        person.eyes.update(Frame(picture(replace(BARE, cards=(card("nimmt", "33"),))), 100 + n), READ) for n in range(4)
    ]
    assert {piece.piece for item in seen[-1] if isinstance(item, TableSeen) for piece in item.table.seen} == {"33"}
