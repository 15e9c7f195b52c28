"""Record whole simulated matches: ``make recordings``, by default in build/recordings.

A folder that exists is never overwritten: recordings of older versions must stay readable. To adopt a new recording,
move its folder to tests/recordings under a name that is free there.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.options import Options
from firmware.recording.writer import Recording
from firmware.simulation.session import SimulatedSession
from firmware.simulation.table import SimTable
from tests.matches.plan import MatchCase, is_up_to_date

WEBP_QUALITY = 30
"""Low, to keep the files small: codes that are read at this quality are read at any higher one."""
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
"""Whole matches with seeds that end early: after a round, a draft, a hand without a legal card, six in a row."""


def record_match(match: MatchCase, folder: Path) -> list[str]:
    """Play one match and record it; the result lists what went wrong."""
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
            return [f"{match.name}: {table.truth.moves[-1]} was not read"]
    final = session.log.game.view(session.log.state)
    recording.end(final)
    if not is_up_to_date(session.log, table.truth):
        return [f"{match.name}: the log is not what was played"]
    return [] if final.over else [f"{match.name}: the match is not over"]


def measure_folder(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="MATCH", help="record only these matches")
    parser.add_argument("--folder", type=Path, default=Path("build/recordings"), help="default: %(default)s")
    args = parser.parse_args(argv)
    chosen = [match for match in MATCHES if not args.names or match.name in args.names]
    if unknown := set(args.names) - {match.name for match in chosen}:
        parser.error(f"no such match: {', '.join(sorted(unknown))}")
    if kept := [match.name for match in chosen if (args.folder / match.name).exists()]:
        parser.error(f"{args.folder} holds a recording of {', '.join(kept)} already, which is never overwritten")
    missed = []
    for match in chosen:
        place = args.folder / match.name
        missed += record_match(match, place)
        print(f"{match.name}: {measure_folder(place) / 1000:.0f} kB", flush=True)
    for text in missed:
        print(f"MISSED: {text}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
