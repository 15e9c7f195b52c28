"""The maintainer scripts of the package, run by dpkg on machines that are only folders."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.machines.containers import Folder

UNITS = Path(__file__).parents[2] / "systemd"
NEEDED = "dpkg", "dpkg-deb", "systemctl"
pytestmark = pytest.mark.skipif(
    any(shutil.which(program) is None for program in NEEDED), reason="dpkg or systemd is missing"
)
STARTED = ("oxeye.service", "oxeye-poweroff.path", "oxeye-update.path", "oxeye-backup.timer")


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """The package in two versions, without wheels."""
    made = {}
    for version in ("1.0", "2.0"):
        root = tmp_path_factory.mktemp("package") / "oxeye"
        for folder in ("usr/lib/systemd/system", "usr/lib/oxeye", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d",
                       "usr/share/oxeye/wheels", "etc/oxeye"):  # fmt: skip
            (root / folder).mkdir(parents=True)
        shutil.copytree(UNITS / "deb", root / "DEBIAN")
        (root / "DEBIAN").chmod(0o755)
        (root / "DEBIAN/control").write_text(
            f"Package: oxeye\nVersion: {version}\nArchitecture: all\nMaintainer: A <a@localhost>\nDescription: a\n"
        )
        (root / "DEBIAN/conffiles").write_text("/etc/oxeye/config.toml\n")
        shutil.copy(UNITS / "config.toml", root / "etc/oxeye")
        shutil.copy(UNITS / "enable-i2c", root / "usr/lib/oxeye")
        shutil.copy(UNITS / "oxeye.sysusers", root / "usr/lib/sysusers.d/oxeye.conf")
        shutil.copy(UNITS / "oxeye.tmpfiles", root / "usr/lib/tmpfiles.d/oxeye.conf")
        for kind in ("service", "path", "timer"):
            for unit in UNITS.glob(f"*.{kind}"):
                shutil.copy(unit, root / "usr/lib/systemd/system")
        made[version] = root.with_suffix(f".{version}.deb")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", root, made[version]], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
    return made


class Machine(Folder):
    def __init__(self, root, packages):
        super().__init__(root)
        self.packages = packages
        for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "etc", "usr/local/bin"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "var/lib/dpkg/status").touch()

    def dpkg(self, *words, **environ):
        force = "--force-not-root,script-chrootless,bad-path,confold,unsafe-io"
        run = ["dpkg", f"--root={self.root}", f"--log={self.root}.log", force, *words]
        environ = self.environ | environ
        return subprocess.run(run, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def install(self, version, **environ):
        return self.dpkg("--install", str(self.packages[version]), **environ)

    def starts(self, unit):
        asked = ["systemctl", f"--root={self.root}", "is-enabled", unit]
        return subprocess.run(asked, capture_output=True, text=True).stdout.strip()

    def disable(self, unit):
        subprocess.run(["systemctl", f"--root={self.root}", "disable", "--quiet", unit], check=True)

    def programs(self):
        return sorted((self.root / "opt/oxeye/venvs").iterdir())

    def program(self):
        return (self.root / "opt/oxeye/venv").readlink().name


@pytest.fixture
def machine(tmp_path, packages):
    return Machine(tmp_path, packages)


def done(run):
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("course", "word"),
    [
        pytest.param(["install"], "enabled", id="enabled after an installation"),
        pytest.param(["install", "upgrade"], "enabled", id="enabled after an upgrade"),
        pytest.param(["install", "disable", "upgrade"], "disabled", id="disabled units stay disabled after an upgrade"),
        pytest.param(["install", "remove", "install"], "enabled", id="enabled after removal and reinstallation"),
        pytest.param(["install", "remove", "upgrade"], "enabled", id="enabled after removal and another version"),
        pytest.param(["install", "purge", "install"], "enabled", id="enabled after a purge and reinstallation"),
        pytest.param(["install", "remove", "broken", "upgrade"], "enabled", id="enabled after a failed installation"),
    ],
)
def test_units_enabled_at_boot_after(machine, course, word):
    for step in course:
        match step:
            case "install":
                done(machine.install("1.0"))
            case "upgrade":
                done(machine.install("2.0"))
            case "broken":
                assert machine.install("1.0", OXEYE_BROKEN="1").returncode != 0
            case "disable":
                for unit in STARTED:
                    machine.disable(unit)
            case _:
                done(machine.dpkg(f"--{step}", "oxeye"))
    assert [machine.starts(unit) for unit in STARTED] == [word] * len(STARTED)


def test_removal_disables_the_units_and_keeps_the_settings(machine):
    done(machine.install("1.0"))
    done(machine.dpkg("--remove", "oxeye"))
    assert not [*machine.root.glob("etc/systemd/system/*.wants/oxeye*")]
    assert not (machine.root / "opt/oxeye").exists()
    assert (machine.root / "etc/oxeye/config.toml").exists()


def test_a_program_that_does_not_start_is_deleted_and_the_old_one_kept(machine):
    done(machine.install("1.0"))
    old = machine.program()
    assert machine.install("2.0", OXEYE_BROKEN="1").returncode != 0
    assert machine.program() == old
    assert [program.name for program in machine.programs()] == [old]


def test_the_new_program_is_synced_before_it_replaces_the_old_one(machine):
    """The sync stub records the link target: at the first call it is still the old program."""
    done(machine.install("1.0"))
    old = machine.program()
    sync = Path(machine.environ["OXEYE_PYTHON"]).with_name("sync")
    sync.write_text(f"#!/bin/sh\nreadlink {machine.root}/opt/oxeye/venv >>{machine.root}/at-sync\n")
    done(machine.install("2.0"))
    first, last = [Path(link).name for link in (machine.root / "at-sync").read_text().split()]
    assert first == old
    assert last == machine.program() != old
    assert [program.name for program in machine.programs()] == [last]


def test_failures_of_the_old_program_do_not_count_for_the_new_one(machine):
    machine.boot()
    failures = machine.root / "run/oxeye/failures"
    failures.mkdir(parents=True)  # even a folder of this name is deleted
    done(machine.install("1.0"))
    assert not failures.exists()
    called = machine.heard("systemctl")
    assert called[-2:] == ["systemctl reset-failed oxeye.service", "systemctl restart oxeye.service"]


def test_the_package_refuses_to_install_over_an_installation_from_a_checkout(machine):
    link = machine.root / "usr/local/bin/oxeye"
    link.symlink_to("/opt/oxeye/venv/bin/oxeye")
    refused = machine.install("1.0")
    assert refused.returncode != 0
    assert "systemd/install.sh --uninstall" in refused.stderr
    assert not (machine.root / "usr/lib/systemd/system/oxeye.service").exists()
    link.unlink()
    done(machine.install("1.0"))
