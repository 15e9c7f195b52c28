"""The recorded matches in tests/recordings, made anew: simulated people, a camera's pictures, the real box."""

import random
import shutil
import sys
from pathlib import Path

from engine.options import Options
from firmware.recording.writer import Recording
from firmware.simulation.session import SimulatedSession
from firmware.simulation.table import SimTable
from tests.matches.plan import MatchCase, is_up_to_date

WEBP_QUALITY = 30
"""What is read at this is read at any better."""
PX_MODULE = 1.95
MISTAKE_SHARE = 0.04
TWO_PLAYERS: Options = {"players": 2}
ONE_ROUND: Options = {**TWO_PLAYERS, "end": "rounds", "rounds": 1}
MATCHES = (
    MatchCase("nimmt-base", "nimmt", {**ONE_ROUND, "width": 594, "height": 420}, 1),
    MatchCase("nimmt-professional", "nimmt", {**ONE_ROUND, "variant": "professional"}, 0),
    MatchCase("nimmt-halves", "nimmt", {"players": 4, "variant": "halves"}, 7),
    MatchCase("nimmt-anniversary", "nimmt", {**TWO_PLAYERS, "variant": "anniversary"}, 5),
    MatchCase("thegame-standard", "thegame", TWO_PLAYERS, 1273),
    MatchCase("thegame-expert", "thegame", {**TWO_PLAYERS, "level": "expert"}, 681),
    MatchCase("thegame-small-hand", "thegame", {**TWO_PLAYERS, "level": "expert_small_hand"}, 545),
    MatchCase("six", "six", {}, 193),
)
"""Whole matches, of people who come to an end soon: a round, a draft, a hand that cannot go on, six in a row."""


def record_match(match: MatchCase, folder: Path) -> list[str]:
    """Play one match and record it; what went wrong on the way, which should be nothing."""
    table = SimTable(
        match.log(),
        random.Random(match.seed),
        players=match.players(),
        px_module=PX_MODULE,
        mistake_share=MISTAKE_SHARE,
    )
    session = SimulatedSession(table, match.seed)
    recording = Recording(folder, quality=WEBP_QUALITY, small=True)
    empty = recording.begin(session.start.box, session.start.started, session.empty)
    session.start_companion(observers=[recording.record], empty=empty)
    for act in session.play(recording.frame):
        if not (act.reaching or act.wrong or session.has_caught_up()):
            return [f"{match.name}: {table.truth.moves[-1]} is not seen"]
    final = session.log.game.view(session.log.state)
    recording.end(final)
    if not is_up_to_date(session.log, table.truth):
        return [f"{match.name}: the record is not what was played"]
    return [] if final.over else [f"{match.name}: the match is not over"]


def measure_folder(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main(folder: Path, names: list[str]) -> int:
    faults = []
    for match in MATCHES:
        if names and match.name not in names:
            continue
        place = folder / match.name
        shutil.rmtree(place, ignore_errors=True)
        faults += record_match(match, place)
        print(f"{match.name}: {measure_folder(place) / 1000:.0f} kB")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path("tests/recordings"), sys.argv[1:]))
