"""A view rendered as text for a screen, in the language of that screen."""

from functools import lru_cache

import segno

from engine.text import Text
from engine.view import View
from firmware.texts.render import Names, render
from hw.panel.qr import QrRows
from hw.panel.screen import Lines


def render_screen(view: View, names: Names, language: str = "en", *, note: Text | None = None) -> Lines:
    """Every text as a sentence; a player without a name is shown by number."""
    return Lines(
        render(view.prompt, language, names),
        names=tuple(names.get(pad.player) or str(pad.player) for pad in view.pads),
        alert=render(view.alert, language, names) if view.alert else "",
        offers=tuple(render(offer.label, language, names) for offer in view.offers),
        lines=tuple(render(line, language, names) for line in view.lines),
        note=render(note, language, names) if note else "",
        news=tuple(render(text, language, names) for text in view.news),
        code=_square(view.link) if view.link else (),
        turn=render(Text("player", (("player", view.turn),)), language, names) if view.turn else "",
        ruling=view.ruling,
    )


@lru_cache(maxsize=2)
def _square(link: str) -> QrRows:
    """A QR code with as few modules as possible, which makes the modules large."""
    made = segno.make_qr(link, error="l", boost_error=False)
    return tuple("".join(map(str, row)) for row in made.matrix)
