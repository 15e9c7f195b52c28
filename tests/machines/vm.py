"""Checks button edges from a real kernel and whole-machine power cuts in an emulated Debian 13.

``python -m tests.machines.vm``, as root. The root file system is read-only; only the state folder is a disk.
Each line reads ok, FAILED, or not run with the reason.
"""

import json
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.machines.checks import Checks
from tests.machines.chroot import ROOT, debian, inside, quiet
from tests.machines.machine import MORE as APT
from tests.machines.machine import PACKAGES, NotHere, copy_root, needs, until
from tests.machines.service import GAME, MORE, log, ready, resumed

HERE = Path(__file__).parent
FOLDER = ROOT / "build/machines"
SUITE = "trixie"
KERNEL = ("linux-image-amd64", "linux-headers-amd64", "linux-source", "initramfs-tools", "gcc", "libc6-dev", "make",
          "xz-utils")  # fmt: skip
BUILD = ("swig", "python3-dev", "python3-pip", "python3-setuptools")
MODULES = ("9p", "9pnet_virtio", "virtio_pci", "virtio_blk", "ext4")
STATE_MB = 64
BOOT = 150.0
"""Seconds that the emulated machine may take to boot."""
GPIO = """
cd /root
version=$(ls /lib/modules | tail -1)
source=$(basename /usr/src/linux-source-*.tar.xz .tar.xz)
tar -xJf "/usr/src/$source.tar.xz" "$source/drivers/gpio" "$source/kernel/irq/irq_sim.c"
mkdir -p module /opt/vm
cp "$source"/drivers/gpio/gpio-sim.c "$source"/drivers/gpio/*.h "$source/kernel/irq/irq_sim.c" module
# irq_sim.c calls a function that the kernel does not export to modules: use the exported equivalent
sed -i 's/irq_to_desc(\\([a-z]*\\))/irq_data_to_desc(irq_get_irq_data(\\1))/' module/irq_sim.c
printf 'obj-m += oxeye-gpio.o\\noxeye-gpio-y := irq_sim.o gpio-sim.o\\n' >module/Kbuild
make -s -C "/lib/modules/$version/build" M=/root/module modules
cp module/oxeye-gpio.ko /opt/vm
rm -rf module "$source"
PYPI=1 python3 -m pip install --quiet --break-system-packages --root-user-action=ignore --no-build-isolation \\
  --no-deps --require-hashes --requirement /root/lgpio.txt
"""
FSTAB = """/dev/vda /var/lib/oxeye ext4 defaults 0 0
tmpfs /tmp tmpfs defaults 0 0
tmpfs /var/tmp tmpfs defaults 0 0
tmpfs /var/log tmpfs defaults 0 0
tmpfs /root tmpfs defaults 0 0
"""
UNIT = """[Unit]
Description=Runs commands received on a virtio port
[Service]
ExecStart=/usr/bin/python3 /opt/vm/hands.py /dev/virtio-ports/hands
Restart=always
[Install]
WantedBy=multi-user.target
"""
UNNEEDED = ("systemd-logind.service", "serial-getty@ttyS0.service", "getty@tty1.service", "apt-daily.timer",
            "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer")  # fmt: skip
"""Units masked in the emulated machine: it has no logins, and each unit costs seconds of boot time."""
LEFT_OUT = (
    ("camera and screen", "make test-picamera2 checks the camera, tests/hw the screen on a fake bus"),
    ("what a real SD card keeps after a power cut", "make powercut simulates the ways a disk can fail"),
    ("the pins of a Pi", "the GPIO chip here is simulated by the kernel"),
)


