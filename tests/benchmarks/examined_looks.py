"""The slowest verdicts on tables that the examiner of 6 nimmt! lays, faults included: drawn from its own rounds."""

import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from engine.log import Log
from engine.referee import Refused, Unclear, Verdict, Waiting, judge
from engine.table import Table
from tests.benchmarks.plain_deals import measure_slowdown
from tests.benchmarks.referee_cases import time_verdict
from tests.tabletop import anniversary_examination, nimmt_examination
from tests.tabletop.nimmt_examiner import Examiner

FIRST_SEED = 7_000_000
TIMED_AGAIN = 40
"""The number of the slowest looks that are judged again, because other programs delay single ones."""
PASSES = 5
"""How often all of them are judged again, so that a busy second does not delay one of them alone."""
BEST_OF = 5


@dataclass(frozen=True, slots=True)
class ExaminedLook:
    """A table of one round with its log; ``micros`` is the shortest processor time of one verdict.

    ``legal``: there is no fault on the table, although much may have happened since the look before.
    """

    name: str
    legal: bool
    log: Log[Any, Any]
    table: Table
    verdict: Verdict[Any]
    micros: float

    def in_words(self) -> str:
        match self.verdict:
            case Refused(why=why) | Waiting(hint=why):
                said = why.text.id if why else "a piece is missing"
            case Unclear(stories):
                said = f"{len(stories)} stories"
            case _:
                said = f"{len(self.verdict.moves)} moves"
        return f"{self.name}, {self.log.state.phase}: {type(self.verdict).__name__}, {said}"


def list_slowest_looks(quick: bool) -> dict[bool, tuple[int, list[ExaminedLook]]]:
    """For legal tables and for those with a fault: how many were judged, and the slowest of them, the slowest first."""
    looks = list(_watch_rounds(12 if quick else 72))
    slowest: dict[bool, tuple[int, list[ExaminedLook]]] = {}
    for legal in (True, False):
        alike = [look for look in looks if look.legal == legal]
        again = _time_again(sorted(alike, key=lambda look: -look.micros)[:TIMED_AGAIN])
        slowest[legal] = len(alike), sorted(again, key=lambda look: -look.micros)
    return slowest


def _watch_rounds(matches: int) -> Iterator[ExaminedLook]:
    looks: list[ExaminedLook] = []
    legal = False
    look_for_play = Examiner.look

    def look_legally(examiner: Examiner, **how: Any) -> Verdict[Any]:
        """The examiner looks at legal play; after a fault it has the table judged without this."""
        nonlocal legal
        before, legal = legal, how.get("legal", True)
        try:
            return look_for_play(examiner, **how)
        finally:
            legal = before

    def judge_timed(examiner: Examiner, table: Table) -> Verdict[Any]:
        start = time.process_time()
        verdict = judge(examiner.log, table)
        spent = time.process_time() - start
        looks.append(ExaminedLook(examiner.name, legal, examiner.log, table, verdict, spent * 1e6))
        return verdict

    variants = nimmt_examination.VARIANTS
    with patch.object(Examiner, "judge", judge_timed), patch.object(Examiner, "look", look_legally):
        for seed in range(FIRST_SEED, FIRST_SEED + matches):
            nimmt_examination.play_round(seed, variants[seed % len(variants)])
        for seed in range(FIRST_SEED, FIRST_SEED + matches // 4):
            anniversary_examination.play_round(seed, *anniversary_examination.VARIANTS)
    yield from looks


def _time_again(looks: list[ExaminedLook]) -> list[ExaminedLook]:
    rng = random.Random(FIRST_SEED)
    least = [math.inf] * len(looks)
    slowdown = math.inf
    for _ in range(PASSES):
        for at, look in enumerate(looks):
            slowdown = min(slowdown, measure_slowdown())
            least[at] = min(least[at], *(time_verdict(rng, look.log, look.table) for _ in range(BEST_OF)))
    return [replace(look, micros=spent / slowdown * 1e6) for look, spent in zip(looks, least, strict=True)]
