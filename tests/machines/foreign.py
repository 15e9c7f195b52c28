"""Runs a command in its own name spaces with a binfmt_misc handler for arm64 programs.

``python foreign.py WORDS...``, as root. The handler is private to the name space and ends with the process.
Needs Linux 6.7 or newer and ``qemu-aarch64-static``.
"""

import ctypes
import os
import shutil
import subprocess
import sys

NEW_USERS, NEW_MOUNTS = 0x10000000, 0x00020000
REGISTER = "/proc/sys/fs/binfmt_misc/register"
KERNEL = (6, 7)
EMULATOR = "qemu-aarch64-static"
ELF = rb"\x7fELF\x02\x01\x01" + rb"\x00" * 9 + rb"\x02\x00\xb7\x00"
MASK = rb"\xff" * 7 + rb"\x00" + rb"\xff" * 8 + rb"\xfe\xff\xff\xff"
"""ELF header of an arm64 program, and the mask of the bits to compare."""
FLAGS = b"OCF"
"""F opens the emulator at registration, so that it works after chroot."""
IDS = "0 0 65536"


def main(words: list[str]) -> int:
    emulator = shutil.which(EMULATOR)
    assert emulator is not None, f"{EMULATOR} is missing"
    (unshared, tell), (mapped, map_) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(NEW_USERS | NEW_MOUNTS):
            os._exit(92)
        os.write(tell, b"x")
        os.read(mapped, 1)
        os.setgid(0)
        os.setuid(0)
        subprocess.check_call(["mount", "--make-rprivate", "/"])
        subprocess.check_call(["mount", "-t", "binfmt_misc", "none", os.path.dirname(REGISTER)])
        with open(REGISTER, "wb", buffering=0) as register:
            register.write(b":".join((b"", b"arm64", b"M", b"", ELF, MASK, emulator.encode(), FLAGS)))
        os.execvp(words[0], words)
    os.close(tell)
    if os.read(unshared, 1):
        for ids in ("uid_map", "gid_map"):
            with open(f"/proc/{child}/{ids}", "w") as file:
                file.write(IDS)
        os.write(map_, b"x")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
