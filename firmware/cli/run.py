"""``oxeye run``: play at a table, real or simulated, from the camera to the score pad."""

import os
import random
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from engine.errors import InputError
from engine.games import GAMES
from engine.text import Text, say
from firmware.app.app import RESTART, AppOptions, run_app
from firmware.app.run_settings import RunSettings, default_settings, load_run_settings
from firmware.app.table_sources import RealTable, SafeTable, TableSource
from firmware.cli.game_options import DEFAULT_GAME, SEEDS, parse_game
from firmware.cli.lgpio_workaround import AbsolutePath, absolute_camera
from firmware.machine.browser import find_opener
from firmware.machine.chosen_language import load_language
from firmware.machine.config import Optics
from firmware.machine.network_addresses import (
    BadAddress,
    Broker,
    PageAddress,
    parse_broker,
    parse_page_address,
)
from firmware.machine.regular_file import read_regular
from firmware.machine.state_folder import set_state_aside, simulated_folder, state_folder
from firmware.runtime.clock import ScaledClock
from firmware.runtime.light_buzzer_voice import IndicatorOptions
from firmware.runtime.opened_panel import OpenedPanel
from firmware.texts.languages import available_languages
from firmware.texts.render import render
from firmware.web.server import open_listening_socket
from hw.camera import CAMERA_NAMES, NoCamera, open_camera
from hw.panel.panel import PANEL_NAMES

SIMULATED_CAMERA = "sim"
SAFE_CAMERA = "safe"
RECORDED_PREFIXES = ("files:", "video:")
BUTTON_KINDS = ("keys", "pins", "none")
PINS_COUNT = 28
MQTT_CREDENTIAL = "mqtt-password"
"""Name of the credential that the service may load with the password for the broker."""
LONGEST_PASSWORD_BYTES = 1024


SCENARIO_NAMES = ("wrong-row", "low-card", "seven-specials", "cannot-play", "split", "lamp", "power-cut")
"""The names of ``firmware.simulation.scenarios``, which a box under a camera does not load."""

TABLE_OPTIONS = (
    click.option("--config", type=AbsolutePath(), help="a settings file for everything that no option sets"),
    click.option(
        "--camera",
        default="auto",
        show_default=True,
        metavar="NAME",
        callback=lambda ctx, param, value: absolute_camera(value),
        help=f"one of {CAMERA_NAMES} {SIMULATED_CAMERA}",
    ),
    click.option(
        "--game",
        type=click.Choice(sorted(GAMES)),
        default=DEFAULT_GAME,
        show_default=True,
        help="the game of the simulation",
    ),
    click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="for example players=6"),
    click.option("--panel", default="terminal", show_default=True, metavar="NAME", help=f"one of {PANEL_NAMES}"),
    click.option(
        "--buttons",
        type=click.Choice(BUTTON_KINDS),
        default=None,
        help="default: the keys of a terminal, else none",
    ),
    click.option(
        "--language",
        type=click.Choice(available_languages()),
        default="en",
        show_default=True,
        help="the language of the panel",
    ),
    click.option("--big", is_flag=True, help="larger letters on the panel"),
    click.option(
        "--light",
        default="",
        metavar="PINS",
        callback=lambda *given: _pins(given[2]),
        help="GPIO of a light: 17, or red, green and blue: 17,27,22",
    ),
    click.option(
        "--buzzer",
        type=click.IntRange(0, 27),
        default=None,
        metavar="PIN",
        help="GPIO of a buzzer for turns and mistakes",
    ),
    click.option("--voice", is_flag=True, help="speak prompts aloud, if espeak-ng is installed"),
    click.option("--state", type=AbsolutePath(file_okay=False), help="the folder that holds the journal"),
    click.option(
        "--page",
        default="8480",
        show_default="this computer alone",
        metavar="WHERE",
        callback=lambda ctx, param, value: _page(value),
        help="address of the page for phones: lan for the whole network, [HOST:]PORT, or none",
    ),
    click.option(
        "--mqtt",
        default=None,
        metavar="BROKER",
        envvar="OXEYE_MQTT",
        show_envvar=True,
        callback=lambda ctx, param, value: _broker(ctx, value),
        help="MQTT broker that gets the state as well, with the page: [mqtts://][USER@]HOST[:PORT]",
    ),
    click.option("--mqtt-password", type=AbsolutePath(dir_okay=False), help="a file with the password for the broker"),
    click.option("--mqtt-ca", type=AbsolutePath(dir_okay=False), help="the certificate that signs that of the broker"),
    click.option(
        "--speed",
        type=click.FloatRange(0.1, 1000),
        default=1.0,
        show_default=True,
        help="of simulated time",
    ),
    click.option("--seed", type=int, default=None, help="the same number gives the same simulated match"),
    click.option(
        "--mistakes",
        type=click.Choice(("none", "some", "many")),
        default="some",
        show_default=True,
        help="how often simulated players lay a card wrongly",
    ),
    click.option(
        "--acts", type=click.IntRange(1), default=None, help="stop the simulation after this many actions of hands"
    ),
)


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the commands that play at a table."""
    for option in reversed(TABLE_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line and the settings say about one run, by the names of the options.

    ``settings`` is None on a computer without a settings file; ``opened_panel`` shows the splash screen already.
    """

    camera: str
    game: str
    options: tuple[str, ...]
    panel: str
    buttons: str | None
    state: Path | None
    page: PageAddress | None
    speed: float
    seed: int | None
    acts: int | None
    language: str
    big: bool
    light: tuple[int, ...]
    buzzer: int | None
    voice: bool
    mqtt: Broker | None
    mqtt_password: Path | None = None
    mqtt_ca: Path | None = None
    mistakes: Literal["none", "some", "many"] = "some"
    record: Path | None = None
    fresh: bool = False
    no_browser: bool = False
    scenario: str | None = None
    table_page: str = "here"
    settings: RunSettings | None = None
    opened_panel: OpenedPanel | None = None


