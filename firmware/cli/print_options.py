"""The options of ``oxeye print`` and the checks of their values."""

import math
from collections.abc import Callable
from pathlib import Path

import click

from engine.game import Illegal
from engine.games import GAMES
from engine.options import BadOption
from engine.plan import Plan
from firmware.cli.game_options import DEFAULT_GAME, parse_options
from firmware.texts.render import render
from vision.sticker_and_marker_sizes import (
    LARGEST_MARKER_MM,
    LARGEST_STICKER_MM,
    MARKER_MM,
    SMALLEST_MARKER_MM,
    SMALLEST_STICKER_MM,
    STICKER_MM,
)

NUMBER_EXAMPLES = {",": "8,11,12,10,24,25", "x": "700x460"}

Wrap = Callable[[Callable[..., None]], Callable[..., None]]


def number_list(names: str, mark: str) -> Callable[..., tuple[float, ...] | None]:
    """A callback that parses ``594x420`` or ``8,11,12,10,24,25``: one number for each of the ``names``."""
    count = len(names.split(mark))

    def read(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, ...] | None:
        if value is None:
            return None
        try:
            found = tuple(float(word) for word in value.lower().split(mark))
        except ValueError:
            found = ()
        if len(found) != count or not all(map(math.isfinite, found)):
            raise click.BadParameter(
                f"{value!r} is not {names}: give {count} numbers, as in {NUMBER_EXAMPLES[mark]}.", ctx, param
            )
        return found

    return read


def plan_zones(game: str, chosen: tuple[str, ...], area: tuple[float, float] | None) -> Plan:
    """The zones of a game with these options, on this area or on the smallest that the game needs."""
    options = parse_options(chosen)
    if area is not None:
        options |= {"width": str(round(area[0])), "height": str(round(area[1]))}
    try:
        return GAMES[game].plan(options)
    except (BadOption, Illegal) as why:
        raise click.BadParameter(render(why.text), param_hint="--area" if area else "--option") from why


def number_range(least: float, most: float, what: str) -> Callable[[click.Context, click.Parameter, float], float]:
    def check(ctx: click.Context, param: click.Parameter, value: float) -> float:
        if not least <= value <= most:
            raise click.BadParameter(f"{what} are {least:g} to {most:g} mm large, not {value:g}.", ctx, param)
        return value

    return check


size_option = click.option(
    "--size",
    default=STICKER_MM,
    show_default=True,
    metavar="MM",
    callback=number_range(SMALLEST_STICKER_MM, LARGEST_STICKER_MM, "Stickers"),
    help="Side of a sticker in mm with its white border: 12 to 25.",
)
marker_option = click.option(
    "--marker",
    default=MARKER_MM,
    show_default=True,
    metavar="MM",
    callback=number_range(SMALLEST_MARKER_MM, LARGEST_MARKER_MM, "Markers"),
    help="Side of the black square of a marker in mm: 25 to 80.",
)
game_option = click.option(
    "--game",
    type=click.Choice(list(GAMES)),
    help=f"Which game.  [default: {DEFAULT_GAME}; with --png all games]",
)
only_option = click.option(
    "--only", metavar="CARDS", help="Only these, for example to replace lost ones: 44,45,60-63,fifth,block.2"
)
specials_option = click.option("--specials", is_flag=True, help="Include the 28 special cards of 6 nimmt!.")
png_option = click.option(
    "--png",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write pictures into DIR instead of a PDF: one PNG for each sticker and marker, and index.json.",
)


def paper_option(*names: str) -> Wrap:
    return click.option("--paper", type=click.Choice(names), default=names[0], show_default=True, help="Sheet size.")


def out_option(name: str) -> Wrap:
    return click.option(
        "--out",
        metavar="FILE",
        default=name,
        show_default=True,
        type=click.Path(dir_okay=False, path_type=Path),
        help="The PDF to write.",
    )
