"""Options of a game from the command line: NAME=VALUE."""

import click

from engine.games import GAMES
from engine.pairs import is_pair, parse_pairs

DEFAULT_GAME = next(iter(GAMES))
"""The game of a command that was given none."""


def parse_options(words: tuple[str, ...]) -> dict[str, str]:
    """Names and values, which the game still has to check; a word that is no NAME=VALUE is an error."""
    for word in words:
        if not is_pair(word):
            raise click.BadParameter(f"{word!r} is not NAME=VALUE, as in players=6.", param_hint="--option")
    return dict(parse_pairs(words))
