"""What a run of people has shown, as lines: each flow by game, each failure, and how certain the shares are."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.people.agreements import AGREEMENTS
from tests.people.flows import FlowsReport, list_kinds
from tests.people.fools import FoolsReport
from tests.support.proofs import find_lower_bound

PAGE = Path(__file__).parents[2] / "docs/proofs/people.md"
HEAD = """# Measured: people who follow the screens

Written by `make people FULL=1`. Simulated people play with real pieces on a simulated table and do what the screens
ask. They go through every flow of the box, chosen at random from a seed, and play each match to its end. Half of them
know the texts by their ids, half only the words on the screen. A flow that does not end within 60 seconds of the table
is *stuck*. At the end of each round and match the scores are compared with the cards in the piles and hands.

With a fool, random presses of buttons and phones disturb the first minute; people who follow the screens then play on.

A run that was stopped goes on where it was. With `SHARD=1/3` it plays every third evening, and a run without `SHARD`
then writes this page. What was counted belongs to one content of the sources.
"""


def format_flows(by_agreement: Mapping[str, FlowsReport]) -> Iterator[str]:
    """How often people came to the end of each flow, with each agreement; what was never gone through is a dot."""
    names = [name for name in AGREEMENTS if name in by_agreement]
    seen = {flow for report in by_agreement.values() for flow in report.flows}
    flows = [*list_kinds(), *sorted(seen - set(list_kinds()))]
    yield f"{'':34}" + "".join(f"{number:>4}" for number in range(1, len(names) + 1)) + "  all"
    for flow in flows:
        counts = [by_agreement[name].flows[flow] for name in names]
        yield f"{flow:34}" + "".join(f"{n or '.':>4}" for n in counts) + f"{sum(counts):>5}"
    yield from (f"  {number:>2} {name}" for number, name in enumerate(names, 1))


def format_report(title: str, report: FlowsReport) -> Iterator[str]:
    flows, scores = report.flows.total(), report.scores
    yield f"{title}: {flows} flows, {len(report.stuck)} stuck {bound(len(report.stuck), flows + len(report.stuck))};"
    yield f"  {scores} scores compared, {len(report.wrong)} wrong {bound(len(report.wrong), scores)};"
    yield f"  {report.ended} matches to their end page"
    yield from (f"  ! {line}" for line in (*report.stuck, *report.wrong))
    if report.misunderstood:
        yield f"  screens that told them nothing: {_list(report.misunderstood)}"


def format_fools(title: str, report: FoolsReport) -> Iterator[str]:
    total = report.ends.total()
    bad = report.ends["wrong"] + report.ends["stuck"]
    yield f"{title}: {total} evenings, {_list(report.ends)}; wrong or stuck {bad} {bound(bad, total)}"
    yield from (f"  ! {fault}" for fault in report.faults)


def bound(bad: int, cases: int) -> str:
    """The upper end of the 95 % interval of a share of faults."""
    return f"(95 % bound <= {1 - find_lower_bound(max(0, cases - bad), cases):.2%})" if cases else "(no case)"


def name_verdict(*, holds: bool, left: int, total: int) -> str:
    """``holds`` is false also while evenings are left."""
    return f"{left} of {total} evenings are not played yet" if left else "met" if holds else "missed"


def format_page(commit: str, key: str, seeds: str, verdict: str, lines: Iterator[str]) -> str:
    facts = (
        f"- commit: {commit}",
        f"- hash of the content of its sources: {key}",
        f"- first seeds: {seeds}",
        f"- the bar: {verdict}",
    )
    return "\n".join((HEAD, *facts, "", "```text", *lines, "```", ""))


def _list(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.most_common())
