"""The unit files, as systemd-analyze checks them, and the scripts that count failed starts and start an update."""

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
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is missing: the units were not checked")
EXPOSED = {
    "oxeye.service": 15,
    "oxeye-backup.service": 5,
    "oxeye-poweroff.service": 10,
    "oxeye-update.service": 60,
}
"""Ten times the highest exposure allowed; a unit above 15 gives the reason in its first lines."""


@pytest.fixture
def units(tmp_path):
    """Copies of the units that call /bin/true instead of the installed program."""
    for kind in ("service", "path", "timer"):
        for unit in UNITS.glob(f"*.{kind}"):
            text = re.sub(r"(?m)^(Exec\w+=)/(?:opt|usr/lib)/oxeye\S*", r"\1/bin/true", unit.read_text("utf-8"))
            (tmp_path / unit.name).write_text(text, "utf-8")
    return tmp_path


@needs_systemd
def test_systemd_analyze_verify_reports_nothing(units):
    run = subprocess.run([ANALYZE, "verify", *sorted(units.iterdir())], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_every_service_has_an_exposure_limit():
    assert {unit.name for unit in UNITS.glob("*.service")} == set(EXPOSED)


@needs_systemd
@pytest.mark.parametrize(("unit", "threshold"), EXPOSED.items())
def test_no_unit_exceeds_its_exposure_limit(units, unit, threshold):
    judge = [ANALYZE, "security", "--no-pager", "--offline=true", f"--threshold={threshold}", units / unit]
    run = subprocess.run(judge, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_a_unit_with_a_higher_limit_names_it_in_its_first_lines():
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
"""Device class -> the kernel module that registers it."""
ALWAYS = {"char-gpiochip", "char-*gpiomem*", "char-dma_heap"}
"""Device classes built into the kernel, or of the pins of the board."""


def test_the_module_of_every_allowed_device_class_is_loaded_first():
    unit = (UNITS / "oxeye.service").read_text("utf-8")
    allowed = set(re.findall(r"(?m)^DeviceAllow=(\S+)", unit))
    modules = {f"modprobe@{MODULES[name]}.service" for name in allowed - ALWAYS}
    for when in ("Wants", "After"):
        assert modules <= {name for line in re.findall(rf"(?m)^{when}=(.*)$", unit) for name in line.split()}


def test_only_a_package_in_the_folder_of_root_starts_an_update():
    path = (UNITS / "oxeye-update.path").read_text("utf-8")
    assert re.findall(r"(?m)^Path\w+=(.*)$", path) == [str(UPDATE_FOLDER / INCOMING_PACKAGE)]
    assert f"d {UPDATE_FOLDER} 0755 root root" in (UNITS / "oxeye.tmpfiles").read_text("utf-8")
    assert "/run/oxeye" not in (UNITS / "oxeye-update.service").read_text("utf-8")


class Box:
    """The start and after scripts of the service, with a program that prints its arguments."""

    def __init__(self, folder):
        self.folder = folder
        program = folder / "program"
        program.write_text('#!/bin/sh\necho "$@"\n')
        program.chmod(0o755)
        self._environ = {**os.environ, "RUNTIME_DIRECTORY": str(folder), "OXEYE_PROGRAM": str(program)}

    def start(self):
        return subprocess.check_output([UNITS / "start-or-safe-mode"], env=self._environ, text=True).strip()

    def ended(self, result, status):
        subprocess.run(
            [UNITS / "after-stop"], env=self._environ | {"SERVICE_RESULT": result, "EXIT_STATUS": status}, check=True
        )


USUAL = "run --config /etc/oxeye/config.toml"
FAILED = ("exit-code", "70")
HUNG = ("watchdog", "ABRT")
SUCCESS = ("success", "0")
RESTART = ("success", "75")


@pytest.mark.parametrize(
    ("ends", "how"),
    [
        pytest.param([], USUAL, id="first start"),
        pytest.param([FAILED] * 2, USUAL, id="two failures"),
        pytest.param([FAILED, HUNG, FAILED], "run --safe", id="three failures of any kind start safe mode"),
        pytest.param([FAILED] * 5, "run --safe", id="a failure in safe mode starts safe mode again"),
        pytest.param([FAILED, FAILED, SUCCESS, FAILED], USUAL, id="a success resets the count"),
        pytest.param([FAILED] * 3 + [RESTART], USUAL, id="a restart in safe mode leaves it"),
    ],
)
def test_three_failed_starts_in_a_row_start_safe_mode(tmp_path, ends, how):
    box = Box(tmp_path)
    for end in ends:
        box.ended(*end)
    assert box.start() == how


def test_failures_more_than_ten_minutes_apart_do_not_add_up(tmp_path):
    box = Box(tmp_path)
    box.ended(*FAILED)
    box.ended(*FAILED)
    old = (tmp_path / "failures").stat().st_mtime - 11 * 60
    os.utime(tmp_path / "failures", (old, old))
    box.ended(*FAILED)
    assert box.start() == USUAL


@pytest.mark.parametrize(("status", "wanted"), [("76", True), ("75", False), ("0", False)])
def test_only_exit_code_76_requests_power_off(tmp_path, status, wanted):
    Box(tmp_path).ended("success", status)
    assert (tmp_path / "poweroff").exists() == wanted


# until-off file, exit code -> arguments of pinctrl
LIGHTS = {
    "light on power-off": ("light 17,27\nscreen 1 60\n", "76", "set 17,27 op dh\n"),
    "no light configured": ("screen 1 60\n", "76", ""),
    "no file": (None, "76", ""),
    "a shell command": ("light $(reboot)\n", "76", ""),
    "restart": ("light 17\n", "75", ""),
}


@pytest.mark.parametrize(("request_text", "status", "called"), LIGHTS.values(), ids=LIGHTS)
def test_the_light_is_switched_on_again_before_power_off(tmp_path, monkeypatch, request_text, status, called):
    heard = tmp_path / "heard"
    heard.touch()
    pinctrl = tmp_path / "pinctrl"
    pinctrl.write_text(f'#!/bin/sh\necho "$@" >{heard}\n')
    pinctrl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    if request_text is not None:
        (tmp_path / "until-off").write_text(request_text)
    Box(tmp_path).ended("success", status)
    assert heard.read_text() == called
    assert (tmp_path / "poweroff").exists() == (status == "76")


def test_a_missing_pinctrl_does_not_stop_the_power_off(tmp_path, monkeypatch):
    (tmp_path / "until-off").write_text("light 17\n")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    Box(tmp_path).ended("success", "76")
    assert (tmp_path / "poweroff").exists()


OLD, NEW = "firmware.updating_root", "firmware.machine.update_root"


@pytest.mark.parametrize(
    ("modules", "runs"),
    [
        pytest.param([OLD], OLD, id="program of 0.1.0 with newer units"),
        pytest.param([NEW], NEW, id="later program without the old name"),
        pytest.param([OLD, NEW], NEW, id="program with both names"),
    ],
)
def test_the_update_script_finds_the_module_of_the_installed_program(tmp_path, modules, runs):
    for module in modules:
        path = tmp_path / f"{module.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in (path.parent, tmp_path / "firmware"):
            (folder / "__init__.py").touch()
        path.write_text(f"print({module!r})\n")
    environ = {**os.environ, "OXEYE_PYTHON": sys.executable}
    assert subprocess.check_output([UNITS / "run-update"], cwd=tmp_path, env=environ, text=True).strip() == runs


def test_without_an_installed_program_the_update_script_prints_a_remedy(tmp_path):
    done = subprocess.run([UNITS / "run-update"], env={**os.environ, "OXEYE_PYTHON": str(tmp_path / "python")},
                          capture_output=True, text=True)  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert "install the package again" in done.stderr


@pytest.mark.parametrize("name", [OLD, NEW])
def test_both_update_modules_print_a_message_if_there_is_no_package(name):
    done = subprocess.run([sys.executable, "-m", name], capture_output=True, text=True, cwd=UNITS.parent)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"There is no package to install in {UPDATE_FOLDER}.\n"


def test_the_update_unit_names_no_module():
    unit = (UNITS / "oxeye-update.service").read_text("utf-8")
    assert re.findall(r"(?m)^ExecStart=(.*)$", unit) == ["/usr/lib/oxeye/run-update"]
