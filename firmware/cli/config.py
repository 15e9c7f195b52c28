"""``oxeye config``: look at the settings of the box, check their file, and change one of them."""

import os
from pathlib import Path

import click

from firmware.machine.config import Config, setting_values
from firmware.machine.config_edit import change_setting_in_file
from firmware.machine.config_file import DEFAULTS, ConfigFile, config_path, may_exist, read_config
from firmware.machine.folders import SYSTEM_FOLDER

CONFIG_OPTION = click.option("--config", "path", type=click.Path(path_type=Path), help="instead of the box's own file")


@click.group(help="The settings of the box: check, show or set them.")
def command() -> None:
    """A command for each of the three."""


@command.command(name="check", help="Name everything in the file that does not count, and what is allowed there.")
@CONFIG_OPTION
def check_settings(path: Path | None) -> None:
    file, found = _found(path)
    for problem in found.problems:
        click.echo(f"✗ {problem}")
    _beyond(found.config)
    if found.problems:
        raise SystemExit(1)
    click.echo(f"✓ {file} is as it should be" if may_exist(file) else f"✓ no {file}: all is as usual")


@command.command(name="show", help="Every setting as it counts now.")
@CONFIG_OPTION
def show_settings(path: Path | None) -> None:
    _, found = _found(path)
    for key, value in setting_values(found.config).items():
        note = "" if value == DEFAULTS[key] else "    # not as usual"
        click.echo(f"{key} = {_written(key, value)}{note}")
    for problem in found.problems:
        click.echo(f"✗ {problem}", err=True)


@command.command(name="set", help="Change one setting, as in: oxeye config set panel.chip sh1106")
@CONFIG_OPTION
@click.argument("key")
@click.argument("value")
def change_setting(path: Path | None, key: str, value: str) -> None:
    file = config_path(path)
    written = change_setting_in_file(file, key, value)
    click.echo(f"{key} = {written} in {file}. It counts from the next start.")


def _beyond(config: Config) -> None:
    """What is allowed, and yet of no use to the service."""
    for key, folder in (("record", config.record), ("state", config.state)):
        if folder != DEFAULTS[key] and not Path(os.path.normpath(folder)).is_relative_to(SYSTEM_FOLDER):
            click.echo(
                f"· {key}: as a service the box may write below {SYSTEM_FOLDER} alone, and {folder} is elsewhere"
            )


def _found(path: Path | None) -> tuple[Path, ConfigFile]:
    """Without a file all is as usual, unless a certain one was named."""
    file = config_path(path)
    return file, read_config(file) if path or may_exist(file) else ConfigFile(Config())


def _written(key: str, value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case tuple():
            return str([*value])
    return f"0x{value:02X}" if key == "panel.address" else str(value)
