"""The root part of an update, started by systemd: installs the waiting package, and goes back if it does not run.

Everything is imported first, because the files of the program change while this runs. The package stays until the
update is over, so that systemd starts it again after a power cut.
"""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.name_value_pairs import parse_pairs
from firmware.machine.atomic_file import replace_durably, write_durably
from firmware.machine.update_decisions import (
    PACKAGE_NAME,
    Outcome,
    Service,
    ServiceProbe,
    Step,
    plan_update,
    resume_update,
)

UPDATE_FOLDER = Path("/var/lib/oxeye-update")
"""Only root writes here: what the service may write could come from any attacker of the service."""
INCOMING_PACKAGE = "incoming.deb"
"""The package to install. systemd watches for it: a complete file under this name begins an update."""
KEPT_PACKAGE = "working.deb"
"""The package of the version before. A new update first deletes that of an earlier one."""
RESULT_FILE = "result"
PROBE_INTERVAL_S = 1.0
"""Seconds from one look at the new service to the next."""
FAILURES_FILE = Path("/run/oxeye/failures")
APT_INSTALL = (
    "apt-get install --yes --quiet --no-install-recommends --reinstall --allow-downgrades -o Dpkg::Use-Pty=0 "
    "-o DPkg::Lock::Timeout=120 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
).split()
DPKG_INSTALL = "dpkg --force-confdef --force-confold --install".split()
INSTALLED_FIELDS = ("Status:", "Config-Version:")


def run_update(folder: Path, do: Callable[[Step], bool]) -> Outcome:
    """Install the waiting package of the folder and write the result beside it."""
    steps = resume_update() if (folder / KEPT_PACKAGE).exists() else plan_update()
    try:
        step = next(steps)
        while True:
            print(step, flush=True)
            step = steps.send(do(step))
    except StopIteration as over:
        outcome: Outcome = over.value
        write_durably(folder / RESULT_FILE, f"{outcome}\n".encode())
    finally:
        (folder / INCOMING_PACKAGE).unlink(missing_ok=True)
    print(outcome, flush=True)
    return outcome


def do_step(step: Step) -> bool:
    match step:
        case Step.KEEP:
            return pack_installed(UPDATE_FOLDER / KEPT_PACKAGE)
        case Step.INSTALL:
            return install_package(UPDATE_FOLDER / INCOMING_PACKAGE)
        case Step.RUNS:
            return service_runs()
        case Step.GO_BACK:
            # apt may be unable to repair a dpkg that was cut short
            return install_package(UPDATE_FOLDER / KEPT_PACKAGE) or install_package(
                UPDATE_FOLDER / KEPT_PACKAGE, DPKG_INSTALL
            )
        case Step.FINISH:
            return finish_installation(UPDATE_FOLDER / INCOMING_PACKAGE)


def pack_installed(target: Path) -> bool:
    """Pack the installed files into a package: the package they came from was not kept."""
    try:
        with TemporaryDirectory(dir=target.parent) as name:
            root, fresh = Path(name) / "root", Path(name) / "package"
            control = root / "DEBIAN"
            control.mkdir(parents=True)
            root.chmod(0o755)
            for file in map(Path, command_output("dpkg-query", "--listfiles", PACKAGE_NAME).splitlines()):
                inside = root / file.relative_to("/")
                if file.is_dir() and not file.is_symlink():
                    inside.mkdir(parents=True, exist_ok=True)
                elif file.exists() or file.is_symlink():
                    shutil.copy2(file, inside, follow_symlinks=False)
            for script in map(Path, command_output("dpkg-query", "--control-path", PACKAGE_NAME).splitlines()):
                shutil.copy2(script, control / script.suffix[1:])
            status = command_output("dpkg-query", "--status", PACKAGE_NAME)
            (control / "control").write_text(package_fields(status), encoding="utf-8")
            there = [f"{file}\n" for file in conffiles(status) if (root / file[1:]).exists()]
            (control / "conffiles").write_text("".join(there), encoding="utf-8")
            command_output("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(root), str(fresh))
            replace_durably(fresh, target)
    except (OSError, subprocess.CalledProcessError) as why:
        print(why, file=sys.stderr)
        return False
    return True


def package_fields(status: str) -> str:
    """The control fields of a package, without the fields that only the status of an installed one has."""
    fields = re.sub(r"(?m)^Conffiles:.*\n(?: .*\n?)*", "", status).splitlines(keepends=True)
    return "".join(line for line in fields if not line.startswith(INSTALLED_FIELDS))


def conffiles(status: str) -> list[str]:
    """The configuration files of an installed package, which dpkg keeps as they are."""
    found = re.search(r"(?m)^Conffiles:.*\n((?: .*\n?)*)", status)
    return [line.split()[0] for line in found[1].splitlines()] if found else []


def install_package(package: Path, tool: Sequence[str] = APT_INSTALL) -> bool:
    with suppress(OSError):  # failures of the version before do not count against this one
        FAILURES_FILE.unlink()
    subprocess.run(["systemctl", "reset-failed", PACKAGE_NAME], check=False)
    return subprocess.run([*tool, str(package)], check=False).returncode == 0


def finish_installation(package: Path) -> bool:
    """Finish a cut installation: is the version of this package installed now?"""
    subprocess.run(["dpkg", "--force-confdef", "--force-confold", "--configure", "--pending"], check=False)
    try:
        version = command_output("dpkg-deb", "--field", str(package), "Version").strip()
        status = command_output("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", PACKAGE_NAME)
    except subprocess.CalledProcessError:
        return False
    return status == f"installed {version}"


def service_runs() -> bool:
    watch = ServiceProbe(time.monotonic())
    while True:
        said = dict(parse_pairs(command_output("systemctl", "show", PACKAGE_NAME).splitlines()))
        service = Service(said["ActiveState"] == "active", int(said["MainPID"]), int(said["NRestarts"]))
        match watch.saw(service, time.monotonic()):
            case ServiceProbe() as watch:
                time.sleep(PROBE_INTERVAL_S)
            case how:
                return how == "runs"


def command_output(*words: str) -> str:
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> int:
    """Exit code 0 if the new version is installed and runs."""
    if not (
        UPDATE_FOLDER / INCOMING_PACKAGE
    ).exists():  # any user may start the unit, but only root can put a package there
        print(f"There is no package to install in {UPDATE_FOLDER}.", file=sys.stderr)
        return 1
    return 0 if run_update(UPDATE_FOLDER, do_step) is Outcome.UPDATED else 1


if __name__ == "__main__":
    sys.exit(main())
