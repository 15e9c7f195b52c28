"""The installer on machines that are only folders: dry run, refusals, rollback, removal, and the installed scripts."""

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
    """A folder used as the root of a machine with the given system."""

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
def test_scripts_parse_and_are_executable(script):
    shell = script.read_text().splitlines()[0].rpartition("/")[2].split()[-1]
    subprocess.run([shell, "-n", script], check=True)
    assert script.stat().st_mode & 0o111


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is missing: the scripts were not checked")
def test_shellcheck_reports_nothing():
    done = subprocess.run(["shellcheck", *SCRIPTS], capture_output=True, text=True)
    assert done.stdout == ""


@pytest.mark.parametrize(("suite", "zbar"), [("bookworm", "libzbar0 "), ("trixie", "libzbar0t64 ")])
def test_a_dry_run_prints_the_commands_and_changes_nothing(machine, suite, zbar):
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


def test_existing_settings_are_kept(machine):
    root = machine()
    (root / "etc/oxeye").mkdir()
    (root / "etc/oxeye/config.toml").touch()
    done = install(root, "--dry-run")
    assert "config.toml are kept" in done.stdout
    assert "systemd/config.toml" not in done.stdout


def test_uninstalling_prints_where_the_games_are(machine):
    done = install(machine(), "--dry-run", "--uninstall")
    assert done.returncode == 0
    assert "kept in /var/lib/oxeye" in done.stdout
    assert not re.search(r"^\+ rm .*/var/lib/oxeye", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("suite", "bits", "words", "says"),
    [
        pytest.param("bookworm", 32, [], "install the 64-bit", id="32 bits"),
        pytest.param("bullseye", 64, [], "only Bookworm and Trixie", id="unsupported suite"),
        pytest.param("trixie", 64, ["--now"], "--dry-run", id="unknown option"),
        pytest.param("trixie", 64, [], "--yes", id="no terminal"),
    ],
)
def test_an_impossible_installation_is_refused_with_a_reason(machine, suite, bits, words, says):
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
@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="dpkg is missing")
def test_an_installed_package_blocks_the_installer_and_a_removed_one_does_not(machine, status, refused):
    root = machine()
    (root / "var/lib/dpkg").mkdir(parents=True)
    (root / "var/lib/dpkg/status").write_text(PACKAGE.format(status))
    done = install(root, "--dry-run")
    assert ("apt remove oxeye" in done.stderr, done.returncode) == (refused, int(refused))


class Machine(Folder):
    """A booted machine in a folder, with its installed programs."""

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
    """A machine with Oxeye installed."""
    running = Machine(tmp_path)
    done = running.install()
    assert done.returncode == 0, done.stderr
    return running


def test_the_old_program_is_deleted_once_the_new_one_is_ready(running):
    old = running.program()
    assert running.install().returncode == 0
    assert running.program() != old
    assert running.programs() == [running.program()]
    assert running.heard("oxeye") == ["oxeye --version"] * 2
    called = running.heard("systemctl")
    assert called.index("systemctl reset-failed oxeye.service") < called.index("systemctl restart oxeye.service")


@pytest.mark.parametrize("late", ["", "1"], ids=["never ready", "ready, then failed"])
def test_the_old_program_is_restored_if_the_new_one_does_not_run(running, late):
    old = running.program()
    running.only(old)
    done = running.install(OXEYE_FAILS_LATE=late)
    assert done.returncode == 1
    assert "the old one is restored" in done.stderr
    assert running.program() == old
    assert running.programs() == [old]


def test_a_program_that_fails_to_print_its_version_is_not_installed(running):
    old = running.program()
    calls = len(running.heard("systemctl"))
    assert running.install(OXEYE_BROKEN="1").returncode != 0
    assert running.program() == old
    assert len(running.heard("systemctl")) == calls


def test_if_neither_program_runs_the_error_says_so_and_the_old_program_is_kept(running):
    old = running.program()
    running.only("none")
    done = running.install()
    assert done.returncode == 1
    assert "Neither the new program" in done.stderr
    assert old in running.programs()


def test_a_first_installation_that_does_not_run_is_an_error(tmp_path):
    machine = Machine(tmp_path)
    machine.only("none")
    done = machine.install()
    assert done.returncode == 1
    assert "does not run:" in done.stderr


def test_uninstalling_twice_succeeds(running):
    for _ in range(2):
        done = running.install("--uninstall")
        assert done.returncode == 0, done.stderr
    assert not [*running.root.glob("etc/systemd/system/oxeye*")]
    assert len([line for line in running.heard("systemctl") if "disable" in line]) == 3


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_locks_contain_hashes_and_no_url(lock):
    text = lock.read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text


@pytest.mark.parametrize(("suite", "of_apt"), [("bookworm", {"numpy"}), ("trixie", {"numpy", "pillow"})])
def test_packages_of_apt_are_not_in_the_lock(suite, of_apt):
    locked = set(
        re.findall(r"^([a-z0-9-]+)==", (ROOT / f"systemd/locks/requirements-pi-{suite}.txt").read_text(), re.M)
    )
    assert not of_apt & locked
    assert {"opencv-python-headless", "zxing-cpp", "luma-oled", "paho-mqtt"} <= locked


CONFIG = "/boot/firmware/config.txt"


@pytest.mark.parametrize(
    ("before", "adds"),
    [
        pytest.param("", 2, id="an empty file"),
        pytest.param("#dtparam=i2c_arm=on\n", 2, id="a commented line does not count"),
        pytest.param("dtparam=i2c_arm=on\n[all]\n", 1, id="an existing line is not repeated"),
        pytest.param("[cm4]\ndtparam=i2c_arm=on\n", 2, id="a line for one model does not count"),
        pytest.param("[pi5]\nx=1\n[all]\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n", 0, id="both exist"),
    ],
)
def test_the_i2c_bus_is_enabled_once(tmp_path, before, adds):
    config = tmp_path / CONFIG[1:]
    config.parent.mkdir(parents=True)
    config.write_text(before)
    for _ in range(2):
        subprocess.run([ROOT / "systemd/enable-i2c", tmp_path], check=True, stdout=subprocess.DEVNULL)
        after = config.read_text()
        assert after.startswith(before)
        assert after[len(before) :].count("dtparam=") == adds
    assert not adds or config.with_name("config.txt.before-oxeye").read_text() == before


def test_a_machine_other_than_a_raspberry_pi_is_not_changed(tmp_path):
    subprocess.run([ROOT / "systemd/enable-i2c", tmp_path], check=True)
    assert not [*tmp_path.iterdir()]
