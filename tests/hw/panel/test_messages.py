"""What stands beside a view on a screen, second by second."""

from dataclasses import replace

import pytest

from engine.text import say
from engine.view import Offer, View
from hw.panel.messages import NOTE_STALE_S, choose_note, post_message

QUESTION = View(say("low_card", card=3), offers=(Offer(say("go_on"), "a"), Offer(say("resume"), "b")), cursor=1)
WRONG = replace(QUESTION, alert=say("row_full", row=2), ruling="N-9")
NOTE, NEWS, LATER = (say(id) for id in ("rematch", "next_round", "resume"))

# posted (text, when), the view, and what stands beside it at which second
STORIES = {
    "a note stands for four seconds": ([(NOTE, 0)], QUESTION, {0: NOTE, 3.9: NOTE, 4: None}),
    "the same note twice is one, and lives anew": (
        [(NOTE, 0), (NOTE, 2)],
        QUESTION,
        {0: NOTE, 2: NOTE, 5.9: NOTE, 6: None, 8: None},
    ),
    "two notes come one after the other": (
        [(NOTE, 0), (NEWS, 1)],
        QUESTION,
        {0: NOTE, 1: NOTE, 4: NEWS, 7.9: NEWS, 8: None},
    ),
    "what stands goes on standing when it is said again": (
        [(NOTE, 0), (NEWS, 1), (NOTE, 2)],
        QUESTION,
        {0: NOTE, 2: NOTE, 5: NOTE, 6: NEWS},
    ),
    "a note beside an alert": ([(NOTE, 0)], WRONG, {0: NOTE}),
    "a note that is the alert already": ([(WRONG.alert, 0)], WRONG, {0: None}),
    "nothing to say": ([], QUESTION, {0: None}),
}


@pytest.mark.parametrize(("posts", "view", "seconds"), STORIES.values(), ids=STORIES)
def test_what_stands_there(posts, view, seconds):
    messages = ()
    for second, wanted in seconds.items():
        for text, when in [p for p in posts if p[1] <= second]:
            messages = post_message(messages, text, when)
        posts = [p for p in posts if p[1] > second]
        messages, note = choose_note(messages, view, second)
        assert note == wanted, second


def test_news_that_found_no_room_is_no_news_any_more():
    messages = ()
    for second in range(0, int(NOTE_STALE_S), 3):  # so many that the last would come too late
        messages = post_message(messages, say("take_row", row=1, n=second), float(second))
    messages = post_message(messages, NEWS, 27.0)
    found = []
    for second in range(90):
        messages, note = choose_note(messages, QUESTION, float(second))
        found += [note] if note not in (None, *found[-1:]) else []
    assert NEWS in found
    messages, _ = choose_note(post_message((), NOTE, 0.0), QUESTION, 0.0)
    messages = post_message(messages, NEWS, 1.0)
    assert choose_note(messages, QUESTION, 1.0 + NOTE_STALE_S) == ((), None)
