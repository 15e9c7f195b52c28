"""``oxeye backup``: a whole copy of the journal, which is only read, and the oldest copies make room."""

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import click

from engine.text import say
from firmware.cli.journal_options import journal_errors, journal_option
from firmware.journal.errors import JournalError, trouble
from firmware.journal.file import open_readonly
from firmware.machine.atomic_file import fsync_path, replace_durably
from firmware.texts.render import render

COPIES_FOLDER = "copies"
COPIES_KEPT = 10
WAL_SUFFIX = "-wal"


@click.command(
    help=f"Copy the journal to TARGET, a file; without one into the folder '{COPIES_FOLDER}' beside it, "
    f"where one copy a day and the newest {COPIES_KEPT} are kept."
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
    """The copy of today; what is damaged takes no place of one that is whole."""
    if os.geteuid() == 0 and path.exists() and path.parent.stat().st_uid:
        raise click.ClickException("as root, name a file for the copy: this folder is the box's own (sudo -u oxeye)")
    copies = path.parent / COPIES_FOLDER
    copy = copies / f"{path.stem}-{time.strftime('%Y-%m-%d')}{path.suffix}"
    copy_journal(path, copy)
    # by when they were made: their names are no better than the clock was
    for old in sorted(copies.glob(f"{path.stem}-*{path.suffix}"), key=lambda file: file.stat().st_mtime)[:-COPIES_KEPT]:
        old.unlink()
    return copy


def copy_to_target(path: Path, target: Path) -> None:
    """A record that is damaged is copied as well, byte by byte, and said to be: what it still holds may be all."""
    try:
        copy_journal(path, target)
    except JournalError as why:
        if why.text.id != "journal_damaged":
            raise
        copy_bytes(path, target)
        raise click.ClickException(f"{render(why.text)}. {target} is a copy of it as it is") from why


def copy_journal(path: Path, target: Path) -> None:
    """A whole copy, also while a game goes on; ``JournalError`` leaves an older copy as it was."""
    with closing(open_readonly(path)) as db:
        part = target.with_name(target.name + ".part")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            _copy(db, part)
            replace_durably(part, target)
        except (sqlite3.Error, OSError) as why:
            raise trouble(why, target) from why
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _copy(db: sqlite3.Connection, part: Path) -> None:
    """In rollback mode: one file and nothing beside it."""
    with closing(sqlite3.connect(part, isolation_level=None)) as fresh:
        db.backup(fresh)
        fresh.execute("PRAGMA journal_mode = DELETE")
        fresh.execute("PRAGMA synchronous = FULL")
        fresh.execute("PRAGMA cell_size_check = ON")
        if fresh.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise JournalError(say("journal_damaged"))


def copy_bytes(path: Path, target: Path) -> None:
    """With what SQLite had not yet put into the file itself."""
    try:
        shutil.copyfile(path, target)
        if (rest := path.with_name(path.name + WAL_SUFFIX)).exists():
            shutil.copyfile(rest, target.with_name(target.name + WAL_SUFFIX))
        fsync_path(target)
        fsync_path(target.parent)
    except OSError as why:
        raise trouble(why, target) from why
