"""Plant known bugs one at a time in a copy of the tree: the tests must fail with an assertion.

A bug that breaks an import or raises another error proves nothing about the tests, so it does not count as found.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mutants.bugs import BUGS, Bug, find_stale

ROOT = Path(__file__).parent.parent.parent
COPIED = "engine vision hw firmware tests docs pyproject.toml README.md CHANGELOG.md Makefile".split()
MARGIN = r"^(?:E|\s+\|)\s+"  # the margin of pytest, or of a group of failures found by hypothesis
ASSERTION = re.compile(MARGIN + r"(AssertionError|assert |Failed: DID NOT RAISE)", re.MULTILINE)
IMPORT = re.compile(MARGIN + r"(ImportError|ModuleNotFoundError|SyntaxError|NameError|IndentationError)", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only the bugs marked quick")
    parser.add_argument("names", nargs="*", help="only these bugs")
    args = parser.parse_args()
    if stale := list(find_stale(ROOT)):
        print("these bugs do not fit the tree any more:", *stale, sep="\n  ")
        return 1
    chosen = [b for b in BUGS if (b.name in args.names if args.names else b.quick or not args.quick)]
    with tempfile.TemporaryDirectory(prefix="oxeye-mutants-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        failing = [selection for selection in sorted({b.tests for b in chosen}) if not passes(tree, selection)]
        if failing:
            print("these tests fail without any bug:", *(" ".join(s) for s in failing), sep="\n  ")
            return 1
        results = [report_bug(tree, bug) for bug in chosen]
    print(f"{sum(results)} of {len(results)} bugs found by an assertion")
    return 0 if all(results) and results else 1


def copy_tree(tree: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=ignored)
        elif source.exists():
            shutil.copy2(source, tree / name)


def report_bug(tree: Path, bug: Bug) -> bool:
    began = time.monotonic()
    verdict = plant_bug(tree, bug)
    print(f"{verdict or 'found':<24} {time.monotonic() - began:5.1f} s  {bug.name}", flush=True)
    return not verdict


def plant_bug(tree: Path, bug: Bug) -> str:
    """Run the tests with this bug; why they did not find it, or an empty text if they did."""
    path = tree / bug.file
    sane = path.read_text(encoding="utf-8")
    try:
        path.write_text(sane.replace(bug.text, bug.instead), encoding="utf-8")
        code, output = run_pytest(tree, bug.tests)
    finally:
        path.write_text(sane, encoding="utf-8")
    if code == 0:
        return "SURVIVED"
    if code != 1 or IMPORT.search(output) or not ASSERTION.search(output):
        print(output[-2000:])
        return "failed without asserting"
    return ""


def passes(tree: Path, selection: tuple[str, ...]) -> bool:
    code, output = run_pytest(tree, selection)
    if code:
        print(output[-2000:])
    return code == 0


def run_pytest(tree: Path, selection: tuple[str, ...]) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *selection]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
