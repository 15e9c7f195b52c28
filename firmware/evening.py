"""``make evening``: whole matches of every game and variant from frames alone, faults of every kind, and the bars."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import cv2

from firmware.evening_match import FRAME, LATE, SOON, Result, play
from firmware.evening_plan import Given, Planter, Wrongs, plan

WIDE = {"width": 900, "height": 600}
"""The area in mm, but for the anniversary with its 841 by 594."""
MATCHES = (
    Given("6 nimmt! base, 10", "nimmt", {"players": 10, **WIDE}, 2),
    Given("6 nimmt! anniversary, 8", "nimmt", {"players": 8, "variant": "anniversary"}, 18, lively=True),
    Given("6 nimmt! professional, 6", "nimmt", {"players": 6, "variant": "professional", "target": 40, **WIDE}, 4),
    Given("6 nimmt! two halves, 4", "nimmt", {"players": 4, "variant": "halves", **WIDE}, 5, bystanders=1.0),
    Given("6 nimmt! base, 2", "nimmt", {"players": 2, "target": 40, **WIDE}, 1),
    Given("6 nimmt! professional, 2", "nimmt", {"players": 2, "variant": "professional", "target": 30, **WIDE}, 3),
    Given("6 nimmt! two halves, 7", "nimmt", {"players": 7, "variant": "halves", **WIDE}, 6),
    Given("6 nimmt! anniversary, 2", "nimmt", {"players": 2, "variant": "anniversary"}, 7, lively=True),
    Given("SIX", "six", {**WIDE}, 19),
    Given("The Game, 2", "thegame", {"players": 2, **WIDE}, 9),
    Given("The Game, 5", "thegame", {"players": 5, **WIDE}, 10),
    Given("The Game expert, 2", "thegame", {"players": 2, "level": "expert", **WIDE}, 2),
    Given("The Game expert, 5", "thegame", {"players": 5, "level": "expert", **WIDE}, 12),
    Given("The Game expert, small hands, 2", "thegame", {"players": 2, "level": "expert_small_hand", **WIDE}, 13),
    Given("The Game expert, small hands, 5", "thegame", {"players": 5, "level": "expert_small_hand", **WIDE}, 2),
)
QUICK = (
    Given("6 nimmt!, 2", "nimmt", {"players": 2, "end": "rounds", "rounds": 1, **WIDE}, 1),
    Given("The Game, 2", "thegame", {"players": 2, "level": "expert", **WIDE}, 2),
    Given("SIX", "six", {**WIDE}, 9),
)
OFTEN = 20
"""So many faults of every kind."""
PAIRS = 10
"""So many times two cards come to lie on one pile between two looks."""
MS = 40.0
"""Milliseconds of computing, 95 of 100 times, when one card was laid."""
ARMS = 0.7
"""The share of frames with an arm in one of the matches."""
HEAD = (
    f"{'match':32}{'placed':>7}{'planted/caught/accused':>24}{'legal s':>11}{'wrong s':>11}{'ms':>9}{'arms':>6}  scores"
)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", default=bool(os.environ.get("QUICK")))
    parser.add_argument("--only", default="", help="matches whose name holds this")
    parser.add_argument("--often", type=int, help="faults of every kind")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(words)
    matches = tuple(match for match in (QUICK if given.quick else MATCHES) if given.only in match.name)
    often = given.often if given.often is not None else 1 if given.quick else OFTEN
    print(HEAD, flush=True)
    results = []
    for result in evening(matches, often, given.jobs):
        print(line(result), flush=True)
        for text in result.wrong:
            print(f"    {text}", flush=True)
        results.append(result)
    whole = not given.only
    print()
    for text in totals(results):
        print(text)
    missed = bars(results, often, pairs=PAIRS if whole and not given.quick else 0, arms=whole and not given.quick)
    for text in missed:
        print(f"MISSED: {text}")
    return 1 if missed else 0


def evening(matches: Sequence[Given], often: int, jobs: int) -> Iterator[Result]:
    """The matches, as they come to an end."""
    wrongs = plan(matches, often)
    with ProcessPoolExecutor(jobs) as pool:
        for task in [pool.submit(_one, match, wrongs[match.name]) for match in matches]:
            yield task.result()


def _one(given: Given, wrongs: Wrongs) -> Result:
    cv2.setNumThreads(1)
    planter = Planter(given, wrongs)
    result = play(given, planter)
    return replace(result, wrong=[*result.wrong, *(f"never made: {kind}" for kind in planter.left)])


def line(result: Result) -> str:
    faults = f"{sum(result.planted.values())}/{sum(result.caught.values())}/{result.accused}"
    arms = result.with_arms / max(1, result.frames)
    return (
        f"{result.name:32}{result.placements:7}{faults:>24}{_times(result.legal):>11}{_times(result.refused):>11}"
        f"{_ms(result.computing):>9}{arms:6.0%}  {'right' if result.right else 'WRONG'}"
        f"  ({result.frames} frames, {result.seconds / 60:.0f} min at the table, {result.cost:.0f} s of computing)"
    )


def totals(results: Sequence[Result]) -> Iterator[str]:
    """Faults by kind, and all matches in one line each."""
    planted, caught = _sum(results, "planted"), _sum(results, "caught")
    for kind in sorted(planted):
        yield f"{kind:52}{planted[kind]:5} planted{caught[kind]:5} caught"
    legal, refused = [t for r in results for t in r.legal], [t for r in results for t in r.refused]
    computing = [t for r in results for t in r.computing]
    yield ""
    yield f"{len(planted)} kinds of fault, {sum(planted.values())} planted, {sum(caught.values())} caught"
    yield f"{sum(r.pairs for r in results)} pairs of cards on one pile between two looks"
    yield f"{sum(r.accused for r in results)} false accusations, {sum(not r.right for r in results)} wrong records"
    yield f"silence to verdict, 95 % and most: legal {_times(legal)} s, wrong {_times(refused)} s"
    yield f"computing when one card was laid, 50 % and 95 %: {_ms(computing)} ms"


def bars(results: Sequence[Result], often: int, *, pairs: int, arms: bool) -> list[str]:
    """What was not reached."""
    planted, caught = _sum(results, "planted"), _sum(results, "caught")
    missed = [f"{kind}: {caught[kind]} of {n} caught" for kind, n in sorted(planted.items()) if caught[kind] < n]
    missed += [f"{kind}: only {n} planted" for kind, n in sorted(planted.items()) if n < often]
    for result in results:
        if result.accused:
            missed.append(f"{result.name}: {result.accused} false accusations")
        if not result.right:
            missed.append(f"{result.name}: the record or the scores are wrong")
        if result.wrong and result.right and not result.accused:
            missed.append(f"{result.name}: {len(result.wrong)} things that should not have been, see above")
    late = [t for r in results for t in r.legal if t > SOON + FRAME / 100]
    slow = [t for r in results for t in r.refused if t > LATE + FRAME / 100]
    if late:
        missed.append(f"{len(late)} legal pieces were accepted later than {SOON} s")
    if slow:
        missed.append(f"{len(slow)} wrong pieces were named later than {LATE} s")
    computing = sorted(t for r in results for t in r.computing)
    if computing and (worst := 1000 * _part(computing, 0.95)) > MS:
        missed.append(f"computing takes {worst:.0f} ms, 95 of 100 times, and not {MS:.0f}")
    if sum(r.pairs for r in results) < pairs:
        missed.append(f"fewer than {pairs} pairs of cards on one pile")
    if arms and max(r.with_arms / max(1, r.frames) for r in results) < ARMS:
        missed.append(f"no match with an arm in {ARMS:.0%} of its frames")
    return missed


def _sum(results: Sequence[Result], what: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for result in results:
        found.update(getattr(result, what))
    return found


def _times(seconds: Sequence[float]) -> str:
    return f"{_part(seconds, 0.95):.1f}/{max(seconds):.1f}" if seconds else "-"


def _ms(seconds: Sequence[float]) -> str:
    return f"{1000 * _part(seconds, 0.5):.0f}/{1000 * _part(seconds, 0.95):.0f}" if seconds else "-"


def _part(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


if __name__ == "__main__":
    sys.exit(main())
