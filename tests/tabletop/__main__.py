"""Examine the referee with tables of physical play: ``python -m tests.tabletop --game nimmt --rounds 100 --first 0``.

People who know the rules from an oracle of their own lay real pieces at real places. Every look goes to the referee,
and what it says is compared with what has truly happened. A failure names its seed; ``--variant`` repeats it alone.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from itertools import islice
from typing import Protocol

from tests.tabletop.report import format_counts, has_failed

ROUNDS = {"nimmt": (5000, 60), "anniversary": (1000, 12), "thegame": (3000, 40), "six": (1000, 10)}
"""Game -> rounds of the full and of the quick run. The module is named after the game."""
CHUNK = 5
"""Rounds that one process plays before it reports."""
SHOWN_FAILURES = 20


class Examination(Protocol):
    """The module of one game."""

    VARIANTS: tuple[str, ...]

    def play_round(self, seed: int, variant: str) -> tuple[Counter[str], list[str]]: ...


def load(game: str) -> Examination:
    module: Examination = import_module(f"tests.tabletop.{game}_examination")
    return module


def play_chunk(game: str, plays: tuple[tuple[int, str], ...]) -> list[tuple[str, Counter[str], list[str]]]:
    module = load(game)
    return [(variant, *module.play_round(seed, variant)) for seed, variant in plays]


def list_plays(game: str, first: int, rounds: int, variant: str) -> Iterator[tuple[int, str]]:
    """The seeds with their variants, which take turns."""
    variants = (variant,) if variant else load(game).VARIANTS
    return ((seed, variants[seed % len(variants)]) for seed in range(first, first + rounds))


def examine(pool: ProcessPoolExecutor, game: str, plays: Iterator[tuple[int, str]]) -> tuple[str, list[str], bool]:
    """The table of counts, the failures, and whether it failed."""
    jobs = []
    while chunk := tuple(islice(plays, CHUNK)):
        jobs.append(pool.submit(play_chunk, game, chunk))
    counts: dict[str, Counter[str]] = {}
    failures: list[str] = []
    for job in jobs:
        for variant, counted, failed in job.result():
            counts.setdefault(variant, Counter()).update(counted)
            failures += failed
    return format_counts(game, dict(sorted(counts.items()))), failures, bool(failures) or has_failed(counts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=ROUNDS, help="only this game")
    parser.add_argument("--variant", default="", help="only this variant of the game")
    parser.add_argument("--rounds", type=int, default=0, help="rounds of each game (default: the full number)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--quick", action="store_true", help="a few rounds of each game")
    args = parser.parse_args()
    bad = False
    with ProcessPoolExecutor(max_workers=2) as pool:
        for game in (args.game,) if args.game else ROUNDS:
            rounds = args.rounds or ROUNDS[game][args.quick]
            table, failures, failed = examine(pool, game, list_plays(game, args.first, rounds, args.variant))
            print(table, *failures[:SHOWN_FAILURES], sep="\n", flush=True)
            bad = bad or failed
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
