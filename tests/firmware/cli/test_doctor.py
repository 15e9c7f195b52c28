"""``oxeye doctor``: findings on a machine made of files, and a bundle without personal data."""

import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from engine.games import GAMES
from engine.log import Log
from engine.table import Area
from engine.view import View
from firmware.cli import doctor_bundle as bundle
from firmware.cli import doctor_checks as checks
from firmware.cli import doctor_panel, main
from firmware.cli.doctor import find_installation, probe_panel_addresses, run_checks
from firmware.cli.doctor_checks import Finding
from firmware.cli.doctor_panel import draw_patterns, try_buttons, try_dots
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import Started, WriteEntries
from firmware.journal.sqlite_file import newest_entry_time
from firmware.machine.config_file import CONFIG_VARIABLE
from firmware.machine.machine_facts import DeviceNode, Machine
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.texts.render import render as words
from hw.button_presses import Button
from hw.fakes.ssd1306 import FakeSsd1306
from hw.panel.oled_ssd1306 import OledPanel, open_wire
from hw.panel.panel import NoDisplay
from vision.calibration.camera_check import CameraCheck
from vision.calibration.table_calibration import FOCAL_PER_WIDTH
from vision.live.picture_notes import Note
from vision.render import DrawnMarker, RenderCamera, Scene, Sensor, render_scene

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

WIDE, HIGH, OUT = 300.0, 200.0, 20.0
SPOTS = ((-OUT, -OUT), (WIDE + OUT, -OUT), (WIDE + OUT, HIGH + OUT), (-OUT, HIGH + OUT))
NOW = 1_800_000_000.0
PEOPLE = {1: "Annegret", 2: "Bartholomew"}

GPIO_CLOSED, GPIO_OPEN = (DeviceNode(Path("/dev/gpiochip0"), usable) for usable in (False, True))
SPI_CLOSED = DeviceNode(Path("/dev/spidev0.0"), False)


