"""The rows that the eyes are measured by, their bars, and the table of what was found."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.benchmarks.studio_cases import Case
from tests.benchmarks.studio_scoring import Mark
from tests.support.proofs import find_lower_bound


@dataclass(frozen=True, slots=True)
class Row:
    """``least``: share of good cases, None for a row without a bar. ``bad``: the table shows the share of the others.

    ``wanted``: with fewer cases the row says nothing for certain.
    """

    name: str
    words: str
    least: float | None
    bad: bool = False
    wanted: int = 0


ROWS = (
    Row("boards", "SIX: boards exact, no cell doubtful", 0.95),
    Row("boards, doubts aside", "  the same, whatever is doubtful besides", None),
    Row("empty neighbours", "SIX: empty neighbours doubtful", 0.99, bad=True),
    Row("silent boards", "SIX: pictures with a silent error", 1.0, bad=True),
    Row("board tiles", "SIX: tiles of the board right", 0.995),
    Row("reserve tiles", "SIX: reserve tiles right", 0.97),
    Row("false tiles", "SIX: pictures with a false tile", 1.0, bad=True),
    Row("sequences", "SIX: change under a hand told or doubtful", 1.0, wanted=200),
    Row("backs", "face-down cards at seats", 0.95),
    Row("false backs", "pictures with a false face-down card", 1.0, bad=True),
    Row("hidden cards", "unread cards, 300 mm2 in view: zone flagged", 1.0, wanted=400),
    Row("obstacle zones", "hands, arms, mugs, phones: zone flagged", 0.99),
    Row("obstacle cells", "  cells of 15 mm told as unseen", 0.90),
    Row("flags", "zones flagged without cause", 0.97, bad=True),
    Row("bare cells", "bare cells told as unseen", 0.995, bad=True),
    Row("whole tags", "whole tags from 1.4 px/module", 0.995),
    Row("tags 75 to 99", "tags with 75 to 99 % in view", 0.85),
    Row("tags 50 to 75", "tags with 50 to 75 % in view", 0.65),
    Row("misreads", "pictures with a misread tag", 1.0, bad=True),
    Row("relit: invented", "relit pictures with something invented", 1.0, bad=True),
    Row("relit: still told", "relit pictures: still told", 0.98),
    Row("covers told", "pairs told as covering that are", None),
    Row("covers found", "pairs that cover 100 mm2, told", None),
)
OLD_MOST = {"boards, doubts aside": 0.50, "backs": 0.65}
"""The eyes of 0.1.0 may be right in no more than this; otherwise the pictures are too easy."""
OTHER_SEEDS_SLACK = 0.03


@dataclass(slots=True)
class Tally:
    good: int = 0
    shown: int = 0

    @property
    def share(self) -> float:
        return self.good / self.shown if self.shown else 0.0


Groups = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Score:
    """The cases of one tree; each counts for its table, its light and its finish."""

    rows: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    groups: dict[tuple[str, str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    missed: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, case: Case, marks: Iterable[Mark]) -> None:
        for mark in marks:
            for tally in (
                self.rows[mark.row],
                self.groups[mark.row, "table", case.table],
                self.groups[mark.row, "light", case.light],
                self.groups[mark.row, "finish", case.finish],
            ):
                tally.good += mark.good
                tally.shown += mark.shown
            if mark.good < mark.shown and case.name not in self.missed[mark.row]:
                self.missed[mark.row].append(case.name)

    def find_worst(self, row: str, group: str) -> tuple[str, Tally]:
        of_row = {name: tally for (its, kind, name), tally in self.groups.items() if (its, kind) == (row, group)}
        return min(of_row.items(), key=lambda item: (item[1].share, -item[1].shown))


def is_met(row: Row, tally: Tally, slack: float = 0.0) -> bool:
    """A row without a case does not meet its bar."""
    least = _find_least(row, slack)
    return least is None or (tally.shown > 0 and tally.good >= least * tally.shown - 1e-9)


def _find_least(row: Row, slack: float) -> float | None:
    """A bar of no error at all has no slack."""
    return row.least if row.least is None or (row.bad and row.least == 1.0) else row.least - slack


def format_table(score: Score, slack: float = 0.0) -> list[str]:
    lines = [f"{'':44}{'n':>7}{'value':>9}{'bar':>10}{'95 % bound':>12}  worst table, light, finish"]
    for row in ROWS:
        tally = score.rows.get(row.name, Tally())
        if not tally.shown:
            lines.append(f"{row.words:44}{0:7}{'':9}{_format_bar(row, slack):>10}  not rendered: run make studio")
            continue
        low = find_lower_bound(tally.good, tally.shown)
        bound = f"<= {1 - low:.2%}" if row.bad else f">= {low:.2%}"
        value = _format_value(row, tally)
        verdict = "" if is_met(row, tally, slack) else "  MISSED"
        few = f"  ({row.wanted} wanted)" if tally.shown < row.wanted else ""
        worst = ", ".join(
            f"{name} {_format_value(row, of_group)} of {of_group.shown}"
            for name, of_group in (score.find_worst(row.name, group) for group in ("table", "light", "finish"))
        )
        lines.append(
            f"{row.words:44}{tally.shown:7}{value:>9}{_format_bar(row, slack):>10}{bound:>12}  {worst}{few}{verdict}"
        )
    lines.append(f"{'wobble of the low-resolution stream':44}{'':7}  see bench-wobble")
    return lines


def _format_value(row: Row, tally: Tally) -> str:
    if row.least == 1.0 and row.bad:
        return str(tally.shown - tally.good)
    return f"{1 - tally.share if row.bad else tally.share:.2%}"


def _format_bar(row: Row, slack: float) -> str:
    least = _find_least(row, slack)
    if least is None:
        return "none"
    if row.bad and least == 1.0:
        return "0"
    return f"<= {1 - least:.1%}" if row.bad else f">= {least:.1%}"


def format_missed(score: Score, most: int = 8) -> list[str]:
    """The pictures that miss a row of all or nothing."""
    lines = []
    for row in ROWS:
        names = score.missed.get(row.name, [])
        if row.least == 1.0 and names:
            more = f" and {len(names) - most} more" if len(names) > most else ""
            lines.append(f"  {row.words.strip()}: {', '.join(sorted(names)[:most])}{more}")
    return lines


def format_groups(score: Score) -> list[str]:
    """The value and the number of cases of each row, for each table, light and finish."""
    lines = []
    for kind in ("table", "light", "finish"):
        names = sorted({name for _, its, name in score.groups if its == kind})
        lines += ["", f"by {kind:41}" + "".join(f"{name:>15}" for name in names)]
        for row in ROWS:
            tallies = [score.groups.get((row.name, kind, name), Tally()) for name in names]
            cells = [f"{_format_value(row, tally)} of {tally.shown}" if tally.shown else "-" for tally in tallies]
            lines.append(f"{row.words:44}" + "".join(f"{cell:>15}" for cell in cells))
    return [*lines, ""]


def is_enough(score: Score, slack: float = 0.0) -> bool:
    return all(is_met(row, score.rows.get(row.name, Tally()), slack) for row in ROWS)


def format_honesty(old: Score) -> tuple[list[str], bool]:
    """Are the pictures hard enough? Measured with the eyes of 0.1.0."""
    lines, fair = [], True
    for row in ROWS:
        if row.name in OLD_MOST:
            tally = old.rows.get(row.name, Tally())
            told = f"{tally.share:.1%} of {tally.shown}" if tally.good else "none; its read --json may have no such key"
            fair &= not tally.shown or tally.share <= OLD_MOST[row.name]
            lines.append(f"honesty: {row.words.strip()}, by 0.1.0: {told} (at most {OLD_MOST[row.name]:.0%})")
    return lines, fair
