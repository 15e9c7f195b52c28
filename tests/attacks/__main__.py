"""Attacks what the box keeps, and prints its answers: ``python -m tests.attacks``; exit code 1 if it said nothing."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.attacks.damaged_journals import run

WHOLE = {"bit flips": 1001, "bit flips in page 1": 300, "truncations": 100, "holes": 50, "older copies": 40}
QUICK_SHARE = 10
COMMAND_SHARE = 10
"""One of so many damaged files is also given to every command; each takes over a second."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the attacks")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts = {kind: count // QUICK_SHARE if arguments.quick else count for kind, count in WHOLE.items()}
    few = {kind: max(1, count // COMMAND_SHARE) for kind, count in counts.items()}
    with tempfile.TemporaryDirectory(prefix="oxeye-attack-") as name:
        print("damaged journals, at the start of the box")
        wrong = run(Path(name), counts, arguments.seed, commands=False)
        print("damaged journals, in every command and at the start")
        wrong += run(Path(name), few, arguments.seed + 1, commands=True)
    print(f"{wrong} silent or with a traceback (bar: 0)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
