"""The most memory a process needs to read one picture of a table, and one of it empty: run as a program."""

import sys
from pathlib import Path

from firmware.cli.read import read_photo
from vision.live.frame_reading import ReadingSetup


def main() -> None:
    full, bare = map(Path, sys.argv[1:])
    reading = read_photo(full, None, bare, ReadingSetup()).reading
    # the kernel's own count of this program: what a parent used before it started us is not ours
    status = Path("/proc/self/status").read_text().split()
    megabytes = int(status[status.index("VmHWM:") + 1]) / 1024
    print(f"{megabytes:.0f} MB with {len(reading.frame_reading.pieces)} tags read")


if __name__ == "__main__":
    main()
