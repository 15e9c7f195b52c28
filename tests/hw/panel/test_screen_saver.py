"""An idle screen is dimmed, then switched off, but never while it asks a question."""

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
def test_brightness_falls_with_idle_time(quiet, question, light):
    assert ScreenSaver(since=1000.0).light(1000.0 + quiet, asks=question) == light


OFFERS = tuple(Offer(say(id), id) for id in ("go_on", "resume", "rematch"))
GAME = View(say("lay_behind", card=4, row=1, behind=3), 1, (Pad(1), Pad(2)))
VIEWS = {
    "a game without an offer": (GAME, False),
    "an offer that is always there": (replace(GAME, offers=OFFERS[:1]), False),
    "an alert with offers": (replace(GAME, offers=OFFERS[:1], alert=say("row_full", row=2)), True),
    "an alert without offers": (replace(GAME, alert=say("camera_silent")), False),
    "a choice of rows": (replace(GAME, offers=OFFERS), True),
    "a menu between games": (View(say("home"), offers=OFFERS), False),
    "the match is over": (replace(GAME, offers=OFFERS, over=True), False),
}


@pytest.mark.parametrize(("view", "question"), VIEWS.values(), ids=VIEWS)
def test_only_a_view_that_needs_an_answer_keeps_the_screen_on(view, question):
    assert awaits_answer(view) == question


CHANGES = {
    "the same": ({}, False),
    "a card was accepted": ({"turn": 2}, True),
    "a score": ({"pads": (Pad(1, total=5), Pad(2))}, True),
    "an alert": ({"alert": say("row_full", row=2)}, True),
    "the cursor moved by itself": ({"cursor": 1}, False),
    "a bar grew": ({"bar": 0.5}, False),
}


@pytest.mark.parametrize(("change", "stirred"), CHANGES.values(), ids=CHANGES)
def test_only_news_wakes_the_screen(change, stirred):
    assert is_news(GAME, replace(GAME, **change)) == stirred


def test_the_picture_shifts_by_a_pixel_each_minute_in_a_cycle():
    assert [pixel_shift(60.0 * minute + 1) for minute in range(5)] == [*SHIFTS, SHIFTS[0]]
    assert pixel_shift(59.9) == pixel_shift(0.0)


@pytest.mark.parametrize("to", SHIFTS)
def test_shifting_loses_no_pixel(to):
    image = Image.new("1", (128, 64))
    image.putpixel((5, 7), 1)
    image.putpixel((126, 62), 1)
    shown = shift_image(image, to)
    assert shown.getpixel((5 + to[0], 7 + to[1]))
    assert shown.getpixel((126 + to[0], 62 + to[1]))
    assert sum(shown.histogram()[1:]) == 2
