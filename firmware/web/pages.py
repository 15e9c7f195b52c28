"""Pages made of templates: every word comes from the catalogue, and nothing from outside is taken for HTML."""

import re
from hashlib import sha256
from html import escape
from pathlib import Path

from engine.text import Text
from firmware.web.state import PadState, State
from firmware.words import render

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


def index(state: State) -> str:
    """The whole state for who has no scripts, and for the first moment of who has."""
    return page(
        "index.html",
        state.language,
        title=state.title,
        version=str(state.version),
        prompt=state.prompt,
        alert=state.alert.text if state.alert else "",
        ruling=state.alert.ruling if state.alert else "",
        troubles=Html("".join(f"<li>{escape(text)}</li>" for text in state.troubles)),
        pads=Html("".join(map(_pad, state.pads))),
    )


def _pad(pad: PadState) -> str:
    rounds = " ".join(map(str, pad.rounds))
    return f"<tr><th scope=row>{escape(pad.name)}</th><td>{rounds}</td><td>{pad.total + pad.now}</td></tr>"


def static(name: str) -> tuple[bytes, str, str] | None:
    """A file with its kind, and a tag that changes with it."""
    path = STATIC / name
    kind = KINDS.get(path.suffix)
    if kind is None or path.parent != STATIC or not path.is_file():
        return None
    content = path.read_bytes()
    return content, kind, f'"{sha256(content).hexdigest()[:16]}"'