def machine(root, **says):
    """A Pi 4 made of files; ``says`` maps the name of a command to its output."""
    for path, text in {
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
        "proc/meminfo": "MemTotal:         474212 kB\nMemFree: 12 kB\n",
        "dev/gpiochip0": "",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return Machine(root, lambda command: says.get(command[0]))


# -- facts of the machine


def test_facts_of_a_machine_come_from_its_files_and_commands(tmp_path):
    pi = machine(tmp_path, vcgencmd="throttled=0x50005", timedatectl="yes")
    assert pi.model() == "Raspberry Pi 4 Model B Rev 1.4"
    assert pi.system().startswith("Debian GNU/Linux 12 (bookworm) ")
    assert (pi.celsius(), pi.throttled(), pi.set_by_network(), pi.memory_mb()) == (48.312, 0x50005, True, 463)
    assert pi.devices("gpiochip*", "i2c-1") == (DeviceNode(tmp_path / "dev/gpiochip0", True),)


def test_missing_files_and_commands_give_no_facts(tmp_path):
    bare = Machine(tmp_path, lambda command: None)
    assert (bare.model(), bare.celsius(), bare.throttled(), bare.set_by_network(), bare.memory_mb()) == (
        "", None, None, None, None)  # fmt: skip
    assert bare.devices("gpiochip*") == ()


@pytest.mark.parametrize("said", ["", 'error=1 error_msg="Command not registered"', "throttled=", "warm"])
def test_unreadable_output_of_a_command_is_ignored(tmp_path, said):
    assert Machine(tmp_path, lambda command: said).throttled() is None


def test_without_vcgencmd_the_throttle_flags_come_from_sysfs(tmp_path):
    pi = machine(tmp_path)
    path = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    path.write_text("50000\n", encoding="utf-8")
    assert pi.throttled() == 0x50000


# -- findings


@pytest.mark.parametrize(
    ("line", "well", "says"),
    [
        (checks.check_power(None), None, "not a Raspberry Pi"),
        (checks.check_power(0), True, "strong enough"),
        (checks.check_power(0x50005), False, "now"),
        (checks.check_power(0x50000), False, "since the start"),
        (checks.check_power(0x80000), True, "strong enough"),
        (checks.check_temperature(None, None), None, "not measured"),
        (checks.check_temperature(48.3, 0), True, "48 °C"),
        (checks.check_temperature(74.0, 0), True, "rather warm"),
        (checks.check_temperature(85.0, 0), False, "air"),
        (checks.check_temperature(60.0, 0b1000), False, "air"),
        (checks.check_disk(9000, Path("/x")), True, "9000 MB"),
        (checks.check_disk(200, Path("/x")), True, "recordings"),
        (checks.check_disk(20, Path("/x")), False, "delete"),
        (checks.check_clock(NOW, True, NOW - 5), True, "by the network"),
        (checks.check_clock(NOW, False, None), None, "wrong date"),
        (checks.check_clock(NOW, None, NOW + 60), None, "unknown whether"),
        (checks.check_clock(NOW, True, NOW + 86400), False, "ahead"),
        (checks.check_journal(Path("/x"), None), True, "no game yet"),
        (checks.check_journal(Path("/x"), 0.0), True, "1970"),
        (checks.check_journal(Path("/x"), sqlite3.OperationalError("disk I/O error")), False, "SD card"),
        (checks.check_state_folder(Path("/x"), writable=False), False, "sudo -u oxeye"),
        (checks.check_screen("ssd1306", 0x3C, {0x3C: True, 0x3D: False}), True, "0x3C"),
        (checks.check_screen("ssd1306", 0x3C, {0x3C: False, 0x3D: True}), False, "oxeye config set panel.address 0x3D"),
        (checks.check_screen("ssd1306", 0x3C, {0x3C: False, 0x3D: False}), False, "wires"),
        (checks.check_screen("sh1106", 0x3C, "the bus is shut"), False, "the bus is shut"),
        (checks.check_screen("ssd1322", 0x3C, {}), None, "doctor panel"),
        (checks.check_screen("none", 0x3C, {}), None, "settings"),
        (checks.check_devices("pins", (), "gpio", "none there"), False, "none there"),
        (checks.check_devices("pins", (GPIO_CLOSED,), "gpio", ""), False, "usermod -aG gpio"),
        (checks.check_devices("pins", (GPIO_OPEN,), "gpio", ""), True, "gpiochip0"),
        (checks.check_devices("SPI bus", (SPI_CLOSED,), "spi", ""), False, "usermod -aG spi"),
        (checks.check_journal(Path("/x"), PermissionError()), False, "sudo -u oxeye"),
        (checks.check_camera_frame((2464, 3280), ""), True, "3280 x 2464"),
        (checks.check_camera_frame(None, "no camera"), False, "no camera"),
    ],
    ids=lambda given: given.says[:40] if isinstance(given, Finding) else "",
)  # fmt: skip
def test_each_finding_is_good_or_names_a_remedy(line, well, says):
    assert line.well is well
    assert says in line.says
    assert "\n" not in str(line)


@pytest.mark.parametrize(
    ("usable", "told"),
    [
        ((False,), ["no right to /dev/dma_heap/system: sudo usermod -aG video $USER, then log in again"]),
        ((False, True), []),
        ((), []),
    ],
    ids=["none usable", "one usable", "no nodes"],
)
def test_one_usable_device_node_is_enough(usable, told):
    found = tuple(DeviceNode(Path("/pi/dev/dma_heap/system"), each) for each in usable)
    assert [line.says for line in checks.check_access("camera", found, "video")] == told


GOOD = CameraCheck((), 0.95, 2.4, (700, 460), nearer_cm=0, larger_mm=0)


@pytest.mark.parametrize(
    ("found", "wells", "says"),
    [
        (GOOD, (True, True, True), "2.4 pixels"),
        (CameraCheck(("TL", "TR", "BR", "BL"), 0.0, notes=(Note("dark", ""),)), (False, None, None), "dark"),
        (CameraCheck(("BL",), 0.9, 2.4, (700, 460)), (True, False, None), "bottom left"),
        (CameraCheck((), 0.9, twice=("TR",)), (True, False, None), "top right"),
        (CameraCheck((), 0.9, swapped=("TL", "TR")), (True, False, None), "Swap markers"),
        (CameraCheck((), 0.9, askew=True), (True, False, None), "own corner"),
        (CameraCheck((), 0.95, 1.2, (700, 460), nearer_cm=20), (True, False, True), "20 cm"),
        (CameraCheck((), 0.05, 2.4, (700, 460), nearer_cm=0), (True, True, False), "lens"),
        (CameraCheck((), 0.95, 2.4, (700, 460), nearer_cm=0, tags=("44",)), (True, True, True), "2.4 pixels"),
    ],
    ids="good dark one-hidden twice swapped askew far blurred a-card-on-the-table".split(),
)
def test_a_picture_gives_findings_on_light_markers_and_focus(found, wells, says):
    lines = checks.check_picture(found)
    assert [line.name for line in lines] == ["light", "markers", "focus"]
    assert tuple(line.well for line in lines) == wells
    assert says in " ".join(line.says for line in lines)


# -- the whole command


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """A folder with one picture of a table and its four markers."""
    folder = tmp_path_factory.mktemp("films")
    seen = Area(-50, -50, WIDE + 50, HIGH + 50)
    camera = RenderCamera.over(seen, 2.4 * 25 / 18, distance=FOCAL_PER_WIDTH * (seen.right - seen.left))
    markers = tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(SPOTS))
    cv2.imwrite(str(folder / "one.png"), render_scene(Scene(camera, "wood", 2, markers=markers, sensor=Sensor())))
    return folder


