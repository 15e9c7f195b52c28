"""Every label on the way to a game is one line of the small screen, and every prompt two."""

from collections import deque

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.box.events import parse_told
from firmware.box.flow_context import Context, Stopped
from firmware.box.flow_stack import Box, show_box, step_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing
from firmware.journal.operation_types import Started
from firmware.texts.render import render

LABEL, PROMPT = 18, 2 * 21
NAMES = {n: "Maximilian" for n in range(1, 11)}
NIMMT = Log(GAMES["nimmt"], {})
FRESH = Context()
BUSY = Context(
    area=(900, 600),
    names=NAMES,
    last=Started("nimmt", NIMMT.options, NAMES),
    stopped=(Stopped(1001, NAMES, NIMMT), Stopped(1000, NAMES, Log(GAMES["thegame"], {}))),
)


def screens(known, most=150):
    """Every screen that can be reached from home with OK alone, up to the start of a game; each offer is understood."""
    ahead, seen = deque([Box(known, (Home(),))]), {""}
    while ahead and len(seen) < most:
        box = ahead.popleft()
        yield show_box(box)
        for offer in show_box(box).offers[:6]:
            after, _ = step_box(box, parse_told(offer.move, "button", 1.0))
            assert after.refused is None, (show_box(box).prompt, offer)
            if str(after.flows) not in seen and not isinstance(after.flows[-1], Playing):
                seen.add(str(after.flows))
                ahead.append(after)


@pytest.mark.parametrize("known", [FRESH, BUSY], ids=["fresh-from-the-box", "after-many-evenings"])
def test_every_screen_has_words_that_fit_and_offers_that_lead_on(known):
    shown = list(screens(known))
    assert len(shown) > 20
    for screen in shown:
        labels = [render(offer.label, names=NAMES, strict=True) for offer in screen.offers]
        assert not [label for label in labels if len(label) > LABEL], screen.prompt
        texts = [render(text, names=NAMES, strict=True) for text in (screen.prompt, screen.alert) if text]
        assert not [text for text in texts if len(text) > PROMPT]
