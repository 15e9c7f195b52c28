"""``oxeye record``: an evening like any other, kept to be played again."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from firmware.cli.paths import AbsolutePath
from firmware.cli.run import merge_settings, run_table, table_options

RECORDING_ROOM_BYTES = 16 << 20
"""Bytes: with less there would soon be none for the journal either."""


@click.command(
    help="As 'oxeye run', and keep pictures of the zones and what is pressed in FOLDER, on this computer alone, for "
    "'oxeye replay'. What moves over the table is kept too coarsely to read a card in a hand."
)
@click.argument("folder", type=AbsolutePath(file_okay=False))
@table_options
def command(folder: Path, config: Path | None, **kwargs: Any) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise click.ClickException(f"{folder} is not empty: name a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise click.ClickException(f"{folder} cannot be made: {why.strerror}") from why
    try:
        _try_room(folder)
    except OSError as why:
        says = f"{folder} takes no recording ({why.strerror}): free some space, or name a folder on another disk"
        raise click.ClickException(says) from why
    run_table(replace(merge_settings(config, kwargs), record=folder))


def _try_room(folder: Path) -> None:
    """``OSError`` where a beginning would not fit or nothing may be written."""
    trial = folder / "room"
    try:
        with trial.open("xb") as file:
            os.posix_fallocate(file.fileno(), 0, RECORDING_ROOM_BYTES)
    finally:
        trial.unlink(missing_ok=True)
