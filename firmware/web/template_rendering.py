"""Renders the templates of the page: values are escaped, texts come from the catalogue in the reader's language."""

import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context

from engine.text import Arg, say
from firmware.texts.render import render

FOLDER = Path(__file__).parent / "templates"
INDENTATION = re.compile(r"(?:(?<=>)|\A)\s*\n\s*|\s*\n\s*(?=<|\Z)")
"""A line break between two tags, or between a tag and an expression, with the indentation of the next line."""


class RemoveIndentation(Extension):
    """Lets templates be indented: the page compares nodes one by one, so white space between them must not change."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        for token in stream:
            yield Token(token.lineno, "data", INDENTATION.sub("", token.value)) if token.type == "data" else token


@pass_context
def text(context: Context, id: str, **args: Arg) -> str:
    """A text of the catalogue in the language of the template."""
    return render(say(id, **args), context["language"])


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        extensions=[RemoveIndentation],
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    environment.globals["text"] = text
    return environment


ENVIRONMENT = _environment()


def load_templates() -> None:
    """Compile every template now, while no game runs: it takes a computer of this size most of a second."""
    for name in ENVIRONMENT.list_templates():
        ENVIRONMENT.get_template(name)


def render_template(name: str, language: str, /, **values: object) -> str:
    return ENVIRONMENT.get_template(name).render(language=language, **values)
