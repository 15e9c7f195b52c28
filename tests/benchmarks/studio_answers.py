"""Keeps what a tree has told of pictures, so that a run goes on where another stopped and no stale answer is scored."""

import hashlib
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.proofs import KEY_DIGITS, key_files, name_commit

Picture = NDArray[np.uint8]
Told = dict[str, Any]
READER_FOLDERS = ("engine", "vision", "hw", "firmware")
READER_FILES = ("requirements.txt",)
MADE = ("__pycache__", ".mo")
"""Parts of names of files that are made from others."""


class TreeChanged(RuntimeError):
    """The tree was edited while its pictures were read."""


def list_reader_files(tree: Path) -> list[Path]:
    """Everything of a tree that can change what ``oxeye read`` tells."""
    found = [path for folder in READER_FOLDERS for path in (tree / folder).rglob("*") if path.is_file()]
    found += [tree / name for name in READER_FILES if (tree / name).is_file()]
    return sorted(path for path in found if not any(part in str(path.relative_to(tree)) for part in MADE))


def key_reader(tree: Path) -> str:
    """The hash of the content of these files, whether it is committed or not."""
    return key_files(tree, list_reader_files(tree))


def name_reader(tree: Path) -> str:
    """The commit of the tree, and whether these files differ from it."""
    return name_commit(tree, (*READER_FOLDERS, *READER_FILES))


def key_picture(game: str, now: Picture, empty: Picture) -> str:
    """The hash of everything that the command is given."""
    total = hashlib.sha256(f"{game} {now.shape} {empty.shape}\n".encode())
    total.update(now.tobytes())
    total.update(empty.tobytes())
    return total.hexdigest()[:KEY_DIGITS]


class AnswerStore:
    """The answers of one state of a tree, one line of JSON each, for several threads; other states are deleted."""

    def __init__(self, folder: Path, tree: Path) -> None:
        self._tree = tree
        self._stamp = _stamp(tree)
        self.key = key_reader(tree)
        self.path = folder / f"{tree.name}-{self.key}.jsonl"
        self._lock = threading.Lock()
        for other in folder.glob(f"{tree.name}-{'?' * KEY_DIGITS}.jsonl"):
            if other != self.path:
                other.unlink()
        self._told = _load(self.path)

    def find(self, key: str) -> Told | None:
        with self._lock:
            return self._told.get(key)

    def add(self, key: str, case: str, told: Told) -> None:
        """A failure of the command is no answer, and is tried again by the next run."""
        if _stamp(self._tree) != self._stamp:
            raise TreeChanged(f"{self._tree} was changed while its pictures were read: start again")
        if "error" in told:
            return
        line = json.dumps({"picture": key, "case": case, "told": told}) + "\n"
        with self._lock, self.path.open("a", encoding="utf-8") as file:
            file.write(line)
            self._told[key] = told


def _load(path: Path) -> dict[str, Told]:
    """A line that was cut off when a run was stopped leaves the file too, or the next one would be appended to it."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]), encoding="utf-8")
        lines.pop()
    parsed = [json.loads(line) for line in lines]
    return {line["picture"]: line["told"] for line in parsed}


def _stamp(tree: Path) -> int:
    """Changes when a file is written, and costs a few milliseconds."""
    return hash(tuple((str(path), path.stat().st_mtime_ns) for path in list_reader_files(tree)))
