"""Boards of SIX that a hand changes, watched as in a game: at each moment every tile is told right, or is doubtful.

``make bench-sequences`` prints the shares; the exit code is the verdict. Drawn sequences come first, then those of the
studio that have been rendered. A number of a sequence examines that one alone.
"""

import math
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2

from engine.games import GAMES
from engine.log import Log
from engine.referee import Follows, judge
from engine.table import Area, Piece, Table
from hw.cameras.images import make_frame
from tests.benchmarks.studio_cases import build_case
from tests.benchmarks.tile_acts import AREA, TOUCH_PITCHES, Point, TileSequence, list_sequences, make_sequence
from tests.studio import ranges
from tests.studio.geometries import Geometry, list_geometries
from tests.studio.pictures import is_rendered, make_picture
from tests.studio.render import default_cache
from vision.frame import Picture
from vision.live.empty_table import EmptyTable, measure_empty
from vision.live.table_watcher import TableWatcher
from vision.render import SceneRenderer
from vision.render.sensor import swing_picture
from vision.sticker_and_marker_sizes import MARKER_MM, STICKER_MM

TOLD_PITCHES = 0.25
"""A tile is told at its place if its centre is told this near."""
DOUBT_PITCHES = 0.45
"""The rules take a cell for hidden if any part of a tile in it is in an unseen area: half its width, with the gap."""
LEAST_TOLD = 0.9
"""Share of the sequences in which all that changed is told in the end: doubt alone is no answer."""
QUICK_EVERY = 11
"""Each of so many sequences in the short form: it has every table and nearly every act and light."""
PACE_S = 0.2
STUDIO_FRAMES = (("board", 7), ("board-hand", 5), ("board-after", 10))
"""Frames of each of the three pictures of a sequence of the studio, which follow one another at this pace."""


@dataclass(frozen=True, slots=True)
class LyingTile:
    colour: str
    at: Point


@dataclass(frozen=True, slots=True)
class Findings:
    """What was told of one sequence: the ``silent`` errors, and whether all that had changed is ``told`` in the end."""

    name: str
    kinds: tuple[str, ...]
    silent: tuple[str, ...]
    told: bool
    whole: bool
    """Was the board told tile by tile before the hand came?"""


def is_doubtful(table: Table, at: Point, pitch: float) -> bool:
    half = DOUBT_PITCHES * pitch
    return any(area.overlaps(Area(at[0] - half, at[1] - half, at[0] + half, at[1] + half)) for area in table.unseen)


def find_silent(table: Table, board: Iterable[LyingTile], others: Iterable[LyingTile], pitch: float) -> list[str]:
    """What the table tells wrong without a doubt: tiles of the board that are missing, and tiles that are not there.

    ``others`` may be told, but need not.
    """
    mine, near = list(board), TOLD_PITCHES * pitch
    found = []
    for tile in mine:
        if not AREA.contains(*tile.at) or is_doubtful(table, tile.at, pitch):
            continue
        told = [piece for piece in table.seen if math.dist(_spot(piece), tile.at) < near]
        if not any(piece.piece == tile.colour for piece in told):
            found.append(f"{tile.colour} at {_name(tile.at)} is told as {told[0].piece if told else 'no tile'}")
    there = [*mine, *others]
    for piece in table.seen:
        if is_doubtful(table, _spot(piece), pitch):
            continue
        if not any(_is_at(piece, tile, pitch) for tile in there):
            found.append(f"a {piece.piece} tile is told at {_name(_spot(piece))}, where none is")
    return found


def is_told(table: Table, changed: Iterable[Point], lying: Sequence[LyingTile], pitch: float) -> bool:
    """Is each changed place told without doubt, and each tile that lies there?"""
    if any(is_doubtful(table, at, pitch) for at in changed):
        return False
    return all(any(_is_at(piece, tile, pitch) for piece in table.seen) for tile in lying)


def _is_at(piece: Piece, tile: LyingTile, pitch: float) -> bool:
    return piece.piece == tile.colour and math.dist(_spot(piece), tile.at) < TOLD_PITCHES * pitch


