"""What every long measurement tells of itself: the tree it measured, its share of the work, how certain a share is."""

import hashlib
import subprocess
from collections.abc import Iterable, Sequence
from math import sqrt
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

KEY_DIGITS = 16


def key_files(tree: Path, files: Iterable[Path]) -> str:
    """The hash of the names and the content of these files of a tree, whether they are committed or not."""
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(tree)}\n".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:KEY_DIGITS]


def name_commit(tree: Path, parts: Iterable[object]) -> str:
    """The commit of a tree, and whether these files or folders differ from it."""

    def ask(*words: str) -> str:
        return subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=False).stdout

    commit = ask("rev-parse", "HEAD").strip()
    changed = ask("status", "--porcelain", "--", *map(str, parts)).strip()
    return (commit or "no commit") + (" with changes" if changed else "")


def cut_shard(tasks: Sequence[T], shard: str) -> list[T]:
    """``1/3``: every third task from the first on, so that each shard has something of everything; nothing: all."""
    number, _, count = (shard or "1/1").partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise ValueError(f"not a shard: {shard}")
    return list(tasks[int(number) - 1 :: int(count)])


def find_lower_bound(good: int, shown: int) -> float:
    """Of the 95 % interval of the share: Wilson, and the rule of three if every case is good."""
    if good == shown:
        return max(0.0, 1 - 3 / shown)
    z = 1.96
    share = good / shown
    middle = (share + z * z / (2 * shown)) / (1 + z * z / shown)
    half = z * sqrt(share * (1 - share) / shown + z * z / (4 * shown * shown)) / (1 + z * z / shown)
    return max(0.0, middle - half)
