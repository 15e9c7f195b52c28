"""Options of a game as somebody types them: NAME=VALUE."""

import click


def parse_options(words: tuple[str, ...]) -> dict[str, str]:
    """Names and values, still to be checked by the game; a word without a value is refused."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise click.BadParameter(f"{word!r} is not NAME=VALUE, as in players=6.", param_hint="--option")
        found[name] = value
    return found
