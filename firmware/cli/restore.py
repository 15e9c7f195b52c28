"""``oxeye restore``: bring back games that the journal has lost, from a copy of it."""

from contextlib import closing
from pathlib import Path

import click

from engine.games import GAMES
from firmware.cli.journal_options import journal_errors, journal_option
from firmware.cli.scores import format_game
from firmware.journal.copies import compare_copy, find_missing_games
from firmware.journal.journal import open_journal
from firmware.journal.scores import score_game
from firmware.machine.regular_file import as_owner_of
from firmware.texts.names_times_errors import format_time


@click.command(
    help="Bring back games that are missing or damaged in the journal, from the file COPY or else from the newest good "
    "copy. It lists them and asks first. Nothing is deleted: damaged rows are set aside."
)
@click.argument("copy", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--yes", is_flag=True, help="do not ask")
@journal_option
def command(copy: Path | None, yes: bool, path: Path) -> None:
    with journal_errors(path), as_owner_of(path.parent):
        found = compare_copy(copy, path, GAMES) if copy else find_missing_games(path, GAMES)
        if found is None or not found.missing:
            click.echo("No copy has a game that is missing here.")
            return
        click.echo(f"{found.copy}, made {format_time(found.made)}, has:")
        for game in found.missing:
            click.echo(format_game(score_game(game.played, game.entries)))
        if not yes:
            click.confirm("Bring them back?", abort=True)
        with closing(open_journal(path)) as journal:
            if journal.error and journal.error.text.id == "journal_in_use":
                raise click.ClickException("the box runs: choose Restore games there, or stop the box first")
            if not journal.restore(found.missing):
                assert journal.error
                raise journal.error
    click.echo(f"{len(found.missing)} brought back")
