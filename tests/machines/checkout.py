"""Runs ``install.sh`` in a freshly booted Debian with network: first installation, second installation, removal.

``python -m tests.machines.checkout SUITE``, as root. The network certificates are those of this machine.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.machines.checks import Checks
from tests.machines.machine import NEEDED, Machine, NotHere, copy_root, debian, needs
from tests.machines.service import FOLDER, ROOT, booted, log, ready

TRUST = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
TOOL = "cd /root/oxeye && systemd/install.sh"
LEFT_OUT = (("picamera2, gpiozero and lgpio of apt", "only the Raspberry Pi archive has them"),)


def system_packages(machine: Machine) -> dict[str, str]:
    """Installed Debian packages and their versions."""
    lines = machine.run("dpkg-query", "-W", "-f", "${Package} ${Version}\\n").splitlines()
    return {name: version for name, _, version in (line.partition(" ") for line in lines)}


def said(machine: Machine, words: str) -> str:
    """Output and exit code of a shell command, with the certificates of this machine."""
    trust = [f"PIP_CERT={TRUST[1]}"] if Path(TRUST[1]).exists() else []
    pip = [f"PIP_INDEX_URL={os.environ['PIP_INDEX_URL']}"] if "PIP_INDEX_URL" in os.environ else []
    return machine.run("env", *trust, *pip, "sh", "-c", f"{words} 2>&1; echo ended with $?")


def prepare_root(suite: str) -> Path:
    """A Debian with an empty package index and a clone of this checkout."""
    root = FOLDER / f"{suite}-checkout"
    copy_root(debian(suite, FOLDER), root)
    for file in (Path(one) for one in (*TRUST, "/etc/resolv.conf")):
        if file.exists():
            (root / file.parent.relative_to("/")).mkdir(parents=True, exist_ok=True)
            shutil.copy(file, root / file.relative_to("/"))
    shutil.rmtree(root / "var/lib/apt/lists")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(root / "root/oxeye")], check=True)
    shutil.copy(ROOT / "tests/machines/phone.py", root / "root")
    return root


def check_installation(check: Checks, machine: Machine) -> None:
    before = system_packages(machine)
    done = said(machine, f"{TOOL} --yes </dev/null")
    check("one command installs the program", done.endswith("ended with 0"), done)
    check("the service is ready", ready(machine), log(machine))
    check("the service handles frames", "frames handled" in machine.show("StatusText"), machine.show("StatusText"))
    after = system_packages(machine)
    changed = [name for name, version in before.items() if after.get(name) != version]
    check("no installed Debian package changed its version", not changed, changed)
    told = machine.phone("tell", "begin thegame players=2")
    check("a paired phone begins a game", told["ok"] is True, told)


def check_second_installation(check: Checks, machine: Machine) -> None:
    machine.run("oxeye", "config", "set", "language", "de")
    done = said(machine, f"{TOOL} --yes </dev/null")
    check("a second installation succeeds", done.endswith("ended with 0"), done)
    check("the service is ready after it", ready(machine), log(machine))
    shown = machine.run("oxeye", "config", "show")
    check("the settings are kept", 'language = "de"' in shown, shown)
    programs = machine.run("ls", "/opt/oxeye/venvs").split()
    check("the old program is deleted", len(programs) == 1, programs)
    games = str(machine.phone("state")["offers"])
    check("the game is kept", "resume 1" in games, games)


def check_refusal(check: Checks, machine: Machine) -> None:
    done = said(machine, f"{TOOL} </dev/null")
    check("without a terminal and --yes nothing is installed", "--yes" in done and done.endswith("ended with 1"), done)


def check_removal(check: Checks, machine: Machine) -> None:
    done = said(machine, f"{TOOL} --uninstall --yes </dev/null")
    check("removal prints where the games are", "/var/lib/oxeye" in done and done.endswith("ended with 0"), done)
    check("removal keeps the games", machine.run("ls", "/var/lib/oxeye/journal.sqlite") != "")
    check("removal keeps the settings", machine.run("ls", "/etc/oxeye/config.toml") != "")
    units = machine.run("systemctl", "list-unit-files", "--plain", "--no-legend", "oxeye*", ok=False)
    left = machine.run("sh", "-c", "ls -d /opt/oxeye /usr/lib/oxeye /usr/local/bin/oxeye 2>/dev/null", ok=False)
    check("no unit and no program file is left", units + left == "", units + left)
    done = said(machine, f"{TOOL} --uninstall --yes </dev/null")
    check("a second removal succeeds", done.endswith("ended with 0"), done)


def main(suite: str) -> int:
    try:
        needs(*NEEDED)
    except NotHere as why:
        print(f"not run: install.sh in a booted Debian: {why}")
        return 1
    check = Checks()
    with booted(prepare_root(suite), network=True) as machine:
        check_refusal(check, machine)
        check_installation(check, machine)
        check_second_installation(check, machine)
        check_removal(check, machine)
    return check.finish(LEFT_OUT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
