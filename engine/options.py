"""What a table may choose before a game: named, bounded, with a default, refused with a reason."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.errors import InputError
from engine.text import Arg, Text, say

Value = int | str | tuple[int, ...]
Options = Mapping[str, Value]
"""On and off are 1 and 0, so that every value is a word in a log."""

_NUMBER = re.compile(r"-?[0-9]{1,9}")


class BadOption(InputError):
    """A choice that cannot be: ``name`` says which, ``text`` what to do."""

    text: Text

    def __init__(self, name: str, id: str, **args: Arg) -> None:
        self.name = name
        super().__init__(say(id, option=name, **args))


@dataclass(frozen=True, slots=True)
class Option:
    """A whole number from ``low`` to ``high``, or one of ``words``; ``many`` makes it a row of numbers."""

    name: str
    default: Value
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    many: bool = False

    def check(self, value: object) -> Value:
        """The value itself, or ``BadOption``. Text is read as what it says."""
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
        if not _NUMBER.fullmatch(str(value)) or not self.low <= int(str(value)) <= self.high:
            raise self._range(value)
        return int(str(value))

    def _range(self, value: object) -> BadOption:
        return BadOption(self.name, "option_range", value=str(value), low=self.low, high=self.high)


def fill(offered: Iterable[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option of the game, checked; the ones not given at their default."""
    known = {option.name: option for option in offered}
    for name in given:
        if name not in known:
            raise BadOption(str(name), "option_unknown", known=" ".join(sorted(known)))
    return {name: option.check(given[name]) if name in given else option.default for name, option in known.items()}