def _spot(piece: Piece) -> Point:
    return piece.x, piece.y


def _name(at: Point) -> str:
    return f"({at[0]:.0f}, {at[1]:.0f})"


def examine_sequence(sequence: TileSequence, renderer: SceneRenderer) -> Findings:
    watcher = TableWatcher("six", {"table": AREA}, _measure(renderer.render(sequence.empty)))
    silent: dict[str, str] = {}
    table, told, whole = Table(frozenset()), False, False
    for moment in sequence.moments:
        picture = renderer.render(moment.scene, noise="fresh")
        if sequence.wobble is not None and moment.at >= sequence.touched_s:
            picture = swing_picture(picture, sequence.wobble, moment.at - sequence.touched_s)
        table = watcher.update(make_frame(picture, moment.at), sequence.log)
        board = [LyingTile(tile.colour, (tile.x, tile.y)) for tile in moment.board]
        others = [LyingTile(tile.colour, (tile.x, tile.y)) for tile in moment.reserve]
        for error in find_silent(table, board, others, sequence.pitch):
            silent.setdefault(error, f"{moment.at - sequence.done_s:+.1f} s: {error}")
        if not moment.scene.arms and moment.at < sequence.touched_s:
            whole = is_told(table, [tile.at for tile in board], board, sequence.pitch)
        places = [at for at in sequence.changed if _counts(at, board, sequence.pitch)]
        told = is_told(table, places, [tile for tile in board if _is_changed(tile, places)], sequence.pitch)
    silent |= {error: error for error in find_wrong_record(sequence, table)}
    name = f"sequence {sequence.number}, {sequence.ground}, {sequence.act}, {sequence.light}"
    return Findings(name, (sequence.ground, sequence.act, sequence.light), tuple(silent.values()), told, whole)


def _counts(at: Point, board: Sequence[LyingTile], pitch: float) -> bool:
    """Is a changed place on the board or beside it? Reserve tiles are told only where they may be meant for it."""
    return any(math.dist(at, tile.at) < TOUCH_PITCHES * pitch for tile in board)


def _is_changed(tile: LyingTile, places: Iterable[Point]) -> bool:
    return any(math.dist(tile.at, at) < 1 for at in places)


def find_wrong_record(sequence: TileSequence, table: Table) -> Iterator[str]:
    """Cells that the referee takes into the record otherwise than they are, and all that differ if it agrees.

    Beside a move that it follows, it may still miss other tiles, which it takes to be in a hand.
    """
    verdict = judge(sequence.log, table)
    if not isinstance(verdict, Follows):
        return
    before, told = _list_cells(sequence.log), _list_cells(sequence.log.add(*verdict.moves))
    truth = {f"cell:{q},{r}": colour for (q, r), colour in sequence.cells.items()}
    for zone in sorted(told.keys() | truth.keys() | before.keys()):
        if verdict.moves and told.get(zone) == before.get(zone):
            continue
        q, _, r = zone.removeprefix("cell:").partition(",")
        spot = sequence.lattice.find_spot((int(q), int(r)))
        beside = any(math.dist(spot, at) < sequence.pitch / 2 for at in sequence.off_lattice)
        if told.get(zone) != truth.get(zone) and not beside and not is_doubtful(table, spot, sequence.pitch):
            yield f"the record has {told.get(zone, 'no tile')} in {zone}, where {truth.get(zone, 'no tile')} lies"


def _list_cells(log: Log[Any, Any]) -> dict[str, str]:
    zones = GAMES["six"].layout(log.state).zones
    return {zone: held[0] for zone, held in zones.items() if zone.startswith("cell:")}


