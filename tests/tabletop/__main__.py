"""Examine the referee with tables of physical play: ``python -m tests.tabletop --game nimmt --rounds 100 --first 0``.

People who know the rules from an oracle of their own lay real pieces at real places. Every look goes to the referee,
and what it says is compared with what has truly happened. A failure names its seed; ``--variant`` repeats it alone.
``--full`` plays as many rounds as the proof needs, keeps what it has counted, and writes ``docs/proofs/referee.md``.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

from tests.support.proofs import cut_shard, key_files, name_commit
from tests.tabletop.kept_rounds import Chunk, KeptRounds, Played
from tests.tabletop.proof_page import PAGE, FullRun, replace_section
from tests.tabletop.report import format_counts, has_failed

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build/examine"


@dataclass(frozen=True, slots=True)
class Sample:
    """How many matches of a game are played in a full, a usual and a quick run; which sources they depend on.

    A match of 6 nimmt! has one round or two, of the anniversary game two. ``wanted`` counts rounds, or games.
    """

    wanted: int
    full: int
    usual: int
    quick: int
    sources: tuple[str, ...]

    def list_sources(self) -> list[Path]:
        return sorted({path for pattern in (*COMMON_SOURCES, *self.sources) for path in ROOT.glob(pattern)})


COMMON_SOURCES = (
    "engine/*.py",
    "firmware/box/*.py",
    "firmware/texts/*.py",
    "firmware/texts/locale/en/LC_MESSAGES/oxeye.po",
    "tests/tabletop/advice_text.py",
    "tests/tabletop/docket.py",
)
NIMMT_SOURCES = ("engine/games/nimmt/*.py", "tests/tabletop/nimmt_*.py")
SAMPLES = {
    "nimmt": Sample(5000, 4200, 500, 60, NIMMT_SOURCES),
    "anniversary": Sample(1000, 520, 100, 12, (*NIMMT_SOURCES, "tests/tabletop/anniversary_*.py")),
    "thegame": Sample(3000, 3000, 300, 40, ("engine/games/the_game/*.py", "tests/tabletop/thegame_*.py")),
    "six": Sample(1000, 1000, 100, 10, ("engine/games/six/*.py", "engine/axial.py", "tests/tabletop/six_*.py")),
}
"""The module of an examination is named after the game."""
FULL_FIRST = 1_000_000
"""The first seed of a full run: none that the referee was mended with."""
CHUNK = 5
"""Rounds that one process plays before it reports."""
SHOWN_FAILURES = 20


class Examination(Protocol):
    """The module of one game."""

    VARIANTS: tuple[str, ...]

    def play_round(self, seed: int, variant: str) -> tuple[Counter[str], list[str]]: ...


def load(game: str) -> Examination:
    module: Examination = import_module(f"tests.tabletop.{game}_examination")
    return module


def play_chunk(game: str, plays: Chunk) -> list[Played]:
    module = load(game)
    return [(variant, *module.play_round(seed, variant)) for seed, variant in plays]


def list_chunks(game: str, first: int, rounds: int, variant: str) -> list[Chunk]:
    """The seeds with their variants, which take turns."""
    variants = (variant,) if variant else load(game).VARIANTS
    plays = [(seed, variants[seed % len(variants)]) for seed in range(first, first + rounds)]
    return [tuple(plays[at : at + CHUNK]) for at in range(0, rounds, CHUNK)]


def examine(
    pool: ProcessPoolExecutor, game: str, chunks: Sequence[Chunk], kept: KeptRounds | None
) -> tuple[dict[str, Counter[str]], list[str]]:
    """What was counted in each variant, and the failures."""
    known = {chunk: kept.load(chunk) for chunk in chunks} if kept else {}
    jobs = {chunk: pool.submit(play_chunk, game, chunk) for chunk in chunks if known.get(chunk) is None}
    counts: dict[str, Counter[str]] = {}
    failures: list[str] = []
    for chunk in chunks:
        played = known.get(chunk)
        if played is None:
            played = jobs.pop(chunk).result()
            if kept:
                kept.keep(chunk, played)
        for variant, counted, failed in played:
            counts.setdefault(variant, Counter()).update(counted)
            failures += failed
    return dict(sorted(counts.items())), failures


def examine_game(pool: ProcessPoolExecutor, game: str, args: argparse.Namespace) -> bool:
    """Print what was found; a full run writes its section of the page. Was the bar met?"""
    sample = SAMPLES[game]
    rounds = args.rounds or (sample.full if args.full else sample.quick if args.quick else sample.usual)
    first = args.first if args.first is not None else FULL_FIRST if args.full else 0
    chunks = cut_shard(list_chunks(game, first, rounds, args.variant), args.shard)
    sources = sample.list_sources()
    key, commit = key_files(ROOT, sources), name_commit(ROOT, sources)
    counts, failures = examine(pool, game, chunks, KeptRounds(args.kept / game, key) if args.full else None)
    print(format_counts(game, counts), *failures[:SHOWN_FAILURES], sep="\n", flush=True)
    if args.full and not args.shard and not args.variant:
        run = FullRun(game, commit, key, (first, first + rounds - 1), counts, sample.wanted)
        write_page(args.page, run)
        print(f"{game}: {run.judge_bar()}", flush=True)
        return not failures and run.meets_bar()
    return not failures and not has_failed(counts)


def write_page(page: Path, run: FullRun) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    page.write_text(replace_section(before, run, SAMPLES), encoding="utf-8")


def main(words: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=SAMPLES, help="only this game")
    parser.add_argument("--variant", default="", help="only this variant of the game")
    parser.add_argument("--rounds", type=int, default=0, help="rounds of each game")
    parser.add_argument("--first", type=int, help="the first seed")
    parser.add_argument("--quick", action="store_true", help="a few rounds of each game")
    parser.add_argument("--full", action="store_true", help="all rounds of the proof; goes on where it was stopped")
    parser.add_argument("--shard", default="", help="1/3: every third part of the rounds, from the first on")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where a full run keeps what it has counted")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page that a full run writes")
    args = parser.parse_args(words if words is None else list(words))
    with ProcessPoolExecutor(max_workers=args.jobs) as pool:
        found = [examine_game(pool, game, args) for game in ((args.game,) if args.game else SAMPLES)]
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
