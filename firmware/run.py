"""``oxeye run``: the companion at the simulated table, from the camera's picture to the score pad."""

import random
import time
from contextlib import closing, nullcontext
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
from firmware.box.box import Box, aim, step, view
from firmware.box.flow import Known, Write
from firmware.box.home import Home
from firmware.box.items import Item, Told
from firmware.box.playing import Playing, playing
from firmware.eyes import Eyes
from firmware.given import given
from firmware.journal import Journal, open_journal
from firmware.simtable import SimTable
from firmware.simulate import NAMES, pads
from firmware.words import render as words
from hw.cameras.pictures import frame_of
from vision.render import render

FRAME = 0.2
"""Seconds of the simulated evening from one frame to the next."""
WIDTH = 46


@click.command(help="Watch simulated players at a drawn table: every frame is read as a camera's would be.")
@click.option("--game", type=click.Choice(sorted(GAMES)), default="nimmt", show_default=True)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="for example players=6")
@click.option("--seed", type=int, default=None, help="the same number gives the same evening")
@click.option("--acts", type=click.IntRange(1), default=None, help="stop after so many acts of hands")
@click.option(
    "--journal", "path", type=click.Path(path_type=Path), help="keep the evening here, as a real one would be"
)
@click.option("--picture", type=click.Path(path_type=Path), help="keep the last frame here, as the camera saw it")
def command(
    game: str, options: tuple[str, ...], seed: int | None, acts: int | None, path: Path | None, picture: Path | None
) -> None:
    try:
        log: Log[Any, Any] = Log(GAMES[game], given(options))
    except (BadOption, Illegal) as bad:
        raise click.ClickException(words(bad.text, "en", NAMES)) from bad
    seed = random.randrange(10_000) if seed is None else seed
    click.echo(f"{game}, seed {seed}: what the box says on the left, what it then sees on the right\n")
    table = SimTable(log, random.Random(seed))
    with closing(open_journal(path)) if path else nullcontext() as journal:
        evening = _spend(Evening(log, table, journal), table, acts, picture)
    click.echo()
    click.echo(pads(view(evening.box)))


def _spend(evening: "Evening", table: SimTable, acts: int | None, picture: Path | None) -> "Evening":
    for number, act in enumerate(table.acts(), 1):
        frame = render(act.scene)
        if act.told:
            evening.take(Told(act.told, "button", evening.at))
        evening.watch(frame, act.seconds)
        if acts is not None and number >= acts:
            break
    if picture is not None and not cv2.imwrite(str(picture), frame):
        raise click.ClickException(f"{picture}: cannot be written; name a .png or .jpg in a folder that exists")
    return evening


class Evening:
    """Frames in, words out: the eyes, the box, and a line for each thing that happens.

    What the desk accepts is in the journal, synced, before it is shown.
    """

    def __init__(self, log: Log[Any, Any], table: SimTable, journal: Journal | None = None) -> None:
        self._journal = journal
        if journal is not None:
            players = {pad.player: NAMES.get(pad.player, "") for pad in log.game.view(log.state).pads if pad.player}
            self._game = journal.begin(log.game.name, log.options, players, time.time())
        self.at = 0.0
        self.box = Box(Known(names=NAMES), (Home(), playing(log)))
        self._eyes = Eyes(render(table.empty))
        self._said: Text | None = None

    @property
    def log(self) -> Log[Any, Any]:
        return next(flow.desk.log for flow in self.box.flows if isinstance(flow, Playing))

    def watch(self, frame: Any, seconds: float) -> None:
        """The same picture for a while, as many frames as a camera would deliver."""
        for _ in range(round(seconds / FRAME)):
            self.at += FRAME
            for item in self._eyes.see(frame_of(frame, self.at), aim(self.box)):
                self.take(item)

    def take(self, item: Item) -> None:
        before = view(self.box)
        self.box, effects = step(self.box, item)
        for write in effects:
            if isinstance(write, Write):
                if self._journal is not None:
                    self._keep(self._journal, write)
                click.echo(f"{_prompt(before):{WIDTH}} {write.told}: {', '.join(write.entries)}")
        now = view(self.box)
        if now.alert is not None and now.alert != self._said:
            click.echo(f"  ! {words(now.alert, 'en', NAMES)}{' · ' if now.ruling else ''}{now.ruling}")
        self._said = now.alert

    def _keep(self, journal: Journal, write: Write) -> None:
        if not journal.append(self._game, write.entries, write.told, time.time()) and journal.trouble:
            click.echo(f"  ! {words(journal.trouble.text, 'en', NAMES)}")
        if view(self.box).over:
            journal.finish(self._game, "finished", time.time())


def _prompt(shown: View) -> str:
    return words(shown.prompt, "en", NAMES)
