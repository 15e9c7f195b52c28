"""Deals of 6 nimmt! in the plainest loop, and how much slower than a desktop core this machine plays them now."""

import random
import time
from bisect import bisect
from collections.abc import Callable, Sequence

from engine.games.nimmt.cards import DECK, HEADS
from engine.games.nimmt.rows import FULL_ROW

Sample = Callable[[Sequence[int], int], list[int]]
PLAYERS = 4
HAND = 10
DESKTOP_RATE = 47_000
"""The plain deals that a desktop core plays in a second: the limits of one verdict are those of such a core."""
SLICE = 100


def play_plain(deck: Sequence[int], sample: Sample) -> list[int]:
    """Play one deal with plain lists: ascending ends, bisect, heads of each row in a second list, no checks."""
    cards = sample(deck, 4 + HAND * PLAYERS)
    ends = sorted(cards[:4])
    sizes = [1, 1, 1, 1]
    worth = [HEADS[card] for card in ends]
    scores = [0] * PLAYERS
    for turn in range(4, 4 + HAND):
        for play in sorted([cards[turn + HAND * p] * PLAYERS + p for p in range(PLAYERS)]):
            card = play // PLAYERS
            at = bisect(ends, card) - 1
            if at < 0:
                at = worth.index(min(worth))
                scores[play % PLAYERS] += worth[at]
                del ends[at], sizes[at], worth[at]
                ends.insert(0, card)
                sizes.insert(0, 1)
                worth.insert(0, HEADS[card])
            elif sizes[at] == FULL_ROW:
                scores[play % PLAYERS] += worth[at]
                ends[at], sizes[at], worth[at] = card, 1, HEADS[card]
            else:
                ends[at] = card
                sizes[at] += 1
                worth[at] += HEADS[card]
    return scores


def measure_rate(play: Callable[[Sequence[int], Sample], object], seconds: float, seed: int) -> float:
    rng = random.Random(seed)
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(50):
            play(DECK, rng.sample)
        count += 50
    return count / spent


def measure_slowdown() -> float:
    """How many times as long as on a desktop core a few plain deals take now; at least 1."""
    rng = random.Random(1)
    start = time.process_time()
    for _ in range(SLICE):
        play_plain(DECK, rng.sample)
    return max(1.0, (time.process_time() - start) * DESKTOP_RATE / SLICE)
