"""``oxeye play``: a whole simulated match in the terminal, from rendered pictures through the real box."""

import random
import time
from itertools import islice

import click

from engine.games import GAMES
from engine.options import format_value
from engine.text import Text
from firmware.app.console_lines import format_view
from firmware.cli.game_options import DEFAULT_GAME, SEEDS, parse_game
from firmware.journal.operation_types import WriteEntries
from firmware.runtime.companion import Happened
from firmware.simulation.session import SimulatedSession
from firmware.texts.render import render

COLUMN_WIDTH = 44


@click.command(help="Watch a whole simulated match: the prompt of the box on the left, what it reads on the right.")
@click.option("--game", type=click.Choice(sorted(GAMES)), default=DEFAULT_GAME, show_default=True, help="which game")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="game option, for example players=6")
@click.option("--seed", type=int, default=None, help="the same number gives the same match")
@click.option("--pace", type=click.FloatRange(0, 10), default=0.0, help="seconds to wait after each line")
@click.option("--acts", type=click.IntRange(1), default=None, help="stop after this many actions of hands")
def command(game: str, options: tuple[str, ...], seed: int | None, pace: float, acts: int | None) -> None:
    log = parse_game(game, options)
    seed = random.randrange(SEEDS) if seed is None else seed
    chosen = ", ".join(
        f"{name} {format_value(value)}" for name, value in log.options.items() if value not in (0, (), "")
    )
    click.echo(f"{game}: {chosen} (seed {seed})\n")
    session = SimulatedSession.for_match(log, seed)
    companion = session.start_companion(observers=[LinePrinter(pace)])
    for _ in islice(session.play(), acts):
        pass  # the observer prints what happens
    click.echo()
    click.echo(format_view(companion.view, session.start.started.names))


class LinePrinter:
    """Prints a line for every move that the box accepts, and for every alert when it appears."""

    def __init__(self, pace_s: float) -> None:
        self._pace_s = pace_s
        self._alert: Text | None = None

    def __call__(self, happened: Happened) -> None:
        prompt = render(happened.before.prompt, names=happened.names)
        for effect in happened.effects:
            if isinstance(effect, WriteEntries):
                self._print(prompt, f"{effect.told}: {', '.join(effect.entries)}")
        alert = happened.view.alert
        if alert is not None and alert != self._alert:
            self._print("", f"! {render(alert, names=happened.names)} · {happened.view.ruling}".removesuffix(" · "))
        self._alert = alert

    def _print(self, prompt: str, read: str) -> None:
        click.echo(f"{prompt:{COLUMN_WIDTH}} {read}")
        time.sleep(self._pace_s)
