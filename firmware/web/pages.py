"""Pages made of templates: every word comes from the catalogue, and nothing from outside is taken for HTML."""

import os
import re
from hashlib import sha256
from html import escape
from pathlib import Path

from engine.text import Text
from firmware.texts.languages import available
from firmware.texts.render import render
from firmware.web.api_state import ApiState
from firmware.web.drawing import table
from firmware.web.drawing_now import now
from firmware.web.drawing_pads import chart, pads

STATIC = Path(__file__).parent / "static"
HOLE = re.compile(r"\{\{([a-z_.]+)\}\}")
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}


ENDONYMS = {
    "de": "Deutsch",
    "en": "English",
    "it": "Italiano",
    "pt-BR": "Português (Brasil)",
    "pt-PT": "Português (Portugal)",
    "ro": "Română",
}
"""Each language in itself: who looks for his own need not read another."""


class Html(str):
    """Safe as it is."""


def page(name: str, language: str, **parts: str) -> str:
    """A template, where ``{{part}}`` is one of the parts and any other ``{{id}}`` a text of the catalogue."""

    parts["language"] = language

    def filled(hole: re.Match[str]) -> str:
        word = hole[1]
        part = parts[word] if word in parts else render(Text(word), language)
        return part if isinstance(part, Html) else escape(part)

    return HOLE.sub(filled, (STATIC / name).read_text(encoding="utf-8"))


def index(state: ApiState) -> str:
    """The whole state for who has no scripts, and for the first moment of who has."""
    place = "" if state.game else "unseen"  # the name of the box stands beside it
    parts = {"title": state.title, "place": place, "number": str(state.number), "languages": _languages(state.language)}
    return page("index.html", state.language, **parts, **_live(state))


def live(state: ApiState) -> str:
    """What changes while people play, each part under the name of its place on the page."""
    return "".join(f'<div id="{place}">{told}</div>' for place, told in _live(state).items())


def _live(state: ApiState) -> dict[str, Html]:
    scores = pads(state) + chart(state.pads, state.language)
    return {"now": Html(now(state)), "lying": Html(table(state)), "scores": Html(scores)}


def _languages(now: str) -> Html:
    links = (
        f'<li><a href="/?lang={language}" lang="{language}" hreflang="{language}" '
        f'aria-current="{str(language == now).lower()}">{escape(ENDONYMS.get(language, language))}</a></li>'
        for language in available()
    )
    return Html("".join(links))


def static(name: str) -> tuple[bytes, str, str] | None:
    """A file with its kind, and a tag that changes with it."""
    path = STATIC / name
    kind = KINDS.get(path.suffix)
    if kind is None or name not in os.listdir(STATIC):  # a name is never taken for a way
        return None
    content = path.read_bytes()
    return content, kind, f'"{sha256(content).hexdigest()[:16]}"'
