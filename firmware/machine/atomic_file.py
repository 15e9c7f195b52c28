"""Files that are there after a power cut: whole, under their own names."""

import os
from pathlib import Path


def fsync_path(path: Path) -> None:
    """A file with all that was written to it, or a folder with its names."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def replace_durably(fresh: Path, target: Path) -> None:
    """A file where it is waited for: after a power cut all of it is there, or what was there before."""
    fsync_path(fresh)
    fresh.replace(target)
    fsync_path(target.parent)
