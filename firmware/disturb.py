"""The table of disturbances: what the box makes of a picture in which something is amiss, and whether it says so."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import cv2

from firmware.disturb_match import Given, Match, Result
from firmware.disturbances import DISTURBANCES, Disturbance

WORKERS = 2
BY_HAND = 0.05
"""The share of moves that may have to be told with the buttons where they can be seen."""
WIDE = {"width": 900, "height": 600}
GIVEN = (
    Given("nimmt", {"players": 4, **WIDE}, 40, 21),
    Given("thegame", {"players": 3, **WIDE}, 20, 22),
    Given("six", {**WIDE}, 16, 23),
)
QUICK = frozenset({"none", "blue -40 %, green -10 %", "bumped 15 px after move 6", "a mug on the pieces"})
HEAD = f"{'disturbance':26} {'moves':>5} {'seen':>5} {'told':>5} {'right':>6} {'wrong':>5} {'accused':>7} {'ends':>5}"
LINE = "{name:26} {moves:5} {seen:5} {told:5} {right:6} {wrong:5} {accused:7} {final:>5} {peer:>8}  {warnings}"


def played(given: Given, disturbance: Disturbance) -> Result:
    cv2.setNumThreads(1)
    return Match(given, disturbance).play()


def missed(results: Sequence[Result]) -> tuple[str, ...]:
    """The bars that a row does not reach, in words."""
    found = []
    if wrong := sum(result.wrong for result in results):
        found.append(f"{wrong} moves after which a wrong score stood there without a warning")
    if accused := sum(result.accused for result in results):
        found.append(f"{accused} false accusations")
    moves, told = (sum(getattr(result, name) for result in results) for name in ("moves", "told"))
    if told - sum(result.unseen for result in results) > BY_HAND * moves:
        found.append(f"{told} of {moves} moves had to be told by hand")
    if not all(result.final for result in results):
        found.append("the record in the end is not what was played")
    return tuple(found)


def line(disturbance: Disturbance, results: Sequence[Result]) -> str:
    def summed(name: str) -> int:
        return sum(getattr(result, name) for result in results)

    warnings: dict[str, float] = {}
    for result in results:
        for text, seconds in result.warnings.items():
            warnings[text] = warnings.get(text, 0.0) + seconds
    return LINE.format(
        name=disturbance.name,
        moves=summed("moves"),
        seen=summed("seen"),
        told=summed("told"),
        right=summed("right") + summed("warned"),
        wrong=summed("wrong"),
        accused=summed("accused"),
        final=f"{summed('final')}/{len(results)}",
        peer=disturbance.peer,
        warnings=", ".join(f"{text} {seconds:.0f} s" for text, seconds in sorted(warnings.items())),
    )


def rows(disturbances: Sequence[Disturbance], given: Sequence[Given]) -> Iterator[tuple[Disturbance, list[Result]]]:
    """Every disturbance with what came of the games, as soon as they are over."""
    with ProcessPoolExecutor(WORKERS) as pool:
        games = {it.name: [pool.submit(played, one, it) for one in given] for it in disturbances}
        for it in disturbances:
            yield it, [game.result() for game in games[it.name]]


def main() -> int:
    quick, verbose = bool(os.environ.get("QUICK")), bool(os.environ.get("VERBOSE"))
    given = tuple(replace(one, moves=one.moves // 2) for one in GIVEN) if quick else GIVEN
    begun, bad = time.monotonic(), []
    print(f"{HEAD} {'peer':>8}  warnings and how long they stood there")
    for it, results in rows([it for it in DISTURBANCES if it.name in QUICK or not quick], given):
        print(line(it, results), flush=True)
        for result in results if verbose or missed(results) else ():
            for note in result.notes:
                print(f"    {note}")
        bad += [f"{it.name}: {why}" for why in missed(results)]
    print(f"{time.monotonic() - begun:.0f} s")
    print(*(bad or ["no wrong score without a warning, and play went on in every row"]), sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
