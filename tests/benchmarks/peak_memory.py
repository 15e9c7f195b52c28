"""Prints the peak memory of a process that reads one picture of a table and one of it empty; run as a program."""

import sys
from pathlib import Path

from firmware.cli.read import read_photo
from vision.live.frame_reading import ReadingSetup


def main() -> None:
    full, bare = map(Path, sys.argv[1:])
    reading = read_photo(full, None, bare, ReadingSetup()).reading
    # the count of the kernel for this process: the memory of the parent before the fork does not count
    status = Path("/proc/self/status").read_text().split()
    megabytes = int(status[status.index("VmHWM:") + 1]) / 1024
    print(f"{megabytes:.0f} MB with {len(reading.frame_reading.pieces)} tags read")


if __name__ == "__main__":
    main()
