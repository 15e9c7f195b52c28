"""The unit files, as systemd itself judges them, and the two scripts that count failed starts."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.machine.update_root import INCOMING_PACKAGE, UPDATE_FOLDER

UNITS = Path(__file__).parents[2] / "systemd"
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not here: the units were not judged")
EXPOSED = {
    "oxeye.service": 15,
    "oxeye-backup.service": 5,
    "oxeye-poweroff.service": 10,
    "oxeye-update.service": 60,
}
"""Ten times the exposure that a unit may have; those above 15 say why in their first lines."""


@pytest.fixture
def units(tmp_path):
    """The units, with something that is here in the place of what is installed with them."""
    for kind in ("service", "path", "timer"):
        for unit in UNITS.glob(f"*.{kind}"):
            text = re.sub(r"(?m)^(Exec\w+=)/(?:opt|usr/lib)/oxeye\S*", r"\1/bin/true", unit.read_text("utf-8"))
            (tmp_path / unit.name).write_text(text, "utf-8")
    return tmp_path


@needs_systemd
def test_systemd_has_nothing_to_say_about_any_unit(units):
    run = subprocess.run([ANALYZE, "verify", *sorted(units.iterdir())], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_every_service_has_its_threshold():
    assert {unit.name for unit in UNITS.glob("*.service")} == set(EXPOSED)


@needs_systemd
@pytest.mark.parametrize(("unit", "threshold"), EXPOSED.items())
def test_no_unit_is_more_exposed_than_it_may_be(units, unit, threshold):
    judge = [ANALYZE, "security", "--no-pager", "--offline=true", f"--threshold={threshold}", units / unit]
    run = subprocess.run(judge, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_a_unit_that_may_be_more_exposed_says_its_threshold():
    for unit, threshold in EXPOSED.items():
        if threshold > EXPOSED["oxeye.service"]:
            assert f"{threshold / 10}" in (UNITS / unit).read_text("utf-8").partition("[Unit]")[0]


MODULES = {
    "char-i2c": "i2c_dev",
    "char-video4linux": "videodev",
    "char-media": "mc",
    "char-spi": "spidev",
    "char-alsa": "snd",
}
"""Class of devices -> the module of the kernel that makes it known."""
ALWAYS = {"char-gpiochip", "char-*gpiomem*", "char-dma_heap"}
"""Those of the kernel itself, or of the board's own pins."""


def test_every_class_of_devices_is_known_before_it_is_allowed():
    unit = (UNITS / "oxeye.service").read_text("utf-8")
    allowed = set(re.findall(r"(?m)^DeviceAllow=(\S+)", unit))
    modules = {f"modprobe@{MODULES[name]}.service" for name in allowed - ALWAYS}
    for when in ("Wants", "After"):
        assert modules <= {name for line in re.findall(rf"(?m)^{when}=(.*)$", unit) for name in line.split()}


def test_an_update_begins_with_what_lies_where_only_root_can_lay_it():
    path = (UNITS / "oxeye-update.path").read_text("utf-8")
    assert re.findall(r"(?m)^Path\w+=(.*)$", path) == [str(UPDATE_FOLDER / INCOMING_PACKAGE)]
    assert f"d {UPDATE_FOLDER} 0755 root root" in (UNITS / "oxeye.tmpfiles").read_text("utf-8")
    assert "/run/oxeye" not in (UNITS / "oxeye-update.service").read_text("utf-8")


class Box:
    """The two scripts of the service, with a program that only says how it was called."""

    def __init__(self, folder):
        self.folder = folder
        program = folder / "program"
        program.write_text('#!/bin/sh\necho "$@"\n')
        program.chmod(0o755)
        self._environ = {**os.environ, "RUNTIME_DIRECTORY": str(folder), "OXEYE_PROGRAM": str(program)}

    def start(self):
        return subprocess.check_output([UNITS / "start"], env=self._environ, text=True).strip()

    def ended(self, result, status):
        subprocess.run(
            [UNITS / "after"], env=self._environ | {"SERVICE_RESULT": result, "EXIT_STATUS": status}, check=True
        )


USUAL = "run --config /etc/oxeye/config.toml"
FAILED = ("exit-code", "70")
HUNG = ("watchdog", "ABRT")
WELL = ("success", "0")
ANEW = ("success", "75")


