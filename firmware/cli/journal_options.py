"""What the commands on the journal share: the --journal option and one plain sentence for each error."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from firmware.journal.errors import JournalError, trouble
from firmware.machine.folders import JOURNAL, SYSTEM, chosen_folder
from firmware.texts.render import render


def journal_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--journal",
        "path",
        type=click.Path(path_type=Path),
        default=lambda: chosen_folder() / JOURNAL,
        envvar="OXEYE_JOURNAL",
        show_default="in the folder of the state",
        show_envvar=True,
        help="the file with all games",
    )(command)


@contextmanager
def told_plainly(path: Path = SYSTEM / JOURNAL) -> Iterator[None]:
    """Trouble with the journal is one sentence, not a traceback, also where it is damaged inside."""
    try:
        yield
    except JournalError as why:
        raise click.ClickException(render(why.text)) from why
    except sqlite3.Error as why:
        raise click.ClickException(render(trouble(why, path).text)) from why
