"""Each planted bug fits the tree: its file exists and its text occurs in it exactly once."""

from pathlib import Path

from tests.mutants.bugs import BUGS, find_stale

ROOT = Path(__file__).parent.parent.parent


def test_every_bug_fits_the_tree():
    assert list(find_stale(ROOT)) == []


def test_bug_names_are_unique():
    assert len({bug.name for bug in BUGS}) == len(BUGS)


def test_a_missing_file_is_reported(tmp_path):
    assert len(list(find_stale(tmp_path))) >= len(BUGS)
