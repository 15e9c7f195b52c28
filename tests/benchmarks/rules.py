"""Speed of the rules: deals against a plain mutable loop, whole SIX games, and single verdicts."""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Sequence

from engine.games.nimmt.cards import DECK
from engine.games.nimmt.rows import Round
from engine.games.six.random_game import play_random_game
from tests.benchmarks.examined_looks import list_slowest_looks
from tests.benchmarks.plain_deals import DESKTOP_RATE, HAND, PLAYERS, Sample, measure_rate, measure_slowdown, play_plain
from tests.benchmarks.referee_cases import time_verdicts

MIN_RATIO = 0.42
SHOWN_LOOKS = 8
MAX_VERDICT_US = {"everyday": 300.0, "any": 1_000.0, "mess": 10_000.0}


def choose_cheapest(player: int, card: int, rows: Sequence[Sequence[int]], worth: Sequence[int]) -> int:
    return worth.index(min(worth))


def play_checked(deck: Sequence[int], sample: Sample) -> Sequence[int]:
    """Play the same deal through the public rules: immutable values, every play checked."""
    cards = sample(deck, 4 + HAND * PLAYERS)
    hands = [cards[4 + HAND * p : 4 + HAND * (p + 1)] for p in range(PLAYERS)]
    return Round.deal(cards[:4], hands).play(zip(*hands, strict=True), choose_cheapest).scores


def have_same_scores(deals: int) -> bool:
    """Do both ways of playing give the same scores for the same cards?"""
    return all(
        play_plain(DECK, random.Random(seed).sample) == list(play_checked(DECK, random.Random(seed).sample))
        for seed in range(deals)
    )


def _six_rate(seconds: float) -> float:
    rng = random.Random(1)
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        play_random_game(rng.randrange)
        count += 1
    return count / spent


def report_examined_looks(quick: bool) -> list[str]:
    """Print the slowest looks of the examiner's rounds; the bars that they miss. A fault is a mess, all else is not."""
    missed: list[str] = []
    for legal, (count, looks) in list_slowest_looks(quick).items():
        most = MAX_VERDICT_US["any" if legal else "mess"]
        late = [look for look in looks if look.micros > most]
        tables = "legal tables" if legal else "tables with a fault"
        print(f"the slowest of {count:,} looks at {tables} of the examiner's rounds; {len(late)} took over {most:,.0f}")
        for look in looks[:SHOWN_LOOKS]:
            print(
                f"  {look.in_words():54s} {look.micros:9.0f}  (at most {most:,.0f}){'  MISSED' if look in late else ''}"
            )
        missed += [f"{look.in_words()}: {look.micros:.0f} microseconds" for look in late]
    return missed


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter slices")
    quick = parser.parse_args(argv).quick
    missed: list[str] = []
    if not have_same_scores(300):
        missed.append("the two ways of playing differ in scores")
    slices = 4 if quick else 10
    pairs = [(measure_rate(play_plain, 0.4, seed), measure_rate(play_checked, 0.4, seed)) for seed in range(slices)]
    ratios = [ours / plain for plain, ours in pairs]
    ratio = statistics.median(ratios)
    print("6 nimmt!, 4 players, 10 cards, one deal with its shuffling, CPU time, paired slices")
    print(f"  plainest mutable loop, no checks   {statistics.median(p for p, _ in pairs):10,.0f} deals/s")
    print(f"  public rules with checks           {statistics.median(o for _, o in pairs):10,.0f} deals/s")
    print(f"  ratio {ratio:.2f} (from {min(ratios):.2f} to {max(ratios):.2f}), at least {MIN_RATIO}")
    if ratio < MIN_RATIO:
        missed.append(f"ratio {ratio:.2f} is below {MIN_RATIO}")
    print(f"SIX, full random games through the rules, CPU time   {_six_rate(1.0 if quick else 5.0):8,.0f} games/s")
    slowdown = min(measure_slowdown() for _ in range(10))
    print(f"a desktop core plays {DESKTOP_RATE:,} plain deals a second; this machine is {slowdown:.2f} times slower")
    print("each time below was divided by that factor, as measured beside it")
    print("one verdict, median, microseconds")
    for name, kind, micros in time_verdicts(quick):
        late = micros > MAX_VERDICT_US[kind]
        print(f"  {name:54s} {micros:9.0f}  (at most {MAX_VERDICT_US[kind]:,.0f}){'  MISSED' if late else ''}")
        if late:
            missed.append(f"{name}: {micros:.0f} microseconds")
    missed += report_examined_looks(quick)
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
