"""The installer on machines that are only folders: what it would do, what it refuses, and the scripts it brings."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.machines.containers import Folder

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "systemd/install.sh"
SCRIPTS = sorted(
    p for p in (ROOT / "systemd").rglob("*") if p.is_file() and p.suffix != ".py" and p.read_bytes().startswith(b"#!")
)
LOCKS = sorted((ROOT / "systemd/locks").glob("requirements-*.txt"))


@pytest.fixture
def machine(tmp_path):
    """A folder that stands for a machine with this system."""

    def of(suite="trixie", bits=64):
        (tmp_path / "etc").mkdir()
        (tmp_path / "etc/os-release").write_text(f"VERSION_CODENAME={suite}\n")
        (tmp_path / "bits").write_text(f"{bits}\n")
        return tmp_path

    return of


def install(root, *words, **environ):
    run = [INSTALL, *words]
    given = os.environ | {"OXEYE_ROOT": str(root)} | environ
    return subprocess.run(run, stdin=subprocess.DEVNULL, env=given, capture_output=True, text=True)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_scripts(script):
    shell = script.read_text().splitlines()[0].rpartition("/")[2].split()[-1]
    subprocess.run([shell, "-n", script], check=True)
    assert script.stat().st_mode & 0o111


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not here: the scripts were not judged")
def test_shellcheck_has_nothing_to_say():
    done = subprocess.run(["shellcheck", *SCRIPTS], capture_output=True, text=True)
    assert done.stdout == ""


@pytest.mark.parametrize(("suite", "zbar"), [("bookworm", "libzbar0 "), ("trixie", "libzbar0t64 ")])
def test_a_dry_run_says_what_would_be_done_and_does_nothing(machine, suite, zbar):
    root = machine(suite)
    before = sorted(root.rglob("*"))
    done = install(root, "--dry-run")
    assert done.returncode == 0, done.stderr
    (apt,) = re.findall(r"^\+ .*apt-get (.*)$", done.stdout, re.MULTILINE)
    assert "--no-install-recommends --no-upgrade" in apt
    assert zbar in apt
    assert "python3-picamera2" in apt
    assert f"--require-hashes --requirement {ROOT}/systemd/locks/requirements-pi-{suite}.txt" in done.stdout
    assert sorted(root.rglob("*")) == before


def test_settings_that_are_there_stay(machine):
    root = machine()
    (root / "etc/oxeye").mkdir()
    (root / "etc/oxeye/config.toml").touch()
    done = install(root, "--dry-run")
    assert "stay as they are" in done.stdout
    assert "systemd/config.toml" not in done.stdout


def test_taking_it_away_says_where_the_games_are(machine):
    done = install(machine(), "--dry-run", "--uninstall")
    assert done.returncode == 0
    assert "stay in /var/lib/oxeye" in done.stdout
    assert not re.search(r"^\+ rm .*/var/lib/oxeye", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("suite", "bits", "words", "says"),
    [
        pytest.param("bookworm", 32, [], "install the 64-bit", id="32 bits"),
        pytest.param("bullseye", 64, [], "Bookworm and Trixie alone", id="a system without a lock"),
        pytest.param("trixie", 64, ["--now"], "--dry-run", id="a word it does not know"),
        pytest.param("trixie", 64, [], "--yes", id="nobody to ask"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(machine, suite, bits, words, says):
    done = install(machine(suite, bits), *words)
    assert done.returncode == 1
    assert says in done.stderr
    assert "+" not in done.stdout


PACKAGE = """\
Package: oxeye
Status: {}
Version: 1
Architecture: all
Maintainer: A <a@localhost>
Description: a
"""


@pytest.mark.parametrize(
    ("status", "refused"),
    [
        ("install ok installed", True),
        ("hold ok installed", True),
        ("install ok half-configured", True),
        ("deinstall ok config-files", False),
    ],
)
@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="dpkg is not here")
def test_a_package_that_is_here_is_in_the_way_and_one_that_was_removed_is_not(machine, status, refused):
    root = machine()
    (root / "var/lib/dpkg").mkdir(parents=True)
    (root / "var/lib/dpkg/status").write_text(PACKAGE.format(status))
    done = install(root, "--dry-run")
    assert ("apt remove oxeye" in done.stderr, done.returncode) == (refused, int(refused))


class Machine(Folder):
    """One that runs, in a folder, with what is installed there."""

    def __init__(self, folder):
        super().__init__(folder)
        for folder in ("etc", "usr/local/bin"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "etc/os-release").write_text("VERSION_CODENAME=trixie\n")
        (self.root / "bits").write_text("64\n")
        self.boot()

    def install(self, *words, **environ):
        return install(self.root, "--yes", *words, **self.environ, **environ)

    def program(self):
        return str((self.root / "opt/oxeye/venv").readlink())

    def programs(self):
        return sorted(f"/opt/oxeye/venvs/{program.name}" for program in (self.root / "opt/oxeye/venvs").iterdir())


@pytest.fixture
def running(tmp_path):
    """A machine with Oxeye on it."""
    running = Machine(tmp_path)
    done = running.install()
    assert done.returncode == 0, done.stderr
    return running


def test_the_old_program_is_gone_when_the_new_one_has_said_that_it_is_ready(running):
    old = running.program()
    assert running.install().returncode == 0
    assert running.program() != old
    assert running.programs() == [running.program()]
    assert running.heard("oxeye") == ["oxeye --version"] * 2
    called = running.heard("systemctl")
    assert called.index("systemctl reset-failed oxeye.service") < called.index("systemctl restart oxeye.service")


@pytest.mark.parametrize("late", ["", "1"], ids=["it is not ready", "it was ready and failed"])
def test_the_old_program_comes_back_where_the_new_one_does_not_run(running, late):
    old = running.program()
    running.only(old)
    done = running.install(OXEYE_FAILS_LATE=late)
    assert done.returncode == 1
    assert "the one before is back" in done.stderr
    assert running.program() == old
    assert running.programs() == [old]


def test_a_program_that_cannot_even_say_its_version_is_not_exchanged(running):
    old = running.program()
    calls = len(running.heard("systemctl"))
    assert running.install(OXEYE_BROKEN="1").returncode != 0
    assert running.program() == old
    assert len(running.heard("systemctl")) == calls


def test_where_nothing_runs_that_is_said_and_nothing_is_thrown_away(running):
    old = running.program()
    running.only("none")
    done = running.install()
    assert done.returncode == 1
    assert "Neither the new program" in done.stderr
    assert old in running.programs()


def test_a_first_program_that_does_not_run_is_said(tmp_path):
    machine = Machine(tmp_path)
    machine.only("none")
    done = machine.install()
    assert done.returncode == 1
    assert "does not run yet" in done.stderr


def test_taken_away_twice_it_is_gone(running):
    for _ in range(2):
        done = running.install("--uninstall")
        assert done.returncode == 0, done.stderr
    assert not [*running.root.glob("etc/systemd/system/oxeye*")]
    assert len([line for line in running.heard("systemctl") if "disable" in line]) == 3


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_locks_hold_hashes_and_no_address(lock):
    text = lock.read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text


@pytest.mark.parametrize(("suite", "of_apt"), [("bookworm", {"numpy"}), ("trixie", {"numpy", "pillow"})])
def test_what_apt_has_stays_out_of_the_lock(suite, of_apt):
    locked = set(
        re.findall(r"^([a-z0-9-]+)==", (ROOT / f"systemd/locks/requirements-pi-{suite}.txt").read_text(), re.M)
    )
    assert not of_apt & locked
    assert {"opencv-python-headless", "zxing-cpp", "luma-oled", "paho-mqtt"} <= locked


CONFIG = "/boot/firmware/config.txt"


@pytest.mark.parametrize(
    ("before", "adds"),
    [
        pytest.param("", 2, id="an empty file gets both lines"),
        pytest.param("#dtparam=i2c_arm=on\n", 2, id="a line that is a comment does not count"),
        pytest.param("dtparam=i2c_arm=on\n[all]\n", 1, id="what is there is not said again"),
        pytest.param("[cm4]\ndtparam=i2c_arm=on\n", 2, id="what is for one model only does not count"),
        pytest.param("[pi5]\nx=1\n[all]\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n", 0, id="all is there"),
    ],
)
def test_the_bus_of_the_screen_is_switched_on_once(tmp_path, before, adds):
    config = tmp_path / CONFIG[1:]
    config.parent.mkdir(parents=True)
    config.write_text(before)
    for _ in range(2):
        subprocess.run([ROOT / "systemd/pi-config", tmp_path], check=True, stdout=subprocess.DEVNULL)
        after = config.read_text()
        assert after.startswith(before)
        assert after[len(before) :].count("dtparam=") == adds
    assert not adds or config.with_name("config.txt.before-oxeye").read_text() == before


def test_a_machine_that_is_no_raspberry_is_left_alone(tmp_path):
    subprocess.run([ROOT / "systemd/pi-config", tmp_path], check=True)
    assert not [*tmp_path.iterdir()]
