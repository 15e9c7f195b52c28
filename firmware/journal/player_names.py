"""The names of players that the box proposes: those of the last evening."""

from collections.abc import Collection, Sequence

from firmware.journal.operation_types import Names
from firmware.journal.row_types import Played

EVENING_S = 12 * 3600.0
"""Seconds: games that began at most so long before the last one belong to its evening."""


def find_last_names(heads: Sequence[Played], swapping: Collection[str] = ()) -> dict[int, str]:
    """The players' names in the last evening: of each number the latest one.

    ``swapping`` are games whose players change their numbers from match to match: the other games count first.
    """
    last = heads[-1].began if heads else 0.0
    evening = [head for head in reversed(heads) if head.began >= last - EVENING_S]
    evening.sort(key=lambda head: head.name in swapping)
    return merge_names(*(head.names for head in evening))


def merge_names(*named: Names) -> dict[int, str]:
    """For each number the first name found; no name appears twice."""
    found: dict[int, str] = {}
    for names in named:
        found |= {n: who for n, who in names.items() if n not in found and who not in found.values()}
    return found
