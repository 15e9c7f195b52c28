"""``oxeye doctor``: check each part of the box; one line says that it works or what helps."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import click

from firmware.cli import doctor_checks
from firmware.cli.doctor_bundle import write_bundle
from firmware.cli.doctor_checks import Finding, Installation
from firmware.cli.lgpio_workaround import AbsolutePath
from firmware.journal.sqlite_file import newest_entry_time
from firmware.machine.config import Config
from firmware.machine.config_file import config_path, may_exist, read_config
from firmware.machine.machine_facts import Machine, free_mb, installed_versions, may_write
from firmware.machine.state_folder import JOURNAL_FILE, chosen_folder
from firmware.texts.render import render
from hw.camera import Camera, CameraGone, NoCamera, open_camera
from hw.frame import Frame
from hw.panel.panel import NoDisplay
from vision.calibration.camera_check import check_camera

CAMERA_SETTLING_S = 2.0
"""Seconds for the automatic exposure of a camera; the newest frame after that is checked."""
CAMERA_TIMEOUT_S = 8.0
"""Seconds to wait for the first frame."""
PANEL_ADDRESSES = (0x3C, 0x3D)


def find_installation(path: Path | None, state: Path | None, machine: Machine) -> Installation:
    file = config_path(path)
    there = may_exist(file)
    found = read_config(file) if path or there else None
    config = found.config if found else Config()
    folder = state or chosen_folder(config)
    return Installation(machine, file, there, config, found.problems if found else (), folder)


@click.group(invoke_without_command=True, help="Check the whole box. Exit code 1 means that something needs fixing.")
@click.option("--config", type=AbsolutePath(), help="another settings file")
@click.option("--state", type=AbsolutePath(file_okay=False), help="the folder that holds the journal")
@click.option("--bundle", type=AbsolutePath(dir_okay=False), help="write a zip for a bug report, without names")
@click.pass_context
def command(ctx: click.Context, config: Path | None, state: Path | None, bundle: Path | None) -> None:
    box = ctx.obj = find_installation(config, state, Machine())
    if ctx.invoked_subcommand is not None:
        return
    told: list[Finding] = []
    for line in run_checks(box):
        click.echo(str(line))
        told.append(line)
    if bundle is not None:
        try:
            write_bundle(bundle, box, told)
        except OSError as why:
            raise click.ClickException(f"{bundle} cannot be written ({why.strerror}): name a file in /tmp") from why
        click.echo(f"{bundle} holds no picture and no name. Read it before you send it.")
    raise SystemExit(any(line.well is False for line in told))


@command.command(name="panel", help="Test every dot of the screen and each button.")
@click.pass_obj
def command_panel(box: Installation) -> None:
    from firmware.cli.doctor_panel import try_panel

    raise SystemExit(not try_panel(box.config, box=box.there))


def run_checks(box: Installation, clock: float | None = None) -> Iterator[Finding]:
    """Run all checks, the quick ones first: the camera takes seconds."""
    now = time.time() if clock is None else clock
    machine, config = box.machine, box.config
    yield Finding("oxeye", True, ", ".join(f"{name} {number}" for name, number in installed_versions().items()))
    yield Finding("machine", True, f"{machine.model() or 'not a Raspberry Pi'}, {machine.system()}")
    yield from doctor_checks.check_settings_file(box.problems, box.path, there=box.there)
    yield doctor_checks.check_state_folder(box.folder, writable=may_write(box.folder))
    yield doctor_checks.check_disk(free_mb(box.folder), box.folder)
    try:
        last: float | Exception | None = newest_entry_time(box.folder / JOURNAL_FILE)
    except (sqlite3.Error, OSError) as why:
        last = why
    yield doctor_checks.check_journal(box.folder / JOURNAL_FILE, last)
    yield doctor_checks.check_clock(now, machine.set_by_network(), last if isinstance(last, float) else None)
    bits = machine.throttled()
    yield doctor_checks.check_power(bits)
    yield doctor_checks.check_temperature(machine.celsius(), bits)
    yield from _wires(box)
    yield from _lenses(box)
    yield from _seen(config)


def _wires(box: Installation) -> Iterator[Finding]:
    machine, panel, buttons = box.machine, box.config.panel, box.config.buttons
    if panel.chip in ("ssd1306", "sh1106"):
        bus = doctor_checks.check_devices(
            "I2C bus",
            machine.devices(f"i2c-{panel.port}"),
            "i2c",
            f"there is no /dev/i2c-{panel.port}: switch I2C on with sudo raspi-config nonint do_i2c 0",
        )
        yield bus
        if bus.well:
            yield doctor_checks.check_screen(
                panel.chip, panel.address, probe_panel_addresses(panel.port, panel.address)
            )
        else:
            yield Finding("screen", None, "first the I2C bus")
    else:
        if panel.chip == "ssd1322":
            yield doctor_checks.check_devices(
                "SPI bus",
                machine.devices("spidev0.0"),
                "spi",
                "there is no /dev/spidev0.0: switch SPI on with sudo raspi-config nonint do_spi 0",
            )
        yield doctor_checks.check_screen(panel.chip, panel.address, {})
    if buttons.kind == "pins":
        chips = machine.devices("gpiochip*")
        yield doctor_checks.check_devices(
            "pins", chips, "gpio", "there is no /dev/gpiochip0: buttons need the pins of a Raspberry Pi"
        )
    else:
        yield Finding("pins", None, f"buttons are {buttons.kind}, as in the settings")


def _lenses(box: Installation) -> Iterator[Finding]:
    """Check access to the camera devices: to its library a camera without access looks like no camera."""
    machine, kind = box.machine, box.config.camera.name.partition(":")[0]
    ribbon = kind == "picamera" or (kind == "auto" and machine.model() != "")
    for pattern in ("video*", *(("media*", "dma_heap/*") if ribbon else ())):
        if kind in ("auto", "picamera", "usb"):
            yield from doctor_checks.check_access("camera", machine.devices(pattern), "video")


def probe_panel_addresses(port: int, address: int) -> dict[int, bool] | str:
    """Which I2C addresses of screens answer; a sentence if the bus itself does not open."""
    from hw.panel.oled_ssd1306 import open_wire

    found: dict[int, bool] = {}
    for place in dict.fromkeys((address, *PANEL_ADDRESSES)):
        try:
            open_wire(port, place).cleanup()
        except NoDisplay as why:
            if why.text.id == "panel_no_i2c":
                return render(why.text)
            found[place] = False
        else:
            found[place] = True
    return found


def _seen(config: Config) -> Iterator[Finding]:
    try:
        with open_camera(config.camera.name, mains_hz=config.camera.mains_hz) as camera:
            frame = read_settled_frame(camera)
    except (NoCamera, CameraGone) as why:
        yield doctor_checks.check_camera_frame(None, render(why.text))
        yield from (Finding(name, None, "first the camera") for name in ("light", "markers", "focus"))
        return
    if frame is None:
        yield doctor_checks.check_camera_frame(None, "it opens but gives no picture: check its ribbon at both ends")
        return
    yield doctor_checks.check_camera_frame((frame.grey.shape[0], frame.grey.shape[1]), "")
    paper = config.paper
    yield from doctor_checks.check_picture(
        check_camera(frame.grey, frame.small, sticker_mm=paper.sticker_mm, marker_mm=paper.marker_mm)
    )


def read_settled_frame(camera: Camera) -> Frame | None:
    """A frame after the exposure has settled, or the last frame of a recording; None without any frame."""
    newest, began = None, time.monotonic()
    while not camera.over and time.monotonic() - began < (CAMERA_TIMEOUT_S if newest is None else CAMERA_SETTLING_S):
        newest = camera.read(1.0) or newest
    return newest
