"""``oxeye run``: the companion at the simulated table, from the camera's picture to the score pad."""

import random
from pathlib import Path
from typing import Any

import click
import cv2

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption
from engine.text import Text
from engine.view import View
from firmware.desk import Desk, Item, Looked, Told, show, step
from firmware.given import given
from firmware.simtable import SimTable
from firmware.simulate import NAMES, pads
from firmware.watching import Watching
from firmware.words import render as words
from vision.render import render

FRAME = 0.2
"""Seconds of the simulated evening from one frame to the next."""
WIDTH = 46


@click.command(help="Watch simulated players at a drawn table: every frame is read as a camera's would be.")
@click.option("--game", type=click.Choice(sorted(GAMES)), default="nimmt", show_default=True)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="for example players=6")
@click.option("--seed", type=int, default=None, help="the same number gives the same evening")
@click.option("--acts", type=click.IntRange(1), default=None, help="stop after so many acts of hands")
@click.option("--picture", type=click.Path(path_type=Path), help="keep the last frame here, as the camera saw it")
def command(game: str, options: tuple[str, ...], seed: int | None, acts: int | None, picture: Path | None) -> None:
    try:
        log: Log[Any, Any] = Log(GAMES[game], given(options))
    except (BadOption, Illegal) as bad:
        raise click.ClickException(words(bad.text, "en", NAMES)) from bad
    seed = random.randrange(10_000) if seed is None else seed
    click.echo(f"{game}, seed {seed}: what the box says on the left, what it then sees on the right\n")
    table = SimTable(log, random.Random(seed))
    evening = Evening(log, table)
    for number, act in enumerate(table.acts(), 1):
        frame = render(act.scene)
        if act.told:
            evening.take(Told(act.told, "button", evening.at))
        evening.watch(frame, act.seconds)
        if acts is not None and number >= acts:
            break
    if picture is not None and not cv2.imwrite(str(picture), frame):
        raise click.ClickException(f"{picture}: cannot be written; name a .png or .jpg in a folder that exists")
    click.echo()
    click.echo(pads(show(evening.desk)))


class Evening:
    """Frames in, words out: the eyes, the desk, and a line for each thing that happens."""

    def __init__(self, log: Log[Any, Any], table: SimTable) -> None:
        self.at = 0.0
        self.desk = Desk(log)
        self._watching = Watching(log, render(table.empty))
        self._said: Text | None = None

    def watch(self, frame: Any, seconds: float) -> None:
        """The same picture for a while, as many frames as a camera would deliver."""
        for _ in range(round(seconds / FRAME)):
            self.at += FRAME
            self.take(Looked(self._watching.see(frame, self.at, self.desk.log), self.at))

    def take(self, item: Item) -> None:
        before = show(self.desk)
        self.desk, written = step(self.desk, item)
        for write in written:
            click.echo(f"{_prompt(before):{WIDTH}} {write.told}: {', '.join(write.entries)}")
        now = show(self.desk)
        if now.alert is not None and now.alert != self._said:
            click.echo(f"  ! {words(now.alert, 'en', NAMES)}{' · ' if now.ruling else ''}{now.ruling}")
        self._said = now.alert


def _prompt(view: View) -> str:
    return words(view.prompt, "en", NAMES)
