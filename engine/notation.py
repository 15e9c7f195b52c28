"""The notation of moves, written and parsed: ``lay 14 2``, ``negpos 11 3,5,13``."""

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, TypeVar

from engine.errors import InputError

T = TypeVar("T")

_NUMBER = re.compile(r"-?[0-9]+")
_WORD = re.compile(r"[a-z0-9_.:,-]+")


class BadNotation(InputError):
    """A line that is no move of this game; the text shows the right notation."""


class Notated:
    """A move: a frozen dataclass of numbers, words and rows of numbers, written as its name and its values."""

    __slots__ = ()

    def __str__(self) -> str:
        words = [_verb(type(self))]
        for f in fields(self):  # type: ignore[arg-type]
            value = getattr(self, f.name)
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words.append(text or "-")
        return " ".join(words)


def parse_move(classes: Iterable[type[T]], text: str) -> T:
    """The move of this line, as one of these classes."""
    known = {_verb(c): c for c in classes}
    verb, *words = text.split() or [""]
    if verb not in known:
        raise BadNotation(f"'{text}': no such move; moves are {', '.join(sorted(known))}")
    kind = known[verb]
    shape: Any = fields(kind)  # type: ignore[arg-type]
    if len(words) != len(shape):
        raise BadNotation(f"'{text}': say '{format_usage(kind)}'")
    try:
        return kind(*(_value(f.type, word) for f, word in zip(shape, words, strict=True)))
    except ValueError:
        raise BadNotation(f"'{text}': say '{format_usage(kind)}', with whole numbers") from None


def format_usage(kind: type) -> str:
    return " ".join((_verb(kind), *(f"<{f.name}>" for f in fields(kind))))


def _value(kind: object, word: str) -> object:
    if kind is int:
        return _number(word)
    if kind is str:
        if not _WORD.fullmatch(word):
            raise ValueError(word)
        return word
    return () if word == "-" else tuple(_number(w) for w in word.split(","))


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise ValueError(word)
    return int(word)


def _verb(kind: type) -> str:
    return kind.__name__.lower()
