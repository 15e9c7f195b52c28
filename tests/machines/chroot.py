"""Builds a Debian in a folder from the mirror of this machine, and runs commands in it with chroot."""

import hashlib
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.machines.machine import NotHere, mirror

ROOT = Path(__file__).parents[2]
CERTIFICATES, THERE = Path("/etc/ssl/certs/ca-certificates.crt"), "/etc/ssl/certs/machine.crt"
"""CA certificates of this machine, and their path in the Debian, beside its own."""
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
               "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "PIP_CERT": THERE}  # fmt: skip
NETWORK = {"/etc/resolv.conf": "/etc/resolv.conf", "/etc/pip.conf": "/etc/pip.conf", str(CERTIFICATES): THERE}
MADE = ".made"


def inside(root: Path, *words: str, more: Mapping[str, str] | None = None) -> list[str]:
    """The command line that runs ``words`` in the Debian with a clean environment."""
    given = ENVIRONMENT | dict(more or {})
    return ["chroot", str(root), "env", "-i", *(f"{name}={value}" for name, value in given.items()), *words]


def debian(
    root: Path,
    make: Sequence[str],
    packages: Sequence[str] = (),
    prepare: Callable[[Path], None] = lambda root: None,
    recipe: str = "",
) -> Path:
    """Build the Debian in ``root``: ``make`` takes the target folder and the mirror, ``prepare`` completes it.

    An existing one is kept unless the commands, the packages or the ``recipe`` changed.
    """
    wanted = hashlib.sha256(repr((make, packages, recipe)).encode()).hexdigest()
    made = root.with_name(root.name + MADE)
    if root.exists() and made.exists() and made.read_text() == wanted:
        return root
    start = time.monotonic()
    print(f"        building a Debian in {root.relative_to(ROOT)}", flush=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(root, ignore_errors=True)
    fresh = root.with_name(root.name + ".fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    fetch(["nice", *make, str(fresh), mirror()])
    for here, there in NETWORK.items():
        if Path(here).exists():
            (fresh / there[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(here, fresh / there[1:])
    # some mirrors serve an index whose one week of validity is over
    (fresh / "etc/apt/apt.conf.d/99old").write_text('Acquire::Check-Valid-Until "false";\n')
    if packages:
        fetch(["nice", *inside(fresh, "apt-get", "update")])
        fetch(["nice", *inside(fresh, "apt-get", "install", "--yes", "--no-install-recommends", *packages)])
        quiet(inside(fresh, "apt-get", "clean"))
    prepare(fresh)
    fresh.rename(root)
    made.write_text(wanted)
    print(f"        built in {time.monotonic() - start:.0f} s", flush=True)
    return root


def fetch(words: Sequence[str]) -> None:
    """Run a command that needs the archive; its failure means that the test cannot run here."""
    if why := _wrong(words):
        raise NotHere(why)


def quiet(words: Sequence[str]) -> None:
    """Run a command that must succeed; raise with its output otherwise."""
    if why := _wrong(words):
        raise RuntimeError(why)


def _wrong(words: Sequence[str]) -> str:
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return f"{' '.join(words[:6])} ... failed:\n{done.stdout[-2000:]}" if done.returncode else ""
