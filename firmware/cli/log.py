"""``oxeye log``: what happened in one game, move by move, numbered as ``oxeye amend`` wants it."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from engine.games import GAMES
from engine.log import Amend, parse_entry
from engine.record import write_log
from engine.text import say
from firmware.cli.journal_options import day, journal_option, told_plainly
from firmware.cli.scores import line, score
from firmware.journal import schema as rows
from firmware.journal.errors import JournalError
from firmware.journal.file import open_readonly
from firmware.journal.operations import EntryRow, Played
from firmware.journal.schema import DamagedRows
from firmware.texts.render import render


@click.command(help="The moves of GAME that stand, with who told each and when.")
@click.argument("game", type=int)
@click.option("--text", is_flag=True, help="every entry, corrections too, as a log that can be sent and read again")
@journal_option
def command(game: int, text: bool, path: Path) -> None:
    with told_plainly(path), closing(open_readonly(path)) as db:
        played = find(rows.games(db), game)
        entries = rows.entries(db, game)
    try:
        log, damage = rows.fold(played, entries, GAMES), ""
    except DamagedRows as bad:
        if bad.good is None:
            raise click.ClickException(render(bad.text)) from bad
        log, damage = bad.good, render(bad.text)
    if text:
        click.echo(write_log(log), nl=False)
    else:
        click.echo(line(score(played, entries)))
        for number, (move, row) in enumerate(zip(log.moves, told(played, entries[: len(log.entries)]), strict=True)):
            click.echo(f"{number:4}  {day(row.at, seconds=True)}  {row.told:6}  {move}")
    if damage:
        raise click.ClickException(damage)


def find(heads: Sequence[Played], game: int) -> Played:
    for played in heads:
        if played.id == game:
            return played
    raise JournalError(say("journal_no_game", number=game))


def told(played: Played, entries: Sequence[EntryRow]) -> list[EntryRow]:
    """For each move that stands the row that brought it: its own, or that of the last correction."""
    standing: list[EntryRow] = []
    for row in entries:
        entry = parse_entry(GAMES[played.name].parse, row.entry)
        if isinstance(entry, Amend):  # what comes later is judged again, but it was told when it was first laid
            standing[entry.first : entry.last] = [row] * len(entry.moves)
        else:
            standing.append(row)
    return standing
