"""Checks the package in a booted Debian: installation, watchdog, crashes, sandbox, update, power cuts and removal.

``python -m tests.machines.service SUITE``, as root. Each line reads ok, FAILED, or not run with the reason.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.machines.checks import Checks
from tests.machines.machine import NEEDED, Machine, NotHere, copy_root, debian, needs, until

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build/system"
LEFT_OUT = (
    (
        "camera, screen and buttons",
        "a container cannot simulate kernel devices: make test-vm checks button edges",
    ),
    ("install.sh", "it needs a network, which this container does not have: make test-install runs it"),
    ("MemoryMax and DeviceAllow", "the container has no cgroup controllers, so the limits have no effect"),
    ("picamera2, gpiozero and lgpio of apt", "only the Raspberry Pi archive has them"),
)
GAME = ("begin thegame players=2", "play 12 up:1", "play 90 down:1", "done 1 2")
MORE = ("play 13 up:1", "play 14 up:1", "done 2 2", "play 15 up:1", "play 16 up:1", "done 1 2", "play 17 up:1",
        "play 18 up:1", "done 2 2", "play 19 up:1")  # fmt: skip
STARTED = ("oxeye.service", "oxeye-poweroff.path", "oxeye-update.path", "oxeye-backup.timer")
BROKEN, NEWER = "oxeye_9.0.deb", "oxeye_9.1.deb"
BEFORE = "ec2d1dd5097de2ec311347bd798f6f7211e41111"
"""The last commit of version 0.1.0, whose program has different module names."""
SLOW = "[ -e /opt/slept ] || { touch /opt/slept; sync; sleep 600; }\n"
"""Put at the start of a postinst: gives time to cut the power after unpacking and before the program is replaced."""
UPDATES = "/var/lib/oxeye-update"
WATCH = 30
"""Seconds: WatchdogSec of the unit."""


def ready(machine: Machine, seconds: float = 60) -> bool:
    return until(lambda: machine.show("ActiveState") == "active", seconds)


def pid(machine: Machine) -> str:
    return machine.show("MainPID")


def command(machine: Machine) -> str:
    return machine.run("sh", "-c", f"tr '\\0' ' ' </proc/{pid(machine)}/cmdline", ok=False)


def log(machine: Machine) -> str:
    return machine.run("journalctl", "--no-pager", "-u", "oxeye", "-o", "cat", ok=False)


@contextmanager
def booted(root: Path, *more: str, network: bool = False) -> Iterator[Machine]:
    machine = Machine(root, *more, network=network)
    try:
        yield machine
    finally:
        machine.kill()


def check_installation(check: Checks, machine: Machine, package: Path) -> None:
    start = time.monotonic()
    machine.run("dpkg", "-i", f"/root/{package.name}")
    check(f"{package.name} is installed in {time.monotonic() - start:.0f} s", True)
    check("the service is ready", ready(machine), log(machine))
    since = [int(machine.show(f"{when}TimestampMonotonic")) for when in ("ExecMainStart", "ActiveEnter")]
    print(f"                from start to ready: {(since[1] - since[0]) / 1e6:.1f} s")
    check("the service runs as its own user", machine.run("stat", "-c", "%U", f"/proc/{pid(machine)}") == "oxeye")
    status = machine.show("StatusText")
    check("its status text counts handled frames", "frames handled" in status, status)
    machine.run("systemctl", "disable", "--quiet", "oxeye-backup.timer")
    check("a second installation succeeds", "oxeye" in machine.run("dpkg", "-i", f"/root/{package.name}"))
    said = machine.run("systemctl", "is-enabled", *STARTED, ok=False)
    check("a disabled unit stays disabled", said.split() == ["enabled"] * (len(STARTED) - 1) + ["disabled"], said)
    machine.run("systemctl", "enable", "--quiet", "oxeye-backup.timer")
    check("the service is ready after it", ready(machine), log(machine))


def play(check: Checks, machine: Machine) -> None:
    for words in GAME:
        told = machine.phone("tell", words)
        check(f"a paired phone sends: {words}", told["ok"] is True, told)


def resumed(check: Checks, machine: Machine, after: str) -> None:
    offers = str(machine.phone("state")["offers"])
    check(f"after {after} the game is offered", "resume 1" in offers, offers)
    machine.phone("tell", "resume 1")
    moves = machine.run("oxeye", "log", "1")
    check(f"after {after} every move is kept", all(move in moves for move in GAME[1:]), moves)


def check_kill(check: Checks, machine: Machine) -> None:
    before = pid(machine)
    machine.run("systemctl", "kill", "-s", "KILL", "oxeye")
    back = until(lambda: pid(machine) not in (before, "0"), 20) and ready(machine)
    check("the service restarts after a kill", back, log(machine))
    resumed(check, machine, "a kill")


def check_hang(check: Checks, machine: Machine) -> None:
    before, start = pid(machine), time.monotonic()
    machine.run("sh", "-c", f"kill -STOP {before}")
    back = until(lambda: pid(machine) not in (before, "0"), WATCH + 30) and ready(machine)
    check(f"a hung service is stopped and restarted ({time.monotonic() - start:.0f} s)", back, log(machine))
    check("the watchdog stopped it", "atchdog timeout" in log(machine), log(machine))


def check_safe_mode(check: Checks, machine: Machine) -> None:
    """Cause the third failure in a row."""
    machine.run("systemctl", "kill", "-s", "KILL", "oxeye")
    check("the third failure starts safe mode", until(lambda: "--safe" in command(machine), 20), command(machine))
    check("the service is ready in safe mode", ready(machine), log(machine))
    state = str(machine.phone("state"))
    check("its state names safe mode", "Safe mode" in state, state)
    machine.phone("tell", "restart")
    check("a restart by phone leaves safe mode", until(lambda: "--config" in command(machine), 20), command(machine))
    check("the service is ready after it", ready(machine), log(machine))


def check_sandbox(check: Checks, machine: Machine) -> None:
    """Enter the sandbox of the service from outside and try what a compromised program could do."""
    into = f"nsenter -t {pid(machine)} -m setpriv --reuid=oxeye --regid=oxeye --clear-groups --no-new-privs".split()
    for place, may in {"/etc": False, "/usr": False, "/opt/oxeye": False, "/var/lib": False, "/root": False,
                       "/home": False, "/var/lib/oxeye": True, "/run/oxeye": True}.items():  # fmt: skip
        said = machine.run(*into, "touch", f"{place}/tried", ok=False)
        check(f"the service {'can' if may else 'cannot'} write in {place}", (said == "") == may, said)
    flags = machine.run("sh", "-c", f"grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/{pid(machine)}/status")
    check("no capabilities, no new privileges, filtered calls", flags.split()[1::2] == ["0" * 16, "1", "2"], flags)


def check_backup(check: Checks, machine: Machine) -> None:
    machine.run("systemctl", "start", "oxeye-backup.service")
    copies = machine.run("ls", "/var/lib/oxeye/copies")
    check("a backup of the games is written", copies.startswith("journal-"), copies)
    complaints = machine.run("systemctl", "--failed", "--plain", "--no-legend", ok=False)
    check("no unit of the package has failed", "oxeye" not in complaints, complaints)


def variant(package: Path, version: str, start: str | None = None, *, slow: bool = False) -> Path:
    """Repack the package as another version; ``start`` replaces the start script, ``slow`` delays postinst once."""
    root = FOLDER / "variant"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(root)], check=True)
    control = root / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: [^+]*", f"Version: {version}", control.read_text()))
    if start is not None:
        (root / "usr/lib/oxeye/start").write_text(start)
    if slow:
        script = root / "DEBIAN/postinst"
        script.write_text(script.read_text().replace("set -e\n", f"set -e\n{SLOW}", 1))
    target = FOLDER / f"oxeye_{version}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(root), str(target)], check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    shutil.rmtree(root)
    return target


def installed(machine: Machine) -> str:
    return machine.run("dpkg-query", "-W", "-f", "${Version}", "oxeye").partition("+")[0]


def check_update(check: Checks, machine: Machine, old: str) -> None:
    said = machine.run("oxeye", "update", f"/root/{BROKEN}", ok=False)
    check("an update is refused during a game", "A game is on" in said and installed(machine) == old, said)
    said = machine.run("oxeye", "update", "/root/phone.py", ok=False)
    check("a file that is not a package is refused", "not for this machine" in said, said)
    said = machine.run("oxeye", "update", "--anyway", f"/root/{BROKEN}", ok=False)
    why = said + machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
    check(
        "a version that does not run is rolled back",
        "the old one is back" in said and installed(machine) == old,
        why,
    )
    check("the old version is ready", ready(machine) and "--config" in command(machine), log(machine))
    resumed(check, machine, "going back")
    said = machine.run("oxeye", "update", "--anyway", f"/root/{NEWER}", ok=False)
    why = said + machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
    check("a version that runs is kept", "the new version runs" in said and installed(machine) == "9.1", why)
    resumed(check, machine, "the update")


def check_read_only_root(check: Checks, root: Path) -> None:
    """Boot with a read-only root file system and a writable state folder."""
    state = root.with_name(f"{root.name}.state")
    shutil.rmtree(state, ignore_errors=True)
    subprocess.run(["cp", "--archive", str(root / "var/lib/oxeye"), str(state)], check=True)
    with booted(root, "--read-only", "--tmpfs=/var/log", "--tmpfs=/root", f"--bind={state}:/var/lib/oxeye") as machine:
        check("the service is ready on a read-only root", ready(machine), log(machine))
        machine.run(
            "sh", "-c", "cat >/root/phone.py <<'END'\n" + (ROOT / "tests/machines/phone.py").read_text() + "END\n"
        )
        resumed(check, machine, "a power cut on a read-only root")


def check_removal(check: Checks, machine: Machine, package: Path) -> None:
    said = machine.run("dpkg", "--remove", "oxeye")
    check("removal prints where the games are", "/var/lib/oxeye" in said, said)
    check("removal keeps the games", machine.run("ls", "/var/lib/oxeye/journal.sqlite") != "")
    left = machine.run("sh", "-c", "ls -d /opt/oxeye /usr/lib/oxeye; systemctl list-units --plain 'oxeye*'", ok=False)
    check("removal deletes the program and the units", "venvs" not in left and "active running" not in left, left)
    machine.run("dpkg", "-i", f"/root/{package.name}")
    said = machine.run("systemctl", "is-enabled", *STARTED, ok=False)
    check("after a reinstallation the units start at boot", said.split() == ["enabled"] * len(STARTED), said)
    check("the service is ready after it", ready(machine), log(machine))


def check_power_cuts(check: Checks, root: Path) -> None:
    """Cut the power right after each confirmed move."""
    confirmed = [*GAME[1:]]
    for words in MORE:
        with booted(root) as machine:
            whole = ready(machine) and machine.phone("tell", "resume 1")["ok"] and machine.phone("tell", words)["ok"]
        confirmed += [words] if whole else []
    check(f"{len(MORE)} power cuts, each right after a confirmed move", confirmed == [*GAME[1:], *MORE], confirmed)
    with booted(root) as machine:
        ready(machine)
        moves = [line.split("  ")[-1].strip() for line in machine.run("oxeye", "log", "1").splitlines()[1:]]
        check("every confirmed move is kept exactly once", moves == confirmed, moves)


def check_interrupted_update(check: Checks, root: Path) -> None:
    """Cut the power during an update to a version that does not run."""
    with booted(root) as machine:
        ready(machine)
        old = installed(machine)
        machine.run("sh", "-c", f"cd {UPDATES}; rm -f working.deb; cp /root/{BROKEN} part && mv part incoming.deb")
        status = "dpkg-query", "-W", "-f", "${db:Status-Status}", "oxeye"
        check("an incoming package is installed", until(lambda: machine.run(*status) != "installed", 60))
    with booted(root) as machine:
        over = until(lambda: "incoming.deb" not in machine.run("ls", UPDATES), 150)
        why = machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
        said = machine.run("cat", f"{UPDATES}/result", ok=False)
        check("an interrupted update is rolled back", over and "cut short" in said and installed(machine) == old, why)
        check("the old version is ready after it", ready(machine) and "--config" in command(machine), log(machine))


def package_before(arch: str, suite: str) -> Path:
    """The package of version 0.1.0, built from its own checkout."""
    source = FOLDER / "before"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    archive = subprocess.Popen(["git", "archive", BEFORE], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(source)], stdin=archive.stdout, check=True)
    if archive.wait():
        raise NotHere(f"this checkout does not hold the commit {BEFORE[:7]} of version 0.1.0")
    path = f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"
    built = subprocess.check_output(
        ["systemd/build-deb", suite, arch], text=True, cwd=source, env=os.environ | {"PATH": path}
    )
    return source / built.split()[-1]


def cut_between(check: Checks, root: Path, old: Path, package: Path) -> None:
    """Cut the power after the units of the other version are unpacked and before its program is in place."""
    was, now = (file.name.split("_")[1] for file in (old, package))
    forward, back = variant(package, f"{now}.1", slow=True), variant(old, f"{was}.1", slow=True)
    for file in (old, forward, back):
        shutil.copy(file, root / "root")
    with booted(root) as machine:
        machine.run("dpkg", "-i", f"/root/{old.name}")
        check(f"version {was} is ready", ready(machine), log(machine))
        play(check, machine)
    for way, file in ((f"from {was} to {now}", forward), (f"back from {now} to {was}", back)):
        target = file.name.removesuffix(".deb").split("_")[1]
        with booted(root) as machine:
            check(f"{way}: the installed version is ready", ready(machine), log(machine))
            machine.run("rm", "-f", "/opt/slept")
            machine.run("sh", "-c", f"cd {UPDATES}; rm -f working.deb; cp /root/{file.name} part; mv part incoming.deb")
            unpacked = until(lambda: "slept" in machine.run("ls", "/opt", ok=False), 120)
            status = machine.run("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", "oxeye")
            check(f"{way}: power cut at {status}", unpacked and status.startswith("half-configured"), status)
        with booted(root) as machine:
            check(f"{way}: the service is ready after the next boot", ready(machine), log(machine))
            over = until(lambda: "incoming.deb" not in machine.run("ls", UPDATES), 150)
            why = machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
            check(f"{way}: the update is completed", over and installed(machine) == target, why)
            check(
                f"{way}: the target version is ready", ready(machine) and "--config" in command(machine), log(machine)
            )
            resumed(check, machine, f"the cut {way}")


def check_power_off(check: Checks, machine: Machine) -> None:
    """Power off from the phone, which asks for a confirmation first."""
    check("the service is ready", ready(machine), log(machine))
    machine.phone("tell", "power off")
    offers = str(machine.phone("tell", "power"))
    check("the first command only asks", machine.show("ActiveState") == "active", offers)
    told = machine.phone("tell", "power off")
    check("the confirmed command powers the machine off", machine.off(40), told)


def main(suite: str) -> int:
    try:
        needs(*NEEDED)
    except NotHere as why:
        print(f"not run: the package in a booted Debian: {why}")
        return 1
    check = Checks()
    arch = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    built = subprocess.check_output(["make", "--silent", "deb", f"SUITE={suite}", f"ARCH={arch}"], text=True, cwd=ROOT)
    package = ROOT / built.split()[-1]
    FOLDER.mkdir(parents=True, exist_ok=True)
    root = FOLDER / f"{suite}-run"
    copy_root(debian(suite, FOLDER), root)
    variants = variant(package, "9.0", "#!/bin/sh\nexit 70\n"), variant(package, "9.1")
    for file in (package, *variants, ROOT / "tests/machines/phone.py"):
        shutil.copy(file, root / "root")
    with booted(root) as machine:
        check_installation(check, machine, package)
        play(check, machine)
        check_kill(check, machine)
        check_hang(check, machine)
        check_safe_mode(check, machine)
        check_backup(check, machine)
        check_update(check, machine, package.name.split("_")[1])
        check_sandbox(check, machine)
    check_read_only_root(check, root)
    check_power_cuts(check, root)
    check_interrupted_update(check, root)
    with booted(root) as machine:
        check_power_off(check, machine)
    with booted(root) as machine:
        check_removal(check, machine, package)
    crossed = FOLDER / f"{suite}-crossed"
    copy_root(debian(suite, FOLDER), crossed)
    shutil.copy(ROOT / "tests/machines/phone.py", crossed / "root")
    cut_between(check, crossed, package_before(arch, suite), package)
    return check.finish(LEFT_OUT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
