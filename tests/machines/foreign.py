"""Runs words where programs for another machine run too: in name spaces of their own, with a binfmt_misc of their own.

``python foreign.py WORDS...``, as root. Nothing is registered in this machine's own; all of it ends with the process.
It takes a kernel of 6.7 or newer, and ``qemu-aarch64-static``.
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
"""The head of a program for arm64, and which of its bits count."""
FLAGS = b"OCF"
"""The emulator is opened now, so that it is there in any folder that becomes the root."""
IDS = "0 0 65536"


def main(words: list[str]) -> int:
    emulator = shutil.which(EMULATOR)
    assert emulator is not None, f"it takes {EMULATOR}"
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
