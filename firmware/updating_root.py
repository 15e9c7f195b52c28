"""The part of an update that root does, started by systemd: installs what lies ready, and goes back if it does not run.

Everything is imported before anything is exchanged: the program's own files change while this runs.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.updating import NAME, Outcome, Service, Step, Watch, course

FOLDER = Path("/var/lib/oxeye-update")
"""Root's alone. What the service may write in could be anybody's."""
INCOMING = "incoming.deb"
WORKING = "working.deb"
RESULT = "result"
PAUSE = 1.0
FAILURES = Path("/run/oxeye/failures")
APT = (
    "apt-get install --yes --quiet --no-install-recommends --reinstall --allow-downgrades -o Dpkg::Use-Pty=0 "
    "-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
).split()
NOT_SHIPPED = ("Status:", "Config-Version:")


def update(folder: Path, do: Callable[[Step], bool]) -> Outcome:
    """From what lies ready in the folder to a result beside it."""
    steps = course()
    try:
        step = next(steps)
        while True:
            print(step, flush=True)
            step = steps.send(do(step))
    except StopIteration as over:
        outcome: Outcome = over.value
    (folder / INCOMING).unlink(missing_ok=True)
    (folder / RESULT).write_text(f"{outcome}\n", encoding="utf-8")
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
            return install(FOLDER / WORKING)


def keep(target: Path) -> bool:
    """Pack what is installed into a package again: nobody has kept the one it came from."""
    try:
        with TemporaryDirectory(dir=target.parent) as name:
            root = Path(name)
            root.chmod(0o755)
            for file in map(Path, told("dpkg-query", "--listfiles", NAME).splitlines()):
                inside = root / file.relative_to("/")
                if file.is_dir() and not file.is_symlink():
                    inside.mkdir(parents=True, exist_ok=True)
                else:
                    shutil.copy2(file, inside, follow_symlinks=False)
            control = root / "DEBIAN"
            control.mkdir()
            for script in map(Path, told("dpkg-query", "--control-path", NAME).splitlines()):
                shutil.copy2(script, control / script.suffix[1:])
            (control / "control").write_text(shipped(told("dpkg-query", "--status", NAME)), encoding="utf-8")
            told("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(root), str(target))
    except (OSError, subprocess.CalledProcessError) as why:
        print(why, file=sys.stderr)
        return False
    return True


def shipped(status: str) -> str:
    """The fields of an installed package without those that only an installed one has."""
    lines: list[str] = []
    conffiles = False
    for line in status.splitlines():
        conffiles = line.startswith("Conffiles:") or (conffiles and line.startswith(" "))
        if not conffiles and not line.startswith(NOT_SHIPPED):
            lines.append(line)
    return "\n".join(lines) + "\n"


def install(package: Path) -> bool:
    FAILURES.unlink(missing_ok=True)  # what comes is not to blame for what was
    return subprocess.run([*APT, str(package)], check=False).returncode == 0


def runs() -> bool:
    watch = Watch(time.monotonic())
    while True:
        said = dict(line.split("=", 1) for line in told("systemctl", "show", NAME).splitlines() if "=" in line)
        service = Service(said["ActiveState"] == "active", int(said["MainPID"]), int(said["NRestarts"]))
        match watch.saw(service, time.monotonic()):
            case Watch() as watch:
                time.sleep(PAUSE)
            case how:
                return how == "runs"


def told(*words: str) -> str:
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    if not (FOLDER / INCOMING).exists():  # anybody may ask, and gets only what root has laid ready
        sys.exit("nothing lies ready")
    sys.exit(0 if update(FOLDER, on_this_machine) is Outcome.UPDATED else 1)