@pytest.fixture
def evening(tmp_path):
    """A state folder whose path and journal contain names of people."""
    state = tmp_path / "Annegret"
    with closing(open_journal(state / JOURNAL_FILE)) as journal:
        log = Log(GAMES["thegame"], {"players": "2"})
        game = journal.begin(Started("thegame", log.options, PEOPLE), NOW)
        log = log.add(log.parse("play 5 up:1"))
        journal.apply(WriteEntries(tuple(map(str, log.entries)), "button"), game, NOW)
    return state


def test_a_healthy_box_has_no_bad_finding(tmp_path, films, evening):
    path = tmp_path / "config.toml"
    path.write_text(f"[camera]\nname = 'files:{films}'\n[panel]\nchip = 'none'\n", encoding="utf-8")
    pi = machine(tmp_path / "pi", vcgencmd="throttled=0x0", timedatectl="yes")
    lines = [*run_checks(find_installation(path, evening, pi), NOW + 60)]
    assert [str(line) for line in lines if line.well is False] == []
    assert [line.name for line in lines if line.well] == (
        "oxeye machine settings folder disk journal clock power temperature pins camera light markers focus".split()
    )


@pytest.mark.parametrize(
    ("camera", "chip", "told"),
    [
        ("auto", "none", ["video0", "media0", "dma_heap/system"]),
        ("picamera", "none", ["video0", "media0", "dma_heap/system"]),
        ("usb:0", "none", ["video0"]),
        ("files:/nowhere", "none", []),
        ("files:/nowhere", "ssd1322", ["spidev0.0"]),
    ],
    ids=["any camera", "ribbon camera", "webcam", "recording", "wide panel"],
)
def test_access_to_the_devices_in_the_settings_is_checked(tmp_path, monkeypatch, camera, chip, told):
    """On a machine whose device nodes are all unusable."""
    path = tmp_path / "config.toml"
    path.write_text(f"[camera]\nname = '{camera}'\n[panel]\nchip = '{chip}'\n[buttons]\nkind = 'none'\n")
    pi = machine(tmp_path / "pi")
    for name in ("video0", "media0", "dma_heap/system", "spidev0.0"):
        (pi.root / "dev" / name).parent.mkdir(parents=True, exist_ok=True)
        (pi.root / "dev" / name).touch()
    monkeypatch.setattr(os, "access", lambda found, mode: not Path(found).is_relative_to(pi.root / "dev"))
    monkeypatch.setattr("firmware.cli.doctor._seen", lambda config: iter(()))
    lines = [line.says for line in run_checks(find_installation(path, tmp_path, pi), NOW)]
    assert [line.split(":")[0] for line in lines if line.startswith("no right")] == [
        f"no right to /dev/{name}" for name in told
    ]


