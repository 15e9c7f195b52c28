"""How much of the studio's pictures is told right, by ``oxeye read --json`` alone; the exit code is the verdict.

``make bench-studio`` only reads what ``make studio`` has rendered, and goes on where it was stopped. QUICK=1 takes one
light of each geometry; SEED=hash also reads the geometries of a commit; OLD=folder reads the same pictures with the
tree of 0.1.0 too, TREE=folder with another tree in place of this one; SHARD=1/3 only reads a third, for a later run.
"""

import argparse
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.studio_answers import AnswerStore, Told, TreeChanged, key_picture, name_reader
from tests.benchmarks.studio_cases import Answer, Case, build_case, parse_answer
from tests.benchmarks.studio_reader import StudioReader
from tests.benchmarks.studio_report import (
    OTHER_SEEDS_SLACK,
    Score,
    format_groups,
    format_honesty,
    format_missed,
    format_table,
    is_enough,
)
from tests.benchmarks.studio_scoring import Mark, score_picture, score_relit, score_sequence
from tests.studio import ranges
from tests.studio.geometries import Geometry, list_closing_geometries, list_geometries
from tests.studio.mixing import STANDARDS, Planes, apply_tone, decode_tone
from tests.studio.pictures import StudioPicture, is_rendered, make_picture
from tests.studio.render import default_cache
from tests.support.proofs import cut_shard

Picture = NDArray[np.uint8]
LIGHTS: tuple[ranges.LightKind, ...] = tuple(ranges.MIXES)
SIX_LEAST_AREA_MM = (600, 450)
RELIT_GAIN = (0.6, 1.6)
RELIT_MIXING = 0.1
"""Largest share of one channel that another takes."""
HERE = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Job:
    """One picture to be read, and read again when it is ``relit``."""

    geometry: Geometry
    light: ranges.LightKind
    standard: str
    relit: bool


@dataclass(slots=True)
class Desk:
    """What one thread works with: a process for each tree, and a folder."""

    readers: dict[Path, StudioReader]
    folder: Path


@dataclass(slots=True)
class Tree:
    """One tree under examination; ``later`` are the cases of geometries with other seeds."""

    path: Path
    store: AnswerStore
    score: Score = field(default_factory=Score)
    later: Score = field(default_factory=Score)
    errors: list[str] = field(default_factory=list)
    answers: int = 0
    fresh: int = 0
    without_polygons: int = 0
    seconds: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def examine(self, name: str, game: str, now: Picture, empty: Picture, desk: Desk) -> Answer:
        """From the store, or by the command."""
        key = key_picture(game, now, empty)
        told = self.store.find(key)
        begun = time.monotonic()
        fresh = told is None
        if told is None:
            told = self._read(game, now, empty, desk)
            self.store.add(key, name, told)
        with self.lock:
            self.answers += 1
            self.without_polygons += "unseen_mm" not in told
            if fresh:
                self.fresh += 1
                self.seconds += time.monotonic() - begun
            if "error" in told:
                self.errors.append(f"{name}: {told['error']}")
        return parse_answer(told)

    def _read(self, game: str, now: Picture, empty: Picture, desk: Desk) -> Told:
        paths = desk.folder / "now.png", desk.folder / "empty.png"
        for path, picture in zip(paths, (now, empty), strict=True):
            cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        return desk.readers[self.path].read(game, *paths)

    def add(self, case: Case, marks: Iterable[Mark]) -> None:
        with self.lock:
            (self.later if case.round else self.score).add(case, marks)


def decode_yuv420(planes: Planes, standard: str) -> Picture:
    """BGR by the matrix and range that the frame has."""
    red, blue, full = STANDARDS[standard]
    size = (planes[0].shape[1], planes[0].shape[0])
    luma, chroma, floor = (1.0, 1.0, 0.0) if full else (219 / 255, 224 / 255, 16.0)
    y = (planes[0].astype(np.float32) - floor) / luma
    u, v = (
        (cv2.resize(plane, size, interpolation=cv2.INTER_LINEAR).astype(np.float32) - 128) / chroma
        for plane in planes[1:]
    )
    b, r = y + 2 * (1 - blue) * u, y + 2 * (1 - red) * v
    g = (y - red * r - blue * b) / (1 - red - blue)
    return np.clip(np.round(np.stack([b, g, r], axis=-1)), 0, 255).astype(np.uint8)


