"""``make disturb``: parts of matches of every game under what disturbs a picture, and whether the box says so."""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import cv2

from firmware.simulation.session import FRAME_S
from tests.disturbances.catalogue import DISTURBANCES, Disturbance
from tests.disturbances.match import Match, MatchCase, MatchResult

AREA = {"width": 700, "height": 500}
MATCHES = (
    MatchCase("nimmt", {"players": 4, **AREA}, 32, 21),
    MatchCase("thegame", {"players": 3, **AREA}, 18, 22),
    MatchCase("six", {**AREA}, 14, 23),
)
QUICK_NAMES = frozenset(
    {"none", "blue -40 %, green -10 %", "bumped 15 px after move 6", "a lamp switched on", "a mug on the pieces"}
)
"""These, and half of each match, when there is little time."""
MAX_BY_HAND_SHARE = 0.05
"""The share of moves that may have to be told with the buttons although there was something to see."""
HEAD = (
    f"{'disturbance':26}{'moves':>6}{'seen':>6}{'told':>6}{'dark':>6}{'right':>7}{'wrong':>6}"
    f"{'accused':>8}{'late s':>7}{'ends':>6}{'peer':>7}  warnings"
)
LEGEND = """\
moves: made by the players. seen: recorded from the pictures, and rightly. told: not seen, so that somebody had to
press buttons; dark: of these, told when there was nothing to see, that is in a picture too dark or too bright, or in
which fewer than half of the open codes, sampled where they truly lie, are most like themselves. right, wrong: moves
after which the score shown was right, or was wrong or old without any warning. accused: times that the box said
something lies wrong; nothing ever did. late: the longest time for which a score was old before it was right or a
warning was there. ends: matches with the right record and score in the end. peer: moves with the right score of the
nearest peer, on its own game and pictures. warnings: seconds of each.
Exposure and colour are gains of the finished picture's channels, as in the peer's pictures; dusk, glare and the lamp
change the light itself. The camera holds the exposure and the white balance of the empty table's picture throughout."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", default=bool(os.environ.get("QUICK")))
    parser.add_argument("--only", default="", help="disturbances whose name holds this")
    parser.add_argument("--seed", type=int, default=0, help="other matches")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--notes", action="store_true", help="what happened, of rows without a fault too")
    given = parser.parse_args(words)
    disturbances = [it for it in DISTURBANCES if given.only in it.name and (it.name in QUICK_NAMES or not given.quick)]
    matches = [replace(one, moves=one.moves // (1 + given.quick), seed=one.seed + 100 * given.seed) for one in MATCHES]
    begun, bad = time.monotonic(), []
    print(HEAD)
    for it, results in play_matches(disturbances, matches, given.jobs):
        print(format_line(it, results), flush=True)
        faults = list_missed_bars(results)
        bad += [f"{it.name}: {fault}" for fault in faults]
        for one, result in zip(matches, results, strict=True):
            for note in result.notes if faults or given.notes else ():
                print(f"    {one.game}, {note}")
    print(LEGEND)
    print(f"{time.monotonic() - begun:.0f} s")
    print(*(bad or ["no wrong score stood there without a warning, and play went on in every row"]), sep="\n")
    return 1 if bad else 0


def play_matches(
    disturbances: Sequence[Disturbance], matches: Sequence[MatchCase], jobs: int
) -> Iterator[tuple[Disturbance, list[MatchResult]]]:
    """Every disturbance with what came of the matches, as soon as they are over."""
    # a process that was forked while cv2 had threads may wait for them for ever
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        begun = [(it, [pool.submit(_play, one, it.name) for one in matches]) for it in disturbances]
        for it, results in begun:
            yield it, [result.result() for result in results]


def _play(given: MatchCase, name: str) -> MatchResult:
    """In another process, which a disturbance reaches by its name alone."""
    cv2.setNumThreads(1)
    return Match(given, next(it for it in DISTURBANCES if it.name == name)).play()


def list_missed_bars(results: Sequence[MatchResult]) -> tuple[str, ...]:
    """The bars that a row does not reach, in words."""
    moves, told = sum(result.moves for result in results), sum(result.told - result.unseen for result in results)
    wrong, accused = sum(result.wrong for result in results), sum(result.accused for result in results)
    faults = {
        f"a wrong score without a warning after {wrong} moves": wrong > 0,
        f"{accused} false accusations": accused > 0,
        f"{told} of {moves} moves were not seen that could be": told > MAX_BY_HAND_SHARE * moves,
        "the record in the end is not what was played": not all(result.final for result in results),
    }
    return tuple(fault for fault, holds in faults.items() if holds)


def format_line(disturbance: Disturbance, results: Sequence[MatchResult]) -> str:
    moves, told = sum(result.moves for result in results), sum(result.told for result in results)
    wrong, accused = sum(result.wrong for result in results), sum(result.accused for result in results)
    unseen = sum(result.unseen for result in results)
    looks: Counter[str] = Counter()
    for result in results:
        looks.update(result.looks_warned)
    warnings = ", ".join(f"{text} {count * FRAME_S:.0f}" for text, count in sorted(looks.items()))
    return (
        f"{disturbance.name:26}{moves:6}{moves - told:6}{told:6}{unseen:6}{moves - told - wrong:7}{wrong:6}{accused:8}"
        f"{max(result.late for result in results):7.1f}{sum(result.final for result in results):4}/{len(results)}"
        f"{disturbance.peer:>7}  {warnings}"
    )


if __name__ == "__main__":
    sys.exit(main())
