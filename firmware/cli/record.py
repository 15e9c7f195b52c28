"""``oxeye record``: play at a table and record everything that ``oxeye replay`` needs."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from firmware.cli.lgpio_workaround import AbsolutePath
from firmware.cli.run import merge_settings, run_table, table_options

RECORDING_ROOM_BYTES = 16 << 20
"""Bytes that must be free at the beginning: with less the journal would soon have no room either."""


@click.command(
    help="Like 'oxeye run', and record pictures of the zones and button presses in FOLDER for 'oxeye replay'. The "
    "recording stays on this computer. Hands over the table are stored too coarsely to read a card in them."
)
@click.argument("folder", type=AbsolutePath(file_okay=False))
@table_options
def command(folder: Path, config: Path | None, **kwargs: Any) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise click.ClickException(f"{folder} is not empty: name a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise click.ClickException(f"{folder} cannot be created ({why.strerror}): name another folder") from why
    try:
        _try_room(folder)
    except OSError as why:
        says = f"{folder} cannot hold a recording ({why.strerror}): free some space, or name a folder on another disk"
        raise click.ClickException(says) from why
    run_table(replace(merge_settings(config, kwargs), record=folder))


def _try_room(folder: Path) -> None:
    """``OSError`` if the folder has too little room or cannot be written."""
    trial = folder / "room"
    try:
        with trial.open("xb") as file:
            os.posix_fallocate(file.fileno(), 0, RECORDING_ROOM_BYTES)
    finally:
        trial.unlink(missing_ok=True)
