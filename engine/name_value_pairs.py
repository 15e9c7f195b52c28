"""Pairs of a name and a value in one line, as in ``players=6 variant=base``: one codec for every such line."""

from collections.abc import Iterable

Pair = tuple[str, str]


def format_pairs(pairs: Iterable[Pair]) -> str:
    return " ".join(f"{name}={value}" for name, value in pairs)


def parse_pairs(words: Iterable[str]) -> tuple[Pair, ...]:
    """One pair for each word; a word without ``=`` is a name with an empty value."""
    return tuple((name, value) for name, _, value in (word.partition("=") for word in words))


def is_pair(word: str) -> bool:
    """Does the word have a name and ``=``? The value may be empty."""
    return word.find("=") > 0
