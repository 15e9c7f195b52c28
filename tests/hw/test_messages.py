"""What stands on a screen besides its view, second by second."""

from dataclasses import replace

import pytest

from engine.text import say
from engine.view import Offer, View
from hw.panel.messages import STALE, Weight, next_change, on_screen, post, withdraw

QUESTION = View(say("low_card", card=3), offers=(Offer(say("go_on"), "a"), Offer(say("resume"), "b")), cursor=1)
WRONG = replace(QUESTION, alert=say("row_full", row=2), ruling="N-9")
NOTE, NEWS, CAMERA, POWER = (say(id) for id in ("rematch", "next_round", "camera_silent", "power_off_sure"))
N, T, U = Weight.NOTE, Weight.TROUBLE, Weight.URGENT

# posted (text, weight, when), the view, and what stands there at which second: (alert, note)
STORIES = {
    "a note stands for four seconds": ([(NOTE, N, 0)], QUESTION, {0: (None, NOTE), 3.9: (None, NOTE), 4: (None, None)}),
    "the same note twice is one, and lives anew": (
        [(NOTE, N, 0), (NOTE, N, 2)],
        QUESTION,
        {0: (None, NOTE), 2: (None, NOTE), 5.9: (None, NOTE), 6: (None, None), 8: (None, None)},
    ),
    "two notes come one after the other": (
        [(NOTE, N, 0), (NEWS, N, 1)],
        QUESTION,
        {0: (None, NOTE), 1: (None, NOTE), 4: (None, NEWS), 7.9: (None, NEWS), 8: (None, None)},
    ),
    "what stands goes on standing when it is said again": (
        [(NOTE, N, 0), (NEWS, N, 1), (NOTE, N, 2)],
        QUESTION,
        {0: (None, NOTE), 2: (None, NOTE), 5: (None, NOTE), 6: (None, NEWS)},
    ),
    "a trouble stays": ([(CAMERA, T, 0)], QUESTION, {0: (CAMERA, None), 1000: (CAMERA, None)}),
    "a trouble waits behind what lies wrong": (
        [(CAMERA, T, 0)],
        WRONG,
        {0: (WRONG.alert, None), 99: (WRONG.alert, None)},
    ),
    "what is urgent does not wait": ([(POWER, U, 1)], WRONG, {0: (WRONG.alert, None), 1: (POWER, None)}),
    "the weightier of two": ([(CAMERA, T, 0), (POWER, U, 0)], QUESTION, {0: (POWER, None)}),
    "a text that grows in weight": (
        [(CAMERA, T, 0), (CAMERA, U, 5)],
        WRONG,
        {0: (WRONG.alert, None), 5: (CAMERA, None)},
    ),
    "a note beside an alert": ([(NOTE, N, 0)], WRONG, {0: (WRONG.alert, NOTE)}),
    "a note that is the alert already": ([(WRONG.alert, N, 0)], WRONG, {0: (WRONG.alert, None)}),
    "nothing to say": ([], QUESTION, {0: (None, None)}),
}


@pytest.mark.parametrize(("posts", "view", "seconds"), STORIES.values(), ids=STORIES)
def test_what_stands_there(posts, view, seconds):
    messages = ()
    for second, wanted in seconds.items():
        for text, weight, when in [p for p in posts if p[2] <= second]:
            messages = post(messages, text, weight, when)
        posts = [p for p in posts if p[2] > second]
        messages, now = on_screen(messages, view, second)
        assert (now.view.alert, now.note) == wanted, second


@pytest.mark.parametrize("view", [QUESTION, WRONG], ids=["a question", "a question, and something wrong"])
@pytest.mark.parametrize("weight", Weight)
def test_nothing_hides_a_question(view, weight):
    _, now = on_screen(post((), CAMERA, weight, 0.0), view, 0.0)
    assert replace(now.view, alert=view.alert, ruling=view.ruling) == view


def test_the_ruling_goes_with_its_alert():
    _, now = on_screen(post((), POWER, U, 0.0), WRONG, 0.0)
    assert now.view.ruling == ""
    assert on_screen((), WRONG, 0.0)[1].view.ruling == "N-9"


def test_a_trouble_that_is_over_is_withdrawn():
    messages = post(post((), CAMERA, T, 0.0), NOTE, N, 0.0)
    _, now = on_screen(withdraw(messages, CAMERA), QUESTION, 1.0)
    assert (now.view.alert, now.note) == (None, NOTE)
    assert withdraw(messages, POWER) == messages


def test_news_that_found_no_room_is_no_news_any_more():
    messages, _ = on_screen(post((), NOTE, N, 0.0, life=STALE + 10), QUESTION, 0.0)
    messages = post(messages, NEWS, N, 1.0)
    messages, now = on_screen(messages, QUESTION, STALE + 2)
    assert now.note == NOTE
    assert [message.text for message in messages] == [NOTE]


def test_who_waits_knows_when_to_look_again():
    messages, _ = on_screen(post((), NOTE, N, 7.0), QUESTION, 7.0)
    assert next_change(messages) == 11.0
    assert next_change(()) == float("inf")