def examine_studio(geometries: Sequence[Geometry], light: ranges.LightKind) -> Findings:
    """One rendered sequence; its three pictures have the same light and the same empty table."""
    cache = default_cache()
    watcher: TableWatcher | None = None
    silent: dict[str, str] = {}
    at, told, whole = 0.0, False, False
    before: list[LyingTile] = []
    for geometry, (kind, frames) in zip(geometries, STUDIO_FRAMES, strict=True):
        picture = make_picture(geometry, light, cache)
        case = build_case(picture)
        zone = Area(0, 0, *case.area)
        watcher = watcher or TableWatcher("six", {"table": zone}, _measure(picture.empty.bgr))
        board = [LyingTile(tile.colour, tile.seen) for tile in case.tiles if tile.cell is not None]
        others = [LyingTile(tile.colour, tile.seen) for tile in case.tiles if tile.cell is None]
        table = Table(frozenset())
        for _ in range(frames):
            table = watcher.update(make_frame(picture.now.bgr, at), None)
            at += PACE_S
            for error in find_silent(table, board, others, case.pitch_mm):
                silent.setdefault(error, f"{kind}: {error}")
        if kind == "board":
            before, whole = board, is_told(table, [tile.at for tile in board], board, case.pitch_mm)
        near = TOLD_PITCHES * case.pitch_mm
        new = [tile for tile in board if not _is_among(tile, before, near)]
        gone = [tile for tile in before if not _is_among(tile, board, near)]
        told = is_told(table, [tile.at for tile in (*new, *gone)], new, case.pitch_mm)
    table_name, act = geometries[-1].table, geometries[-1].act
    name = f"studio, {table_name}, {act}, {light}"
    return Findings(
        name, (f"studio {table_name}", f"studio {act}", f"studio {light}"), tuple(silent.values()), told, whole
    )


def _is_among(tile: LyingTile, tiles: Iterable[LyingTile], near: float) -> bool:
    return any(tile.colour == other.colour and math.dist(tile.at, other.at) < near for other in tiles)


def _measure(empty: Picture) -> EmptyTable:
    known = measure_empty(empty, STICKER_MM, MARKER_MM)
    assert known is not None
    return known


def list_studio_sequences() -> Iterator[tuple[Geometry, ...]]:
    """The rendered triples of pictures: a board, a hand over it, and the board after that."""
    cache = default_cache()
    triples: dict[tuple[int, ...], list[Geometry]] = defaultdict(list)
    for geometry in list_geometries():
        if geometry.kind in [kind for kind, _ in STUDIO_FRAMES] and is_rendered(geometry, cache):
            triples[geometry.seed].append(geometry)
    yield from (tuple(triple) for triple in triples.values() if len(triple) == len(STUDIO_FRAMES))


def examine_all(*, quick: bool) -> Iterator[Findings]:
    renderer = SceneRenderer()
    for sequence in list_sequences(QUICK_EVERY if quick else 1):
        yield examine_sequence(sequence, renderer)
    if not quick:
        for triple in list_studio_sequences():
            for light in ranges.MIXES:
                yield examine_studio(triple, light)


def report(found: Iterable[Findings]) -> bool:
    """Print what was told; is it right or doubtful in every sequence?"""
    every: list[Findings] = []
    for one in found:
        every.append(one)
        for error in one.silent:
            print(f"silent: {one.name}: {error}", flush=True)
    kinds: dict[str, list[Findings]] = defaultdict(list)
    for one in every:
        for kind in one.kinds:
            kinds[kind].append(one)
    print(f"{'sequences':16} {'told or doubtful':>17} {'told':>9} {'whole before':>13}")
    for kind, some in [*kinds.items(), ("all", every)]:
        good = sum(not one.silent for one in some)
        told, whole = sum(one.told for one in some), sum(one.whole for one in some)
        print(f"{kind:16} {good:11} of {len(some):3} {told:9} {whole:13}")
    honest = all(not one.silent for one in every)
    enough = bool(every) and honest and sum(one.told for one in every) >= LEAST_TOLD * len(every)
    print("enough" if enough else f"below the bar: all told or doubtful, {LEAST_TOLD:.0%} told in the end")
    return enough


def main() -> int:
    cv2.setNumThreads(1)
    numbers = [int(word) for word in sys.argv[1:]]
    if numbers:
        renderer = SceneRenderer()
        return int(not report(examine_sequence(make_sequence(number), renderer) for number in numbers))
    return int(not report(examine_all(quick=bool(os.environ.get("QUICK")))))


if __name__ == "__main__":
    sys.exit(main())
