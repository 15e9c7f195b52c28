"""Installs the arm64 package in an emulated Debian userland and runs the program and the core tests there.

``python -m tests.machines.arm64 SUITE [--quick]``, as root. Each line reads ok, FAILED, or not run with the reason.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.machines.checks import Checks
from tests.machines.chroot import ROOT, debian, inside, quiet
from tests.machines.machine import NotHere, copy_root, needs

HERE = Path(__file__).parent
FOLDER = ROOT / "build/machines"
FOREIGN = (sys.executable, str(HERE / "foreign.py"))
DEPENDS = "python3,python3-venv,python3-numpy,systemd,udev,ca-certificates"
MORE = {"bookworm": "libzbar0", "trixie": "libzbar0t64,python3-pil"}
PYTHON = {"bookworm": ("3.11", 36), "trixie": ("3.13", 41)}
"""Suite -> its Python, and the minor version of its glibc: no wheel may need a newer one."""
TESTING = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "hypothesis", "sortedcontainers")
CORE = ("engine/test_options.py", "engine/test_log_text.py", "engine/test_plans.py", "engine/test_ends.py",
        "engine/test_vectors.py", "engine/games/test_nimmt_rules.py", "engine/games/test_nimmt_rows.py",
        "engine/games/test_six.py", "engine/games/test_the_game.py", "vision/tags/test_codebook.py",
        "vision/tags/test_reader.py", "vision/calibration/test_table_calibration.py")  # fmt: skip
QUICK = ("engine/test_vectors.py", "engine/games/test_nimmt_rules.py", "vision/tags/test_codebook.py")
LEFT_OUT = (
    ("speed", "times measured in an emulator do not apply to a Pi"),
    ("the service, its sandbox and its devices", "make test-system and make test-vm check them on this architecture"),
    ("the rest of the tests", "the emulator is about twenty times slower: make test runs them"),
    ("packages of the Raspberry Pi archive", "Debian does not have picamera2, gpiozero and lgpio"),
)


def run_emulated(root: Path, *words: str) -> tuple[int, str]:
    """Run a command in the emulated userland; return its exit code and output."""
    enter = 'mount --rbind /dev "$0/dev"; mount --rbind /proc "$0/proc"; exec "$@"'
    path = "/root/testing:/root/plugins"
    words = (*FOREIGN, "sh", "-c", enter, str(root), *inside(root, *words, more={"TESTING": path}))
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def wheels(suite: str) -> Path:
    """Download the arm64 wheels that the tests need, pinned by the lock of this checkout."""
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


def check_installation(check: Checks, root: Path, package: Path, suite: str) -> bool:
    shutil.copy(package, root / "root")
    shutil.rmtree(root / "root/tests", ignore_errors=True)
    kept = shutil.ignore_patterns("__pycache__", "systemd", "machines", "recordings", "firmware", "hw", "compatibility")
    shutil.copytree(ROOT / "tests", root / "root/tests", ignore=kept)
    (root / "root/plugins").mkdir(exist_ok=True)
    shutil.copy(HERE / "untimed.py", root / "root/plugins")
    shutil.copytree(wheels(suite), root / "root/wheels")
    ended, said = run_emulated(root, "uname", "-m")
    check("arm64 programs run", (ended, said.strip()) == (0, "aarch64"), said)
    ended, said = run_emulated(root, "dpkg", "-i", f"/root/{package.name}")
    check(f"{package.name} is installed", ended == 0, said[-2000:])
    return ended == 0


def check_program(check: Checks, root: Path, tests: tuple[str, ...]) -> None:
    ended, said = run_emulated(root, "oxeye", "--version")
    check(f"the program prints its version: {said.strip()}", ended == 0 and "version" in said, said)
    ended, said = run_emulated(root, "oxeye", "doctor")
    lines = [line for line in said.splitlines() if line.strip()]
    check(f"oxeye doctor prints {len(lines)} lines", len(lines) > 8 and "Traceback" not in said, said[-2000:])
    ended, said = run_emulated(root, "oxeye", "config", "check")
    check("the packaged settings are valid", ended == 0, said)
    python = "/opt/oxeye/venv/bin/python"
    script = (
        f"mkdir -p /root/testing && {python} -m pip install --quiet --no-index --no-deps --target /root/testing \
        /root/wheels/*.whl && cd /root && PYTHONPATH=$TESTING exec {python} -m pytest -q --noconftest \
        -p untimed -p no:cacheprovider --import-mode=importlib "
        + " ".join(f"tests/{name}" for name in tests)
    )
    ended, said = run_emulated(root, "sh", "-c", script)
    told = (said.strip().splitlines() or [""])[-1]
    check(f"tests against the installed package: {told}", ended == 0 and "passed" in told, said[-3000:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=PYTHON)
    parser.add_argument("--quick", action="store_true", help="run a few tests, and only if the Debian was built before")
    asked = parser.parse_args()
    os.nice(10)
    place = FOLDER / f"arm64-{asked.suite}"
    start = time.monotonic()
    try:
        needs("mmdebstrap", "arch-test", "qemu-aarch64-static")
        if asked.quick and not place.exists():
            raise NotHere(f"{place.relative_to(ROOT)} does not exist: make test-arm64 builds it")
        packages = f"{DEPENDS},{MORE[asked.suite]}"
        make = [*FOREIGN, "mmdebstrap", "--mode=root", "--variant=minbase", "--arch=arm64", f"--include={packages}"]
        fixed = debian(place, [*make, asked.suite])
        wheels(asked.suite)
    except NotHere as why:
        print(f"not run: the package on arm64: {why}")
        return 1
    words = ["make", "--silent", "deb", f"SUITE={asked.suite}", "ARCH=arm64"]
    package = ROOT / subprocess.check_output(words, text=True, cwd=ROOT).split()[-1]
    print(f"        prepared in {time.monotonic() - start:.0f} s", flush=True)
    root = FOLDER / f"arm64-{asked.suite}.run"
    copy_root(fixed, root)
    check = Checks()
    if check_installation(check, root, package, asked.suite):
        check_program(check, root, QUICK if asked.quick else CORE)
    shutil.rmtree(root, ignore_errors=True)
    return check.finish(LEFT_OUT)


if __name__ == "__main__":
    sys.exit(main())
