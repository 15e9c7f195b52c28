"""The package in a booted Debian: installed, ready, watched, hung, crashed, killed, locked in and switched off.

``python system.py SUITE``, as root. Every line says ok, FAILED, or what could not be run here and why.
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

from tests.machines.machine import NEEDED, Machine, NotHere, debian, needs, until

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build/system"
LEFT_OUT = (
    ("camera, screen and buttons", "a container has no kernel of its own to pretend them with: make test-vm has edges"),
    ("install.sh", "it takes the network, which is not let in here: make test-install has it"),
    ("MemoryMax and DeviceAllow", "the container has no cgroup controllers: they are set and nothing is measured"),
    ("picamera2, gpiozero and lgpio of apt", "they are only in Raspberry Pi's own archive"),
)
GAME = ("begin thegame players=2", "play 12 up:1", "play 90 down:1", "done 1 2")
MORE = ("play 13 up:1", "play 14 up:1", "done 2 2", "play 15 up:1", "play 16 up:1", "done 1 2", "play 17 up:1",
        "play 18 up:1", "done 2 2", "play 19 up:1")  # fmt: skip
STARTED = ("oxeye.service", "oxeye-poweroff.path", "oxeye-update.path", "oxeye-backup.timer")
BROKEN, NEWER = "oxeye_9.0.deb", "oxeye_9.1.deb"
BEFORE = "ec2d1dd5097de2ec311347bd798f6f7211e41111"
"""The last commit of version 0.1.0, whose program has other module names."""
SLOW = "[ -e /opt/slept ] || { touch /opt/slept; sync; sleep 600; }\n"
"""At the start of a postinst: time to cut the power with the files unpacked and the program not exchanged yet."""
UPDATES = "/var/lib/oxeye-update"
WATCH = 30
"""Seconds, as the unit has it."""


class Checks:
    def __init__(self) -> None:
        self.failed: list[str] = []
        self._start = time.monotonic()

    def __call__(self, what: str, held: bool, why: object = "") -> None:
        print(f"{'ok     ' if held else 'FAILED '} {time.monotonic() - self._start:4.0f} s  {what}", flush=True)
        if not held:
            print(f"        {why}")
            self.failed.append(what)


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


def install(check: Checks, machine: Machine, package: Path) -> None:
    start = time.monotonic()
    machine.run("dpkg", "-i", f"/root/{package.name}")
    check(f"{package.name} is installed in {time.monotonic() - start:.0f} s", True)
    check("the service is ready", ready(machine), log(machine))
    since = [int(machine.show(f"{when}TimestampMonotonic")) for when in ("ExecMainStart", "ActiveEnter")]
    print(f"                from start to ready: {(since[1] - since[0]) / 1e6:.1f} s")
    check("it runs as its own user", machine.run("stat", "-c", "%U", f"/proc/{pid(machine)}") == "oxeye")
    check("its state says that it lives", "frames handled" in machine.show("StatusText"), machine.show("StatusText"))
    machine.run("systemctl", "disable", "--quiet", "oxeye-backup.timer")
    check("a second installation changes nothing", "oxeye" in machine.run("dpkg", "-i", f"/root/{package.name}"))
    said = machine.run("systemctl", "is-enabled", *STARTED, ok=False)
    check("nor what was switched off", said.split() == ["enabled"] * (len(STARTED) - 1) + ["disabled"], said)
    machine.run("systemctl", "enable", "--quiet", "oxeye-backup.timer")
    check("and it is ready again", ready(machine), log(machine))


def play(check: Checks, machine: Machine) -> None:
    for words in GAME:
        told = machine.phone("tell", words)
        check(f"a paired phone tells: {words}", told["ok"] is True, told)


def resumed(check: Checks, machine: Machine, after: str) -> None:
    offers = str(machine.phone("state")["offers"])
    check(f"after {after} the game is offered", "resume 1" in offers, offers)
    machine.phone("tell", "resume 1")
    moves = machine.run("oxeye", "log", "1")
    check("with every move", all(move in moves for move in GAME[1:]), moves)


def killed(check: Checks, machine: Machine) -> None:
    before = pid(machine)
    machine.run("systemctl", "kill", "-s", "KILL", "oxeye")
    check(
        "killed, it starts again", until(lambda: pid(machine) not in (before, "0"), 20) and ready(machine), log(machine)
    )
    resumed(check, machine, "a kill")


def hung(check: Checks, machine: Machine) -> None:
    before, start = pid(machine), time.monotonic()
    machine.run("sh", "-c", f"kill -STOP {before}")
    back = until(lambda: pid(machine) not in (before, "0"), WATCH + 30) and ready(machine)
    check(f"hung, it is stopped and started again ({time.monotonic() - start:.0f} s)", back, log(machine))
    check("by the watchdog", "atchdog timeout" in log(machine), log(machine))


def safe(check: Checks, machine: Machine) -> None:
    """Two failures are behind it."""
    machine.run("systemctl", "kill", "-s", "KILL", "oxeye")
    check("after the third failure it starts safe", until(lambda: "--safe" in command(machine), 20), command(machine))
    check("and is ready", ready(machine), log(machine))
    state = str(machine.phone("state"))
    check("and says so", "Safe mode" in state, state)
    machine.phone("tell", "restart")
    check("started anew it tries everything again", until(lambda: "--config" in command(machine), 20), command(machine))
    check("and is ready", ready(machine), log(machine))


def locked_in(check: Checks, machine: Machine) -> None:
    """What a stranger could do who had taken over the program: its sandbox, entered from outside."""
    into = f"nsenter -t {pid(machine)} -m setpriv --reuid=oxeye --regid=oxeye --clear-groups --no-new-privs".split()
    for place, may in {"/etc": False, "/usr": False, "/opt/oxeye": False, "/var/lib": False, "/root": False,
                       "/home": False, "/var/lib/oxeye": True, "/run/oxeye": True}.items():  # fmt: skip
        said = machine.run(*into, "touch", f"{place}/tried", ok=False)
        check(f"it {'may' if may else 'cannot'} write in {place}", (said == "") == may, said)
    flags = machine.run("sh", "-c", f"grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/{pid(machine)}/status")
    check("it has no capability, gets none, and is filtered", flags.split()[1::2] == ["0" * 16, "1", "2"], flags)


def others(check: Checks, machine: Machine) -> None:
    machine.run("systemctl", "start", "oxeye-backup.service")
    copies = machine.run("ls", "/var/lib/oxeye/copies")
    check("a copy of the games is made", copies.startswith("journal-"), copies)
    complaints = machine.run("systemctl", "--failed", "--plain", "--no-legend", ok=False)
    check("no unit of ours has failed", "oxeye" not in complaints, complaints)


def variant(package: Path, version: str, start: str | None = None, *, slow: bool = False) -> Path:
    """The same as another version; with a ``start`` of its own if it shall not run, ``slow`` to configure once."""
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


def updated(check: Checks, machine: Machine, old: str) -> None:
    said = machine.run("oxeye", "update", f"/root/{BROKEN}", ok=False)
    check("during a game there is no update", "A game is on" in said and installed(machine) == old, said)
    said = machine.run("oxeye", "update", "/root/phone.py", ok=False)
    check("nor with what is no package", "not for this machine" in said, said)
    said = machine.run("oxeye", "update", "--anyway", f"/root/{BROKEN}", ok=False)
    why = said + machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
    check(
        "a version that does not run is undone by itself",
        "the old one is back" in said and installed(machine) == old,
        why,
    )
    check("and the old one is ready", ready(machine) and "--config" in command(machine), log(machine))
    resumed(check, machine, "going back")
    said = machine.run("oxeye", "update", "--anyway", f"/root/{NEWER}", ok=False)
    why = said + machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
    check("a version that runs stays", "the new version runs" in said and installed(machine) == "9.1", why)
    resumed(check, machine, "the update")


def read_only(check: Checks, root: Path) -> None:
    """Nothing can be written but where the state is: an SD card that is kept from wearing out."""
    state = root.with_name(f"{root.name}.state")
    shutil.rmtree(state, ignore_errors=True)
    subprocess.run(["cp", "--archive", str(root / "var/lib/oxeye"), str(state)], check=True)
    with booted(root, "--read-only", "--tmpfs=/var/log", "--tmpfs=/root", f"--bind={state}:/var/lib/oxeye") as machine:
        check("on a root that cannot be written it is ready", ready(machine), log(machine))
        machine.run(
            "sh", "-c", "cat >/root/phone.py <<'END'\n" + (ROOT / "tests/machines/phone.py").read_text() + "END\n"
        )
        resumed(check, machine, "a cut of its power")


def removed(check: Checks, machine: Machine, package: Path) -> None:
    said = machine.run("dpkg", "--remove", "oxeye")
    check("removing it says where the games are", "/var/lib/oxeye" in said, said)
    check("leaves them there", machine.run("ls", "/var/lib/oxeye/journal.sqlite") != "")
    left = machine.run("sh", "-c", "ls -d /opt/oxeye /usr/lib/oxeye; systemctl list-units --plain 'oxeye*'", ok=False)
    check("and nothing else", "venvs" not in left and "active running" not in left, left)
    machine.run("dpkg", "-i", f"/root/{package.name}")
    said = machine.run("systemctl", "is-enabled", *STARTED, ok=False)
    check("installed again it starts with the machine", said.split() == ["enabled"] * len(STARTED), said)
    check("and is ready", ready(machine), log(machine))


def cut(check: Checks, root: Path) -> None:
    """Ten times, each right after a move was confirmed."""
    confirmed = [*GAME[1:]]
    for words in MORE:
        with booted(root) as machine:
            whole = ready(machine) and machine.phone("tell", "resume 1")["ok"] and machine.phone("tell", words)["ok"]
        confirmed += [words] if whole else []
    check(f"{len(MORE)} times the whole machine is killed after a move", confirmed == [*GAME[1:], *MORE], confirmed)
    with booted(root) as machine:
        ready(machine)
        moves = [line.split("  ")[-1].strip() for line in machine.run("oxeye", "log", "1").splitlines()[1:]]
        check("and every move is there, once", moves == confirmed, moves)


def cut_short(check: Checks, root: Path) -> None:
    """The power goes in the middle of an update to a version that would not run."""
    with booted(root) as machine:
        ready(machine)
        old = installed(machine)
        machine.run("sh", "-c", f"cd {UPDATES}; rm -f working.deb; cp /root/{BROKEN} part && mv part incoming.deb")
        status = "dpkg-query", "-W", "-f", "${db:Status-Status}", "oxeye"
        check("what lies ready is installed", until(lambda: machine.run(*status) != "installed", 60))
    with booted(root) as machine:
        over = until(lambda: "incoming.deb" not in machine.run("ls", UPDATES), 150)
        why = machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
        said = machine.run("cat", f"{UPDATES}/result", ok=False)
        check("cut short, it is undone by itself", over and "cut short" in said and installed(machine) == old, why)
        check("and the old version is ready", ready(machine) and "--config" in command(machine), log(machine))


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
    """The power goes after the units of the other version were unpacked, and before its program is in place."""
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
            check(f"{way}: power goes with {status}", unpacked and status.startswith("half-configured"), status)
        with booted(root) as machine:
            check(f"{way}: a program runs at once", ready(machine), log(machine))
            over = until(lambda: "incoming.deb" not in machine.run("ls", UPDATES), 150)
            why = machine.run("journalctl", "--no-pager", "-u", "oxeye-update", "-o", "cat", ok=False)
            check(f"{way}: the update is finished after it", over and installed(machine) == target, why)
            check(f"{way}: and its version is ready", ready(machine) and "--config" in command(machine), log(machine))
            resumed(check, machine, f"the cut {way}")


def off(check: Checks, machine: Machine) -> None:
    """Asked where it is offered, beside no game, and only when the question was answered."""
    check("it is ready", ready(machine), log(machine))
    machine.phone("tell", "power off")
    offers = str(machine.phone("tell", "power"))
    check("it asks first", machine.show("ActiveState") == "active", offers)
    told = machine.phone("tell", "power off")
    check("told to switch off, the machine switches off", machine.off(40), told)


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
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(debian(suite, FOLDER)), str(root)], check=True)
    variants = variant(package, "9.0", "#!/bin/sh\nexit 70\n"), variant(package, "9.1")
    for file in (package, *variants, ROOT / "tests/machines/phone.py"):
        shutil.copy(file, root / "root")
    with booted(root) as machine:
        install(check, machine, package)
        play(check, machine)
        killed(check, machine)
        hung(check, machine)
        safe(check, machine)
        others(check, machine)
        updated(check, machine, package.name.split("_")[1])
        locked_in(check, machine)
    read_only(check, root)
    cut(check, root)
    cut_short(check, root)
    with booted(root) as machine:
        off(check, machine)
    with booted(root) as machine:
        removed(check, machine, package)
    crossed = FOLDER / f"{suite}-crossed"
    shutil.rmtree(crossed, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(debian(suite, FOLDER)), str(crossed)], check=True)
    shutil.copy(ROOT / "tests/machines/phone.py", crossed / "root")
    cut_between(check, crossed, package_before(arch, suite), package)
    for what, why in LEFT_OUT:
        print(f"not run         {what}: {why}")
    print(f"{len(check.failed)} failed" if check.failed else "all of it held")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
