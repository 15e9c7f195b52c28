"""``make evening``: play whole matches of every game and variant from frames alone, with mistakes of every kind."""

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import cv2

from tests.matches.match import play_match
from tests.matches.mistake_kinds import MISTAKE_KINDS
from tests.matches.plan import MatchCase, PlannedMistakes, Planter, plan_mistakes
from tests.matches.report import HEAD, MatchResult, format_line, format_totals, list_missed_bars

WIDE = {"width": 900, "height": 600}
"""Area in mm; the anniversary edition needs its own 841 by 594."""
MATCHES = (
    MatchCase("6 nimmt! base, 10", "nimmt", {"players": 10, "target": 40, **WIDE}, 2),
    MatchCase("6 nimmt! anniversary, 8", "nimmt", {"players": 8, "variant": "anniversary"}, 73),
    MatchCase("6 nimmt! professional, 6", "nimmt", {"players": 6, "variant": "professional", "target": 20, **WIDE}, 4),
    MatchCase("6 nimmt! two halves, 4", "nimmt", {"players": 4, "variant": "halves", **WIDE}, 5, bystander_share=0.8),
    MatchCase("6 nimmt! base, 2", "nimmt", {"players": 2, "target": 40, **WIDE}, 1, names_rows=True),
    MatchCase(
        "6 nimmt! seats off, 3", "nimmt", {"players": 3, "seats": "off", "end": "rounds", "rounds": 1, **WIDE}, 5
    ),
    MatchCase("6 nimmt! professional, 2", "nimmt", {"players": 2, "variant": "professional", "target": 30, **WIDE}, 3),
    MatchCase("6 nimmt! two halves, 7", "nimmt", {"players": 7, "variant": "halves", **WIDE}, 6),
    MatchCase("6 nimmt! anniversary, 2", "nimmt", {"players": 2, "variant": "anniversary"}, 12),
    MatchCase("SIX", "six", {**WIDE}, 19),
    MatchCase("SIX, again", "six", {"first_tile_restriction": 1, **WIDE}, 18),
    MatchCase("The Game, 2", "thegame", {"players": 2, **WIDE}, 9),
    MatchCase("The Game, 5", "thegame", {"players": 5, **WIDE}, 74),
    MatchCase("The Game expert, 2", "thegame", {"players": 2, "level": "expert", **WIDE}, 2),
    MatchCase("The Game expert, 5", "thegame", {"players": 5, "level": "expert", **WIDE}, 12),
    MatchCase("The Game expert, small hands, 2", "thegame", {"players": 2, "level": "expert_small_hand", **WIDE}, 13),
    MatchCase("The Game expert, small hands, 5", "thegame", {"players": 5, "level": "expert_small_hand", **WIDE}, 2),
)
QUICK_MATCHES = (
    MatchCase("6 nimmt!, 2", "nimmt", {"players": 2, "end": "rounds", "rounds": 1, **WIDE}, 1),
    MatchCase("The Game, 2", "thegame", {"players": 2, "level": "expert", **WIDE}, 2),
    MatchCase("SIX", "six", {**WIDE}, 9),
)
MISTAKES_OF_A_KIND, SPARE_MISTAKES = 20, 2
"""Mistakes of every kind, and how many more are planned of a kind with few occasions."""
MIN_PAIRS = 10
"""Least number of times that two cards are placed on one pile between two frames."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    quick = bool(os.environ.get("QUICK"))
    parser.add_argument(
        "--quick", action="store_true", default=quick, help="three short matches, one mistake of a kind"
    )
    parser.add_argument(
        "--only", default="", help="only matches whose name contains this, with their share of the mistakes"
    )
    parser.add_argument("--often", type=int, help="mistakes of every kind")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    args = parser.parse_args(words)
    matches = QUICK_MATCHES if args.quick else MATCHES
    often = args.often if args.often is not None else 1 if args.quick else MISTAKES_OF_A_KIND
    print(HEAD, flush=True)
    results = []
    for result in play_matches(matches, often, args.jobs, args.only):
        print(format_line(result), flush=True)
        for text in result.wrong:
            print(f"    {text}", flush=True)
        results.append(result)
    whole = not args.only
    print()
    for text in format_totals(results):
        print(text)
    full = whole and not args.quick
    kinds = {kind for of_a_game in MISTAKE_KINDS.values() for kind in of_a_game} if full else set()
    missed = list_missed_bars(results, often if whole else 0, kinds=kinds, pairs=MIN_PAIRS if full else 0, arms=full)
    for text in missed:
        print(f"MISSED: {text}")
    return 1 if missed else 0


def play_matches(matches: Sequence[MatchCase], often: int, jobs: int, only: str = "") -> Iterator[MatchResult]:
    """Play the matches whose name contains ``only``, those with the most mistakes first; results as they finish.

    The mistakes of a match are the same whether it is played alone or with the others.
    """
    planned = plan_mistakes(matches, often, SPARE_MISTAKES * (often > 1))
    mistakes = {match.name: sum(map(len, planned[match.name].values())) for match in matches}
    chosen = sorted((match for match in matches if only in match.name), key=lambda match: -mistakes[match.name])
    with ProcessPoolExecutor(
        jobs, get_context("spawn")
    ) as pool:  # a forked process would wait for threads that it does not have
        for task in as_completed([pool.submit(_one, match, planned[match.name]) for match in chosen]):
            yield task.result()


def _one(given: MatchCase, planned: PlannedMistakes) -> MatchResult:
    cv2.setNumThreads(1)
    return play_match(given, Planter(given, planned))
