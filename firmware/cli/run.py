"""``oxeye run``: the companion at a table, real or simulated, from the camera's picture to the score pad."""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption
from engine.text import say
from firmware.app.app import AppOptions, run_app
from firmware.app.configure import RunSettings, load_run_settings, usual
from firmware.app.tables import RealTable, SafeTable, SimulatedTable, TableSource
from firmware.cli.options import DEFAULT_GAME, parse_options
from firmware.cli.paths import AbsolutePath, absolute_camera
from firmware.machine.addresses import BadAddress, Broker, PageAddress, parse_broker, parse_page_address
from firmware.machine.config import Optics
from firmware.machine.folders import state_folder
from firmware.runtime.clock import ScaledClock
from firmware.runtime.indicators import IndicatorOptions
from firmware.runtime.opened_panel import OpenedPanel
from firmware.simulation.players import NAMES
from firmware.texts.languages import available
from firmware.texts.render import render as words
from hw.camera import CAMERA_NAMES, NoCamera, open_camera
from hw.panel.panel import PANEL_NAMES as PANELS

SIM = "sim"
SAFE = "safe"
RECORDED = ("files:", "video:")
BUTTONS = ("keys", "pins", "none")
PINS = 28


OPTIONS = (
    click.option("--config", type=AbsolutePath(), help="a file of settings, for all that is not said here"),
    click.option(
        "--camera",
        default="auto",
        show_default=True,
        metavar="NAME",
        callback=lambda ctx, param, value: absolute_camera(value),
        help=f"one of {CAMERA_NAMES} {SIM}",
    ),
    click.option(
        "--game", type=click.Choice(sorted(GAMES)), default=DEFAULT_GAME, show_default=True, help="of the simulation"
    ),
    click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="for example players=6"),
    click.option("--panel", default="terminal", show_default=True, metavar="NAME", help=f"one of {PANELS}"),
    click.option("--buttons", type=click.Choice(BUTTONS), default=None, help="keys of the terminal if there is one"),
    click.option("--language", type=click.Choice(available()), default="en", show_default=True, help="of the panel"),
    click.option("--big", is_flag=True, help="larger letters on the panel"),
    click.option("--light", default="", metavar="PINS", callback=lambda *given: _pins(given[2]), help="17 or 17,27,22"),
    click.option("--buzzer", type=click.IntRange(0, 27), default=None, metavar="PIN", help="for turns and mistakes"),
    click.option("--voice", is_flag=True, help="speak, where espeak-ng is installed"),
    click.option("--state", type=AbsolutePath(file_okay=False), help="the folder of the journal"),
    click.option(
        "--page",
        default="8480",
        show_default="this computer alone",
        metavar="WHERE",
        callback=lambda ctx, param, value: _page(value),
        help="the page for phones: lan for everybody on the network, [HOST:]PORT, or none",
    ),
    click.option(
        "--mqtt",
        default=None,
        metavar="BROKER",
        envvar="OXEYE_MQTT",
        show_envvar=True,
        callback=lambda ctx, param, value: _home(value),
        help="with the page: a home server that is told too, [USER:PASSWORD@]HOST[:PORT]",
    ),
    click.option(
        "--speed", type=click.FloatRange(0.1, 1000), default=1.0, show_default=True, help="of what is not real time"
    ),
    click.option("--seed", type=int, default=None, help="the same number gives the same people and the same cards"),
    click.option(
        "--acts", type=click.IntRange(1), default=None, help="stop the simulation after so many acts of hands"
    ),
)


