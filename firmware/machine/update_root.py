"""The part of an update that root does, started by systemd: installs what lies ready, and goes back if it does not run.

Everything is imported before anything is exchanged: the program's own files change while this runs. What lies ready
stays until it is over, so that after a power cut in between it is started again with the machine.
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

from engine.pairs import parse_pairs
from firmware.machine.atomic_file import replace_durably, write_durably
from firmware.machine.update_plan import PACKAGE_NAME, Outcome, Service, ServiceProbe, Step, plan_update, resume_update

UPDATE_FOLDER = Path("/var/lib/oxeye-update")
"""Root's alone. What the service may write in could be anybody's."""
INCOMING_PACKAGE = "incoming.deb"
"""What shall be installed. systemd watches for it: whoever puts it here, whole, begins an update."""
KEPT_PACKAGE = "working.deb"
"""What was installed before. Whoever begins an update takes that of an earlier one away first."""
RESULT_FILE = "result"
PROBE_INTERVAL_S = 1.0
FAILURES_FILE = Path("/run/oxeye/failures")
APT_INSTALL = (
    "apt-get install --yes --quiet --no-install-recommends --reinstall --allow-downgrades -o Dpkg::Use-Pty=0 "
    "-o DPkg::Lock::Timeout=120 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
).split()
DPKG_INSTALL = "dpkg --force-confdef --force-confold --install".split()
INSTALLED_FIELDS = ("Status:", "Config-Version:")


def run_update(folder: Path, do: Callable[[Step], bool]) -> Outcome:
    """From what lies ready in the folder to a result beside it."""
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
            # a dpkg that was cut short may be past what apt sorts out
            return install_package(UPDATE_FOLDER / KEPT_PACKAGE) or install_package(
                UPDATE_FOLDER / KEPT_PACKAGE, DPKG_INSTALL
            )
        case Step.FINISH:
            return finish_installation(UPDATE_FOLDER / INCOMING_PACKAGE)


def pack_installed(target: Path) -> bool:
    """Pack what is installed into a package again, but for what was deleted: nobody has kept the one it came from."""
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
    """The fields of an installed package without those that only an installed one has."""
    fields = re.sub(r"(?m)^Conffiles:.*\n(?: .*\n?)*", "", status).splitlines(keepends=True)
    return "".join(line for line in fields if not line.startswith(INSTALLED_FIELDS))


def conffiles(status: str) -> list[str]:
    """The files of an installed package that stay as people have made them."""
    found = re.search(r"(?m)^Conffiles:.*\n((?: .*\n?)*)", status)
    return [line.split()[0] for line in found[1].splitlines()] if found else []


def install_package(package: Path, tool: Sequence[str] = APT_INSTALL) -> bool:
    with suppress(OSError):  # what comes is not to blame for what was
        FAILURES_FILE.unlink()
    subprocess.run(["systemctl", "reset-failed", PACKAGE_NAME], check=False)
    return subprocess.run([*tool, str(package)], check=False).returncode == 0


def finish_installation(package: Path) -> bool:
    """Is the new version, whose package this is, now installed?"""
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
    ).exists():  # any user may start the unit; only a package that root has put there counts
        print(f"There is no package to install in {UPDATE_FOLDER}.", file=sys.stderr)
        return 1
    return 0 if run_update(UPDATE_FOLDER, do_step) is Outcome.UPDATED else 1


if __name__ == "__main__":
    sys.exit(main())