def relight(bgr: Picture, rng: np.random.Generator) -> Picture:
    """Another gain for each channel, and some of each channel in the others, in linear light."""
    linear = decode_tone(bgr)
    mixing = rng.uniform(0, RELIT_MIXING, (3, 3))
    np.fill_diagonal(mixing, 0)
    mixing += np.diag(1 - mixing.sum(axis=1))
    matrix = np.diag(rng.uniform(*RELIT_GAIN, 3)) @ mixing
    return apply_tone(np.asarray(linear @ matrix.T.astype(np.float32), np.float32))


def list_tasks(geometries: Iterable[Geometry], *, quick: bool) -> list[list[Job]]:
    """Each task has one geometry, or the three of a sequence, in one light. One light of each geometry is relit."""
    tasks: dict[tuple[tuple[int, ...], str], list[Job]] = {}
    for n, geometry in enumerate(geometries):
        place = ranges.TABLES.index(geometry.table)
        one = LIGHTS[(place + geometry.seed[3]) % len(LIGHTS)]  # the three of a sequence have the same
        for m, light in enumerate(LIGHTS):
            if light == one or not quick:
                job = Job(geometry, light, tuple(STANDARDS)[(n + m) % 2], light == one)
                tasks.setdefault((geometry.seed, light), []).append(job)
    return list(tasks.values())


def examine_task(trees: list[Tree], jobs: Iterable[Job], cache: Path, desk: Desk) -> int:
    """How many pictures have been examined."""
    board: Case | None = None
    count = 0
    for job in jobs:
        picture = make_picture(job.geometry, job.light, cache)
        case = build_case(picture)
        examine_picture(trees, picture, case, board, job, desk)
        board = case if case.kind == "board" else board
        count += 1
    return count


def examine_picture(
    trees: list[Tree], picture: StudioPicture, case: Case, board: Case | None, job: Job, desk: Desk
) -> None:
    """``board``: the same board before the hand, if it has been rendered."""
    now, empty = (decode_yuv420(frame.yuv(job.standard), job.standard) for frame in (picture.now, picture.empty))
    rng = np.random.default_rng([*job.geometry.seed, 300 + LIGHTS.index(job.light)])
    other = relight(now, rng) if job.relit else None
    for tree in trees:
        answer = tree.examine(case.name, case.game, now, empty, desk)
        tree.add(case, score_picture(case, answer))
        if case.kind == "board-after" and board is not None:
            tree.add(case, score_sequence(board, case, answer))
        if other is not None:
            tree.add(case, score_relit(case, answer, tree.examine(f"{case.name}-relit", case.game, other, empty, desk)))
        if case.kind == "bare" and all(side >= least for side, least in zip(case.area, SIX_LEAST_AREA_MM, strict=True)):
            bare = tree.examine(f"{case.name}-six", "six", now, empty, desk)
            tree.add(case, iter([Mark("false tiles", int(not bare.tiles), 1)]))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.studio", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one light of each geometry")
    parser.add_argument("--tree", type=Path, action="append", help="examine this tree, not the present one; repeatable")
    parser.add_argument("--old", type=Path, help="the tree of 0.1.0, for the rows about honesty")
    parser.add_argument("--rounds", type=int, default=1, help="sixty geometries each; later ones are printed beside")
    parser.add_argument(
        "--seed", default="", help="also the twenty geometries of this hash of a commit, printed beside"
    )
    parser.add_argument("--only", default="", help="only geometries with this in their name")
    parser.add_argument("--shard", default="", help="1/3: read the first third of the pictures, without a verdict")
    parser.add_argument("--jobs", type=int, default=2, help="pictures that are read at a time")
    parser.add_argument("--groups", action="store_true", help="also print each row for each table, light and finish")
    parser.add_argument(
        "--report", type=Path, help="write what is printed into this page, with the commit and the seeds"
    )
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder of what has been rendered")
    return parser.parse_args()


def choose_tasks(arguments: argparse.Namespace) -> tuple[int, list[list[Job]]]:
    """How many pictures are asked for, and the tasks with those of them that are rendered."""
    closing = list_closing_geometries(arguments.seed) if arguments.seed else []
    planned = list_tasks([*list_geometries(arguments.rounds), *closing], quick=arguments.quick)
    named = [[job for job in task if arguments.only in job.geometry.name] for task in planned]
    there = [[job for job in task if is_rendered(job.geometry, arguments.cache)] for task in named]
    return sum(map(len, named)), cut_shard([task for task in there if task], arguments.shard)


