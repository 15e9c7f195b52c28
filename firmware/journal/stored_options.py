"""The options of a game as one line of words, as the journal stores them."""

from engine.name_value_pairs import format_pairs, parse_pairs
from engine.options import Options, format_value


def format_options(options: Options) -> str:
    """``players=3 variant=base``; several numbers have commas between them, none is a dash."""
    return format_pairs((name, format_value(value) or "-") for name, value in options.items())


def read_options(text: str) -> dict[str, str]:
    return {name: "" if value == "-" else value for name, value in parse_pairs(text.split())}
