"""Thousands of whole matches under simulated hands in bad light, without pictures: no false accusation, a true log."""

import argparse
import random
import sys
import time
from collections.abc import Callable

from tests.engine.games import test_nimmt_hands, test_six_hands, test_the_game_hands


def play_nimmt(seed: int) -> None:
    """One match of each variant."""
    for variant, players in test_nimmt_hands.VARIANTS.items():
        rng = random.Random(seed)
        glare = seed % 5 == 0 and variant != "anniversary"
        options = {"players": rng.randint(*players), "variant": variant}
        truth, watcher = test_nimmt_hands.play(options, seed, glare=glare)
        record = watcher.log.state
        assert (record.pads, record.piles, record.rows) == (truth.state.pads, truth.state.piles, truth.state.rows)


def play_the_game(seed: int) -> None:
    test_the_game_hands.Hands(seed).play()


def play_six(seed: int) -> None:
    test_six_hands.play(test_six_hands.Hands(seed))


GAMES: dict[str, tuple[Callable[[int], None], int]] = {
    "nimmt": (play_nimmt, len(test_nimmt_hands.VARIANTS)),
    "thegame": (play_the_game, 1),
    "six": (play_six, 1),
}
"""By name: a function that plays with one seed, and how many matches that is."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=200.0, help="time for each game")
    parser.add_argument("--first", type=int, default=1_000, help="the first seed")
    args = parser.parse_args()
    failed = 0
    for game, (play, matches) in GAMES.items():
        start, seed, bad = time.monotonic(), args.first, 0
        while time.monotonic() - start < args.seconds:
            try:
                play(seed)
            except Exception as why:
                bad += 1
                print(f"  {game}, seed {seed}: {type(why).__name__} {str(why)[:200]}")
            seed += 1
        print(f"{game:8} {(seed - args.first) * matches:6} matches, {bad} seeds with an accusation or a wrong log")
        failed += bad
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
