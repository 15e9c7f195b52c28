"""``oxeye replay``: run a recording through the current program and print the moves and scores."""

from pathlib import Path

import click

from firmware.app.console_lines import Narrator, format_view
from firmware.recording.reader import DamagedRecording, Recorded
from firmware.recording.replay import replay


@click.command(help="Run the recording in FOLDER through this version and print its moves and scores.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--assert", "strict", is_flag=True, help="fail unless moves and scores are the recorded ones")
def command(folder: Path, strict: bool) -> None:
    try:
        done = replay(Recorded(folder), Narrator(_line))
    except DamagedRecording as why:
        raise click.ClickException(f"The recording {folder} is damaged: {why}. Copy it once more.") from why
    log = done.companion.log
    if log:
        click.echo(format_view(log.game.view(log.state), done.companion.box.known.names))
    if strict and (faults := done.faults()):
        raise click.ClickException("; ".join(faults))


def _line(says: str, alert: bool) -> None:
    click.echo(f"{'!' if alert else ' '} {says}")
