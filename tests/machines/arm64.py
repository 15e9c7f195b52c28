"""Rung D: the package for the Pi, installed and run on the userland of another machine, which an emulator runs.

``python -m tests.machines.arm64 SUITE [--quick]``, as root. Every line says ok, FAILED, or what could not
be run here and why.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.machines.chroot import ROOT, debian, inside, quiet
from tests.machines.machine import NotHere, needs

HERE = Path(__file__).parent
FOLDER = ROOT / "build/machines"
FOREIGN = (sys.executable, str(HERE / "foreign.py"))
DEPENDS = "python3,python3-venv,python3-numpy,systemd,udev,ca-certificates"
MORE = {"bookworm": "libzbar0", "trixie": "libzbar0t64,python3-pil"}
PYTHON = {"bookworm": ("3.11", 36), "trixie": ("3.13", 41)}
"""Of the suite, and its glibc: no wheel may want a newer one."""
TESTING = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "hypothesis", "sortedcontainers")
CORE = ("engine/test_options.py", "engine/test_record.py", "engine/test_plans.py", "engine/test_ends.py",
        "engine/test_vectors.py", "engine/games/test_nimmt_rules.py", "engine/games/test_nimmt_rows.py",
        "engine/games/test_six.py", "engine/games/test_the_game.py", "vision/tags/test_codebook.py",
        "vision/tags/test_reader.py", "vision/calibration/test_table_calibration.py")  # fmt: skip
QUICK = ("engine/test_vectors.py", "engine/games/test_nimmt_rules.py", "vision/tags/test_codebook.py")
LEFT_OUT = (
    ("how fast it is", "an emulator's times say nothing of a Pi"),
    ("the service, its sandbox and its devices", "make test-system and make test-vm: one userland is like another"),
    ("the rest of the tests", "an emulator takes some twenty times as long: make test runs them"),
    ("packages of Raspberry Pi's own archive", "picamera2, gpiozero and lgpio are not in Debian's"),
)


class Checks:
    def __init__(self) -> None:
        self.failed = 0
        self._start = time.monotonic()

    def __call__(self, what: str, held: bool, why: object = "") -> None:
        print(f"{'ok     ' if held else 'FAILED '} {time.monotonic() - self._start:4.0f} s  {what}", flush=True)
        if not held:
            print(f"        {why}")
            self.failed += 1


def there(root: Path, *words: str) -> tuple[int, str]:
    """How it ended, and what it said."""
    enter = 'mount --rbind /dev "$0/dev"; mount --rbind /proc "$0/proc"; exec "$@"'
    path = "/root/testing:/root/plugins"
    words = (*FOREIGN, "sh", "-c", enter, str(root), *inside(root, *words, more={"TESTING": path}))
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def wheels(suite: str) -> Path:
    """What runs the tests, from the lock of this checkout."""
    lock = (ROOT / "requirements-dev.txt").read_text()
    wanted = "".join(re.findall(rf"(?m)^(?:{'|'.join(TESTING)})==.*\n(?:    .*\n)*", lock))
    place = FOLDER / f"arm64-{suite}.wheels"
    if not (place / "lock").exists() or (place / "lock").read_text() != wanted:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / "wanted").write_text(wanted)
        python, glibc = PYTHON[suite]
        platforms = [word for minor in range(17, glibc + 1) for word in ("--platform", f"manylinux_2_{minor}_aarch64")]
        quiet([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--only-binary",
               ":all:", "--python-version", python, "--implementation", "cp", *platforms, "--dest", str(place),
               "--requirement", str(place / "wanted")])  # fmt: skip
        (place / "lock").write_text(wanted)
    return place


def installed(check: Checks, root: Path, package: Path, suite: str) -> bool:
    shutil.copy(package, root / "root")
    shutil.rmtree(root / "root/tests", ignore_errors=True)
    kept = shutil.ignore_patterns("__pycache__", "systemd", "machines", "recordings", "firmware", "hw", "compatibility")
    shutil.copytree(ROOT / "tests", root / "root/tests", ignore=kept)
    (root / "root/plugins").mkdir(exist_ok=True)
    shutil.copy(HERE / "untimed.py", root / "root/plugins")
    shutil.copytree(wheels(suite), root / "root/wheels")
    ended, said = there(root, "uname", "-m")
    check("programs for arm64 run", (ended, said.strip()) == (0, "aarch64"), said)
    ended, said = there(root, "dpkg", "-i", f"/root/{package.name}")
    check(f"{package.name} is installed", ended == 0, said[-2000:])
    return ended == 0


def used(check: Checks, root: Path, tests: tuple[str, ...]) -> None:
    ended, said = there(root, "oxeye", "--version")
    check(f"it says its version: {said.strip()}", ended == 0 and "version" in said, said)
    ended, said = there(root, "oxeye", "doctor")
    lines = [line for line in said.splitlines() if line.strip()]
    check(f"the doctor has {len(lines)} lines to say", len(lines) > 8 and "Traceback" not in said, said[-2000:])
    ended, said = there(root, "oxeye", "config", "check")
    check("the settings that come with it are right", ended == 0, said)
    python = "/opt/oxeye/venv/bin/python"
    script = (
        f"mkdir -p /root/testing && {python} -m pip install --quiet --no-index --no-deps --target /root/testing \
        /root/wheels/*.whl && cd /root && PYTHONPATH=$TESTING exec {python} -m pytest -q --noconftest \
        -p untimed -p no:cacheprovider --import-mode=importlib "
        + " ".join(f"tests/{name}" for name in tests)
    )
    ended, said = there(root, "sh", "-c", script)
    told = (said.strip().splitlines() or [""])[-1]
    check(f"tests of rules and eyes on what is installed: {told}", ended == 0 and "passed" in told, said[-3000:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=PYTHON)
    parser.add_argument("--quick", action="store_true", help="a few tests, and only if the Debian is there already")
    asked = parser.parse_args()
    os.nice(10)
    place = FOLDER / f"arm64-{asked.suite}"
    start = time.monotonic()
    try:
        needs("mmdebstrap", "arch-test", "qemu-aarch64-static")
        if asked.quick and not place.exists():
            raise NotHere(f"{place.relative_to(ROOT)} is not there: make test-arm64 makes it")
        packages = f"{DEPENDS},{MORE[asked.suite]}"
        make = [*FOREIGN, "mmdebstrap", "--mode=root", "--variant=minbase", "--arch=arm64", f"--include={packages}"]
        fixed = debian(place, [*make, asked.suite])
        wheels(asked.suite)
    except NotHere as why:
        print(f"not run: the package on arm64: {why}")
        return 1
    words = ["make", "--silent", "deb", f"SUITE={asked.suite}", "ARCH=arm64"]
    package = ROOT / subprocess.check_output(words, text=True, cwd=ROOT).split()[-1]
    print(f"        all that is needed is there after {time.monotonic() - start:.0f} s", flush=True)
    root = FOLDER / f"arm64-{asked.suite}.run"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(fixed), str(root)], check=True)
    check = Checks()
    if installed(check, root, package, asked.suite):
        used(check, root, QUICK if asked.quick else CORE)
    shutil.rmtree(root, ignore_errors=True)
    for what, why in LEFT_OUT:
        print(f"not run         {what}: {why}")
    print(f"{check.failed} failed" if check.failed else "all of it held")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
