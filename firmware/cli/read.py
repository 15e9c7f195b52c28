"""``oxeye read``: read the table on a photo, as JSON, as text and as a picture."""

import json
import sys
import time
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import InputError
from engine.games import GAMES
from hw.cameras.images import MOST_DECODED_PX, is_truncated, measure_picture
from vision.calibration.camera_check import LEAST_PX_MODULE
from vision.live.frame_reading import FrameReading, ReadingSetup
from vision.pieces import has_tiles
from vision.reading_overlay import draw_overlay
from vision.sticker_and_marker_sizes import MARKER_MM, STICKER_MM
from vision.still_picture import PhotoReading, read_picture, use_empty
from vision.tags.decoders import has_zbar
from vision.tags.reader import Decoder
from vision.tiles.finder import outline_tile

LARGEST_PX = 40_000_000
"""Larger pictures are shrunk to this many pixels: no camera of ours makes them, and memory is short."""


class UnreadablePhoto(InputError):
    """A file that holds no picture."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoAnswer:
    """What one picture file shows, the milliseconds from the decoded picture to the answer, and how many pixels of the
    file make one of the picture that was read."""

    reading: PhotoReading
    ms: float
    scale: float


def load_photo(path: Path, *, colour: bool = False) -> tuple[NDArray[np.uint8], float]:
    """The picture in a file as grey or BGR levels, and how many pixels of the file make one of the picture."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadablePhoto(error.strerror or "cannot be read") from error
    if is_truncated(data):
        raise UnreadablePhoto("the file is cut short: copy it again")
    size = measure_picture(data)
    if size is None:
        raise UnreadablePhoto("not a picture, or a damaged one")
    if size[0] * size[1] > MOST_DECODED_PX:
        raise UnreadablePhoto(f"it has {size[0]} x {size[1]} pixels: save it smaller, 12 million are plenty")
    try:
        how = cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how) if data else None
    except cv2.error as error:
        raise UnreadablePhoto("too large a picture, or a damaged one") from error
    if image is None:
        raise UnreadablePhoto("not a picture, or a damaged one")
    if image.shape[0] * image.shape[1] > LARGEST_PX:
        scale = (LARGEST_PX / (image.shape[0] * image.shape[1])) ** 0.5
        shrunk = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(shrunk, np.uint8), image.shape[1] / shrunk.shape[1]
    return np.asarray(image, np.uint8), 1.0


def read_photo(path: Path, game: str | None, empty: Path | None, setup: ReadingSetup) -> PhotoAnswer:
    """Load a picture file, and one of the empty table if there is one, and read it."""
    bare = None
    if empty is not None:
        try:
            bare, _ = load_photo(empty, colour=game is not None)
        except UnreadablePhoto as error:
            raise UnreadablePhoto(f"the empty table, {empty}: {error}") from error
        setup, bare = use_empty(setup, bare, game)
    picture, scale = load_photo(path, colour=game is not None)
    begun = time.perf_counter()
    reading = read_picture(picture, game, bare, setup)
    return PhotoAnswer(reading, (time.perf_counter() - begun) * 1000, scale)


