"""The recorded matches in tests/recordings, made anew: simulated people, a camera's pictures, the real box."""

import random
import shutil
import sys
from pathlib import Path

from engine.options import Options
from firmware.recording.writer import Recording
from firmware.simulation.session import SimulatedSession
from firmware.simulation.table import SimTable
from tests.matches.plan import Given, up_to_date

QUALITY = 30
"""What is read at this is read at any better."""
PX_MODULE = 1.95
MISTAKES = 0.04
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


def record_match(match: Given, folder: Path) -> list[str]:
    """Play one match and record it; what went wrong on the way, which should be nothing."""
    table = SimTable(
        match.log(), random.Random(match.seed), players=match.players(), px_module=PX_MODULE, mistakes=MISTAKES
    )
    session = SimulatedSession(table, match.seed)
    recording = Recording(folder, quality=QUALITY, small=True)
    empty = recording.begin(session.start.box, session.start.started, session.empty)
    session.start_companion(observers=[recording.record], empty=empty)
    for act in session.play(recording.frame):
        if not (act.reaching or act.wrong or session.has_caught_up()):
            return [f"{match.name}: {table.truth.moves[-1]} is not seen"]
    final = session.log.game.view(session.log.state)
    recording.end(final)
    if not up_to_date(session.log, table.truth):
        return [f"{match.name}: the record is not what was played"]
    return [] if final.over else [f"{match.name}: the match is not over"]


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main(folder: Path, names: list[str]) -> int:
    faults = []
    for match in MATCHES:
        if names and match.name not in names:
            continue
        place = folder / match.name
        shutil.rmtree(place, ignore_errors=True)
        faults += record_match(match, place)
        print(f"{match.name}: {size(place) / 1000:.0f} kB")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path("tests/recordings"), sys.argv[1:]))
