"""Thousands of whole matches under honest hands in bad light: no false accusation, and a true record in the end."""

import argparse
import random
import sys
import time
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

TESTS = Path(__file__).parent.parent


def load(name: str) -> ModuleType:
    spec = spec_from_file_location(name, TESTS / "engine" / "games" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def nimmt(hands: ModuleType, seed: int) -> None:
    for variant, players in hands.VARIANTS.items():
        rng = random.Random(seed)
        glare = seed % 5 == 0 and variant != "anniversary"
        truth, watcher = hands.play({"players": rng.randint(*players), "variant": variant}, seed, glare=glare)
        record = watcher.log.state
        assert (record.pads, record.piles, record.rows) == (truth.state.pads, truth.state.piles, truth.state.rows)


def thegame(hands: ModuleType, seed: int) -> None:
    hands.Hands(seed).play()


def six(hands: ModuleType, seed: int) -> None:
    hands.play(hands.Hands(seed))


GAMES: dict[str, tuple[str, Callable[[ModuleType, int], None], int]] = {
    "nimmt": ("test_nimmt_hands", nimmt, 4),
    "thegame": ("test_the_game_hands", thegame, 1),
    "six": ("test_six_hands", six, 1),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=200.0, help="for each game")
    parser.add_argument("--first", type=int, default=1_000, help="the first seed")
    options = parser.parse_args()
    failed = 0
    for game, (name, play, matches) in GAMES.items():
        hands, start, seed, bad = load(name), time.monotonic(), options.first, 0
        while time.monotonic() - start < options.seconds:
            try:
                play(hands, seed)
            except Exception as why:
                bad += 1
                print(f"  {game}, seed {seed}: {type(why).__name__} {str(why)[:200]}")
            seed += 1
        print(f"{game:8} {(seed - options.first) * matches:6} matches, {bad} of them accused or recorded wrongly")
        failed += bad
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
