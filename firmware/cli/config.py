"""``oxeye config``: look at the settings of the box, check their file, and change one of them."""

import os
from pathlib import Path

import click

from firmware.machine.config import Config, values
from firmware.machine.config_edit import change
from firmware.machine.config_file import DEFAULTS, Read, config_path, is_there, read
from firmware.machine.folders import SYSTEM

FILE = click.option("--config", "path", type=click.Path(path_type=Path), help="instead of the box's own file")


@click.group(help="The settings of the box: check, show or set them.")
def command() -> None:
    """A command for each of the three."""


@command.command(help="Name everything in the file that does not count, and what is allowed there.")
@FILE
def check(path: Path | None) -> None:
    file, found = _found(path)
    for problem in found.problems:
        click.echo(f"✗ {problem}")
    _beyond(found.config)
    if found.problems:
        raise SystemExit(1)
    click.echo(f"✓ {file} is as it should be" if is_there(file) else f"✓ no {file}: all is as usual")


@command.command(help="Every setting as it counts now.")
@FILE
def show(path: Path | None) -> None:
    _, found = _found(path)
    for key, value in values(found.config).items():
        note = "" if value == DEFAULTS[key] else "    # not as usual"
        click.echo(f"{key} = {_written(key, value)}{note}")
    for problem in found.problems:
        click.echo(f"✗ {problem}", err=True)


@command.command(name="set", help="Change one setting, as in: oxeye config set panel.chip sh1106")
@FILE
@click.argument("key")
@click.argument("value")
def set_(path: Path | None, key: str, value: str) -> None:
    file = config_path(path)
    written = change(file, key, value)
    click.echo(f"{key} = {written} in {file}. It counts from the next start.")


def _beyond(config: Config) -> None:
    """What is allowed, and yet of no use to the service."""
    for key, folder in (("record", config.record), ("state", config.state)):
        if folder != DEFAULTS[key] and not Path(os.path.normpath(folder)).is_relative_to(SYSTEM):
            click.echo(f"· {key}: as a service the box may write below {SYSTEM} alone, and {folder} is elsewhere")


def _found(path: Path | None) -> tuple[Path, Read]:
    """Without a file all is as usual, unless a certain one was named."""
    file = config_path(path)
    return file, read(file) if path or is_there(file) else Read(Config())


def _written(key: str, value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case tuple():
            return str([*value])
    return f"0x{value:02X}" if key == "panel.address" else str(value)