class Vm:
    """The emulated machine, with the interface of ``Machine``: ``run`` a command inside, ``kill`` as a power cut."""

    def __init__(self, root: Path, disk: Path) -> None:
        self._wire = root.with_name(f"{root.name}.wire")
        self._wire.unlink(missing_ok=True)
        kernel = sorted((root / "boot").glob("vmlinuz-*"))[-1]
        initrd = sorted((root / "boot").glob("initrd.img-*"))[-1]
        flags = "trans=virtio,version=9p2000.L,msize=262144,cache=loose"
        append = f"console=ttyS0 quiet root=rootfs rootfstype=9p rootflags={flags} ro panic=-1"
        console = root.with_name(f"{root.name}.console").open("wb")
        words = ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m",
                 "1024", "-nographic", "-no-reboot", "-nodefaults", "-nic", "none", "-serial", "stdio",
                 "-kernel", str(kernel), "-initrd", str(initrd), "-append", append,
                 "-virtfs", f"local,path={root},security_model=none,mount_tag=rootfs,multidevs=remap,readonly=on",
                 "-drive", f"file={disk},format=raw,if=virtio", "-device", "virtio-serial",
                 "-chardev", f"socket,path={self._wire},server=on,wait=off,id=hands",
                 "-device", "virtserialport,chardev=hands,name=hands"]  # fmt: skip
        self._start = time.monotonic()
        self._box = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT)
        until(self._wire.exists, 10)
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(self._wire))
        self._line.settimeout(BOOT)
        self._heard = b""
        try:
            self.run("true")
        except OSError:
            self.kill()
            raise
        self.boot = time.monotonic() - self._start

    def run(self, *words: str, ok: bool = True) -> str:
        """Run a command inside and return its output. ``ok``: raise on a non-zero exit code."""
        self._line.sendall(json.dumps(words).encode() + b"\n")
        while b"\n" not in self._heard:
            part = self._line.recv(65536)
            if not part:
                raise OSError("the machine closed the connection")
            self._heard += part
        line, _, self._heard = self._heard.partition(b"\n")
        said = json.loads(line)
        if ok and said["ended"]:
            raise RuntimeError(f"{' '.join(words)}: {said['out']}{said['err']}")
        return str(said["out"] + ("" if ok else said["err"])).strip()

    def show(self, what: str, unit: str = "oxeye") -> str:
        return self.run("systemctl", "show", "--value", "-p", what, unit)

    def phone(self, *words: str) -> dict[str, object]:
        return dict(json.loads(self.run("python3", "/opt/vm/phone.py", *words)))

    def kill(self) -> None:
        self._line.close()
        self._box.kill()
        self._box.wait()


def prepare(root: Path) -> None:
    """Build the GPIO simulation module, and install lgpio."""
    shutil.copy(HERE / "lgpio.txt", root / "root")
    quiet(inside(root, "sh", "-ec", GPIO))
    with (root / "etc/initramfs-tools/modules").open("a") as file:
        file.write("".join(f"{name}\n" for name in MODULES))
    quiet(inside(root, "update-initramfs", "-u"))


def furnish(root: Path, package: Path) -> None:
    """Install the package, and the service that runs commands from outside."""
    shutil.copy(package, root / "root")
    quiet(inside(root, "dpkg", "-i", f"/root/{package.name}"))
    for file in (HERE / "hands.py", HERE / "edges.py", ROOT / "tests/machines/phone.py"):
        shutil.copy(file, root / "opt/vm")
    (root / "var/lib/oxeye").mkdir(exist_ok=True)
    (root / "etc/fstab").write_text(FSTAB)
    (root / "etc/machine-id").write_text("0123456789abcdef" * 2 + "\n")  # a read-only root cannot create one
    (root / "etc/systemd/system/hands.service").write_text(UNIT)
    quiet(inside(root, "systemctl", "enable", "hands.service"))
    quiet(inside(root, "systemctl", "mask", *UNNEEDED))


def make_state_disk(root: Path, disk: Path) -> None:
    """Create an empty file system owned by the user of the service."""
    users = (root / "etc/passwd").read_text().splitlines()
    user, group = next(line.split(":")[2:4] for line in users if line.startswith("oxeye:"))
    disk.unlink(missing_ok=True)
    with disk.open("wb") as file:
        file.truncate(STATE_MB << 20)
    quiet(["mkfs.ext4", "-q", "-F", "-E", f"root_owner={user}:{group}", str(disk)])


