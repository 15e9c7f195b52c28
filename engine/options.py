"""The options of a game: named and bounded values with a default, each wrong value refused with a reason."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from engine.errors import InputError
from engine.text import Arg, Text, say

Value = int | str | tuple[int, ...]
Options = Mapping[str, Value]
"""Values by option name. On and off are 1 and 0, so that every value is one word in a log."""
T = TypeVar("T")

_NUMBER = re.compile(r"-?[0-9]{1,9}")


class BadOption(InputError):
    """A value that an option cannot have: ``name`` is the option, ``text`` says what to do."""

    text: Text

    def __init__(self, name: str, id: str, **args: Arg) -> None:
        self.name = name
        super().__init__(say(id, option=name, **args))


@dataclass(frozen=True, slots=True)
class Option:
    """A whole number from ``low`` to ``high``, or one of ``words``; ``many`` allows several numbers.

    ``later`` came after version 0.1.0, which reads no log that names it: at its default it is not written.
    """

    name: str
    default: Value
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    many: bool = False
    later: bool = False

    def check(self, value: object) -> Value:
        """The value with its type, or ``BadOption``. A number may be given as text: ``"6"`` is 6."""
        if isinstance(value, str) and value in self.words:
            return value
        if self.many:
            return tuple(self._number(v) for v in self._split(value))
        return self._number(value)

    def _split(self, value: object) -> tuple[object, ...]:
        if isinstance(value, tuple | list):
            return tuple(value)
        return tuple(str(value).split(",")) if str(value) else ()

    def _number(self, value: object) -> int:
        if self.words and self.low == self.high:
            raise BadOption(self.name, "option_words", value=str(value), words=" ".join(self.words))
        text = str(value)
        if not _NUMBER.fullmatch(text) or not self.low <= int(text) <= self.high:
            raise BadOption(self.name, "option_range", value=text, low=self.low, high=self.high)
        return int(text)


def fill_options(offered: Iterable[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """All options of the game: the given ones checked, the others at their default."""
    known = {option.name: option for option in offered}
    for name in given:
        if name not in known:
            raise BadOption(str(name), "option_unknown", known=" ".join(sorted(known)))
    return {name: option.check(given[name]) if name in given else option.default for name, option in known.items()}


def get_number(options: Options, name: str) -> int:
    """The value of an option that is a whole number."""
    return _get(options, name, int)


def get_word(options: Options, name: str) -> str:
    """The value of an option that is one of several words."""
    return _get(options, name, str)


def get_numbers(options: Options, name: str) -> tuple[int, ...]:
    """The value of an option that is any number of whole numbers."""
    return _get(options, name, tuple)


def _get(options: Options, name: str, kind: type[T]) -> T:
    value = options[name]
    if not isinstance(value, kind):
        raise TypeError(f"option {name} is {value!r}, not of type {kind.__name__}")
    return value


def list_written(offered: Iterable[Option], options: Options) -> dict[str, Value]:
    """The options that a log names."""
    tacit = {option.name: option.default for option in offered if option.later}
    return {name: value for name, value in options.items() if name not in tacit or value != tacit[name]}


def format_value(value: Value) -> str:
    """``4``, ``base`` or ``1,3,5``: a value as one word, which ``Option.check`` reads again; empty for no numbers."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
