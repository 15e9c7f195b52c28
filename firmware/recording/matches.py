"""The recorded matches in tests/recordings, made anew: simulated people, a camera's pictures, the real box."""

import random
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.games import GAMES
from engine.log import Log
from engine.options import Options
from engine.referee import Follows, judge
from firmware.box.box import Box
from firmware.box.flow import Known, Started
from firmware.box.home import Home
from firmware.box.items import Told
from firmware.box.playing import playing
from firmware.evening_plan import up_to_date
from firmware.eyes import Eyes
from firmware.recording.writing import Recording
from firmware.running import Companion
from firmware.simtable import Act, SimTable
from hw.cameras.pictures import frame_of
from vision.render.studio import Studio

FRAME = 0.2
QUALITY = 30
"""Of JPEG: what is read at this is read at any better."""
ENOUGH = 30
"""Frames after which the box should have seen what was done."""


@dataclass(frozen=True, slots=True)
class Match:
    """``moves`` is after how many it stops as soon as all is recorded, if it has not come to its end before."""

    name: str
    game: str
    options: Options
    seed: int
    moves: int = 10_000
    mistakes: float = 0.04


FEW = 18
DRAFT = FEW + 14
"""Moves: a whole match of each would take minutes to replay. The open draft alone has many."""
TWO: Options = {"players": 2}
ROUND: Options = {"players": 2, "end": "rounds", "rounds": 1}
MATCHES = (
    Match("nimmt-base", "nimmt", {**ROUND, "width": 594, "height": 420}, 1),
    Match("nimmt-professional", "nimmt", {**TWO, "variant": "professional"}, 22, DRAFT),
    Match("nimmt-halves", "nimmt", {"players": 4, "variant": "halves"}, 10, FEW),
    Match("nimmt-anniversary", "nimmt", {**TWO, "variant": "anniversary"}, 44, FEW),
    Match("thegame-standard", "thegame", TWO, 5, FEW),
    Match("thegame-expert", "thegame", {**TWO, "level": "expert"}, 6, FEW),
    Match("thegame-small-hand", "thegame", {**TWO, "level": "expert_small_hand"}, 7, FEW),
    Match("six", "six", {}, 8, FEW // 2 - 1),
)


class Table:
    """One match while it is played and recorded."""

    def __init__(self, match: Match, folder: Path) -> None:
        log: Log[Any, Any] = Log(GAMES[match.game], match.options)
        self._match = match
        self._table = SimTable(log, random.Random(match.seed), px_module=2.0, mistakes=match.mistakes)
        self._studio = Studio(match.seed)
        self._recording = Recording(folder, quality=QUALITY, small=True)
        started = Started(match.game, log.options, {1: "Ana", 2: "Ben"})
        box = Box(Known(names=started.names, last=started), (Home(), playing(log)))
        self._eyes = Eyes(self._recording.begin(box, started, self._studio.picture(self._table.empty)))
        self._companion = Companion(box, self._eyes, tell=self._recording.heed)
        self._companion.begin(started)
        self._at = 0.0

    def play(self) -> list[str]:
        """What went wrong on the way: there should be nothing."""
        for act in self._table.acts():
            if not self._spend(act):
                return [f"{self._match.name}: {self._table.truth.moves[-1]} is not seen"]
            if len(self._table.truth.moves) >= self._match.moves and self._up_to_date():
                break
        self._recording.end(self._log.game.view(self._log.state))
        return [] if self._up_to_date() else [f"{self._match.name}: the record is not what was played"]

    def _spend(self, act: Act) -> bool:
        if act.told:
            self._companion.take(Told(act.told, "button", self._at))
        picture = self._studio.picture(act.scene)
        for number in range(ENOUGH):
            if number >= max(1, round(act.seconds / FRAME)) and (act.reaching or act.wrong or self._seen()):
                return True
            self._at = round(self._at + FRAME, 3)
            frame = self._recording.frame(frame_of(picture, self._at), self._companion.aim, self._eyes)
            self._companion.frame(frame)
        return self._seen()

    def _up_to_date(self) -> bool:
        return up_to_date(self._log, self._table.truth)

    def _seen(self) -> bool:
        """Does the box know all that a perfect eye would see?"""
        verdict = judge(self._log, self._table.lies())
        return not isinstance(verdict, Follows) or not verdict.moves

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
