"""The options of a game as one line of words, as the journal stores them."""

from engine.games import GAMES
from engine.name_value_pairs import format_pairs, parse_pairs
from engine.options import Options, format_value, list_written


def format_options(options: Options) -> str:
    """``players=3 variant=base``; several numbers have commas between them, none is a dash."""
    return format_pairs((name, format_value(value) or "-") for name, value in options.items())


def format_written_options(game: str, options: Options) -> str:
    """The same for a new game, in words that version 0.1.0 reads after a rollback wherever it knows such a game."""
    return format_options(list_written(GAMES[game].options, options) if game in GAMES else options)


def read_options(text: str) -> dict[str, str]:
    return {name: "" if value == "-" else value for name, value in parse_pairs(text.split())}
