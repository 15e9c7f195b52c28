"""Placement of tags on the table: which piece, where its centre is, how it is turned."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.markers import Quad
from vision.calibration.table_calibration import TableCalibration
from vision.pieces import PIECES
from vision.sticker_and_marker_sizes import LARGEST_STICKER_MM, SMALLEST_STICKER_MM
from vision.tags.codebook import BOOK, offset_to_card_centre
from vision.tags.reader import DecodedTag

STICKER_RANGE_MM = (SMALLEST_STICKER_MM, LARGEST_STICKER_MM)
PAPER_FACTOR = 1.5
"""The paper of a marker, with its white rim, is this much wider than the black square."""
DOUBT_MM = 12.0
"""Half the side of the area that counts as unseen around the centre of a card that may be there."""


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """One tag and its piece; with a calibration, the centre of the piece in mm and its angle in degrees."""

    tag: DecodedTag
    piece: str
    mm: tuple[float, float] | None = None
    angle: float | None = None
    zone: str | None = None
    doubtful: bool = False


def place_tags(
    tags: Sequence[DecodedTag], calibration: TableCalibration | None, plan: Mapping[str, Area], sticker_mm: float | None
) -> list[PlacedTag]:
    """The pieces of tags, placed on the table."""
    if calibration is None or not tags:
        return [PlacedTag(tag, BOOK[tag.payload].piece) for tag in tags]
    mm = calibration.to_mm(np.array([tag.corners for tag in tags]).reshape(-1, 2)).reshape(-1, 4, 2)
    along = mm[:, 1] - mm[:, 0] + mm[:, 2] - mm[:, 3]
    angles = np.degrees(np.arctan2(along[:, 1], along[:, 0])).tolist()
    sides = _sides(mm).tolist() if sticker_mm is None else [sticker_mm] * len(tags)
    found = []
    for tag, (x, y), angle, side in zip(tags, mm.mean(1).tolist(), angles, sides, strict=True):
        code = BOOK[tag.payload]
        dx, dy = offset_to_card_centre(code.game, side)
        c, s = cos(radians(angle)), sin(radians(angle))
        x, y = x + dx * c - dy * s, y + dx * s + dy * c
        zone = next((name for name, area in plan.items() if area.contains(x, y)), None)
        found.append(PlacedTag(tag, code.piece, (x, y), angle, zone))
    return found


def measure_stickers(calibration: TableCalibration, tags: Sequence[DecodedTag]) -> list[float]:
    """The sizes of the tags' stickers in mm."""
    mm = calibration.to_mm(np.array([tag.corners for tag in tags]).reshape(-1, 2)).reshape(-1, 4, 2)
    return [float(side) for side in _sides(mm)]


def _sides(mm: NDArray[np.float64]) -> NDArray[np.float64]:
    first, second = mm[:, 2] - mm[:, 0], mm[:, 3] - mm[:, 1]
    area = abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
    return np.asarray(np.clip(np.sqrt(area) * 25 / 21, *STICKER_RANGE_MM), np.float64)


def outline_piece(piece: PlacedTag) -> tuple[tuple[float, float], ...]:
    """The corners, in mm, of the card or tile that carries a tag."""
    assert piece.mm is not None
    width, height = PIECES[BOOK[piece.tag.payload].game].size
    c, s = cos(radians(piece.angle or 0.0)), sin(radians(piece.angle or 0.0))
    (x, y), (ax, ay), (bx, by) = piece.mm, (width / 2 * c, width / 2 * s), (-height / 2 * s, height / 2 * c)
    return (
        (x - ax - bx, y - ay - by),
        (x + ax - bx, y + ay - by),
        (x + ax + bx, y + ay + by),
        (x - ax + bx, y - ay + by),
    )


def cover_doubtful(pieces: Iterable[PlacedTag]) -> tuple[Area, ...]:
    """Areas around doubtful pieces: a card seen at two places is at one of them, so both count as unseen."""
    spots = (piece.mm for piece in pieces if piece.doubtful and piece.mm is not None)
    return tuple(Area(x - DOUBT_MM, y - DOUBT_MM, x + DOUBT_MM, y + DOUBT_MM) for x, y in spots)


def outline_paper(marker: Quad) -> tuple[tuple[float, float], ...]:
    """The paper that a marker is printed on, in mm: it reaches into the area, and is the first to burn out."""
    x, y = np.mean(marker, 0).tolist()
    return tuple((x + (right - x) * PAPER_FACTOR, y + (down - y) * PAPER_FACTOR) for right, down in marker)
