"""A tag in a picture and what it means on the table: which piece, where its middle lies, how it is turned."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin

import cv2
import numpy as np

from engine.table import Area
from vision.codebook import BOOK, CARD, card_centre_from_sticker
from vision.mat import Mat
from vision.tags import Sighting

# stickers are printed from 12 to 25 mm large
STICKERS = (12.0, 25.0)


@dataclass(frozen=True, slots=True)
class Lying:
    """One tag in a picture and its piece: where the middle of that lies, and its angle, if there is a mat."""

    tag: Sighting
    piece: str
    mm: tuple[float, float] | None = None
    angle: float | None = None
    zone: str | None = None
    doubtful: bool = False


def place(tag: Sighting, mat: Mat | None, plan: Mapping[str, Area], sticker_mm: float | None) -> Lying:
    code = BOOK[tag.payload]
    if mat is None:
        return Lying(tag, code.piece)
    tl, tr, br, bl = mat.to_mm(np.asarray(tag.corners))
    along = tr - tl + br - bl
    angle = atan2(along[1], along[0])
    sticker = sticker_mm or sticker_of(mat, tag)
    dx, dy = card_centre_from_sticker(code.game, sticker)
    middle = (tl + tr + br + bl) / 4
    x = float(middle[0] + dx * cos(angle) - dy * sin(angle))
    y = float(middle[1] + dx * sin(angle) + dy * cos(angle))
    zone = next((name for name, area in plan.items() if area.holds(x, y)), None)
    return Lying(tag, code.piece, (x, y), degrees(angle), zone)


def sticker_of(mat: Mat, tag: Sighting) -> float:
    size = float(cv2.contourArea(mat.to_mm(np.asarray(tag.corners)).astype(np.float32)) ** 0.5) * 25 / 21
    return min(max(size, STICKERS[0]), STICKERS[1])


def outline(piece: Lying) -> tuple[tuple[float, float], ...]:
    """The card or tile a tag lies on, in mm."""
    assert piece.mm is not None
    game = BOOK[piece.tag.payload].game
    width, height = CARD.get(game, (44.0, 44.0) if game == "six" else CARD["thegame"])
    turn = radians(piece.angle or 0.0)
    ring = []
    for side, end in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = side * width / 2, end * height / 2
        ring.append(
            (piece.mm[0] + x * cos(turn) - y * sin(turn), piece.mm[1] + x * sin(turn) + y * cos(turn))
        )
    return tuple(ring)