@click.command(
    help="Play at a table: the real one under a camera, or a simulated one where players place cards, sometimes "
    "wrongly, and the referee notices. Without a camera it is the simulated one."
)
@table_options
@click.option("--fresh", is_flag=True, help="start from nothing at the simulated table; the old games are kept beside")
@click.option("--no-browser", is_flag=True, help="do not open the page in the browser of this computer")
@click.option(
    "--scenario",
    type=click.Choice(SCENARIO_NAMES),
    default=None,
    help="a moment to learn from, set up at the simulated table",
)
@click.option(
    "--table-page",
    type=click.Choice(("here", "lan")),
    default="here",
    show_default=True,
    help="who may play at the simulated table in a browser: this computer, or the whole network",
)
@click.option("--safe", is_flag=True, help="start without camera and settings, as a box does after it failed to start")
def command(config: Path | None, safe: bool, **kwargs: Any) -> None:
    options = merge_settings(config, kwargs, safe=safe)
    run_table(replace(options, opened_panel=click.get_current_context().obj))


def merge_settings(config: Path | None, kwargs: Mapping[str, Any], *, safe: bool = False) -> RunOptions:
    """The options of the command line; those that were not given come from the settings of this box."""
    settings = default_settings() if safe else load_run_settings(config)
    if settings is None:
        return RunOptions(**kwargs)
    for complaint in settings.complaints:
        click.echo(f"settings: {complaint}", err=True)
    source = click.get_current_context().get_parameter_source
    defaults = {
        name: value for name, value in settings.options.items() if source(name) in (None, ParameterSource.DEFAULT)
    }
    options = RunOptions(**{**kwargs, **defaults, "settings": settings})
    return replace(options, camera=SAFE_CAMERA) if safe else options


def run_table(options: RunOptions) -> None:
    """Run the app until its end, and exit with its code."""
    if options.panel not in PANEL_NAMES.split():
        raise InputError(say("panel_unknown", value=options.panel, known=PANEL_NAMES))
    settings = options.settings
    real = _open_table(options.camera, clock := ScaledClock(), settings)
    if real is None or options.camera.startswith(RECORDED_PREFIXES):
        clock = ScaledClock(options.speed)
    folder, told = _open_folder(options, simulated=real is None)
    named = click.get_current_context().get_parameter_source("language") is ParameterSource.COMMANDLINE
    language = options.language if named else load_language(folder) or options.language
    broker = complete_broker(options.mqtt, options.mqtt_password, options.mqtt_ca)
    app = AppOptions(
        table=real or _simulate_table(options),
        folder=folder,
        panel=options.panel,
        buttons=options.buttons or ("keys" if sys.stdin.isatty() else "none"),
        clock=clock,
        page=options.page and replace(options.page, mqtt=broker),
        record=options.record,
        indicators=IndicatorOptions(options.light, options.buzzer, options.voice, language),
        big=options.big,
        opened_panel=options.opened_panel,
        browser=None if real or options.no_browser or not sys.stdout.isatty() else find_opener(),
        told=told,
    )
    app = replace(app, sockets=settings.sockets, notices=settings.notices) if settings else app
    sys.exit(run_app(app) if real else run_simulated(replace(app, page=app.page and fix_port(app.page))))


def run_simulated(app: AppOptions) -> int:
    """Run the app at a simulated table, and start it again as systemd does for a box; the table stays as it is."""
    while (code := run_app(app)) == RESTART:
        app = replace(app, browser=None, told=(), opened_panel=None)
    return code


