"""Report of the matches: a line for each, mistakes by kind, and every bar that was missed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

MAX_COMPUTING_MS = 40.0
"""Computing time for the frame after one card was placed, 95th percentile, in milliseconds."""
MIN_ARM_SHARE = 0.7
"""Share of frames with an arm that at least one match must have."""
HEAD = (
    f"{'match':32}{'placed':>7}{'planted/caught/accused':>24}{'legal s':>11}{'wrong s':>11}{'ms':>9}{'arms':>6}  scores"
)
MAX_ACCEPT_S, MAX_REFUSE_S = 0.4, 1.2
"""Seconds after the hand has gone by which a legal piece must be accepted, and a wrong one named."""
CLOCK_TOLERANCE_S = 0.002
"""Rounding error of sums of frame times, in seconds."""


@dataclass
class MatchResult:
    """Counts and times of one match; ``wrong`` holds a sentence for every deviation.

    Of the ``caught`` mistakes the box ``only_asked`` about some, because part of the table was hidden.
    """

    name: str
    placements: int = 0
    planted: dict[str, int] = field(default_factory=dict)
    caught: dict[str, int] = field(default_factory=dict)
    only_asked: dict[str, int] = field(default_factory=dict)
    accused: int = 0
    pairs: int = 0
    legal: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    computing: list[float] = field(default_factory=list)
    tiles: list[float] = field(default_factory=list)
    frames: int = 0
    with_arms: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    right: bool = False
    wrong: list[str] = field(default_factory=list)


def format_line(result: MatchResult) -> str:
    mistakes = f"{sum(result.planted.values())}/{sum(result.caught.values())}/{result.accused}"
    arms = result.with_arms / max(1, result.frames)
    return (
        f"{result.name:32}{result.placements:7}{mistakes:>24}{_times(result.legal):>11}{_times(result.refused):>11}"
        f"{_ms(result.computing or result.tiles):>9}{arms:6.0%}  {'right' if result.right else 'WRONG'}"
        f"  ({result.frames} frames, {result.seconds / 60:.0f} min at the table, {result.cost:.0f} s of computing)"
    )


def format_totals(results: Sequence[MatchResult]) -> Iterator[str]:
    """Mistakes by kind, then the sums over all matches."""
    planted, caught = _sum(results, "planted"), _sum(results, "caught")
    for kind in sorted(planted):
        yield f"{kind:52}{planted[kind]:5} planted{caught[kind]:5} caught"
    legal, refused = [t for r in results for t in r.legal], [t for r in results for t in r.refused]
    computing = [t for r in results for t in r.computing]
    yield ""
    yield f"{len(planted)} kinds of mistake, {sum(planted.values())} planted, {sum(caught.values())} caught"
    hinted = _sum(results, "only_asked")
    kinds = ", ".join(sorted(hinted))
    yield f"{sum(hinted.values())} of these only asked about, because part of the table was hidden: {kinds}"
    yield f"{sum(r.pairs for r in results)} pairs of cards placed on one pile between two frames"
    yield f"{sum(r.accused for r in results)} false accusations, {sum(not r.right for r in results)} wrong logs"
    yield f"hand gone to verdict, 95th percentile and maximum: legal {_times(legal)} s, wrong {_times(refused)} s"
    tiles = [t for r in results for t in r.tiles]
    yield f"computing after one card, median and 95th percentile: {_ms(computing)} ms; after one tile: {_ms(tiles)} ms"


def list_missed_bars(
    results: Sequence[MatchResult], often: int, *, kinds: Iterable[str], pairs: int, arms: bool
) -> list[str]:
    """Every bar that was missed; each of ``kinds`` must have been planted ``often`` times, even if it never was."""
    planted, caught = _sum(results, "planted"), _sum(results, "caught")
    missed = [f"{kind}: {caught[kind]} of {n} caught" for kind, n in sorted(planted.items()) if caught[kind] < n]
    wanted = sorted(planted.keys() | set(kinds))
    missed += [f"{kind}: only {planted[kind]} planted" for kind in wanted if planted[kind] < often]
    for result in results:
        if result.accused:
            missed.append(f"{result.name}: {result.accused} false accusations")
        if not result.right:
            missed.append(f"{result.name}: the log or the scores are wrong")
        if result.wrong and result.right and not result.accused:
            missed.append(f"{result.name}: {len(result.wrong)} deviations, see above")
    late = [t for r in results for t in r.legal if t > MAX_ACCEPT_S + CLOCK_TOLERANCE_S]
    slow = [t for r in results for t in r.refused if t > MAX_REFUSE_S + CLOCK_TOLERANCE_S]
    if late:
        missed.append(f"{len(late)} legal pieces were accepted later than {MAX_ACCEPT_S} s")
    if slow:
        missed.append(f"{len(slow)} wrong pieces were named later than {MAX_REFUSE_S} s")
    computing = sorted(t for r in results for t in r.computing)
    if computing and (worst := 1000 * _part(computing, 0.95)) > MAX_COMPUTING_MS:
        missed.append(f"computing takes {worst:.0f} ms, 95 of 100 times, and not {MAX_COMPUTING_MS:.0f}")
    if sum(r.pairs for r in results) < pairs:
        missed.append(f"fewer than {pairs} pairs of cards on one pile")
    if arms and max(r.with_arms / max(1, r.frames) for r in results) < MIN_ARM_SHARE:
        missed.append(f"no match with an arm in {MIN_ARM_SHARE:.0%} of its frames")
    return missed


def _sum(results: Sequence[MatchResult], what: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for result in results:
        found.update(getattr(result, what))
    return found


def _times(seconds: Sequence[float]) -> str:
    return f"{_part(seconds, 0.95):.1f}/{max(seconds):.1f}" if seconds else "-"


def _ms(seconds: Sequence[float]) -> str:
    return f"{1000 * _part(seconds, 0.5):.0f}/{1000 * _part(seconds, 0.95):.0f}" if seconds else "-"


def _part(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
