"""What the rounds of a full run have counted, kept in files, so that a run that was stopped goes on where it was."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.support.proofs import KEY_DIGITS

Chunk = tuple[tuple[int, str], ...]
"""Seeds with their variants that one process plays at once."""
Played = tuple[str, Counter[str], list[str]]
"""The variant of a round, what was counted in it, and each failure."""


class KeptRounds:
    """The rounds of one game, played with one content of its sources: ``key``."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder = folder / key

    def load(self, chunk: Chunk) -> list[Played] | None:
        """None if these rounds were not played yet."""
        try:
            told = json.loads(self._name(chunk).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        return [(variant, Counter(counts), failures) for variant, counts, failures in told]

    def keep(self, chunk: Chunk, played: Sequence[Played]) -> None:
        """The file is there whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        name = self._name(chunk)
        part = name.with_suffix(".part")
        part.write_text(json.dumps(played), encoding="utf-8")
        part.rename(name)

    def _name(self, chunk: Chunk) -> Path:
        return self.folder / f"{hashlib.sha256(repr(chunk).encode()).hexdigest()[:KEY_DIGITS]}.json"
