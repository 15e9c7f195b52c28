"""The recorded matches in tests/recordings, made anew: simulated people, a camera's pictures, the real box."""

import random
import shutil
import sys
from pathlib import Path
from typing import Any

from engine.log import Log
from engine.options import Options, get_number
from firmware.box.context import Context
from firmware.box.events import Told
from firmware.box.flows.home import Home
from firmware.box.flows.playing import playing
from firmware.box.stack import Box
from firmware.journal.operations import Started
from firmware.recording.writer import Recording
from firmware.runtime.companion import Companion
from firmware.simulation.players import NAMES
from firmware.simulation.table import Act, SimTable, caught_up
from hw.cameras.images import make_frame
from tests.matches.plan import Given, up_to_date
from vision.live.perception import Perception
from vision.render.scene_renderer import SceneRenderer

FRAME = 0.2
QUALITY = 30
"""What is read at this is read at any better."""
PX_MODULE = 1.95
MISTAKES = 0.04
ENOUGH = 30
"""Frames after which the box should have seen what was done."""
TWO: Options = {"players": 2}
ROUND: Options = {**TWO, "end": "rounds", "rounds": 1}
MATCHES = (
    Given("nimmt-base", "nimmt", {**ROUND, "width": 594, "height": 420}, 1),
    Given("nimmt-professional", "nimmt", {**ROUND, "variant": "professional"}, 0),
    Given("nimmt-halves", "nimmt", {"players": 4, "variant": "halves"}, 7),
    Given("nimmt-anniversary", "nimmt", {**TWO, "variant": "anniversary"}, 5),
    Given("thegame-standard", "thegame", TWO, 1273),
    Given("thegame-expert", "thegame", {**TWO, "level": "expert"}, 681),
    Given("thegame-small-hand", "thegame", {**TWO, "level": "expert_small_hand"}, 545),
    Given("six", "six", {}, 193),
)
"""Whole matches, of people who come to an end soon: a round, a draft, a hand that cannot go on, six in a row."""


class Table:
    """One match while it is played and recorded."""

    def __init__(self, match: Given, folder: Path) -> None:
        log = match.log()
        self._name = match.name
        self._table = SimTable(
            log, random.Random(match.seed), players=match.players(), px_module=PX_MODULE, mistakes=MISTAKES
        )
        self._renderer = SceneRenderer(match.seed)
        self._recording = Recording(folder, quality=QUALITY, small=True)
        names = dict(list(NAMES.items())[: get_number(log.options, "players")])
        started = Started(match.game, log.options, names)
        box = Box(Context(names=started.names, last=started), (Home(), playing(log)))
        self._eyes = Perception(self._recording.begin(box, started, self._renderer.render(self._table.empty)))
        self._companion = Companion(box, self._eyes, observers=[self._recording.heed])
        self._companion.begin(started)
        self._at = 0.0

    def play(self) -> list[str]:
        """What went wrong on the way: there should be nothing."""
        for act in self._table.acts():
            if not self._spend(act):
                return [f"{self._name}: {self._table.truth.moves[-1]} is not seen"]
        final = self._log.game.view(self._log.state)
        self._recording.end(final)
        if not up_to_date(self._log, self._table.truth):
            return [f"{self._name}: the record is not what was played"]
        return [] if final.over else [f"{self._name}: the match is not over"]

    def _spend(self, act: Act) -> bool:
        if act.told:
            self._companion.take(Told(act.told, "button", self._at))
        picture = self._renderer.render(act.scene)
        for number in range(ENOUGH):
            if number >= max(1, round(act.seconds / FRAME)) and (act.reaching or act.wrong or self._seen()):
                return True
            self._at = round(self._at + FRAME, 3)
            frame = self._recording.frame(make_frame(picture, self._at), self._companion.aim, self._eyes)
            self._companion.frame(frame)
        return self._seen()

    def _seen(self) -> bool:
        """Does the box know all that a perfect eye would see?"""
        return caught_up(self._log, self._table.lies())

    @property
    def _log(self) -> Log[Any, Any]:
        assert self._companion.log is not None
        return self._companion.log


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main(folder: Path, names: list[str]) -> int:
    faults = []
    for match in MATCHES:
        if names and match.name not in names:
            continue
        place = folder / match.name
        shutil.rmtree(place, ignore_errors=True)
        faults += Table(match, place).play()
        print(f"{match.name}: {size(place) / 1000:.0f} kB")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path("tests/recordings"), sys.argv[1:]))
