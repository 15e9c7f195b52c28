"""What the commands about the journal share: where it is, whose name is whose, and how trouble is said."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from engine.game import Illegal
from engine.text import say
from firmware.journal.errors import JournalError, trouble
from firmware.journal.operations import Names
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


def sentence(why: Illegal, names: Names) -> str:
    return f"{render(why.text, names=names)} · {why.ruling}"


def who(player: int, names: Names) -> str:
    """Player 0 is the team of a game that is played together."""
    return names.get(player) or ("team" if player == 0 else render(say("name.player", number=player)))


def day(at: float | None, seconds: bool = False) -> str:
    """Local time; a question mark for what no clock has ever shown."""
    if at is None:
        return ""
    try:
        return datetime.fromtimestamp(at).isoformat(" ", "seconds" if seconds else "minutes")
    except (OverflowError, ValueError, OSError):
        return "?"
