"""Plain wooden hexagons: a bevelled block with a grain, a little lighter or darker than its neighbour."""

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.render.canvas import Paint
from vision.render.ground import waves
from vision.render.project import Points
from vision.render.scene import DrawnTile

SIDE = 320
"""Texture pixels across a tile's box."""
REACH = 2 / math.sqrt(3)
"""Corner to corner over flat to flat."""


def box(tile: DrawnTile) -> float:
    """The side of the square the texture fills, mm."""
    return tile.size * REACH * 1.04


def hexagon(size: float) -> Points:
    """The six corners of a tile in its own frame; flats face 0, 60, ... degrees."""
    at = np.radians(30 + 60 * np.arange(6))
    return np.stack([np.cos(at), np.sin(at)], 1) * size / math.sqrt(3)


@lru_cache(maxsize=2)
def mask() -> Paint:
    paint: Paint = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(paint, [_corners(1.0)], 255, cv2.LINE_AA, 4)
    return paint


def _corners(scale: float) -> Points:
    at = hexagon(SIDE / (REACH * 1.04)) * scale + (SIDE - 1) / 2
    return np.round(at * 16).astype(np.int32)


@lru_cache(maxsize=128)
def block(colour: str, variant: int, turned: int) -> Paint:
    """The painted block; ``turned`` is the light's direction seen by the tile, in steps of 15 degrees."""
    rng = np.random.default_rng([variant, len(colour)])
    base = np.array([34, 32, 172] if colour == "red" else [40, 38, 37]) * rng.uniform(0.82, 1.15)
    paint: Paint = np.full((SIDE, SIDE, 3), np.clip(base * 0.7, 0, 255), np.uint8)
    corners = _corners(0.985).astype(np.float64)
    middle = np.full(2, (SIDE - 1) / 2 * 16)
    for side in range(6):
        normal = math.radians(60 * (side + 1))
        bright = 1 - 0.4 * math.cos(normal - math.radians(15 * turned))
        wedge = np.stack([corners[side], corners[(side + 1) % 6], middle]).round().astype(np.int32)
        cv2.fillPoly(paint, [wedge], [float(c) for c in np.clip(base * bright + 4, 4, 255)], cv2.LINE_AA, 4)
    grain = waves(rng, (SIDE, SIDE), 160, 5) * (0.05 if colour == "red" else 0.07)
    top = np.clip(base * (1 + grain[..., None]) + 3, 4, 255).astype(np.uint8)
    flat = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(flat, [_corners(0.9)], 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(flat, (0, 0), 3).astype(np.float32)[..., None] / 255
    out: Paint = (paint * (1 - soft) + top * soft).astype(np.uint8)
    return out


def painted(tile: DrawnTile, sun: float) -> Paint:
    variant = int(abs(tile.x) * 7 + abs(tile.y) * 13) % 5
    turned = round((sun - tile.angle) / 15) % 24
    paint = block(tile.colour, variant, turned)
    if tile.dot:
        paint = paint.copy()
        radius = round(tile.dot / 2 / box(tile) * SIDE)
        cv2.circle(paint, (SIDE // 2, SIDE // 2), radius, (232, 234, 234), -1, cv2.LINE_AA)
    return paint
