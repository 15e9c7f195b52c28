"""What an examination found in one game: counts, and each failure in words that let a reader repeat it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.table import Table
from tests.tabletop.report import FAULTS

WRONG_RECORD, ACCUSATION, DEAD_END, MISLEADING = FAULTS


@dataclass(slots=True)
class Docket:
    game: str
    variant: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        self.counts[what] += 1

    def fail(self, kind: str, moves: Iterable[object], table: Table, verdict: object, right: str) -> None:
        """``right`` says what would be right and names the ruling."""
        self.counts[kind] += 1
        self.failures.append(
            f"{kind} · {self.game} {self.variant} seed {self.seed}\n"
            f"  log: {' / '.join(map(str, moves))}\n"
            f"  table: {describe_table(table)}\n"
            f"  verdict: {verdict}\n"
            f"  right: {right}"
        )


def describe_table(table: Table) -> str:
    pieces = sorted((p.x, p.y, p.piece) for p in table.seen)
    words = [", ".join(f"{name} at {x:.0f},{y:.0f}" for x, y, name in pieces) or "empty"]
    words += [f"unseen {a.left:.0f},{a.top:.0f} to {a.right:.0f},{a.bottom:.0f}" for a in table.unseen]
    words += [f"{upper} lies on {lower}" for upper, lower in sorted(table.covers)]
    return "; ".join(words)
