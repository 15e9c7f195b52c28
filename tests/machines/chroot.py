"""A Debian in a folder: made once from the mirror that this machine uses itself, and entered by a command."""

import hashlib
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.machines.machine import NotHere, mirror

ROOT = Path(__file__).parents[2]
CERTIFICATES, THERE = Path("/etc/ssl/certs/ca-certificates.crt"), "/etc/ssl/certs/machine.crt"
"""Those that this machine trusts, and where they are in there: beside Debian's own."""
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
               "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "PIP_CERT": THERE}  # fmt: skip
NETWORK = {"/etc/resolv.conf": "/etc/resolv.conf", "/etc/pip.conf": "/etc/pip.conf", str(CERTIFICATES): THERE}
MADE = ".made"


def inside(root: Path, *words: str, more: Mapping[str, str] | None = None) -> list[str]:
    """The command line that runs words in there, with nothing of this machine's environment."""
    given = ENVIRONMENT | dict(more or {})
    return ["chroot", str(root), "env", "-i", *(f"{name}={value}" for name, value in given.items()), *words]


def debian(
    root: Path,
    make: Sequence[str],
    packages: Sequence[str] = (),
    prepare: Callable[[Path], None] = lambda root: None,
    recipe: str = "",
) -> Path:
    """``make`` is the command that makes a small one in the folder named last; ``prepare`` does the rest.

    One that was made in another way, as its ``recipe`` says, is made anew.
    """
    wanted = hashlib.sha256(repr((make, packages, recipe)).encode()).hexdigest()
    made = root.with_name(root.name + MADE)
    if root.exists() and made.exists() and made.read_text() == wanted:
        return root
    start = time.monotonic()
    print(f"        making a Debian in {root.relative_to(ROOT)}", flush=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(root, ignore_errors=True)
    fresh = root.with_name(root.name + ".fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    asked(["nice", *make, str(fresh), mirror()])
    for here, there in NETWORK.items():
        if Path(here).exists():
            (fresh / there[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(here, fresh / there[1:])
    # some mirrors keep what Debian has dated for a week
    (fresh / "etc/apt/apt.conf.d/99old").write_text('Acquire::Check-Valid-Until "false";\n')
    if packages:
        asked(["nice", *inside(fresh, "apt-get", "update")])
        asked(["nice", *inside(fresh, "apt-get", "install", "--yes", "--no-install-recommends", *packages)])
        quiet(inside(fresh, "apt-get", "clean"))
    prepare(fresh)
    fresh.rename(root)
    made.write_text(wanted)
    print(f"        made in {time.monotonic() - start:.0f} s", flush=True)
    return root


def asked(words: Sequence[str]) -> None:
    """Of the archive: what it does not have today cannot be run here."""
    if why := _wrong(words):
        raise NotHere(why)


def quiet(words: Sequence[str]) -> None:
    """Only what went wrong is told, and that is a fault of ours."""
    if why := _wrong(words):
        raise RuntimeError(why)


def _wrong(words: Sequence[str]) -> str:
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return f"{' '.join(words[:6])} ... went wrong:\n{done.stdout[-2000:]}" if done.returncode else ""
