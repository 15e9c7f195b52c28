"""Checks the contents of the packages for every suite and architecture, and that two builds are identical.

``python -m tests.machines.deb`` builds each package twice.
"""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUITES = {"bookworm": "cp311", "trixie": "cp313"}
MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
HOLDS = (
    "/etc/oxeye/config.toml",
    "/usr/bin/oxeye",
    "/usr/lib/oxeye/start",
    "/usr/lib/oxeye/after",
    "/usr/lib/oxeye/run-update",
    "/usr/lib/oxeye/enable-i2c",
    "/usr/lib/systemd/system/oxeye.service",
    "/usr/lib/systemd/system/oxeye-poweroff.path",
    "/usr/lib/systemd/system/oxeye-update.service",
    "/usr/lib/systemd/system/oxeye-backup.timer",
    "/usr/lib/systemd/system-shutdown/oxeye",
    "/usr/lib/sysusers.d/oxeye.conf",
    "/usr/lib/tmpfiles.d/oxeye.conf",
    "/usr/lib/udev/rules.d/60-oxeye.rules",
)


def build(suite: str, arch: str) -> Path:
    words = ["make", "--silent", "deb", f"SUITE={suite}", f"ARCH={arch}"]
    same = os.environ | {"SOURCE_DATE_EPOCH": "1800000000"}  # so that a commit between the two builds changes nothing
    return ROOT / subprocess.check_output(words, text=True, cwd=ROOT, env=same).split()[-1]


def find_faults(package: Path, suite: str, arch: str) -> list[str]:
    """Faults of the contents, owners, modes, wheels and control fields."""
    listed = subprocess.check_output(["dpkg-deb", "--contents", str(package)], text=True).splitlines()
    names = {line.split(" ./", 1)[1].partition(" -> ")[0]: line for line in listed}
    wheels = [name.rpartition("/")[2] for name in names if name.endswith(".whl")]
    lock = (ROOT / f"systemd/locks/requirements-pi-{suite}.txt").read_text()
    wanted = {f"{name.replace('-', '_')}-{version}" for name, version in re.findall(r"(?m)^([\w-]+)==([\w.]+)", lock)}
    found = {"-".join(wheel.split("-")[:2]) for wheel in wheels}
    control = subprocess.check_output(["dpkg-deb", "--field", str(package)], text=True)
    bad = [f"no {name}" for name in HOLDS if name[1:] not in names]
    bad += [f"not owned by root: {line}" for line in listed if " root/root " not in line]
    bad += [f"writable by others: {line}" for line in listed if line[0] != "l" and line[8] == "w"]
    bad += [f"no wheel of {name}" for name in wanted - found]
    bad += [f"wheel missing from the lock: {name}" for name in found - wanted if not name.startswith("oxeye-")]
    machine, python = MACHINES[arch], SUITES[suite]
    bad += [f"not for {machine}: {w}" for w in wheels if not w.endswith("-any.whl") and machine not in w]
    bad += [f"not for {python}: {w}" for w in wheels if re.search(r"-cp\d+-cp", w) and f"-{python}-{python}-" not in w]
    bad += [f"no {line} in control" for line in (f"Architecture: {arch}", f"+{suite}") if line not in control]
    conffiles = subprocess.check_output(["dpkg-deb", "--info", str(package), "conffiles"], text=True)
    return bad + ([] if conffiles == "/etc/oxeye/config.toml\n" else ["the settings are not a conffile"])


def digest(package: Path) -> str:
    return hashlib.sha256(package.read_bytes()).hexdigest()


def main() -> int:
    bad = 0
    for suite in SUITES:
        for arch in MACHINES:
            first, again = digest(build(suite, arch)), digest(package := build(suite, arch))
            wrong = find_faults(package, suite, arch) + ([] if first == again else ["the second build differs"])
            print(f"{'FAILED' if wrong else 'ok    '} {package.name}, {package.stat().st_size >> 20} MB")
            for line in wrong:
                print(f"       {line}")
            bad += bool(wrong)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
