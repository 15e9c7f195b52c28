"""Boots a Debian in systemd-nspawn and runs commands inside; the root folder is built once and copied for each boot."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PACKAGES = "systemd systemd-sysv dbus udev python3 python3-venv python3-numpy kmod".split()
MORE = {"bookworm": ["libzbar0"], "trixie": ["libzbar0t64", "python3-pil"]}
NEEDED = "debootstrap systemd-nspawn nsenter script".split()
PROVIDED = {
    "arch-test": "arch-test",
    "debootstrap": "debootstrap",
    "mkfs.ext4": "e2fsprogs",
    "mmdebstrap": "mmdebstrap",
    "nsenter": "util-linux",
    "qemu-aarch64-static": "qemu-user-static",
    "qemu-system-x86_64": "qemu-system-x86",
    "script": "bsdutils",
    "systemd-nspawn": "systemd-container",
}
"""Program -> the Debian package that has it."""


class NotHere(Exception):
    """The test cannot run on this machine; the message gives the reason."""


def needs(*tools: str) -> None:
    """Require root and these programs; install the Debian packages of missing ones."""
    if os.geteuid() != 0:
        raise NotHere("it needs root, for a Debian in a folder")
    if shutil.which("apt-get") is None:
        raise NotHere("it needs apt-get, for Debian packages")
    if packages := [PROVIDED[tool] for tool in tools if shutil.which(tool) is None]:
        print(f"        installing {' '.join(packages)}", flush=True)
        install = ["apt-get", "install", "--quiet", "--quiet", "--yes", "--no-install-recommends", *packages]
        for words in (["apt-get", "update", "--quiet", "--quiet"], install):
            subprocess.run(words, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        raise NotHere(f"it needs {', '.join(missing)}")


def mirror() -> str:
    """The Debian mirror in the apt sources of this machine."""
    sites = subprocess.check_output(["apt-get", "indextargets", "--format", "$(SITE)"], text=True).split()
    found = next((site for site in sites if site.rstrip("/").endswith("/debian")), None)
    if found is None:
        raise NotHere("the apt sources of this machine name no Debian archive")
    return found


def debian(suite: str, folder: Path) -> Path:
    """The root folder of the suite, built on first use."""
    root = folder / suite
    if not root.exists():
        fresh = folder / f"{suite}.fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        packages = ",".join(PACKAGES + MORE[suite])
        make = ["debootstrap", "--variant=minbase", f"--include={packages}", suite, str(fresh), mirror()]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        (fresh / "etc/machine-id").unlink(missing_ok=True)
        fresh.rename(root)
    return root


def copy_root(source: Path, target: Path) -> None:
    """Replace ``target`` by a copy of ``source``."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(source), str(target)], check=True)


def until(holds: Callable[[], bool], seconds: float) -> bool:
    """Poll twice a second until the condition holds; return whether it did in time."""
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.5)
    return held


class Machine:
    """The booted Debian: ``run`` a command inside; ``off`` waits until it has powered off."""

    def __init__(self, root: Path, *more: str, network: bool = False) -> None:
        name, alone = f"oxeye-{root.name}", "" if network else "--private-network"
        boot = f"systemd-nspawn --quiet --register=no --keep-unit --settings=no --resolv-conf=off --timezone=off \
            {alone} --machine={name} {' '.join(more)} --directory={root} --boot"
        console = root.with_name(f"{root.name}.console")
        words = ["script", "--quiet", "--flush", "--return", "--command", f"exec {boot}", str(console)]
        self._box = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self._leader = 0
        if not until(self._found, 30) or not until(self._booted, 240):
            self.kill()
            raise RuntimeError(f"{root} does not boot: {console}")

    def run(self, *words: str, ok: bool = True) -> str:
        """Run a command inside and return its output. ``ok``: raise on a non-zero exit code."""
        path = "/usr/local/bin:/usr/sbin:/usr/bin"
        into = f"nsenter -t {self._leader} -m -u -i -n -p -C env -i PATH={path} HOME=/root LC_ALL=C".split()
        done = subprocess.run([*into, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        if ok and done.returncode:
            raise RuntimeError(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return (done.stdout + ("" if ok else done.stderr)).strip()

    def show(self, what: str, unit: str = "oxeye") -> str:
        return self.run("systemctl", "show", "--value", "-p", what, unit)

    def phone(self, *words: str) -> dict[str, object]:
        return dict(json.loads(self.run("python3", "/root/phone.py", *words)))

    def off(self, seconds: float) -> bool:
        return until(lambda: self._box.poll() is not None, seconds)

    def kill(self) -> None:
        """Kill all processes at once, as a power cut does."""
        if self._leader:
            subprocess.run(["kill", "-KILL", str(self._leader)], check=False, stderr=subprocess.DEVNULL)
        else:
            self._box.terminate()
        self._box.wait(30)

    def _found(self) -> bool:
        """Find the init process, which is the child of the child of ``script``."""
        pid = self._box.pid
        for _ in range(2):
            children = Path(f"/proc/{pid}/task/{pid}/children")
            first = children.read_text().split() if children.exists() else []
            if not first:
                return False
            pid = int(first[0])
        self._leader = pid
        return True

    def _booted(self) -> bool:
        return self.run("systemctl", "is-system-running", ok=False).splitlines()[-1:] in (["running"], ["degraded"])
