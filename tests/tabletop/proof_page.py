"""``docs/proofs/referee.md``: what the full runs have found, one section for each game."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.proofs import find_lower_bound
from tests.tabletop.report import FAULTS, format_counts, has_failed

PAGE = Path(__file__).parents[2] / "docs/proofs/referee.md"
HEAD = """# Measured: the referee at the table

Written by `make examine FULL=1`. People who know the rules from an oracle of their own play with real pieces at real
places; every look is judged, and each advice is obeyed. A *wrong record* is a move that did not happen; an *accusation*
refuses legal play; after a *dead end* nothing on the screen leads on; *misleading advice* does not mend the table,
names no act, or moves more pieces than are needed. The bar is none of them.

A run that was stopped goes on where it was. With `SHARD=1/3` it plays every third part of the rounds, and a run without
`SHARD` then writes this page. `GAME=nimmt` plays one game, `FIRST=200000` begins with another seed. What was counted
belongs to one content of the sources.
"""


@dataclass(frozen=True, slots=True)
class FullRun:
    """One game: the commit, the key of its sources, the first and the last seed, and what was counted by variant.

    ``wanted`` is how many rounds the bar asks for.
    """

    game: str
    commit: str
    key: str
    seeds: tuple[int, int]
    counts: Mapping[str, Counter[str]]
    wanted: int

    def meets_bar(self) -> bool:
        """No fault, and as many rounds as wanted."""
        return not has_failed(self.counts) and self._count_rounds() >= self.wanted

    def _count_rounds(self) -> int:
        return sum(counted["rounds"] for counted in self.counts.values())

    def judge_bar(self) -> str:
        """Whether the bar is met, in a sentence."""
        played = self._count_rounds()
        asked = f"{played:,} rounds of the {self.wanted:,} that the bar asks for"
        if has_failed(self.counts):
            return f"the bar is missed, in {asked}"
        if played < self.wanted:
            return f"the bar is not reached: no fault so far, in only {asked}"
        return f"the bar is met, in {asked}"


def format_section(run: FullRun) -> str:
    return "\n".join(
        (
            f"## {run.game}",
            "",
            f"- commit: {run.commit}",
            f"- hash of the content of its sources: {run.key}",
            f"- seeds: {run.seeds[0]} to {run.seeds[1]}, the variants in turn",
            f"- {run.judge_bar()}",
            "",
            "```text",
            format_counts(run.game, run.counts),
            "",
            *_format_bounds(sum(run.counts.values(), Counter[str]())),
            "```",
            "",
        )
    )


def _format_bounds(every: Counter[str]) -> Iterable[str]:
    """How often each fault may happen at most, with a certainty of 95 %."""
    for fault in FAULTS:
        cases, noun = every["rounds"], "rounds"
        if fault == FAULTS[-1]:
            cases, noun = every[fault] + every["cure"], "advices"
        bound = 1 - find_lower_bound(max(0, cases - every[fault]), cases) if cases else 1.0
        yield f"{fault:<18} {every[fault]:>5} of {cases:>6} {noun:<8} 95 % bound <= {bound:.3%}"


def replace_section(page: str, run: FullRun, order: Iterable[str]) -> str:
    """The page with this game's section new and the other sections as they are, in this order."""
    held = {found[1]: found[0].rstrip() + "\n" for found in re.finditer(r"(?ms)^## (\S+)$.*?(?=^## |\Z)", page)}
    held[run.game] = format_section(run)
    return "\n".join((HEAD, *(held[game] for game in order if game in held)))
