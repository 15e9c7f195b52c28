"""``install.sh`` in a booted Debian as a new card has it, on its network: once, once more, and taken away again.

``python -m tests.machines.checkout SUITE``, as root. Whom to trust on the network this machine tells.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.machines.machine import NEEDED, Machine, NotHere, debian, needs
from tests.machines.service import FOLDER, ROOT, Checks, booted, log, ready

TRUST = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
TOOL = "cd /root/oxeye && systemd/install.sh"


def system(machine: Machine) -> dict[str, str]:
    """The packages of the system and their versions."""
    lines = machine.run("dpkg-query", "-W", "-f", "${Package} ${Version}\\n").splitlines()
    return {name: version for name, _, version in (line.partition(" ") for line in lines)}


def said(machine: Machine, words: str) -> str:
    """What a shell says, with the trust of this machine."""
    trust = [f"PIP_CERT={TRUST[1]}"] if Path(TRUST[1]).exists() else []
    pip = [f"PIP_INDEX_URL={os.environ['PIP_INDEX_URL']}"] if "PIP_INDEX_URL" in os.environ else []
    return machine.run("env", *trust, *pip, "sh", "-c", f"{words} 2>&1; echo ended with $?")


def furnished(suite: str) -> Path:
    """A Debian that knows of no package yet, with a clone of this checkout."""
    root = FOLDER / f"{suite}-checkout"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(debian(suite, FOLDER)), str(root)], check=True)
    for file in (Path(one) for one in (*TRUST, "/etc/resolv.conf")):
        if file.exists():
            (root / file.parent.relative_to("/")).mkdir(parents=True, exist_ok=True)
            shutil.copy(file, root / file.relative_to("/"))
    shutil.rmtree(root / "var/lib/apt/lists")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(root / "root/oxeye")], check=True)
    shutil.copy(ROOT / "tests/machines/phone.py", root / "root")
    return root


def installed(check: Checks, machine: Machine) -> None:
    before = system(machine)
    done = said(machine, f"{TOOL} --yes </dev/null")
    check("one command installs it", done.endswith("ended with 0"), done)
    check("the service is ready", ready(machine), log(machine))
    check("and handles what it gets", "frames handled" in machine.show("StatusText"), machine.show("StatusText"))
    after = system(machine)
    changed = [name for name, version in before.items() if after.get(name) != version]
    check("no package of the system is another version than before", not changed, changed)
    told = machine.phone("tell", "begin thegame players=2")
    check("a paired phone begins a game", told["ok"] is True, told)


def again(check: Checks, machine: Machine) -> None:
    machine.run("oxeye", "config", "set", "language", "de")
    done = said(machine, f"{TOOL} --yes </dev/null")
    check("a second time it works as well", done.endswith("ended with 0"), done)
    check("and the service is ready", ready(machine), log(machine))
    shown = machine.run("oxeye", "config", "show")
    check("the settings stay", 'language = "de"' in shown, shown)
    programs = machine.run("ls", "/opt/oxeye/venvs").split()
    check("the old program is gone", len(programs) == 1, programs)
    games = str(machine.phone("state")["offers"])
    check("and the game is there", "resume 1" in games, games)


def refused(check: Checks, machine: Machine) -> None:
    done = said(machine, f"{TOOL} </dev/null")
    check("with nobody to ask it does nothing", "--yes" in done and done.endswith("ended with 1"), done)


def removed(check: Checks, machine: Machine) -> None:
    done = said(machine, f"{TOOL} --uninstall --yes </dev/null")
    check("taken away it says where the games are", "/var/lib/oxeye" in done and done.endswith("ended with 0"), done)
    check("which are there", machine.run("ls", "/var/lib/oxeye/journal.sqlite") != "")
    check("its settings too", machine.run("ls", "/etc/oxeye/config.toml") != "")
    units = machine.run("systemctl", "list-unit-files", "--plain", "--no-legend", "oxeye*", ok=False)
    left = machine.run("sh", "-c", "ls -d /opt/oxeye /usr/lib/oxeye /usr/local/bin/oxeye 2>/dev/null", ok=False)
    check("and nothing of it runs, nor is left", units + left == "", units + left)
    done = said(machine, f"{TOOL} --uninstall --yes </dev/null")
    check("taken away twice it is gone", done.endswith("ended with 0"), done)


def main(suite: str) -> int:
    try:
        needs(*NEEDED)
    except NotHere as why:
        print(f"not run: install.sh in a booted Debian: {why}")
        return 1
    check = Checks()
    with booted(furnished(suite), network=True) as machine:
        refused(check, machine)
        installed(check, machine)
        again(check, machine)
        removed(check, machine)
    print("not run         picamera2, gpiozero and lgpio of apt: they are only in Raspberry Pi's own archive")
    print(f"{len(check.failed)} failed" if check.failed else "all of it held")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
