"""``make people``: every flow of the box, by people who follow the screens, also with a fool; prints figures.

``--full`` plays as many evenings as the proof needs, keeps what each has shown, and writes ``docs/proofs/people.md``.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.people.evenings import KeptEvenings, PlannedEvening, list_missing, plan_flows, plan_fools
from tests.people.flows import FlowsReport
from tests.people.fools import FoolsReport
from tests.people.people_page import PAGE, format_flows, format_fools, format_page, format_report, name_verdict
from tests.support.proofs import cut_shard, key_files, name_commit

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build/people"
SEED = 1000
FOOL_SEED = 100_000
QUICK_FLOWS, FLOWS, FRAME_FLOWS = 30, 360, 20
QUICK_EACH, EACH, FRAMES_EACH = 2, 24, 5
"""Flows of one evening."""
QUICK_FOOLS, FOOLS, FULL_FOOLS, FOOLS_FROM_FRAMES = 10, 60, 500, 20
PAGE_EACH = 10
"""Evenings after which a full run writes its page anew."""
SOURCES = (
    "engine/**/*.py", "vision/**/*.py", "firmware/box/**/*.py", "firmware/runtime/*.py", "firmware/texts/**/*.po",
    "firmware/simulation/**/*.py", "tests/people/*.py",
)  # fmt: skip


@dataclass(slots=True)
class Figures:
    """What all evenings have shown: with flows by agreement, from frames, with a fool, and with a fool from frames."""

    tables: dict[str, FlowsReport] = field(default_factory=dict)
    frames: FlowsReport = field(default_factory=FlowsReport)
    fools: FoolsReport = field(default_factory=FoolsReport)
    fools_from_frames: FoolsReport = field(default_factory=FoolsReport)

    def add(self, evening: PlannedEvening, shown: FlowsReport | str) -> None:
        if isinstance(shown, str):
            (self.fools if evening.kind == "fool" else self.fools_from_frames).add(shown)
        elif evening.kind == "frames":
            self.frames.add(shown)
        else:
            self.tables.setdefault(evening.agreement, FlowsReport()).add(shown)

    @property
    def all_tables(self) -> FlowsReport:
        total = FlowsReport()
        for report in self.tables.values():
            total.add(report)
        return total

    def holds(self, planned: Sequence[PlannedEvening]) -> bool:
        """Was every planned flow gone through, each match played to its end, and nothing stuck or wrong?"""
        evenings = [evening for evening in planned if evening.kind in ("flows", "frames")]
        flows = (self.all_tables, self.frames)
        whole = sum(report.flows.total() for report in flows) >= sum(evening.count for evening in evenings)
        ended = sum(report.ended for report in flows) == len(evenings)
        right = not any(report.stuck or report.wrong for report in flows)
        return whole and ended and right and self.fools.holds and self.fools_from_frames.holds

    def lines(self) -> Iterator[str]:
        yield from format_report("from tables", self.all_tables)
        yield from format_flows(self.tables)
        if self.frames.flows or self.frames.stuck:
            yield from format_report("from frames", self.frames)
        yield from format_fools("with a fool", self.fools)
        if self.fools_from_frames.ends:
            yield from format_fools("with a fool, from frames", self.fools_from_frames)


def plan(args: argparse.Namespace) -> list[PlannedEvening]:
    seed = args.seed
    if args.quick:
        return [*plan_flows("flows", seed, QUICK_FLOWS, QUICK_EACH), *plan_fools("fool", FOOL_SEED + seed, QUICK_FOOLS)]
    planned = [*plan_flows("flows", seed, FLOWS, EACH)]
    if not args.full:
        return [*planned, *plan_fools("fool", FOOL_SEED + seed, FOOLS)]
    planned += plan_flows("frames", seed, FRAME_FLOWS, FRAMES_EACH)
    planned += plan_fools("fool", FOOL_SEED + seed, FULL_FOOLS)
    return [*planned, *plan_fools("fool-frames", 2 * FOOL_SEED + seed, FOOLS_FROM_FRAMES)]


def main(words: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two flows at each game, and a few evenings with a fool")
    parser.add_argument("--full", action="store_true", help="all evenings of the proof; goes on where it was stopped")
    parser.add_argument("--shard", default="", help="1/3: every third evening, from the first on")
    parser.add_argument("--seed", type=int, default=SEED, help="the first seed")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where a full run keeps what it has counted")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page that a full run writes")
    args = parser.parse_args(words if words is None else list(words))
    sources = sorted({path for pattern in SOURCES for path in ROOT.glob(pattern)})
    key, commit = key_files(ROOT, sources), name_commit(ROOT, sources)
    kept = KeptEvenings(args.kept, key) if args.full else None
    planned, figures = plan(args), Figures()
    mine = cut_shard(planned, args.shard)
    for number, evening in enumerate(mine, 1):
        shown = kept.load(evening) if kept else None
        if shown is None:
            shown = evening.play()
            print(describe(evening, shown), flush=True)
            if kept:
                kept.keep(evening, shown)
        figures.add(evening, shown)
        if kept and not args.shard and (number % PAGE_EACH == 0 or number == len(mine)):
            left = len(list_missing(planned, kept))
            seeds = f"{args.seed} for flows, {FOOL_SEED + args.seed} and {2 * FOOL_SEED + args.seed} with a fool"
            verdict = name_verdict(holds=figures.holds(mine), left=left, total=len(planned))
            args.page.parent.mkdir(parents=True, exist_ok=True)
            args.page.write_text(format_page(commit, key, seeds, verdict, figures.lines()), encoding="utf-8")
    print("", *figures.lines(), sep="\n", flush=True)
    return 0 if figures.holds(mine) else 1


def describe(evening: PlannedEvening, shown: FlowsReport | str) -> str:
    where = f"{evening.kind} {evening.seed}"
    if isinstance(shown, str):
        return f"{where}: {shown}"
    flows = ", ".join(f"{name} {n}" for name, n in sorted(shown.flows.items()))
    faults = f"{len(shown.stuck)} stuck, {len(shown.wrong)} of {shown.scores} scores wrong, {shown.ended} ended"
    return f"{where}, {evening.agreement}, crowd that reads {evening.crowd}: {faults} ({flows})"


if __name__ == "__main__":
    sys.exit(main())