def at_a_table(command: Callable[..., None]) -> Callable[..., None]:
    """With the options of everything that plays at a table."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command(
    help="Play at a table: the real one under a camera, or a simulated one where people lay cards, sometimes wrongly, "
    "and the referee catches it. Without a camera it is the simulated one."
)
@at_a_table
@click.option(
    "--safe", is_flag=True, help="without the camera and the settings: what a box does that has failed to start"
)
def command(config: Path | None, safe: bool, **given: Any) -> None:
    play(**as_configured(config, given, safe), greeted=click.get_current_context().obj)


def as_configured(config: Path | None, given: dict[str, Any], safe: bool = False) -> dict[str, Any]:
    """What was not said on the command line is as the settings of this box have it."""
    box = usual() if safe else load_run_settings(config)
    if box is None:
        return given
    for complaint in box.complaints:
        click.echo(f"settings: {complaint}", err=True)
    said = click.get_current_context().get_parameter_source
    unsaid = {name: value for name, value in box.options.items() if said(name) in (None, ParameterSource.DEFAULT)}
    return given | unsaid | {"box": box} | ({"camera": SAFE} if safe else {})


def play(
    camera: str,
    game: str,
    options: tuple[str, ...],
    panel: str,
    buttons: str | None,
    state: Path | None,
    page: PageAddress | None,
    speed: float,
    seed: int | None,
    acts: int | None,
    language: str = "en",
    big: bool = False,
    light: tuple[int, ...] = (),
    buzzer: int | None = None,
    voice: bool = False,
    record: Path | None = None,
    mqtt: Broker | None = None,
    box: RunSettings | None = None,
    greeted: OpenedPanel | None = None,
) -> None:
    if panel not in PANELS.split():
        raise click.ClickException(words(say("panel_unknown", value=panel, known=PANELS)))
    real = _real(camera, clock := ScaledClock(), box)
    if real is None or camera.startswith(RECORDED):
        clock = ScaledClock(speed)
    place = real or _simulated(game, options, seed, acts)
    folder = state or (state_folder() if real else None)
    fingers = buttons or ("keys" if sys.stdin.isatty() else "none")
    signs = IndicatorOptions(light, buzzer, voice, language)
    sitting = AppOptions(place, folder, panel, fingers, clock, page and replace(page, mqtt=mqtt), record, signs, big,
                      greeted=greeted)  # fmt: skip
    sys.exit(run_app(replace(sitting, sockets=box.sockets, notices=box.notices) if box else sitting))


def _pins(text: str) -> tuple[int, ...]:
    pins = tuple(text.split(",")) if text else ()
    if len(pins) not in (0, 1, 3) or not all(pin.isdigit() and int(pin) < PINS for pin in pins):
        raise click.BadParameter(f"{text}: one pin, or three for red, green and blue")
    return tuple(map(int, pins))


def _page(text: str) -> PageAddress | None:
    try:
        return parse_page_address(text)
    except BadAddress:
        raise click.BadParameter(words(say("page_where", value=text))) from None


def _home(text: str | None) -> Broker | None:
    if text is None:
        return None
    if find_spec("paho") is None:
        raise click.UsageError(words(say("mqtt_missing")))
    try:
        return parse_broker(text)
    except BadAddress:
        raise click.BadParameter(words(say("mqtt_where", value=text))) from None


def _real(name: str, clock: ScaledClock, box: RunSettings | None = None) -> TableSource | None:
    """None: the simulated table, also where there is no camera, nobody has asked for a certain one, and this is no box.

    A camera that may still be plugged in is waited for; a recording that is not there is not,
    unless the settings name it: no setting keeps a box from starting.
    """
    optics = box.optics if box else Optics()
    if name == SIM:
        return None
    if name == SAFE:
        return SafeTable()
    try:
        return RealTable(name, open_camera(name, clock=clock, mains_hz=optics.mains_hz), optics)
    except NoCamera as none:
        unknown = none.text.id == "camera_unknown"
        said = words(say("camera_unknown", value=name, known=f"{CAMERA_NAMES} {SIM}") if unknown else none.text)
        if name == "auto" and box is None:
            click.echo(f"{said}. Until then: a simulated table.")
            return None
        if unknown or (name.startswith(RECORDED) and box is None):
            raise click.ClickException(said) from none
    return RealTable(name, optics=optics)


def _simulated(game: str, options: tuple[str, ...], seed: int | None, acts: int | None) -> TableSource:
    try:
        log: Log[Any, Any] = Log(GAMES[game], parse_options(options))
    except (BadOption, Illegal) as bad:
        raise click.ClickException(words(bad.text, "en", NAMES)) from bad
    return SimulatedTable(log, random.randrange(10_000) if seed is None else seed, acts=acts)
