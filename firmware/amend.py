"""``oxeye amend``: correct the moves of a game that was recorded wrongly; all later moves are judged again."""

import time
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Broken, Log
from engine.notation import BadNotation
from firmware import journal_rows as rows
from firmware.journal import open_journal
from firmware.journal_cli import journal_option, sentence, told_plainly
from firmware.journal_deeds import Names
from firmware.journal_file import look
from firmware.journal_rows import Damaged
from firmware.scores import Score, pads, view
from firmware.show_log import find
from firmware.words import render


@click.command(
    help="In GAME put each MOVE in place of the moves FIRST up to, but not including, LAST, as 'oxeye log' numbers "
    "them. Without a MOVE these are taken out; FIRST = LAST puts in. Write a move in quotes: 'lay 14 2'."
)
@click.argument("game", type=int)
@click.argument("first", type=int)
@click.argument("last", type=int)
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@journal_option
def command(game: int, first: int, last: int, moves: tuple[str, ...], path: Path) -> None:
    with told_plainly():
        with closing(look(path)) as db:
            running = find(rows.games(db), game).ended is None
        # a game that nobody plays any more may be corrected beside the box, one that it plays only at the box
        with closing(open_journal(path, alone=running)) as journal:
            if journal.trouble:
                raise journal.trouble
            played = journal.head(game)
            try:
                log = journal.load(game, GAMES)
                longer = log.amend(first, last, *map(log.parse, moves))
            except Damaged as bad:
                raise click.ClickException(render(bad.text)) from bad
            except Broken as broken:
                raise click.ClickException(misfits(log, broken, first, last, moves, played.names)) from broken
            except (BadNotation, Illegal) as why:
                raise click.ClickException(str(why)) from why
            if not journal.append(game, longer.entries[-1:], "cli", time.time()):
                assert journal.trouble
                raise journal.trouble
    click.echo("was: " + "  ".join(pads(Score(played, view(log)))))
    click.echo("now: " + "  ".join(pads(Score(played, view(longer)))))


def misfits(log: Log[Any, Any], broken: Broken, first: int, last: int, moves: tuple[str, ...], names: Names) -> str:
    """Every move that no longer fits, with the number it has now."""
    told = ["nothing is changed, for these would no longer fit:"]
    for index, why in broken.misfits:
        later = index - len(moves) - first + last
        move = f"'{moves[index - first]}'" if index < first + len(moves) else f"{later} '{log.moves[later]}'"
        told.append(f"  {move}: {sentence(why, names)}")
    return "\n".join(told)
