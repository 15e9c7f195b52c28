"""The note shown beside a view, second by second."""

from dataclasses import replace

import pytest

from engine.text import say
from engine.view import Offer, View
from hw.panel.transient_messages import NOTE_STALE_S, choose_note, post_message

QUESTION = View(say("low_card", card=3), offers=(Offer(say("go_on"), "a"), Offer(say("resume"), "b")), cursor=1)
WRONG = replace(QUESTION, alert=say("row_full", row=2), ruling="N-9")
NOTE, NEWS, LATER = (say(id) for id in ("rematch", "next_round", "resume"))

# posted (text, when), the view, and the note expected at each second
STORIES = {
    "a note is shown for four seconds": ([(NOTE, 0)], QUESTION, {0: NOTE, 3.9: NOTE, 4: None}),
    "a repeated note is shown once and its time restarts": (
        [(NOTE, 0), (NOTE, 2)],
        QUESTION,
        {0: NOTE, 2: NOTE, 5.9: NOTE, 6: None, 8: None},
    ),
    "two notes come one after the other": (
        [(NOTE, 0), (NEWS, 1)],
        QUESTION,
        {0: NOTE, 1: NOTE, 4: NEWS, 7.9: NEWS, 8: None},
    ),
    "the current note stays when it is repeated": (
        [(NOTE, 0), (NEWS, 1), (NOTE, 2)],
        QUESTION,
        {0: NOTE, 2: NOTE, 5: NOTE, 6: NEWS},
    ),
    "a note beside an alert": ([(NOTE, 0)], WRONG, {0: NOTE}),
    "a note equal to the alert is hidden": ([(WRONG.alert, 0)], WRONG, {0: None}),
    "no note": ([], QUESTION, {0: None}),
}


@pytest.mark.parametrize(("posts", "view", "seconds"), STORIES.values(), ids=STORIES)
def test_the_note_shown_at_each_second(posts, view, seconds):
    messages = ()
    for second, wanted in seconds.items():
        for text, when in [p for p in posts if p[1] <= second]:
            messages = post_message(messages, text, when)
        posts = [p for p in posts if p[1] > second]
        messages, note = choose_note(messages, view, second)
        assert note == wanted, second


def test_a_note_that_waited_too_long_is_dropped():
    messages = ()
    for second in range(0, int(NOTE_STALE_S), 3):  # enough that the last one is shown too late
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
