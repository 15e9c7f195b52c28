"""``oxeye backup``: copy the journal, which is only read, and delete the oldest of the daily copies."""

import os
import shutil
from pathlib import Path

import click

from engine.games import GAMES
from firmware.cli.journal_options import journal_errors, journal_option
from firmware.journal.copies import COPIES_FOLDER, COPIES_KEPT, add_daily_copy, copy_journal
from firmware.journal.errors import JournalError, explain_journal_error
from firmware.machine.atomic_file import fsync_path
from firmware.machine.regular_file import as_owner_of, open_regular
from firmware.texts.render import render

WAL_SUFFIX = "-wal"


@click.command(
    help=f"Copy the journal to the file TARGET, or without TARGET into the folder '{COPIES_FOLDER}' beside it, "
    f"which keeps one copy a day and the newest {COPIES_KEPT} are kept."
)
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
@journal_option
def command(target: Path | None, path: Path) -> None:
    with journal_errors(path):
        if target is None:
            if os.geteuid() == 0 and path.exists() and path.parent.stat().st_uid:
                raise click.ClickException(
                    "as root, name a file for the copy: the folder belongs to the box (sudo -u oxeye)"
                )
            click.echo(add_daily_copy(path, GAMES))
        else:
            copy_to_target(path, target)
            click.echo(target)


def copy_to_target(path: Path, target: Path) -> None:
    """Copy to a file. A damaged journal is copied byte by byte and reported: it may hold the only games left."""
    try:
        copy_journal(path, target)
    except JournalError as why:
        if why.text.id != "journal_damaged":
            raise
        copy_bytes(path, target)
        raise click.ClickException(f"{render(why.text)}. {target} is a copy of the damaged file") from why


def copy_bytes(path: Path, target: Path) -> None:
    """Copy the file and its write-ahead log. Only the owner may read the copies."""
    try:
        for ending in ("", WAL_SUFFIX):
            source = path.with_name(path.name + ending)
            if source.exists() or not ending:
                _copy_file(source, target.with_name(target.name + ending))
        fsync_path(target.parent)
    except OSError as why:
        raise explain_journal_error(why, target) from why


def _copy_file(source: Path, target: Path) -> None:
    with as_owner_of(source.parent):
        file = open_regular(source, os.O_RDONLY)
    with file, open_regular(target, os.O_RDWR | os.O_CREAT | os.O_TRUNC) as copy:
        shutil.copyfileobj(file, copy)
        os.fsync(copy.fileno())
