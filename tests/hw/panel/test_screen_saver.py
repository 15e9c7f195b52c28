"""A screen is dimmed, then dark, when nobody is there, and never while it asks something."""

from dataclasses import replace

import pytest
from PIL import Image

from engine.text import say
from engine.view import Offer, Pad, View
from hw.panel.screen_saver import (
    DIM_AFTER_S,
    OFF_AFTER_S,
    SHIFTS,
    ScreenSaver,
    awaits_answer,
    is_news,
    pixel_shift,
    shift_image,
)

QUIET = {
    "just now": (0, False, "bright"),
    "almost two minutes": (DIM_AFTER_S - 0.1, False, "bright"),
    "two minutes": (DIM_AFTER_S, False, "dim"),
    "almost ten minutes": (OFF_AFTER_S - 0.1, False, "dim"),
    "ten minutes": (OFF_AFTER_S, False, "off"),
    "all night": (36000, False, "off"),
    "all night with a question": (36000, True, "bright"),
}


@pytest.mark.parametrize(("quiet", "question", "light"), QUIET.values(), ids=QUIET)
def test_how_bright_after_how_long(quiet, question, light):
    assert ScreenSaver(since=1000.0).light(1000.0 + quiet, asks=question) == light


OFFERS = tuple(Offer(say(id), id) for id in ("go_on", "resume", "rematch"))
GAME = View(say("lay_behind", card=4, row=1, behind=3), 1, (Pad(1), Pad(2)))
VIEWS = {
    "a game without an offer": (GAME, False),
    "an offer that is always there": (replace(GAME, offers=OFFERS[:1]), False),
    "something lies wrong, with ways out": (replace(GAME, offers=OFFERS[:1], alert=say("row_full", row=2)), True),
    "something is wrong and there is nothing to press": (replace(GAME, alert=say("camera_silent")), False),
    "which row": (replace(GAME, offers=OFFERS), True),
    "a menu between games": (View(say("home"), offers=OFFERS), False),
    "the match is over": (replace(GAME, offers=OFFERS, over=True), False),
}


@pytest.mark.parametrize(("view", "question"), VIEWS.values(), ids=VIEWS)
def test_what_is_a_question(view, question):
    assert awaits_answer(view) == question


STIRRED = {
    "the same": ({}, False),
    "a card was accepted": ({"turn": 2}, True),
    "a score": ({"pads": (Pad(1, total=5), Pad(2))}, True),
    "something lies wrong": ({"alert": say("row_full", row=2)}, True),
    "the cursor moved by itself": ({"cursor": 1}, False),
    "a bar grew": ({"bar": 0.5}, False),
}


@pytest.mark.parametrize(("change", "stirred"), STIRRED.values(), ids=STIRRED)
def test_what_people_want_to_see(change, stirred):
    assert is_news(GAME, replace(GAME, **change)) == stirred


def test_the_picture_moves_by_a_dot_each_minute_and_comes_round():
    assert [pixel_shift(60.0 * minute + 1) for minute in range(5)] == [*SHIFTS, SHIFTS[0]]
    assert pixel_shift(59.9) == pixel_shift(0.0)


@pytest.mark.parametrize("to", SHIFTS)
def test_no_dot_is_lost_by_moving(to):
    image = Image.new("1", (128, 64))
    image.putpixel((5, 7), 1)
    image.putpixel((126, 62), 1)
    shown = shift_image(image, to)
    assert shown.getpixel((5 + to[0], 7 + to[1]))
    assert shown.getpixel((126 + to[0], 62 + to[1]))
    assert sum(shown.histogram()[1:]) == 2
