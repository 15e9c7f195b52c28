"""Checks that power cuts under a journal and kills of the playing process lose no confirmed step.

``python -m tests.powercut.run N`` cuts the power of a simulated disk at N points of an evening, with each fate of the
unsynced writes, and kills N processes.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.powercut import proof


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n", type=int, nargs="?", default=50)
    parser.add_argument("--play", metavar="FILE", help="play into this journal until killed")
    args = parser.parse_args()
    if args.play:
        proof.play_until_killed(Path(args.play))
        return 0
    bad: list[str] = []
    for label, checkpoint in (("usual checkpoints", 1000), ("checkpoints every 8 pages", 8)):
        with proof.make_memory_folder() as folder:
            start, disk = time.monotonic(), proof.Disk()
            proof.record_matches(disk, Path(folder), 3, checkpoint)
            result = proof.cut_power(disk, args.n, Path(folder))
        print(f"power, {label}: {result} ({len(disk.ops)} calls), {time.monotonic() - start:.0f} s", flush=True)
        bad += result.faults
    with tempfile.TemporaryDirectory(prefix="oxeye-powercut-") as folder:
        start = time.monotonic()
        result = proof.kill_players(args.n, Path(folder) / proof.FILE)
        print(f"killed: {result}, {time.monotonic() - start:.0f} s")
        bad += result.faults
    for fault in bad[:20]:
        print(f"  {fault}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
