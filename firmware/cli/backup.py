"""``oxeye backup``: copy the journal, which is only read, and delete the oldest of the daily copies."""

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import click

from engine.text import say
from firmware.cli.journal_options import journal_errors, journal_option
from firmware.journal.errors import JournalError, explain_journal_error
from firmware.journal.sqlite_file import open_readonly
from firmware.machine.atomic_file import fsync_path, replace_durably
from firmware.texts.render import render

COPIES_FOLDER = "copies"
COPIES_KEPT = 10
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
            click.echo(add_daily_copy(path))
        else:
            copy_to_target(path, target)
            click.echo(target)


def add_daily_copy(path: Path) -> Path:
    """Write the copy of today and delete the oldest ones. A damaged journal replaces no copy."""
    if os.geteuid() == 0 and path.exists() and path.parent.stat().st_uid:
        raise click.ClickException("as root, name a file for the copy: the folder belongs to the box (sudo -u oxeye)")
    copies = path.parent / COPIES_FOLDER
    copy = copies / f"{path.stem}-{time.strftime('%Y-%m-%d')}{path.suffix}"
    copy_journal(path, copy)
    # sorted by modification time: the date in a name is only as right as the clock was
    for old in sorted(copies.glob(f"{path.stem}-*{path.suffix}"), key=lambda file: file.stat().st_mtime)[:-COPIES_KEPT]:
        old.unlink()
    return copy


def copy_to_target(path: Path, target: Path) -> None:
    """Copy to a file. A damaged journal is copied byte by byte and reported: it may hold the only games left."""
    try:
        copy_journal(path, target)
    except JournalError as why:
        if why.text.id != "journal_damaged":
            raise
        copy_bytes(path, target)
        raise click.ClickException(f"{render(why.text)}. {target} is a copy of the damaged file") from why


def copy_journal(path: Path, target: Path) -> None:
    """A consistent copy, even during a game; ``JournalError`` leaves an older copy as it was."""
    with closing(open_readonly(path)) as db:
        part = target.with_name(target.name + ".part")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            _copy(db, part)
            replace_durably(part, target)
        except (sqlite3.Error, OSError) as why:
            raise explain_journal_error(why, target) from why
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _copy(db: sqlite3.Connection, part: Path) -> None:
    """Copy in rollback mode: one file with no ``-wal`` beside it."""
    with closing(sqlite3.connect(part, isolation_level=None)) as fresh:
        db.backup(fresh)
        fresh.execute("PRAGMA journal_mode = DELETE")
        fresh.execute("PRAGMA synchronous = FULL")
        fresh.execute("PRAGMA cell_size_check = ON")
        if fresh.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise JournalError(say("journal_damaged"))


def copy_bytes(path: Path, target: Path) -> None:
    """Copy the file and its write-ahead log."""
    try:
        shutil.copyfile(path, target)
        if (rest := path.with_name(path.name + WAL_SUFFIX)).exists():
            shutil.copyfile(rest, target.with_name(target.name + WAL_SUFFIX))
        fsync_path(target)
        fsync_path(target.parent)
    except OSError as why:
        raise explain_journal_error(why, target) from why
