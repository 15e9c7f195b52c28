"""``make first-evening``: play the first evening, count the presses and examine a reader of the words."""

import sys
from collections.abc import Sequence

from tests.first_evening.evening import By, Examined, FirstEvening
from tests.first_evening.reader import WISHES

LEAST_RIGHT = 0.95
BYS: tuple[By, ...] = ("buttons", "phone")


def share_right(examined: Sequence[Examined]) -> float:
    return sum(one.passed for one in examined) / len(examined)


def first_of_each(examined: Sequence[Examined]) -> list[Examined]:
    """The first screen with each prompt and each number of offers: what a person sees for the first time."""
    return list({(one.prompt, len(one.screen.offers)): one for one in reversed(examined)}.values())[::-1]


def main() -> int:
    missed = 0
    for game in WISHES:
        for by in BYS:
            evening = FirstEvening(game, by)
            evening.play()
            new = first_of_each(evening.examined)
            if by == BYS[0]:
                for number, one in enumerate(new, 1):
                    print(f"--- {game}, screen {number}\n{one.screen}")
                    print(f"    right: {' or '.join(sorted(map(str, one.right)))}")
                    print("    named: the same" if one.passed else f"    named: {one.named}   <-- WRONG")
            of_all, of_new = share_right(evening.examined), share_right(new)
            print(
                f"{game} by {by}: {len(evening.examined)} screens, {evening.presses} presses, right acts named "
                f"{of_all:.1%} of all, {of_new:.1%} of {len(new)} different ones"
            )
            missed += min(of_all, of_new) < LEAST_RIGHT
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
