"""The rulebook in any language, with an anchor for each ruling: ``/rules#N-10``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.text import Text
from firmware.texts.catalogues import load_catalogue
from firmware.texts.render import render, render_rule
from firmware.web.template_rendering import render_template

CHAPTERS = "RNPHAGS"
MENTION = re.compile(rf"\b([{CHAPTERS}]-[0-9]+)\b")
STRONG = re.compile(r"\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True)
class Fragment:
    """Some words of a text; a mention of a ruling is a link to it."""

    text: str
    link: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a text that is wholly strong or wholly plain."""

    fragments: tuple[Fragment, ...]
    strong: bool


@dataclass(frozen=True, slots=True)
class Ruling:
    """``heading`` is that of the section which begins with this ruling, or empty."""

    name: str
    heading: str
    title: str
    text: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    letter: str
    title: str
    rulings: tuple[Ruling, ...]


@lru_cache(maxsize=8)
def rules_page(language: str) -> str:
    return render_template(
        "rulebook.html",
        language,
        intro=passages(render(Text("rulebook.intro"), language)),
        words=passages(render(Text("rulebook.words"), language)),
        chapters=[
            Chapter(letter, render(Text(f"rulebook.{letter}"), language), tuple(_rulings(letter, language)))
            for letter in CHAPTERS
        ],
    )


def passages(text: str) -> tuple[Passage, ...]:
    """A text of the rulebook in parts: ``**strong**`` words, and mentions of rulings such as N-10."""
    parts = STRONG.split(text)  # every second part was between stars, as the pattern has one group
    return tuple(Passage(_fragments(part), strong=bool(number % 2)) for number, part in enumerate(parts))


def _fragments(text: str) -> tuple[Fragment, ...]:
    return tuple(Fragment(part, link=bool(number % 2)) for number, part in enumerate(MENTION.split(text)))


def _rulings(chapter: str, language: str) -> Iterator[Ruling]:
    for number in range(1, 100):
        name = f"{chapter}-{number}"
        if not _exists(f"rule.{name}"):
            continue
        heading = render(Text(f"rulebook.{name}"), language) if _exists(f"rulebook.{name}") else ""
        title, text = render_rule(name, language)
        yield Ruling(name, heading, title, passages(text))


def _exists(id: str) -> bool:
    return load_catalogue("en").gettext(id) != id
