"""``oxeye log``: the moves of one game, numbered as ``oxeye amend`` expects them."""

from pathlib import Path

import click

from engine.games import GAMES
from engine.log_text import write_log
from firmware.cli.journal_options import journal_option
from firmware.cli.scores import format_game
from firmware.journal.log_from_rows import DamagedRows, fold_rows
from firmware.journal.queries import find_game, rows_of_moves
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.scores import score_game
from firmware.journal.sqlite_file import read_journal
from firmware.texts.names_times_errors import format_time
from firmware.texts.render import render


@click.command(help="List the valid moves of GAME with their number, time and source.")
@click.argument("game", type=int)
@click.option("--text", is_flag=True, help="print every entry, with corrections, in the log format that programs read")
@journal_option
def command(game: int, text: bool, path: Path) -> None:
    with read_journal(path) as db:
        played = find_game(read_games(db), game)
        entries = read_entries(db, game)
    try:
        log, damage = fold_rows(played, entries, GAMES), ""
    except DamagedRows as bad:
        if bad.good is None:
            raise
        log, damage = bad.good, render(bad.text)
    if text:
        click.echo(write_log(log), nl=False)
    else:
        click.echo(format_game(score_game(played, entries)))
        for number, (move, row) in enumerate(
            zip(log.moves, rows_of_moves(played, entries[: len(log.entries)]), strict=True)
        ):
            click.echo(f"{number:4}  {format_time(row.at, seconds=True)}  {row.told:6}  {move}")
    if damage:
        raise click.ClickException(damage)
