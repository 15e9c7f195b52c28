"""``make disturb``: play parts of matches of every game with disturbed pictures, and check what the box shows."""

import argparse
import os
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
"""Disturbances of the quick form, which plays half of each match."""
MAX_BY_HAND_SHARE = 0.05
"""Share of moves that may have to be entered with the buttons although the table was readable."""
HEAD = (
    f"{'disturbance':26}{'moves':>6}{'seen':>6}{'told':>6}{'dark':>6}{'right':>7}{'wrong':>6}"
    f"{'accused':>8}{'late s':>7}{'ends':>6}{'peer':>7}  warnings"
)
LEGEND = """\
moves: made by the players. seen: read from the pictures, and correct. told: not read, so entered with the buttons.
dark: of these, entered while the table was unreadable: the picture is too dark or too bright, or fewer than half of
the uncovered codes, sampled at their true positions, are most similar to themselves. right, wrong: moves after which
the shown score was right, or was wrong or outdated without a warning. accused: false accusations, as no piece is ever
placed wrongly. late: longest time for which the score was outdated before it was right or a warning appeared. ends:
matches with the right log and score at the end. peer: moves with the right score of the nearest peer, on its own game
and pictures. warnings: seconds of each.
Exposure and colour are gains of the channels of the finished picture, as in the peer's pictures; dusk, glare and the
lamp change the light itself. The camera keeps the exposure and white balance of the picture of the empty table."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", default=bool(os.environ.get("QUICK")))
    parser.add_argument("--only", default="", help="only disturbances whose name contains this")
    parser.add_argument("--seed", type=int, default=0, help="a number for other matches")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--notes", action="store_true", help="print the notes of every row, not only of those that miss a bar"
    )
    args = parser.parse_args(words)
    disturbances = [it for it in DISTURBANCES if args.only in it.name and (it.name in QUICK_NAMES or not args.quick)]
    matches = [replace(one, moves=one.moves // (1 + args.quick), seed=one.seed + 100 * args.seed) for one in MATCHES]
    begun, bad = time.monotonic(), []
    print(HEAD)
    for it, results in play_matches(disturbances, matches, args.jobs):
        print(format_line(it, results), flush=True)
        missed = list_missed_bars(results)
        bad += [f"{it.name}: {bar}" for bar in missed]
        for one, result in zip(matches, results, strict=True):
            for note in result.notes if missed or args.notes else ():
                print(f"    {one.game}, {note}")
    print(LEGEND)
    print(f"{time.monotonic() - begun:.0f} s")
    print(*(bad or ["every row has a right score or a warning at all times, and every match was played on"]), sep="\n")
    return 1 if bad else 0


def play_matches(
    disturbances: Sequence[Disturbance], matches: Sequence[MatchCase], jobs: int
) -> Iterator[tuple[Disturbance, list[MatchResult]]]:
    """Every disturbance with the results of its matches, in order."""
    # a process that is forked while cv2 has threads may wait for them forever
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        begun = [(it, [pool.submit(_play, one, it.name) for one in matches]) for it in disturbances]
        for it, results in begun:
            yield it, [result.result() for result in results]


def _play(args: MatchCase, name: str) -> MatchResult:
    """Play one match in another process; a disturbance is passed by name, because it cannot be pickled."""
    cv2.setNumThreads(1)
    return Match(args, next(it for it in DISTURBANCES if it.name == name)).play()


def list_missed_bars(results: Sequence[MatchResult]) -> tuple[str, ...]:
    """The bars that a row misses, in words."""
    moves, told = sum(result.moves for result in results), sum(result.told - result.unseen for result in results)
    wrong, accused = sum(result.wrong for result in results), sum(result.accused for result in results)
    missed = {
        f"a wrong score without a warning after {wrong} moves": wrong > 0,
        f"{accused} false accusations": accused > 0,
        f"{told} of {moves} moves were not read although the table was readable": told > MAX_BY_HAND_SHARE * moves,
        "the log at the end is not what was played": not all(result.final for result in results),
    }
    return tuple(bar for bar, holds in missed.items() if holds)


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
