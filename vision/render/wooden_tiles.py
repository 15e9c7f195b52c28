"""Textures of plain wooden hexagons: a bevelled block with a grain, a little lighter or darker than the next one."""

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.render.ground import make_waves
from vision.render.layer_compositing import Paint, to_linear
from vision.render.projection import Points
from vision.render.scene import DrawnTile
from vision.render.sensor import FROM_LINEAR, WHITE_COUNTS

TEXTURE_PX = 320
"""Texture pixels across the box of a tile."""
CORNERS_PER_FLATS = 2 / math.sqrt(3)
"""Ratio of corner to corner and flat to flat."""


def find_texture_side(tile: DrawnTile) -> float:
    """The side of the square that the texture fills, in mm."""
    return tile.size * CORNERS_PER_FLATS * 1.04


def make_hexagon(size: float) -> Points:
    """The six corners of a tile around its centre; flats face 0, 60, ... degrees."""
    at = np.radians(30 + 60 * np.arange(6))
    return np.stack([np.cos(at), np.sin(at)], 1) * size / math.sqrt(3)


@lru_cache(maxsize=2)
def draw_tile_mask() -> Paint:
    paint: Paint = np.zeros((TEXTURE_PX, TEXTURE_PX), np.uint8)
    cv2.fillPoly(paint, [_corners(1.0)], 255, cv2.LINE_AA, 4)
    return paint


def _corners(scale: float) -> Points:
    at = make_hexagon(TEXTURE_PX / (CORNERS_PER_FLATS * 1.04)) * scale + (TEXTURE_PX - 1) / 2
    return np.round(at * 16).astype(np.int32)


WINDOW_TINT = (1.25, 1.0, 0.85)
"""The sky in a window: blue, green and red."""
SATIN_FADE = 0.6
"""Share of the mirrored window that is lost from the side of a tile near it to the other."""


@lru_cache(maxsize=128)
def draw_block(colour: str, variant: int, turned: int, satin: float = 0.0) -> Paint:
    """The painted block; ``turned`` is the direction of the light relative to the tile, in steps of 15 degrees."""
    rng = np.random.default_rng([variant, len(colour)])
    base = np.array([34, 32, 172] if colour == "red" else [40, 38, 37]) * rng.uniform(0.82, 1.15)
    paint: Paint = np.full((TEXTURE_PX, TEXTURE_PX, 3), np.clip(base * 0.7, 0, 255), np.uint8)
    corners = _corners(0.985).astype(np.float64)
    middle = np.full(2, (TEXTURE_PX - 1) / 2 * 16)
    for side in range(6):
        normal = math.radians(60 * (side + 1))
        bright = 1 - 0.4 * math.cos(normal - math.radians(15 * turned))
        wedge = np.stack([corners[side], corners[(side + 1) % 6], middle]).round().astype(np.int32)
        cv2.fillPoly(paint, [wedge], [float(c) for c in np.clip(base * bright + 4, 4, 255)], cv2.LINE_AA, 4)
    grain = make_waves(rng, (TEXTURE_PX, TEXTURE_PX), 160, 5) * (0.05 if colour == "red" else 0.07)
    top = np.clip(base * (1 + grain[..., None]) + 3, 4, 255).astype(np.uint8)
    flat = np.zeros((TEXTURE_PX, TEXTURE_PX), np.uint8)
    cv2.fillPoly(flat, [_corners(0.9)], 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(flat, (0, 0), 3).astype(np.float32)[..., None] / 255
    out: Paint = (paint * (1 - soft) + top * soft).astype(np.uint8)
    return _mirror_window(out, satin, turned) if satin else out


def _mirror_window(paint: Paint, satin: float, turned: int) -> Paint:
    """The block with the light of a window mirrored in it, which fades away from the window."""
    way = math.radians(15 * turned)
    across = np.linspace(-0.5, 0.5, TEXTURE_PX)
    near = 1 - SATIN_FADE * (0.5 + math.cos(way) * across[None] + math.sin(way) * across[:, None])
    light = to_linear(paint) + satin * np.clip(near, 0, 1)[..., None] * np.array(WINDOW_TINT)
    return np.asarray(FROM_LINEAR[np.clip(light * WHITE_COUNTS, 0, WHITE_COUNTS).astype(np.uint16)], np.uint8)


def draw_tile(tile: DrawnTile, sun: float) -> Paint:
    variant = int(abs(tile.x) * 7 + abs(tile.y) * 13) % 5
    turned = round((sun - tile.angle) / 15) % 24
    paint = draw_block(tile.colour, variant, turned, tile.satin)
    if tile.dot:
        paint = paint.copy()
        radius = round(tile.dot / 2 / find_texture_side(tile) * TEXTURE_PX)
        cv2.circle(paint, (TEXTURE_PX // 2, TEXTURE_PX // 2), radius, (232, 234, 234), -1, cv2.LINE_AA)
    return paint
