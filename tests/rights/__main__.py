"""``make rights``: try the table of rights and the attacks on a running box, and print what does not hold."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.rights.attacks import ATTACKS, Attack
from tests.rights.examination import Examiner, Finding, Standing
from tests.rights.examined_table import MomentNotReached, NotThere
from tests.rights.rights_table import MOMENTS, PAGE, RightsCell, read_rows
from tests.rights.running_box import NotOffered
from tests.rights.tables import NO_CAMERA_TABLE, TABLES, find_table

MARKS = {Standing.HOLDS: "+", Standing.BROKEN: "X", Standing.NOT_THERE: ".", Standing.NOT_SHOWN: "?"}


def list_cells(quick: bool) -> list[RightsCell]:
    """All cells, by box and moment so that few moments are set up; ``quick``: the first moment of each row."""
    cells = []
    for row in read_rows(PAGE.read_text(encoding="utf-8")):
        cells += [cell for cell in row.cells() if not quick or cell.moment == row.moments[0]]
    return sorted(cells, key=lambda cell: (list(TABLES).index(find_table(cell)), MOMENTS.index(cell.moment)))


def examine_cells(cells: Sequence[RightsCell], folder: Path) -> list[Finding]:
    findings: list[Finding] = []
    for name, start in TABLES.items():
        of_table = [cell for cell in cells if find_table(cell) == name]
        if of_table:
            print(f"--- {name}", flush=True)
            with closing(start(folder / name.replace(" ", "-"))) as table:
                if name == NO_CAMERA_TABLE:
                    table.read_menu()
                findings += Examiner(table, print_finding).examine(of_table)
    return findings


def print_finding(finding: Finding) -> None:
    if finding.standing is not Standing.HOLDS:
        print(f"{MARKS[finding.standing]} {finding.cell}: {finding.standing}: {finding.why}", flush=True)


def run_attack(attack: Attack, folder: Path) -> str:
    """Empty: withstood."""
    try:
        with closing(attack.start(folder)) as table:
            said = attack.run(table)
    except NotThere as reason:
        said = f"not there: {reason}"
    except (NotOffered, MomentNotReached) as reason:
        said = f"not shown: {reason}"
    print(f"{'X' if said else '+'} attack, {attack.name}: {said or 'withstood'}", flush=True)
    return said


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rights", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="each row at its first moment only")
    parser.add_argument("--only", default="", help="only acts and attacks that contain this text")
    parser.add_argument("--part", choices=["cells", "attacks"], help="only the table, or only the attacks")
    arguments = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="oxeye-rights-") as name:
        folder = Path(name)
        cells = [cell for cell in list_cells(arguments.quick) if arguments.only in cell.act]
        findings = examine_cells(cells, folder) if arguments.part != "attacks" else []
        attacks = [attack for attack in ATTACKS if arguments.only in attack.name and arguments.part != "cells"]
        said = {attack.name: run_attack(attack, folder / f"attack-{at}") for at, attack in enumerate(attacks)}
    counts = Counter(finding.standing for finding in findings)
    print(f"{len(findings)} cells: " + ", ".join(f"{counts[standing]} {standing}" for standing in Standing))
    for role in ("box", "host", "player", "no seat", "watcher"):
        of_role = Counter(one.standing for one in findings if one.cell.role == role)
        print(f"  {role}: " + ", ".join(f"{of_role[standing]} {standing}" for standing in Standing))
    failed = sum(map(bool, said.values()))
    print(f"{len(attacks)} attacks: {len(attacks) - failed} withstood ({time.monotonic() - begun:.0f} s)")
    return 1 if failed or counts[Standing.HOLDS] < len(findings) else 0


if __name__ == "__main__":
    sys.exit(main())
