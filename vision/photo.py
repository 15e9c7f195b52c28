"""A picture file into everything the eyes can tell about it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import cos, radians, sin
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.games import GAMES
from engine.options import BadOption
from engine.table import Area, hidden_in
from vision.calibration.marker_pose import bearings
from vision.changes.occlusion import Polygon
from vision.frame import Grey, grey_of
from vision.live.frame_reading import FrameReading, ReadingSetup, empty_table, placed, read_frame, veiled
from vision.live.picture_notes import Note
from vision.tags.codebook import BOOK
from vision.tiles.finder import FoundTile, FoundTiles
from vision.tiles.finder import find as find_tiles

Picture = NDArray[np.uint8]
# larger pictures are shrunk: no camera of ours makes them, and memory is short
LARGEST = 40_000_000
FIELDS = ("top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right")


class UnreadablePhoto(Exception):
    """A file that holds no picture."""


def load(path: Path, colour: bool = False) -> Picture:
    """A picture file as grey or BGR levels; a broken one is refused in words, a monstrous one shrunk."""
    return measured(path, colour)[0]


def measured(path: Path, colour: bool) -> tuple[Picture, float]:
    """The same, and how many of the file's pixels make one of the picture's."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadablePhoto(error.strerror or "cannot be read") from error
    if _cut_short(data):
        raise UnreadablePhoto("the file is cut short: copy it again")
    try:
        how = cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how) if data else None
    except cv2.error as error:
        raise UnreadablePhoto("too large a picture, or a damaged one") from error
    if image is None:
        raise UnreadablePhoto("not a picture, or a damaged one")
    if image.shape[0] * image.shape[1] > LARGEST:
        scale = (LARGEST / (image.shape[0] * image.shape[1])) ** 0.5
        shrunk = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(shrunk, np.uint8), image.shape[1] / shrunk.shape[1]
    return np.asarray(image, np.uint8), 1.0


def _cut_short(data: bytes) -> bool:
    """Half a photograph still decodes, with grey below: its end mark tells."""
    if data.startswith(b"\xff\xd8\xff"):
        # a thumbnail inside has an end mark of its own, but early
        return data.rfind(b"\xff\xd9") < len(data) // 2
    return data.startswith(b"\x89PNG") and b"IEND" not in data[-4096:]


def zones(game: str | None, width: float, height: float) -> tuple[Mapping[str, Area], list[Note]]:
    """The zones of a game on an area of this size; without a game the area itself."""
    whole = {"table": Area(0.0, 0.0, width, height)}
    if game is None:
        return whole, []
    try:
        return GAMES[game].plan({"width": round(width), "height": round(height)}).zones, []
    except BadOption as error:
        return whole, [Note("area", f"{error}: the zones of this game are not known here")]


def fields(width: float, height: float) -> Mapping[str, Area]:
    """The area in nine, for want of zones."""
    return {
        name: Area(width * (n % 3) / 3, height * (n // 3) / 3, width * (n % 3 + 1) / 3, height * (n // 3 + 1) / 3)
        for n, name in enumerate(FIELDS)
    }


@dataclass(frozen=True, slots=True, eq=False)
class PhotoReading:
    """One picture read."""

    look: FrameReading
    grey: Grey
    tiles: FoundTiles
    unseen: tuple[str, ...]
    ms: float
    times: float = 1.0
    """Pixels of the file for one of the picture that was read."""


def read_picture(path: Path, game: str | None, empty: Path | None, setup: ReadingSetup) -> PhotoReading:
    """Everything one picture tells; the clock runs from the decoded picture to the answer."""
    notes: list[Note] = []
    try:
        bare = None if empty is None else load(empty, colour=game == "six")
    except UnreadablePhoto as error:
        raise UnreadablePhoto(f"the empty table, {empty}: {error}") from error
    if bare is not None:
        setup = _with_empty(setup, grey_of(bare))
        # memory is short: the tiles alone want all of it
        bare = bare if game == "six" or setup.empty is None else None
    picture, times = measured(path, colour=game == "six")
    begun = time.perf_counter()
    grey = grey_of(picture)
    if bare is not None and setup.empty is None:
        setup, notes = _without_markers(setup, grey_of(bare), grey)
    seen = read_frame(grey, replace(setup, everywhere=True))
    if seen.mat is not None:
        plan, more = zones(game, seen.mat.area.right, seen.mat.area.bottom)
        setup, notes = replace(setup, plan=plan), notes + more
        seen = placed(seen, setup)
    tiles = FoundTiles(())
    if game == "six":
        tiles = _tiles(picture, bare, seen, setup)
        notes += [Note("tiles", text) for text in tiles.notes]
        seen = veiled(seen, setup, lying=[hexagon(tile, tiles.size) for tile in tiles.tiles if tile.mm])
    games = [BOOK[piece.tag.payload].game for piece in seen.pieces]
    others = sum(other not in (game, "any") for other in games) if game else 0
    if others:
        notes.append(Note("other-game", f"{others} tag{'s' * (others > 1)} of another game"))
    seen = replace(seen, notes=(*seen.notes, *notes))
    return PhotoReading(seen, grey, tiles, _unseen(seen, setup), (time.perf_counter() - begun) * 1000, times)


def _with_empty(setup: ReadingSetup, bare: Grey) -> ReadingSetup:
    """The set-up with the empty table in it, measured by its own markers."""
    mat, _ = bearings(bare, marker_mm=setup.marker_mm)
    return setup if mat is None else replace(setup, empty=empty_table(bare, mat), mat=mat)


def _without_markers(setup: ReadingSetup, bare: Grey, grey: Grey) -> tuple[ReadingSetup, list[Note]]:
    """The same if only the picture proper shows markers, and the camera was the same."""
    mat = bearings(grey, marker_mm=setup.marker_mm)[0] if bare.shape == grey.shape else None
    if mat is None:
        return setup, [Note("empty", "the picture of the empty table shows no markers: not used")]
    return replace(setup, empty=empty_table(bare, mat)), []


def _tiles(picture: Picture, bare: Picture | None, seen: FrameReading, setup: ReadingSetup) -> FoundTiles:
    if seen.mat is None:
        return find_tiles(picture, bare)
    tagged = [
        (piece.piece, *piece.mm)
        for piece in seen.pieces
        if piece.mm is not None and BOOK[piece.tag.payload].game == "six"
    ]
    # the empty table was measured by its own markers: the camera may have moved since
    scale = None if setup.mat is None else setup.mat.homography
    return find_tiles(picture, bare, to_mm=seen.mat.homography, area=seen.mat.area, tagged=tagged, empty_to_mm=scale)


def hexagon(tile: FoundTile, size: float | None) -> Polygon:
    assert tile.mm is not None
    reach = (size or 38.0) / 3**0.5
    turns = [radians(tile.angle + 30 + 60 * k) for k in range(6)]
    return tuple((tile.mm[0] + reach * cos(turn), tile.mm[1] + reach * sin(turn)) for turn in turns)


def _unseen(seen: FrameReading, setup: ReadingSetup) -> tuple[str, ...]:
    """The zones, or parts of the area, that cannot be vouched for."""
    if seen.mat is None:
        return ()
    area = seen.mat.area
    plan = fields(area.right, area.bottom) if set(setup.plan) <= {"table"} else setup.plan
    return tuple(sorted(hidden_in(plan, seen.table.unseen)))


def quiet() -> None:
    """A damaged file is reported by us, not by a library on the way."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