def boot(root: Path, disk: Path) -> Vm:
    """Boot the machine; retry once if the kernel panics in the emulator before the root is mounted."""
    try:
        return Vm(root, disk)
    except OSError:
        if b"Kernel panic" not in root.with_name(f"{root.name}.console").read_bytes():
            raise
    print("        the emulated kernel panicked while booting: second attempt", flush=True)
    return Vm(root, disk)


def check_edges(check: Checks, vm: Vm) -> None:
    said = vm.run("env", "LG_WD=/tmp", "/opt/oxeye/venv/bin/python", "/opt/vm/edges.py", ok=False)
    try:
        told = json.loads(said.splitlines()[-1])
    except (ValueError, IndexError):
        check("edges of the simulated pins are read", False, said)
        return
    wanted = {
        "each button is pressed briefly": [[name, "short"] for name in ("up", "down", "ok", "back")],
        "OK is held for a second": [["ok", "long"]],
        "OK and BACK are held for three seconds": [["ok", "restart"]],
    }
    for what, presses in wanted.items():
        heard = told[what]
        check(f"{heard['edges']} kernel edges: {what}", heard["presses"] == presses, heard)


def check_power_cuts(check: Checks, root: Path, disk: Path, first: Vm, kills: int) -> None:
    """Cut the power right after each confirmed move."""
    moves = [*GAME[1:]]
    vm = first
    for words in MORE[:kills]:
        vm.kill()
        vm = boot(root, disk)
        if not ready(vm, BOOT):
            check("the service is ready after a power cut", False, log(vm))
            break
        if vm.phone("tell", "resume 1")["ok"] and vm.phone("tell", words)["ok"]:
            moves.append(words)
        print(f"        booted in {vm.boot:.0f} s, {words}", flush=True)
    check(f"{kills} power cuts, each right after a confirmed move", moves == [*GAME[1:], *MORE[:kills]], moves)
    vm.kill()
    vm = boot(root, disk)
    ready(vm, BOOT)
    kept = [line.split("  ")[-1].strip() for line in vm.run("oxeye", "log", "1").splitlines()[1:]]
    check("every confirmed move is kept exactly once", kept == moves, kept)
    vm.kill()


def main(kills: int) -> int:
    try:
        needs("debootstrap", "qemu-system-x86_64", "mkfs.ext4")
        packages = (*PACKAGES, *APT[SUITE], *KERNEL, *BUILD)
        recipe = GPIO + "".join(MODULES) + (HERE / "lgpio.txt").read_text()
        fixed = debian(FOLDER / "vm", ["debootstrap", "--variant=minbase", SUITE], packages, prepare, recipe)
    except NotHere as why:
        print(f"not run: the emulated machine: {why}")
        return 1
    built = subprocess.check_output(["make", "--silent", "deb", f"SUITE={SUITE}", "ARCH=amd64"], text=True, cwd=ROOT)
    root, disk = FOLDER / "vm.run", FOLDER / "vm.state"
    copy_root(fixed, root)
    furnish(root, ROOT / built.split()[-1])
    make_state_disk(root, disk)
    check = Checks()
    vm = boot(root, disk)
    try:
        check(f"the machine boots in {vm.boot:.0f} s: {vm.run('uname', '-r')}", True)
        check("the service is ready", ready(vm, BOOT), log(vm))
        for place, may in {"/etc": False, "/usr": False, "/opt/oxeye": False, "/var/lib/oxeye": True}.items():
            said = vm.run("touch", f"{place}/tried", ok=False)
            check(f"{place} is {'writable' if may else 'read-only'}", (said == "") == may, said)
        check_edges(check, vm)
        for words in GAME:
            told = vm.phone("tell", words)
            check(f"a paired phone sends: {words}", told["ok"] is True, told)
        vm.kill()
        vm = boot(root, disk)
        check("the service is ready after the first power cut", ready(vm, BOOT), log(vm))
        resumed(check, vm, "a power cut")
        check_power_cuts(check, root, disk, vm, kills)
    finally:
        vm.kill()
    return check.finish(LEFT_OUT)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else len(MORE)))
