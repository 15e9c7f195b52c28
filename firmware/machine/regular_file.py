"""Files in folders that other users may write: opened only if they are regular files, and never through a link."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

NEW_FILE_MODE = 0o600


def open_regular(path: Path, flags: int, mode: int = NEW_FILE_MODE) -> BinaryIO:
    """Open the file unbuffered; ``OSError`` if it is a symbolic link, a FIFO, a device or a folder."""
    number = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, mode)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        os.set_blocking(number, True)
        return open(number, "rb" if flags & os.O_ACCMODE == os.O_RDONLY else "r+b", buffering=0)
    except BaseException:
        with suppress(OSError):
            os.close(number)
        raise


def read_regular(path: Path, most_bytes: int) -> bytes:
    """The content; ``OSError`` if it is no regular file or longer than this."""
    with open_regular(path, os.O_RDONLY) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


@contextmanager
def as_owner_of(folder: Path) -> Iterator[None]:
    """As root, work with the rights of the folder's owner, so that a link in it leads to nothing of root."""
    owner = folder.stat() if os.geteuid() == 0 and folder.exists() else None
    if owner is None or owner.st_uid == 0:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    os.setgroups([])
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)
