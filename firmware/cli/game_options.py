"""Options that several commands share: the game of a simulation with its NAME=VALUE options."""

from typing import Any

import click

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.name_value_pairs import is_pair, parse_pairs
from engine.options import BadOption
from firmware.texts.render import render

SEEDS = 10_000
"""A match without a seed gets one below this number, short enough to type again."""

DEFAULT_GAME = next(iter(GAMES))
"""The game of a command that was given none."""


def parse_options(words: tuple[str, ...]) -> dict[str, str]:
    """Names and values, which the game still has to check; a word that is no NAME=VALUE is an error."""
    for word in words:
        if not is_pair(word):
            raise click.BadParameter(f"{word!r} is not NAME=VALUE, as in players=6.", param_hint="--option")
    return dict(parse_pairs(words))


def parse_game(game: str, words: tuple[str, ...]) -> Log[Any, Any]:
    """A match that has not begun, with these options; a usage error for options that the game refuses."""
    try:
        return Log(GAMES[game], parse_options(words))
    except (BadOption, Illegal) as why:
        raise click.ClickException(render(why.text)) from why