@pytest.mark.parametrize(
    ("ends", "how"),
    [
        pytest.param([], USUAL, id="the first start is a usual one"),
        pytest.param([FAILED] * 2, USUAL, id="so it is after two failures"),
        pytest.param([FAILED, HUNG, FAILED], "run --safe", id="three failures of any kind make it a safe one"),
        pytest.param([FAILED] * 5, "run --safe", id="a safe one that fails is followed by a safe one"),
        pytest.param([FAILED, FAILED, WELL, FAILED], USUAL, id="a good end between them begins the count anew"),
        pytest.param([FAILED] * 3 + [ANEW], USUAL, id="whoever starts it anew in safe mode tries all of it"),
    ],
)
def test_after_three_failed_starts_comes_a_safe_one(tmp_path, ends, how):
    box = Box(tmp_path)
    for end in ends:
        box.ended(*end)
    assert box.start() == how


def test_failures_far_apart_are_no_row(tmp_path):
    box = Box(tmp_path)
    box.ended(*FAILED)
    box.ended(*FAILED)
    old = (tmp_path / "failures").stat().st_mtime - 11 * 60
    os.utime(tmp_path / "failures", (old, old))
    box.ended(*FAILED)
    assert box.start() == USUAL


@pytest.mark.parametrize(("status", "wanted"), [("76", True), ("75", False), ("0", False)])
def test_only_a_program_that_wants_the_power_off_has_it_switched_off(tmp_path, status, wanted):
    Box(tmp_path).ended("success", status)
    assert (tmp_path / "poweroff").exists() == wanted


# what the program left behind, how it ended -> how pinctrl is called
LIGHTS = {
    "a light goes on again": ("light 17,27\nscreen 1 60\n", "76", "set 17,27 op dh\n"),
    "no light": ("screen 1 60\n", "76", ""),
    "nothing was left": (None, "76", ""),
    "no pins": ("light $(reboot)\n", "76", ""),
    "a new start": ("light 17\n", "75", ""),
}


@pytest.mark.parametrize(("wish", "status", "called"), LIGHTS.values(), ids=LIGHTS)
def test_the_light_stays_on_when_the_program_has_let_go_of_it(tmp_path, monkeypatch, wish, status, called):
    heard = tmp_path / "heard"
    heard.touch()
    pinctrl = tmp_path / "pinctrl"
    pinctrl.write_text(f'#!/bin/sh\necho "$@" >{heard}\n')
    pinctrl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    if wish is not None:
        (tmp_path / "until-off").write_text(wish)
    Box(tmp_path).ended("success", status)
    assert heard.read_text() == called
    assert (tmp_path / "poweroff").exists() == (status == "76")


def test_a_light_that_cannot_be_kept_on_keeps_nothing_on(tmp_path, monkeypatch):
    """No pinctrl is there."""
    (tmp_path / "until-off").write_text("light 17\n")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    Box(tmp_path).ended("success", "76")
    assert (tmp_path / "poweroff").exists()


OLD, NEW = "firmware.updating_root", "firmware.machine.update_root"


@pytest.mark.parametrize(
    ("modules", "runs"),
    [
        pytest.param([OLD], OLD, id="the program of 0.1.0 under newer units"),
        pytest.param([NEW], NEW, id="a later program without the alias"),
        pytest.param([OLD, NEW], NEW, id="a program that has both names"),
    ],
)
def test_the_update_unit_finds_root_s_part_in_the_installed_program(tmp_path, modules, runs):
    for module in modules:
        path = tmp_path / f"{module.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in (path.parent, tmp_path / "firmware"):
            (folder / "__init__.py").touch()
        path.write_text(f"print({module!r})\n")
    environ = {**os.environ, "OXEYE_PYTHON": sys.executable}
    assert subprocess.check_output([UNITS / "update"], cwd=tmp_path, env=environ, text=True).strip() == runs


def test_without_an_installed_program_the_update_unit_says_what_to_do(tmp_path):
    done = subprocess.run([UNITS / "update"], env={**os.environ, "OXEYE_PYTHON": str(tmp_path / "python")},
                          capture_output=True, text=True)  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert "install the package again" in done.stderr


@pytest.mark.parametrize("name", [OLD, NEW])
def test_both_names_of_root_s_part_end_with_a_sentence_where_no_package_waits(name):
    done = subprocess.run([sys.executable, "-m", name], capture_output=True, text=True, cwd=UNITS.parent)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"There is no package to install in {UPDATE_FOLDER}.\n"


def test_the_update_unit_names_no_module_of_one_version():
    unit = (UNITS / "oxeye-update.service").read_text("utf-8")
    assert re.findall(r"(?m)^ExecStart=(.*)$", unit) == ["/usr/lib/oxeye/update"]
