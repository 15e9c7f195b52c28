"""``oxeye config``: check the settings file, show every setting, change one setting."""

import os
from pathlib import Path

import click

from firmware.machine.box_id import read_box_id
from firmware.machine.config import Config, setting_values
from firmware.machine.config_edit import change_setting_in_file
from firmware.machine.config_file import DEFAULTS, ConfigFile, config_path, may_exist, read_config
from firmware.machine.state_folder import SYSTEM_FOLDER, chosen_folder

CONFIG_OPTION = click.option("--config", "path", type=click.Path(path_type=Path), help="another settings file")


@click.group(help="Check, show or change the settings of the box.")
def command() -> None:
    """The group of the three commands."""


@command.command(name="check", help="List every mistake in the settings file, with its line and the allowed values.")
@CONFIG_OPTION
def check_settings(path: Path | None) -> None:
    file, found = _found(path)
    for problem in found.problems:
        click.echo(f"✗ {problem}")
    _beyond(found.config)
    if found.problems:
        raise SystemExit(1)
    click.echo(f"✓ {file} has no mistake" if may_exist(file) else f"✓ no {file}: every setting has its default")


@command.command(name="show", help="Print every setting with its present value.")
@CONFIG_OPTION
def show_settings(path: Path | None) -> None:
    _, found = _found(path)
    for key, value in setting_values(found.config).items():
        note = "" if value == DEFAULTS[key] else "    # not the default"
        click.echo(f"{key} = {_written(key, value)}{note}")
    if box_id := read_box_id(chosen_folder(found.config)):
        click.echo(f"# id of this box, for MQTT: {box_id}")
    for problem in found.problems:
        click.echo(f"✗ {problem}", err=True)


@command.command(name="set", help="Change one setting, for example: oxeye config set panel.chip sh1106")
@CONFIG_OPTION
@click.argument("key")
@click.argument("value")
def change_setting(path: Path | None, key: str, value: str) -> None:
    file = config_path(path)
    written = change_setting_in_file(file, key, value)
    click.echo(f"{key} = {written} in {file}. It takes effect at the next start.")


def _beyond(config: Config) -> None:
    """Report folders that are allowed but that the service may not write."""
    for key, folder in (("record", config.record), ("state", config.state)):
        if folder != DEFAULTS[key] and not Path(os.path.normpath(folder)).is_relative_to(SYSTEM_FOLDER):
            click.echo(f"· {key}: the service may write only below {SYSTEM_FOLDER}, and {folder} is elsewhere")


def _found(path: Path | None) -> tuple[Path, ConfigFile]:
    """The path and the settings. A missing file means defaults, unless a file was named."""
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