def fix_port(page: PageAddress) -> PageAddress:
    """An address at which the page is found again after a restart of the app: any free port if this one is taken."""
    for port in (page.port, 0):
        with suppress(OSError), open_listening_socket(page.host, port) as free:
            return replace(page, port=int(free.getsockname()[1]))
        if page.exact:
            break
    return page


def _open_folder(options: RunOptions, *, simulated: bool) -> tuple[Path, tuple[Text, ...]]:
    """The state folder, and what to say of it; ``--fresh`` sets an old one aside."""
    folder = options.state or (simulated_folder() if simulated else state_folder())
    if options.fresh and not (simulated or options.state):
        raise InputError(say("fresh_real_table"))
    aside = set_state_aside(folder, time.time()) if options.fresh else None
    kept = say("state_kept", value=str(folder))
    return folder, (kept, say("state_aside", value=str(aside))) if aside else (kept,)


def _pins(text: str) -> tuple[int, ...]:
    pins = tuple(text.split(",")) if text else ()
    if len(pins) not in (0, 1, 3) or not all(pin.isdigit() and int(pin) < PINS_COUNT for pin in pins):
        raise click.BadParameter(f"{text}: one pin, or three for red, green and blue")
    return tuple(map(int, pins))


def _page(text: str) -> PageAddress | None:
    try:
        return parse_page_address(text)
    except BadAddress:
        raise click.BadParameter(render(say("page_where", value=text))) from None


def _broker(ctx: click.Context, text: str | None) -> Broker | None:
    if text is None:
        return None
    if find_spec("paho") is None:
        raise click.UsageError(render(say("mqtt_missing")))
    try:
        broker = parse_broker(text)
    except BadAddress:
        raise click.BadParameter(render(say("mqtt_where", value=text))) from None
    if broker.password and ctx.get_parameter_source("mqtt") is ParameterSource.COMMANDLINE:
        raise click.BadParameter(render(say("mqtt_password_file")))
    if broker.password:  # of the environment, as version 0.1.0 wanted it
        click.echo(render(say("mqtt_password_file")), err=True)
    return broker


def complete_broker(broker: Broker | None, password_file: Path | None, authority: Path | None) -> Broker | None:
    """The broker with its password: of the file, or of the credential that systemd gives."""
    if broker is None:
        return None
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    if password_file is None and credentials and (given := Path(credentials) / MQTT_CREDENTIAL).is_file():
        password_file = given
    password = broker.password
    if password_file is not None:
        try:
            password = read_regular(password_file, LONGEST_PASSWORD_BYTES).decode().strip("\r\n")
        except (OSError, UnicodeDecodeError):
            raise InputError(say("mqtt_password_unreadable", value=str(password_file))) from None
    return replace(broker, password=password, authority=authority)


def _open_table(name: str, clock: ScaledClock, settings: RunSettings | None) -> TableSource | None:
    """The table before a camera; None means the simulated table.

    That is the case on demand, and on a computer without settings that has no camera. A camera that may still be
    plugged in is waited for. A recording that is missing is an error, unless the settings name it: no setting keeps
    a box from starting.
    """
    optics = settings.optics if settings else Optics()
    if name == SIMULATED_CAMERA:
        return None
    if name == SAFE_CAMERA:
        return SafeTable()
    try:
        return RealTable(name, open_camera(name, clock=clock, mains_hz=optics.mains_hz), optics)
    except NoCamera as none:
        unknown = none.text.id == "camera_unknown"
        text = say("camera_unknown", value=name, known=f"{CAMERA_NAMES} {SIMULATED_CAMERA}") if unknown else none.text
        if name == "auto" and settings is None:
            click.echo(f"{render(text)}. Until then: a simulated table.")
            return None
        if unknown or (name.startswith(RECORDED_PREFIXES) and settings is None):
            raise NoCamera(text) from none
    return RealTable(name, optics=optics)


def _simulate_table(options: RunOptions) -> TableSource:
    # not for a table under a camera: the simulation with its renderer takes 5 MB of the service's memory
    from firmware.app.simulated_table import SimulatedTable
    from firmware.simulation.scenarios import BY_NAME

    scenario = BY_NAME[options.scenario] if options.scenario else None
    log = parse_game(scenario.game if scenario else options.game, options.options)
    seed = random.randrange(SEEDS) if options.seed is None else options.seed
    return SimulatedTable(
        log,
        seed,
        acts=options.acts,
        mistakes=options.mistakes,
        scenario=scenario,
        page_everywhere=options.table_page == "lan",
        awaits_person=options.page is not None,
    )
