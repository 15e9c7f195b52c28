"""The rules in any language, with an anchor for each ruling: ``/rules#N-10``."""

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape

from engine.text import Text
from firmware.texts.render import catalogue, render, rule
from firmware.web.pages import Html, page

CHAPTERS = "RNPHAGS"
MENTION = re.compile(rf"\b[{CHAPTERS}]-[0-9]+\b")
STRONG = re.compile(r"\*\*(.+?)\*\*")


@lru_cache(maxsize=8)
def rules(language: str) -> str:
    chapters = [(chapter, _told(f"rulebook.{chapter}", language)) for chapter in CHAPTERS]
    contents = "".join(f'<li><a href="#{chapter}">{escape(title)}</a></li>' for chapter, title in chapters)
    body = "".join(
        f'<h2 id="{chapter}">{escape(title)}</h2>{"".join(_rules(chapter, language))}' for chapter, title in chapters
    )
    return page(
        "rules.html",
        language,
        intro=_marked(_told("rulebook.intro", language)),
        words=_marked(_told("rulebook.words", language)),
        contents=Html(contents),
        rules=Html(body),
    )


def _rules(chapter: str, language: str) -> Iterator[str]:
    for number in range(1, 100):
        name = f"{chapter}-{number}"
        if not _there(f"rule.{name}"):
            continue
        if _there(f"rulebook.{name}"):
            yield f"<h3>{escape(_told(f'rulebook.{name}', language))}</h3>"
        title, text = rule(name, language)
        yield f'<p id="{name}"><b>{name} {escape(title)}</b> {_marked(text)}</p>'


def _there(id: str) -> bool:
    return catalogue("en").gettext(id) != id


def _told(id: str, language: str) -> str:
    return render(Text(id), language)


def _marked(text: str) -> Html:
    """Mentions of rulings lead there, and what is strong is bold."""
    linked = MENTION.sub(lambda found: f'<a href="#{found[0]}">{found[0]}</a>', escape(text))
    return Html(STRONG.sub(r"<b>\1</b>", linked))
