"""The evenings of a run: which are played, what each has shown, and what of a long run is kept in files."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from firmware.simulation.people.screen_reading import read_texts
from tests.people.agreements import AGREEMENTS
from tests.people.flows import FlowsEvening, FlowsReport
from tests.people.fools import play_with_a_fool
from tests.people.words_reader import read_words

Kind = Literal["flows", "frames", "fool", "fool-frames"]
CROWDS = (("texts", read_texts), ("words", read_words))
FROM_FRAMES = ("SIX", "base, 2", "The Game, 2", "professional, 2")
"""Rendering costs minutes: these stand for the others."""


@dataclass(frozen=True, slots=True)
class PlannedEvening:
    """``count`` is how many flows people go through, 0 with a fool."""

    kind: Kind
    seed: int
    agreement: str = ""
    count: int = 0

    @property
    def crowd(self) -> str:
        return CROWDS[self.seed % 2][0]

    def play(self) -> FlowsReport | str:
        if self.kind in ("fool", "fool-frames"):
            return play_with_a_fool(self.seed, frames=self.kind == "fool-frames")
        reader = CROWDS[self.seed % 2][1]
        frames = self.kind == "frames"
        return FlowsEvening(self.agreement, self.seed, self.count, reader=reader, frames=frames).play()


def plan_flows(kind: Literal["flows", "frames"], first: int, flows: int, most: int) -> Iterator[PlannedEvening]:
    """Each agreement in turn with at most ``most`` flows, until there are ``flows`` in all."""
    names = tuple(AGREEMENTS) if kind == "flows" else FROM_FRAMES
    for at in range(-(-flows // most)):
        yield PlannedEvening(kind, first + at, names[at % len(names)], min(most, flows - at * most))


def plan_fools(kind: Literal["fool", "fool-frames"], first: int, count: int) -> Iterator[PlannedEvening]:
    for seed in range(first, first + count):
        yield PlannedEvening(kind, seed)


class KeptEvenings:
    """What evenings have shown with one content of the sources, so that a run that was stopped goes on where it was."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder = folder / key

    def load(self, evening: PlannedEvening) -> FlowsReport | str | None:
        """None if the evening was not played yet."""
        try:
            told = json.loads(self._name(evening).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        if isinstance(told, str):
            return told
        counts = {name: Counter(told.pop(name)) for name in ("flows", "misunderstood")}
        return FlowsReport(**told, **counts)

    def keep(self, evening: PlannedEvening, shown: FlowsReport | str) -> None:
        """The file is there whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self._name(evening).with_suffix(".part")
        told = shown if isinstance(shown, str) else {it.name: getattr(shown, it.name) for it in fields(shown)}
        part.write_text(json.dumps(told), encoding="utf-8")
        part.rename(self._name(evening))

    def _name(self, evening: PlannedEvening) -> Path:
        words = (evening.kind, str(evening.seed), str(evening.count))
        return self.folder / f"{'-'.join(words)}.json"


def list_missing(planned: Sequence[PlannedEvening], kept: KeptEvenings) -> list[PlannedEvening]:
    return [evening for evening in planned if kept.load(evening) is None]