def read_pictures(trees: list[Tree], tasks: list[list[Job]], cache: Path, jobs: int, build: Path) -> int:
    """In several threads, each with its own processes."""
    count = 0
    total = sum(map(len, tasks))
    with ExitStack() as stack:
        desks: queue.SimpleQueue[Desk] = queue.SimpleQueue()
        for _ in range(jobs):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build)))
            readers = {tree.path: stack.enter_context(StudioReader(tree.path)) for tree in trees}
            desks.put(Desk(readers, folder))

        def work(task: list[Job]) -> int:
            desk = desks.get()
            try:
                return examine_task(trees, task, cache, desk)
            finally:
                desks.put(desk)

        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        try:
            for done in as_completed([pool.submit(work, task) for task in tasks]):
                count += done.result()
                print(f"\r{count} of {total} pictures", end="", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    print(file=sys.stderr)
    return count


def main() -> int:
    arguments = parse_arguments()
    if arguments.report and (arguments.quick or arguments.only or arguments.shard or arguments.tree):
        sys.exit("a report is about this tree and all pictures")
    cv2.setNumThreads(1)
    build = HERE / "build" / "bench-studio"
    build.mkdir(parents=True, exist_ok=True)
    paths = [path.resolve() for path in arguments.tree or [HERE]]
    trees = [Tree(path, AnswerStore(build, path)) for path in paths]
    old = Tree(arguments.old.resolve(), AnswerStore(build, arguments.old.resolve())) if arguments.old else None
    everyone = [*trees, old] if old else trees
    wanted, tasks = choose_tasks(arguments)
    try:
        count = read_pictures(everyone, tasks, arguments.cache, arguments.jobs, build)
    except TreeChanged as changed:
        sys.exit(str(changed))
    if arguments.shard:
        print(f"shard {arguments.shard}: the answers of {count} pictures are kept; a run without SHARD scores them")
        return 1 if any(tree.errors for tree in everyone) else 0
    sample = "one light of each geometry" if arguments.quick else "every light"
    lines = [f"{count} of {wanted} pictures are rendered; {sample}; half of the frames in each range of YUV"]
    enough = True
    for tree in trees:
        enough &= is_examined(tree)
        lines += ["", *format_tree(tree, groups=arguments.groups or bool(arguments.report))]
    if old:
        told, fair = format_honesty(old.score)
        lines += ["", *told]
        enough &= fair
    else:
        lines += ["", "honesty: not measured; give OLD=folder with the tree of 0.1.0"]
    lines.append("every bar is met" if enough else "A BAR IS MISSED, or a row has no case")
    print("\n".join(lines))
    for tree in trees:
        print(f"{tree.path.name}: {tree.fresh} answers read in {tree.seconds:.0f} s, {tree.answers - tree.fresh} kept")
    if arguments.report:
        seeds = [f"{ranges.SEED}, rounds 0 to {arguments.rounds - 1}", *([arguments.seed] if arguments.seed else [])]
        arguments.report.parent.mkdir(exist_ok=True)
        arguments.report.write_text("\n".join(format_page(trees[0], seeds, lines)), encoding="utf-8")
    return 0 if enough else 1


def is_examined(tree: Tree) -> bool:
    """Every bar is met, and the command has not failed."""
    beside = not tree.later.rows or is_enough(tree.later, OTHER_SEEDS_SLACK)
    return is_enough(tree.score) and not tree.errors and beside


def format_tree(tree: Tree, *, groups: bool) -> Iterator[str]:
    name = "this tree" if tree.path == HERE else tree.path.name
    yield f"{name}, {name_reader(tree.path)}, content {tree.store.key}"
    yield from format_table(tree.score)
    yield from format_missed(tree.score)
    if groups:
        yield from format_groups(tree.score)
    if tree.without_polygons:
        told = f"{tree.without_polygons} of {tree.answers} answers have no unseen_mm"
        yield f"  {told}: where a place must be doubtful, whole zones of unseen count, which is lenient"
    yield from (f"  the command failed: {error}" for error in tree.errors)
    if tree.later.rows:
        yield "geometries with other seeds; no bar may be missed by more than 3 points"
        yield from format_table(tree.later, OTHER_SEEDS_SLACK)
        yield from format_missed(tree.later)
    else:
        yield "geometries with other seeds: not rendered"


def format_page(tree: Tree, seeds: list[str], lines: list[str]) -> Iterator[str]:
    yield "# Measured: the eyes in the studio"
    yield ""
    yield "Written by `make bench-studio FULL=1`; [Measuring the eyes](../measuring-the-eyes.md) explains each row."
    yield ""
    yield f"- commit: {name_reader(tree.path)}"
    yield f"- hash of the content of engine, vision, hw, firmware and the lock: {tree.store.key}"
    yield f"- seeds: {'; '.join(seeds)}"
    yield f"- answers: {tree.answers}"
    yield from ("", "```text", *lines, "```", "")


if __name__ == "__main__":
    sys.exit(main())