def silence_opencv() -> None:
    """Keep OpenCV from writing about a damaged file: the command reports it."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def describe_photo(path: Path, answer: PhotoAnswer) -> dict[str, Any]:
    reading, times = answer.reading, answer.scale
    seen = reading.frame_reading
    return {
        "image": str(path),
        "size": [round(seen.shape[1] * times), round(seen.shape[0] * times)],
        "mat": {"found": seen.calibration is not None, "error_mm": _rounded(seen.error_mm)},
        "tags": [
            {
                "payload": piece.tag.payload,
                "piece": piece.piece,
                "corners": [[round(x * times, 1), round(y * times, 1)] for x, y in piece.tag.corners],
                "mm": _rounded_place(piece.mm),
                "angle": _rounded(piece.angle),
                "zone": piece.zone,
                "by": piece.tag.by,
            }
            for piece in sorted(seen.pieces, key=lambda p: (p.tag.payload, p.tag.centre))
        ],
        "tiles": [
            {
                "colour": tile.colour,
                "board": tile.board,
                "cell": None if tile.cell is None else list(tile.cell),
                "centre": [round(v * times, 1) for v in tile.px],
                "mm": _rounded_place(tile.mm),
                "doubtful": tile.mm is not None and any(area.contains(*tile.mm) for area in reading.tiles.unsure),
            }
            for tile in reading.tiles.tiles
        ],
        "backs": [
            {"zone": zone, "mm": _rounded_place((back.x, back.y)), "angle": _rounded(back.angle)}
            for zone, back in reading.backs
        ],
        "unseen": list(reading.unseen),
        "unseen_mm": _outline_unseen(seen),
        "covers": [list(pair) for pair in sorted(seen.table.covers)],
        "notes": [str(note) for note in seen.notes],
        "ms": round(answer.ms, 1),
    }


def describe_needs(answer: PhotoAnswer, game: str | None, empty: Path | None, sticker_mm: float) -> list[str]:
    """What a picture lacks in which nothing was read, so that cards and tiles could be."""
    reading = answer.reading
    seen = reading.frame_reading
    if seen.pieces or reading.tiles.tiles or reading.backs:
        return []
    if seen.calibration is None:
        return ["nothing read: take a photo from above of a table with corner markers and cards with stickers"]
    needs = []
    px_module = seen.calibration.px_module(sticker_mm)[0]
    if px_module < LEAST_PX_MODULE:
        wide = ceil(seen.shape[1] * answer.scale * LEAST_PX_MODULE / px_module)
        needs.append(
            f"no sticker can be read: it has {px_module:.1f} pixels for each square of its code and needs "
            f"{LEAST_PX_MODULE}: take this picture at least {wide} pixels wide"
        )
    if not (game is not None and has_tiles(game) and empty is not None):
        needs.append("tiles are read with --game six and --empty PHOTO, a photo of the same table without any piece")
    return needs


def describe_unreadable(path: Path, why: str) -> dict[str, Any]:
    """The answer for a file that is no picture."""
    return {
        "image": str(path),
        "size": None,
        "mat": {"found": False, "error_mm": None},
        "tags": [],
        "tiles": [],
        "backs": [],
        "unseen": [],
        "unseen_mm": [],
        "covers": [],
        "notes": [why],
        "ms": 0.0,
    }


def format_answer(answer: dict[str, Any]) -> str:
    """The answer as text for a terminal."""
    lines = [f"{answer['image']}: {len(answer['tags'])} tags, {len(answer['tiles'])} tiles, {answer['ms']:.0f} ms"]
    lines += [f"  a card face down in {back['zone']}" for back in answer["backs"]]
    for tag in answer["tags"]:
        place = "" if tag["mm"] is None else f" at {tag['mm'][0]:.0f}, {tag['mm'][1]:.0f} mm"
        lines.append(f"  {tag['piece']:>8} ({tag['payload']}){place}{' in ' + tag['zone'] if tag['zone'] else ''}")
    if answer["unseen"]:
        lines.append(f"  not seen: {', '.join(answer['unseen'])}")
    return "\n".join([*lines, *(f"  note: {note}" for note in answer["notes"])])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _rounded_place(mm: tuple[float, float] | None) -> list[float] | None:
    return None if mm is None else [round(v, 1) for v in mm]


def _outline_unseen(seen: FrameReading) -> list[list[list[float]]]:
    """The corners of the unseen areas in mm, within the table."""
    if seen.calibration is None:
        return []
    table, found = seen.calibration.area, []
    for area in seen.table.unseen:
        left, right = max(table.left, area.left), min(table.right, area.right)
        top, bottom = max(table.top, area.top), min(table.bottom, area.bottom)
        if left < right and top < bottom:
            found.append(
                [[round(x, 1), round(y, 1)] for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
            )
    return found


def _drawing(out: Path, path: Path, several: bool) -> Path:
    return out.with_name(f"{out.stem}-{path.stem}{out.suffix}") if several else out


def _draw(out: Path, reading: PhotoReading) -> None:
    rings = []
    for tile in reading.tiles.tiles:
        if reading.frame_reading.calibration is not None and tile.mm is not None:
            ring = reading.frame_reading.calibration.to_px(np.array(outline_tile(tile, reading.tiles.size)))
            rings.append((tile.colour, tuple((float(x), float(y)) for x, y in ring)))
    if not cv2.imwrite(str(out), draw_overlay(reading.grey, reading.frame_reading, rings)):
        raise click.ClickException(f"{out}: cannot be written; name a .png or .jpg in a folder that exists")


@click.command("read")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(sorted(GAMES)), help="report the zones of this game")
@click.option("--json", "as_lines", is_flag=True, help="print one JSON object per image, also at a terminal")
@click.option("--overlay", "out", type=click.Path(path_type=Path), help="write a picture with everything that was read")
@click.option("--empty", type=click.Path(path_type=Path), help="a photo of the same table without any piece")
@click.option("--sticker", type=click.FloatRange(10, 30), help="side of the stickers in mm, if all have one size")
@click.option(
    "--marker",
    type=click.FloatRange(0, 200),
    default=MARKER_MM,
    show_default=True,
    help="side of the black square of the markers in mm; 0 if unknown",
)
@click.option("--decoder", type=click.Choice(["auto", "zxing", "zbar"]), default="auto", show_default=True)
def command(
    images: tuple[Path, ...],
    game: str | None,
    as_lines: bool,
    out: Path | None,
    empty: Path | None,
    sticker: float | None,
    marker: float,
    decoder: Decoder,
) -> None:
    """Read cards and tiles from each photo IMAGE of the table."""
    if decoder == "zbar" and not has_zbar():
        raise click.ClickException("zbar is not installed: apt install libzbar0, or read without --decoder")
    silence_opencv()
    setup = ReadingSetup(sticker_mm=sticker, marker_mm=marker or None, decoder=decoder)
    broken = False
    for path in images:
        try:
            photo = read_photo(path, game, empty, setup)
            answer = describe_photo(path, photo)
            answer["notes"] += describe_needs(photo, game, empty, sticker or STICKER_MM)
            if out is not None:
                _draw(_drawing(out, path, len(images) > 1), photo.reading)
        except UnreadablePhoto as error:
            broken = True
            answer = describe_unreadable(path, str(error))
        click.echo(json.dumps(answer) if as_lines or not sys.stdout.isatty() else format_answer(answer))
    if broken:
        sys.exit(1)
