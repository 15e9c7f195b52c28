"""A run fails if a fault was counted, or if nothing was played."""

from collections import Counter

import pytest

from tests.tabletop.report import FAULTS, format_counts, has_failed


@pytest.mark.parametrize("fault", FAULTS)
def test_each_kind_of_fault_fails_the_run(fault: str) -> None:
    assert has_failed({"base": Counter(rounds=3), "halves": Counter({"rounds": 1, fault: 1})})


def test_rounds_without_a_fault_pass() -> None:
    assert not has_failed({"base": Counter({"rounds": 3, "looks": 40, "cannot tell: swapped": 2})})


def test_a_run_without_rounds_proves_nothing() -> None:
    assert has_failed({})
    assert has_failed({"base": Counter()})


def test_the_table_has_a_line_for_each_variant_and_one_for_all_together() -> None:
    table = format_counts("nimmt", {"base": Counter(rounds=3), "halves": Counter({"rounds": 4, "told by hand": 2})})
    words = [line.split()[:2] for line in table.splitlines()]
    assert words == [["nimmt", "rounds"], ["base", "3"], ["halves", "4"], ["together", "7"], ["told", "by"]]
