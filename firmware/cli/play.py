"""A whole simulated match in the terminal: players lay, sometimes wrongly, the referee sees the table and judges."""

import random
import time
from typing import Any

import click

from engine.game import Illegal, Unfinished
from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption
from engine.referee import Follows, Refused, Verdict, Waiting, judge
from engine.table import Layout
from engine.text import Text
from engine.view import Pad, View
from firmware.cli.options import DEFAULT_GAME, parse_options
from firmware.simulation.players import NAMES, PLAYERS, SAID
from firmware.texts.render import render

MISTAKES = 0.05
WIDTH = 44


@click.command(help="Watch a whole simulated game: what the box says on the left, what it then sees on the right.")
@click.option("--game", type=click.Choice(sorted(GAMES)), default=DEFAULT_GAME, show_default=True)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="for example players=6")
@click.option("--seed", type=int, default=None, help="the same number gives the same match")
@click.option("--pace", type=click.FloatRange(0, 10), default=0.0, help="seconds between two looks")
def command(game: str, options: tuple[str, ...], seed: int | None, pace: float) -> None:
    try:
        log: Log[Any, Any] = Log(GAMES[game], parse_options(options))
    except (BadOption, Illegal) as bad:
        raise click.ClickException(_words(bad.text)) from bad
    seed = random.randrange(10_000) if seed is None else seed
    chosen = ", ".join(f"{name} {value}" for name, value in log.options.items() if value not in (0, (), ""))
    click.echo(f"{game}: {chosen} (seed {seed})\n")
    final = Evening(log, random.Random(seed), pace).play()
    click.echo()
    click.echo(final)


class Evening:
    """The true match, and a referee that is shown every look of it."""

    def __init__(self, log: Log[Any, Any], rng: random.Random, pace: float) -> None:
        self.truth = self.log = log
        self.game = log.game
        self.rng = rng
        self.pace = pace
        self.players = PLAYERS[self.game.name](log.options, rng)
        self.planted = self.caught = self.asked = 0

    def play(self) -> str:
        """All looks, and the pads in the end."""
        while (move := self.players.next(self.truth.state)) is not None:
            before = self.truth.state
            self.truth = self.truth.add(move)
            if isinstance(move, SAID[self.game.name]):
                self._tell("said", [move])
                self.log = self.log.add(move)
            else:
                if self.rng.random() < MISTAKES:
                    self._mistake(self.game.layout(before), self.game.layout(self.truth.state))
                self._look(self.game.layout(self.truth.state))
        if self.log.state != self.truth.state:
            raise click.ClickException("the record is not what was played")
        return self._report()

    def _look(self, layout: Layout) -> None:
        verdict = self._judge(layout)
        if isinstance(verdict, Follows) and verdict.moves:
            self._tell("seen", list(verdict.moves))
            self.log = self.log.add(*verdict.moves)
        elif isinstance(verdict, Refused) and verdict.why:
            self.caught += 1
            wrong = ", ".join(f"{piece} at {zone}" for piece, zone in verdict.wrong)
            self._line(f"NO: {_words(verdict.why.text)} · {verdict.why.ruling}", f"wrong: {wrong}")
        elif isinstance(verdict, Waiting) and isinstance(verdict.hint, Unfinished):
            self.asked += 1
            self._line(f"{_words(verdict.hint.text)} · {verdict.hint.ruling}", "a question, not yet a foul")

    def _judge(self, layout: Layout) -> Verdict[Any]:
        return judge(self.log, self.game.place(self.log.state, layout))

    def _mistake(self, before: Layout, after: Layout) -> None:
        """Somebody lays the new piece in another zone of the same kind, and mends it when told."""
        fresh = [(p, z) for z, held in after.zones.items() for p in held if p not in before.zones.get(z, ())]
        if len(fresh) != 1:
            return
        (piece, zone), kind = fresh[0], fresh[0][1].partition(":")[0]
        others = [z for z in after.zones if z != zone and z.startswith(f"{kind}:")]
        if kind not in ("row", "up", "down") or not others:
            return
        zones = {z: tuple(p for p in held if (p, z) != (piece, zone)) for z, held in after.zones.items()}
        there = self.rng.choice(others)
        zones[there] = (*zones[there], piece)
        wrong = Layout({z: held for z, held in zones.items() if held})
        if not isinstance(self._judge(wrong), Follows):  # a card may go to another pile and be right there
            self.planted += 1
            self._look(wrong)

    def _tell(self, how: str, moves: list[Any]) -> None:
        self._line(_words(self.game.view(self.log.state).prompt), f"{how}: {', '.join(map(str, moves))}")

    def _line(self, box: str, table: str) -> None:
        click.echo(f"{box:{WIDTH}} {table}")
        if self.pace:
            time.sleep(self.pace)

    def _report(self) -> str:
        told = f"{self.caught} refused, {self.asked} asked about first"
        return "\n".join([pads(self.game.view(self.log.state)), f"{len(self.log.moves)} moves,"
                          f" {self.planted} wrong placements planted:", told])  # fmt: skip


def pads(view: View) -> str:
    """The prompt and a line for each player: points by round, and the total."""
    return "\n".join([_words(view.prompt), *map(_pad, view.pads)])


def _pad(pad: Pad) -> str:
    rounds = " ".join(f"{points:3}" for points in pad.rounds)
    return f"  {NAMES.get(pad.player, 'team'):6} {rounds}  total {pad.total + pad.now}"


def _words(text: Text) -> str:
    return render(text, "en", NAMES)
