"""Durable files: a file is replaced so that a power cut leaves either the old content or the new one."""

import os
from contextlib import suppress
from pathlib import Path

NEW_FILE_MODE = 0o666
"""Permissions of a file that was not there before; the umask takes its share."""


def fsync_path(path: Path) -> None:
    """fsync a file or a folder."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def replace_durably(fresh: Path, target: Path) -> None:
    """Replace ``target`` by ``fresh`` so that a power cut leaves either the old file or the new one."""
    fsync_path(fresh)
    fresh.replace(target)
    fsync_path(target.parent)


def write_durably(target: Path, data: bytes, mode: int | None = None) -> None:
    """Replace the content of ``target``; ``OSError`` leaves the old file.

    Without a ``mode`` the permissions stay. The owner stays where this user may set it. A symbolic link is followed.
    """
    target = target.resolve()
    fresh = target.with_name(target.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        created = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, NEW_FILE_MODE if mode is None else mode)
        with open(created, "wb") as file:
            file.write(data)
        if target.exists():
            before = target.stat()
            fresh.chmod(before.st_mode & 0o7777 if mode is None else mode)
            with suppress(PermissionError):
                os.chown(fresh, before.st_uid, before.st_gid)
        replace_durably(fresh, target)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
