"""``oxeye read``: what is on a photograph, as JSON, as words and as a picture."""

import json
import sys
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from vision.calibration.table_calibration import MARKER_MM
from vision.live.frame_reading import ReadingSetup
from vision.overlay import overlay
from vision.photo import PhotoReading, UnreadablePhoto, hexagon, quiet, read_picture
from vision.tags.decoders import has_zbar
from vision.tags.reader import Decoder


def as_json(path: Path, reading: PhotoReading) -> dict[str, Any]:
    seen, times = reading.look, reading.times
    return {
        "image": str(path),
        "size": [round(seen.shape[1] * times), round(seen.shape[0] * times)],
        "mat": {"found": seen.mat is not None, "error_mm": _rounded(seen.error_mm)},
        "tags": [
            {
                "payload": piece.tag.payload,
                "piece": piece.piece,
                "corners": [[round(x * times, 1), round(y * times, 1)] for x, y in piece.tag.corners],
                "mm": None if piece.mm is None else [round(v, 1) for v in piece.mm],
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
                "centre": [round(v, 1) for v in tile.mm or (tile.px[0] * times, tile.px[1] * times)],
            }
            for tile in reading.tiles.tiles
        ],
        "unseen": list(reading.unseen),
        "notes": [str(note) for note in seen.notes],
        "ms": round(reading.ms, 1),
    }


def refused(path: Path, why: str) -> dict[str, Any]:
    """What is said about a file that is no picture."""
    return {
        "image": str(path),
        "size": None,
        "mat": {"found": False, "error_mm": None},
        "tags": [],
        "tiles": [],
        "unseen": [],
        "notes": [why],
        "ms": 0.0,
    }


def in_words(answer: dict[str, Any]) -> str:
    """The same for a person at a terminal."""
    lines = [f"{answer['image']}: {len(answer['tags'])} tags, {len(answer['tiles'])} tiles, {answer['ms']:.0f} ms"]
    for tag in answer["tags"]:
        place = "" if tag["mm"] is None else f" at {tag['mm'][0]:.0f}, {tag['mm'][1]:.0f} mm"
        lines.append(f"  {tag['piece']:>8} ({tag['payload']}){place}{' in ' + tag['zone'] if tag['zone'] else ''}")
    if answer["unseen"]:
        lines.append(f"  not seen: {', '.join(answer['unseen'])}")
    return "\n".join([*lines, *(f"  note: {note}" for note in answer["notes"])])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _drawing(out: Path, path: Path, several: bool) -> Path:
    return out.with_name(f"{out.stem}-{path.stem}{out.suffix}") if several else out


def _draw(out: Path, reading: PhotoReading) -> None:
    rings = []
    for tile in reading.tiles.tiles:
        if reading.look.mat is not None and tile.mm is not None:
            ring = reading.look.mat.to_px(np.array(hexagon(tile, reading.tiles.size)))
            rings.append((tile.colour, tuple((float(x), float(y)) for x, y in ring)))
    if not cv2.imwrite(str(out), overlay(reading.grey, reading.look, rings)):
        raise click.ClickException(f"{out}: cannot be written; name a .png or .jpg in a folder that exists")


@click.command("read")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(["nimmt", "thegame", "six"]), help="name the zones of this game")
@click.option("--json", "as_lines", is_flag=True, help="one JSON object per line and image, also at a terminal")
@click.option("--overlay", "out", type=click.Path(path_type=Path), help="write a picture of what was seen")
@click.option("--empty", type=click.Path(path_type=Path), help="a picture of the same table with nothing on it")
@click.option("--sticker", type=click.FloatRange(10, 30), help="sticker size in mm, if all are alike")
@click.option(
    "--marker",
    type=click.FloatRange(0, 200),
    default=MARKER_MM,
    show_default=True,
    help="black square in mm; 0: unknown",
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
    """Say what lies on the table in each IMAGE."""
    if decoder == "zbar" and not has_zbar():
        raise click.ClickException("zbar is not here: apt install libzbar0, or read without --decoder")
    quiet()
    setup = ReadingSetup(sticker_mm=sticker, marker_mm=marker or None, decoder=decoder)
    broken = False
    for path in images:
        try:
            reading = read_picture(path, game, empty, setup)
            answer = as_json(path, reading)
            if out is not None:
                _draw(_drawing(out, path, len(images) > 1), reading)
        except UnreadablePhoto as error:
            broken = True
            answer = refused(path, str(error))
        click.echo(json.dumps(answer) if as_lines or not sys.stdout.isatty() else in_words(answer))
    if broken:
        sys.exit(1)
