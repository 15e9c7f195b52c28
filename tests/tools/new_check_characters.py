"""Print the check characters of a new codebook version: ``python -m tests.tools.new_check_characters``."""

import textwrap
from collections.abc import Iterator, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from vision.tags.codebook import BOOK, CODES, draw_code, find_data_modules

LETTERS = "23456789BCDFGHJKLMNPQRSTVWXYZ"
"""No vowels, so no words; no 0 and 1, which people take for O and I."""

CHECK_CHARACTERS = 5
CANDIDATES = 1500


def list_candidates(name: str, count: int) -> Iterator[str]:
    """The candidates of a name in a fixed pseudo-random order."""
    for n in range(count):
        number = int.from_bytes(sha256(f"{name}{n}".encode()).digest(), "big")
        check = ""
        for _ in range(CHECK_CHARACTERS):
            number, letter = divmod(number, len(LETTERS))
            check += LETTERS[letter]
        yield check


def choose_checks(version: str, names: Sequence[str], old: Sequence[str], count: int = CANDIDATES) -> list[str]:
    """For each name the check characters whose code differs most from all before it, at any quarter turn."""
    data = find_data_modules()
    taken = [_turns(draw_code(payload), data) for payload in old]
    chosen = []
    for name in names:
        checks = list(list_candidates(name, count))
        codes = [draw_code(version + name + check) for check in checks]
        fair = [n for n, code in enumerate(codes) if 0.44 <= code[data].mean() <= 0.56]
        turned = np.stack([_turns(codes[n], data) for n in fair])
        away = _least(turned[:, 0], turned[:, 1:])
        if taken:
            book = np.stack(taken)
            for turn in range(4):
                away = np.minimum(away, _apart(turned[:, 0], book[:, turn]).min(axis=1))
                away = np.minimum(away, _apart(turned[:, turn], book[:, 0]).min(axis=1))
        best = int(away.argmax())
        chosen.append(checks[fair[best]])
        taken.append(turned[best])
    return chosen


def _turns(code: NDArray[np.bool_], data: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The values of the data modules at each quarter turn, as -1 and 1."""
    return np.stack([np.where(np.rot90(code, turn)[data], 1, -1) for turn in range(4)]).astype(np.float32)


def _apart(some: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray((some.shape[1] - some @ others.T) / 2, dtype=np.float32)


def _least(upright: NDArray[np.float32], turned: NDArray[np.float32]) -> NDArray[np.float32]:
    """The least difference of each code from itself turned."""
    alike = np.einsum("nd,ntd->nt", upright, turned)
    away: NDArray[np.float32] = ((upright.shape[1] - alike) / 2).min(axis=1)
    return away


if __name__ == "__main__":
    version = str(int(CODES[0].payload[0]) + 1)
    names = [code.payload[1:-CHECK_CHARACTERS] for code in CODES]
    print("\n".join(textwrap.wrap(" ".join(choose_checks(version, names, list(BOOK))), 104)))
