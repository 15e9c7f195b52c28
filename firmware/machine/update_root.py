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
from firmware.machine.update_plan import NAME, Outcome, Service, ServiceProbe, Step, course, resumed

FOLDER = Path("/var/lib/oxeye-update")
"""Root's alone. What the service may write in could be anybody's."""
INCOMING = "incoming.deb"
"""What shall be installed. systemd watches for it: whoever puts it here, whole, begins an update."""
WORKING = "working.deb"
"""What was installed before. Whoever begins an update takes that of an earlier one away first."""
RESULT = "result"
PAUSE = 1.0
FAILURES = Path("/run/oxeye/failures")
APT = (
    "apt-get install --yes --quiet --no-install-recommends --reinstall --allow-downgrades -o Dpkg::Use-Pty=0 "
    "-o DPkg::Lock::Timeout=120 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
).split()
DPKG = "dpkg --force-confdef --force-confold --install".split()
NOT_SHIPPED = ("Status:", "Config-Version:")


def update(folder: Path, do: Callable[[Step], bool]) -> Outcome:
    """From what lies ready in the folder to a result beside it."""
    steps = resumed() if (folder / WORKING).exists() else course()
    try:
        step = next(steps)
        while True:
            print(step, flush=True)
            step = steps.send(do(step))
    except StopIteration as over:
        outcome: Outcome = over.value
        write_durably(folder / RESULT, f"{outcome}\n".encode())
    finally:
        (folder / INCOMING).unlink(missing_ok=True)
    print(outcome, flush=True)
    return outcome


def on_this_machine(step: Step) -> bool:
    match step:
        case Step.KEEP:
            return keep(FOLDER / WORKING)
        case Step.INSTALL:
            return install(FOLDER / INCOMING)
        case Step.RUNS:
            return runs()
        case Step.GO_BACK:
            # a dpkg that was cut short may be past what apt sorts out
            return install(FOLDER / WORKING) or install(FOLDER / WORKING, DPKG)
        case Step.FINISH:
            return finish(FOLDER / INCOMING)


def keep(target: Path) -> bool:
    """Pack what is installed into a package again, but for what was deleted: nobody has kept the one it came from."""
    try:
        with TemporaryDirectory(dir=target.parent) as name:
            root, fresh = Path(name) / "root", Path(name) / "package"
            control = root / "DEBIAN"
            control.mkdir(parents=True)
            root.chmod(0o755)
            for file in map(Path, told("dpkg-query", "--listfiles", NAME).splitlines()):
                inside = root / file.relative_to("/")
                if file.is_dir() and not file.is_symlink():
                    inside.mkdir(parents=True, exist_ok=True)
                elif file.exists() or file.is_symlink():
                    shutil.copy2(file, inside, follow_symlinks=False)
            for script in map(Path, told("dpkg-query", "--control-path", NAME).splitlines()):
                shutil.copy2(script, control / script.suffix[1:])
            status = told("dpkg-query", "--status", NAME)
            (control / "control").write_text(shipped(status), encoding="utf-8")
            there = [f"{file}\n" for file in settings(status) if (root / file[1:]).exists()]
            (control / "conffiles").write_text("".join(there), encoding="utf-8")
            told("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(root), str(fresh))
            replace_durably(fresh, target)
    except (OSError, subprocess.CalledProcessError) as why:
        print(why, file=sys.stderr)
        return False
    return True


def shipped(status: str) -> str:
    """The fields of an installed package without those that only an installed one has."""
    fields = re.sub(r"(?m)^Conffiles:.*\n(?: .*\n?)*", "", status).splitlines(keepends=True)
    return "".join(line for line in fields if not line.startswith(NOT_SHIPPED))


def settings(status: str) -> list[str]:
    """The files of an installed package that stay as people have made them."""
    found = re.search(r"(?m)^Conffiles:.*\n((?: .*\n?)*)", status)
    return [line.split()[0] for line in found[1].splitlines()] if found else []


def install(package: Path, tool: Sequence[str] = APT) -> bool:
    with suppress(OSError):  # what comes is not to blame for what was
        FAILURES.unlink()
    subprocess.run(["systemctl", "reset-failed", NAME], check=False)
    return subprocess.run([*tool, str(package)], check=False).returncode == 0


def finish(package: Path) -> bool:
    """Is the new version, whose package this is, now installed?"""
    subprocess.run(["dpkg", "--force-confdef", "--force-confold", "--configure", "--pending"], check=False)
    try:
        version = told("dpkg-deb", "--field", str(package), "Version").strip()
        status = told("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", NAME)
    except subprocess.CalledProcessError:
        return False
    return status == f"installed {version}"


def runs() -> bool:
    watch = ServiceProbe(time.monotonic())
    while True:
        said = dict(parse_pairs(told("systemctl", "show", NAME).splitlines()))
        service = Service(said["ActiveState"] == "active", int(said["MainPID"]), int(said["NRestarts"]))
        match watch.saw(service, time.monotonic()):
            case ServiceProbe() as watch:
                time.sleep(PAUSE)
            case how:
                return how == "runs"


def told(*words: str) -> str:
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> int:
    """Exit code 0 if the new version is installed and runs."""
    if not (FOLDER / INCOMING).exists():  # any user may start the unit; only a package that root has put there counts
        print(f"There is no package to install in {FOLDER}.", file=sys.stderr)
        return 1
    return 0 if update(FOLDER, on_this_machine) is Outcome.UPDATED else 1


if __name__ == "__main__":
    sys.exit(main())
