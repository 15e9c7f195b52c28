"""Runs the commands of the README from a clone, in a Debian with only python3, venv, make and git.

``python -m tests.machines.fresh SUITE``, as root. The commands run as an unprivileged user, with the network and the
certificates of this machine.
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.machines.machine import NotHere, copy_root, mirror, needs

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build/fresh"
PACKAGES = "python3 python3-venv make git ca-certificates".split()
USER = "ana"
TRUSTED = ("/etc/ssl/certs", "/usr/local/share/ca-certificates", "/etc/pip.conf")
PICTURE = re.compile(r"╭─{70,}╮")
"""The frame round what the box says."""
LONG, START = 3600.0, 120.0
"""Timeouts in seconds: of all the tests on a loaded machine, and of the first picture."""
LINES = 24
ENDED = (0, 130)
"""Exit codes of make run; make returns 130 after Ctrl-C."""


def make_root(suite: str) -> Path:
    """A fresh copy of the Debian that debootstrap built once."""
    made = FOLDER / suite
    if not made.exists():
        part = FOLDER / f"{suite}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        words = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", suite, str(part), mirror()]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        part.rename(made)
    root = FOLDER / f"{suite}-run"
    copy_root(made, root)
    subprocess.run(["chroot", str(root), "useradd", "--create-home", "--shell", "/bin/bash", USER], check=True)
    return root


def inside(root: Path, console: str, line: str) -> list[str]:
    """The command line that runs a shell line as the user in the Debian."""
    pip = [f"--setenv={name}={os.environ[name]}" for name in ("PIP_CERT", "PIP_INDEX_URL") if name in os.environ]
    words = f"systemd-nspawn --quiet --register=no --keep-unit --settings=no --resolv-conf=copy-host --user={USER}"
    there = [f"--console={console}", f"--directory={root}", f"--bind-ro={ROOT}:/src", "--setenv=TERM=xterm"]
    trust = [f"--bind-ro={path}" for path in TRUSTED if Path(path).exists()]
    return [*words.split(), *there, *trust, *pip, "/bin/bash", "-lc", f"cd && {line}"]


def run_step(root: Path, words: str) -> bool:
    began = time.monotonic()
    done = subprocess.run(inside(root, "pipe", words), stdin=subprocess.DEVNULL, timeout=LONG, check=False)
    print(f"{'ok     ' if done.returncode == 0 else 'FAILED '} {time.monotonic() - began:5.0f} s  {words}", flush=True)
    return done.returncode == 0


def watch(root: Path, words: str) -> bool:
    """Run at a terminal until it shows a picture and 8 seconds more, then press Ctrl-C."""
    began = time.monotonic()
    master, slave = pty.openpty()
    os.set_blocking(master, False)
    size = f"stty rows {LINES} cols 80; {words}"
    process = subprocess.Popen(inside(root, "interactive", size), stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    seen, shown, ended = b"", 0.0, 0.0
    while process.poll() is None and time.monotonic() - began < START + 60:
        time.sleep(0.1)
        try:
            seen += os.read(master, 1 << 20)
        except BlockingIOError:
            pass
        except OSError:
            break
        if not shown and PICTURE.search(seen.decode(errors="ignore")):
            shown = time.monotonic()
        if shown and not ended and time.monotonic() - shown > 8:
            ended = time.monotonic()
            os.write(master, b"\x03")
    if process.poll() is None:
        process.terminate()
    code = process.wait(30)
    text = seen.decode(errors="ignore").replace("\r", "")
    page = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.split("\x1b[H")[-1]).splitlines()]
    print("\n".join(f"        {line}" for line in page[:LINES]))
    well = bool(shown) and bool(ended) and code in ENDED and "Traceback" not in text
    told = f"{words}: first picture; exit code {code}"
    print(f"{'ok     ' if well else 'FAILED '} {shown - began:5.0f} s  {told}")
    return well


def main(suite: str) -> int:
    try:
        needs("debootstrap", "systemd-nspawn")
    except NotHere as why:
        print(f"not run: a fresh {suite}: {why}")
        return 1
    root = make_root(suite)
    clone = "git config --global safe.directory '*' && git clone --quiet /src oxeye"
    passed = run_step(root, clone) and run_step(root, "cd oxeye && make test") and watch(root, "cd oxeye && make run")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