def test_a_bad_finding_gives_exit_code_1(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("zebra = 1\n[camera]\nname = 'files:/nowhere'\n", encoding="utf-8")
    out = CliRunner().invoke(main, ["doctor", "--config", str(path), "--state", str(tmp_path)])
    assert out.exit_code == 1
    assert "✗ settings     zebra (line 1): there is no such key" in out.output
    assert "✗ camera       There is no folder nowhere" in out.output


def test_a_damaged_journal_is_reported_and_not_changed(evening):
    path = evening / JOURNAL_FILE
    damaged = path.read_bytes()[:512] + b"\xff" * 4096
    path.write_bytes(damaged)
    with pytest.raises(sqlite3.DatabaseError):
        newest_entry_time(path)
    assert path.read_bytes() == damaged
    beside = {f"{JOURNAL_FILE}.lock", f"{JOURNAL_FILE}.head"}
    assert [file.name for file in evening.iterdir() if file.name not in beside] == [JOURNAL_FILE]


def test_reading_the_journal_leaves_no_files(evening):
    before = sorted(evening.iterdir())
    assert newest_entry_time(evening / JOURNAL_FILE) == NOW
    assert "play 5 up:1" in bundle.write_last_game(evening / JOURNAL_FILE)
    assert sorted(evening.iterdir()) == before


def test_a_missing_bus_is_reported():
    assert "99" in probe_panel_addresses(99, 0x3C)


# -- the bundle


def test_a_bundle_contains_no_names_and_no_pictures(tmp_path, films, evening):
    path = tmp_path / "config.toml"
    path.write_text(
        f"state = '{evening}'\nBartholomew = 1\nrecord = '/home/Annegret/films'\n"
        f"[camera]\nname = 'files:{films}/Bartholomew'\n[panel]\nchip = 'none'\nport = 'Annegret'\n",
        encoding="utf-8",
    )
    log = (
        "  Annegret: take 3\n! Bartholomew lays 44\nTraceback (most recent call last):\n"
        '  File "/home/Annegret/oxeye/firmware/runtime/main_loop.py", line 7, in turn\n    Bartholomew()\n'
        "ValueError: Bartholomew\nfirmware.runtime.worker_threads.LoopFailed: camera Annegret\n"
        "Error Annegret\nMr.Bartholomew: take 3\n"
    )
    pi = machine(tmp_path / "pi", journalctl=log, systemctl="Description=Annegret\nNRestarts=3\nUser=Bartholomew\n")
    box = find_installation(path, None, pi)
    bundle.write_bundle(tmp_path / "bundle.zip", box, [*run_checks(box, NOW)])
    with zipfile.ZipFile(tmp_path / "bundle.zip") as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    assert {Path(name).suffix for name in files} == {".txt"}
    everything = b"\n".join(files.values()).decode("ascii", "replace")
    assert [name for name in PEOPLE.values() if name in everything] == []
    assert "PNG" not in everything
    assert "play 5 up:1" in files["last-game.txt"].decode()
    assert files["errors.txt"].decode().splitlines() == [
        "  firmware/runtime/main_loop.py line 7, in turn",
        "ValueError",
        "firmware.runtime.worker_threads.LoopFailed",
    ]
    assert "panel.chip = none" in files["settings.txt"].decode()
    assert "wrong: panel.port\nother problems: 1" in files["settings.txt"].decode()
    assert "NRestarts=3" in files["machine.txt"].decode()
    assert "camera" in files["doctor.txt"].decode()


def test_an_unreadable_log_differs_from_a_log_without_errors():
    assert "sudo oxeye doctor --bundle" in bundle.extract_errors(None)
    assert bundle.extract_errors("all is well\n") == "none in the log of the service\n"


@pytest.mark.parametrize("what", ["none", "empty", "damaged"])
def test_a_bundle_is_written_without_a_readable_game(tmp_path, what):
    path = tmp_path / JOURNAL_FILE
    if what == "empty":
        open_journal(path).close()
    elif what == "damaged":
        path.write_text("dear diary", encoding="utf-8")
    assert bundle.write_last_game(path).startswith("the journal cannot be read" if what == "damaged" else "no game yet")


# -- the screen and the buttons


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_every_pixel_of_the_panel_is_tested(chip):
    bus, seen = FakeSsd1306(chip), []
    panel = OledPanel(chip, bus=bus)
    told = []
    assert try_dots(panel, (128, 64), told.append, lambda seconds: seen.append(bus.image().tobytes()))
    wanted = [(name, image.tobytes()) for name, image in draw_patterns((128, 64))]
    assert [*zip(told, seen, strict=True)] == wanted
    assert len({*seen}) == len(seen)


def test_a_panel_that_stops_answering_is_reported(capsys):
    bus = FakeSsd1306()
    panel = OledPanel("ssd1306", bus=bus)
    assert not try_dots(panel, (128, 64), lambda name: bus.unplug(), lambda seconds: None)
    assert "0x3C" in capsys.readouterr().out


def test_probing_a_panel_does_not_change_its_picture():
    bus = FakeSsd1306(address=0x3D)
    panel = OledPanel("ssd1306", address=0x3D, bus=bus)
    panel.show([*draw_patterns((128, 64))][2][1])
    before = bus.image().tobytes()
    open_wire(1, 0x3D, bus).cleanup()
    assert bus.image().tobytes() == before
    with pytest.raises(NoDisplay):
        open_wire(1, 0x3C, bus)


UP, DOWN, OK, BACK = doctor_panel.MAIN_BUTTONS


@pytest.mark.parametrize(
    ("pressed", "well", "last"),
    [
        ([UP, DOWN, OK, BACK], True, "✓ BACK"),
        ([UP, UP, UP, DOWN, OK, BACK], True, "✓ BACK"),
        ([DOWN, UP, OK, BACK], False, "✗ that was DOWN: exchange the wires"),
        ([UP, None, OK, BACK], False, "✗ no press of DOWN: check its two wires"),
    ],
    ids="all-right a-button-that-bounces exchanged dead".split(),
)
def test_buttons_are_tested_one_after_the_other(pressed, well, last):
    told, shown, presses = [], [], iter(pressed)
    assert try_buttons(doctor_panel.MAIN_BUTTONS, lambda seconds: next(presses), shown.append, told.append) is well
    assert any(last in line for line in told)
    assert [words(text) for text in shown[:4]] == [f"Press {button.upper()}" for button in Button if button != "power"]
    assert shown[-1].id == ("panel_works" if well else "panel_again")
    assert View(shown[0]).prompt == shown[0]


def test_without_a_terminal_the_buttons_are_not_tested(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[panel]\nchip = 'none'\n", encoding="utf-8")
    out = CliRunner().invoke(main, ["doctor", "panel"], env={CONFIG_VARIABLE: str(path)})
    assert out.exit_code == 0
    assert "every dot lit\nevery dot dark\n" in out.output
    assert "the buttons are not tested" in out.output
