"""``make people``: every flow of the box, by people who follow the screens and by a fool; prints figures."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from firmware.simulation.people.screen_reading import read_texts
from tests.people.agreements import AGREEMENTS
from tests.people.flows import FlowsEvening, FlowsReport, list_kinds
from tests.people.fools import FoolsReport, play_with_a_fool
from tests.people.words_reader import read_words

SEED = 1000
LEAST_FLOWS = 5
"""Flows of one evening."""
READERS = (("texts", read_texts), ("words", read_words))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--state", type=Path, default=Path("build/people.json"), help="where a full run goes on from")
    options = parser.parse_args()
    flows, from_frames = (20, 2) if options.quick else (200, 20)
    report = FlowsReport()
    for line, part in run_flows(flows - from_frames, from_frames):
        report.add(part)
        print(line, flush=True)
    fools, fool_frames = (500, 20) if options.full else (5, 0) if options.quick else (60, 2)
    fooled = run_fools(fools, fool_frames, options.state if options.full else None)
    print_report(report, fooled)
    return 0 if report.flows.total() >= flows and not report.stuck and not report.wrong and fooled.holds else 1


def run_flows(from_tables: int, from_frames: int) -> Iterator[tuple[str, FlowsReport]]:
    """Evening after evening, each agreement in turn, until so many flows are done."""
    done, seed = 0, SEED
    each = max(LEAST_FLOWS, -(-from_tables // len(AGREEMENTS)))
    names = list(AGREEMENTS)
    while done < from_tables and seed < SEED + 4 * len(names):
        name = names[(seed - SEED) % len(names)]
        crowd, reader = READERS[seed % 2]
        part = FlowsEvening(name, seed, min(each, from_tables - done), reader=reader).play()
        yield f"{name}, crowd that reads {crowd}: {describe(part)}", part
        done, seed = done + part.flows.total(), seed + 1
    small = ("SIX", "base, 2", "The Game, 2", "professional, 2")
    done, seed = 0, SEED
    while done < from_frames and seed < SEED + len(small):
        name = small[seed - SEED]
        share = -(-from_frames // len(small))
        part = FlowsEvening(name, seed, min(share, from_frames - done), reader=read_texts, frames=True).play()
        yield f"{name}, from frames: {describe(part)}", part
        done, seed = done + part.flows.total(), seed + 1


def run_fools(count: int, frames: int, state: Path | None) -> FoolsReport:
    """``state`` is the file in which a long run keeps what is done, so that it goes on from there."""
    report = FoolsReport()
    known = json.loads(state.read_text()) if state and state.exists() else {}
    for seed in range(count + frames):
        key = str(seed)
        if key not in known:
            known[key] = play_with_a_fool(SEED + seed, frames=seed >= count)
            if state:
                state.parent.mkdir(parents=True, exist_ok=True)
                state.write_text(json.dumps(known))
        report.add(known[key])
    return report


def describe(part: FlowsReport) -> str:
    flows = ", ".join(f"{name} {n}" for name, n in sorted(part.flows.items()))
    return f"{part.flows.total()} flows ({flows}), {len(part.stuck)} stuck, {part.scores} scores, {part.ended} ended"


def print_report(report: FlowsReport, fooled: FoolsReport) -> None:
    print(f"\n{report.flows.total()} flows, {len(report.stuck)} stuck, {report.scores} scores compared,", end=" ")
    print(f"{len(report.wrong)} wrong, {report.ended} matches to their end page")
    for name in list_kinds():
        print(f"  {name:34} {report.flows[name]:4}")
    for lines in (report.stuck, report.wrong):
        print(*(f"  ! {line}" for line in lines), sep="\n")
    if report.misunderstood:
        print("screens that told them nothing:", dict(report.misunderstood))
    print(*fooled.lines(), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
