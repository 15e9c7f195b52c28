"""``oxeye backup``: a whole copy of the journal, also while a game is played, and the oldest copies make room."""

import time
from contextlib import closing
from pathlib import Path

import click

from firmware.journal import open_journal
from firmware.journal_cli import journal_option, told_plainly
from firmware.journal_file import look

FOLDER = "copies"
KEPT = 10


@click.command(
    help=f"Copy the journal to TARGET, a file; without one into the folder '{FOLDER}' beside it, "
    f"where one copy a day and the newest {KEPT} are kept."
)
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
@journal_option
def command(target: Path | None, path: Path) -> None:
    with told_plainly():
        look(path).close()  # nothing is begun, and nothing mended, by making a copy of it
        copies = path.parent / FOLDER
        copy = target or copies / f"{path.stem}-{time.strftime('%Y-%m-%d')}{path.suffix}"
        copy.parent.mkdir(parents=True, exist_ok=True)
        with closing(open_journal(path, alone=False)) as journal:
            journal.backup(copy)
    if target is None:
        # by when they were made: their names are no better than the clock was
        for old in sorted(copies.glob(f"{path.stem}-*{path.suffix}"), key=lambda file: file.stat().st_mtime)[:-KEPT]:
            old.unlink()
    click.echo(copy)
