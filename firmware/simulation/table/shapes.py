"""Outlines of cards and stickers on a table, in millimetres, and whether they overlap."""

from collections.abc import Iterable
from math import cos, radians, sin

from vision.pieces import PIECES
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.codebook import offset_to_card_centre

Spot = tuple[float, float]
Quad = tuple[Spot, Spot, Spot, Spot]


def make_quad(x: float, y: float, angle: float, width: float, height: float) -> Quad:
    """The corners of a rectangle around (x, y), turned clockwise by an angle in degrees."""
    c, s = cos(radians(angle)), sin(radians(angle))
    (ax, ay), (bx, by) = (width / 2 * c, width / 2 * s), (-height / 2 * s, height / 2 * c)
    return (
        (x - ax - bx, y - ay - by),
        (x + ax - bx, y + ay - by),
        (x + ax + bx, y + ay + by),
        (x - ax + bx, y - ay + by),
    )


def outline_card(game: str, x: float, y: float, angle: float) -> Quad:
    return make_quad(x, y, angle, *PIECES[game].size)


def outline_sticker(game: str, x: float, y: float, angle: float, side: float = STICKER_MM) -> Quad:
    """The sticker of a card with its centre at (x, y)."""
    dx, dy = offset_to_card_centre(game, side)
    c, s = cos(radians(angle)), sin(radians(angle))
    return make_quad(x - dx * c + dy * s, y - dx * s - dy * c, angle, side, side)


def overlap(one: Quad, other: Quad) -> bool:
    """Do two rectangles overlap? They do not if a line along one of their sides separates them."""
    for a, b in ((one, other), (other, one)):
        for (x0, y0), (x1, y1) in ((a[0], a[1]), (a[1], a[2])):
            dx, dy = x1 - x0, y1 - y0
            low, high = _along(a, dx, dy)
            first, last = _along(b, dx, dy)
            if last <= low or high <= first:
                return False
    return True


def _along(points: Iterable[Spot], dx: float, dy: float) -> tuple[float, float]:
    at = [x * dx + y * dy for x, y in points]
    return min(at), max(at)
