"""What the commands on the journal share: the --journal option and one plain sentence for each error."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from firmware.journal.errors import explain_journal_error
from firmware.machine.state_folder import JOURNAL_FILE, SYSTEM_FOLDER, chosen_folder


def journal_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--journal",
        "path",
        type=click.Path(path_type=Path),
        default=lambda: chosen_folder() / JOURNAL_FILE,
        envvar="OXEYE_JOURNAL",
        show_default="in the state folder",
        show_envvar=True,
        help="the journal file with all games",
    )(command)


@contextmanager
def journal_errors(path: Path = SYSTEM_FOLDER / JOURNAL_FILE) -> Iterator[None]:
    """Turn an error of SQLite into a ``JournalError``, which the command line prints as one sentence."""
    try:
        yield
    except sqlite3.Error as why:
        raise explain_journal_error(why, path) from why
