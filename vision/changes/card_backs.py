"""Backs of face-down cards in seats: changes of a card's size against the picture of the empty table."""

import math
from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area, Piece
from vision.calibration.rectification import Matrix, make_rectification, rectify

Grey = NDArray[np.uint8]

Thing = tuple[float, float, float, bool]

SEAT_PX_MM = 1.0
"""Pixels per mm of the rectified seat."""
SEAT_MARGIN_MM = 20.0
"""Millimetres searched beyond a seat: a card may stick out."""
SIDE_TOLERANCE = 0.13
"""Share by which a side of the change may be longer or shorter than the card's."""
SHADOW_LOG = 0.75
"""What is darker by less may be in shadow; natural logarithm of the ratio."""
CORNER_MM = 22.0
"""Side of the corner of a card that a sticker fills."""
SOLID_SHARE = 0.88
"""Share of the rectangle around it that a change must fill."""


def find_backs(
    picture: Grey,
    empty: Grey,
    to_mm: Matrix,
    seats: Mapping[str, Area],
    size: tuple[float, float],
    read: Iterable[Piece] = (),
    empty_to_mm: Matrix | None = None,
) -> frozenset[Piece]:
    """A ``back`` for each seat with one object of a card's size and no card that was ``read``.

    ``size`` is the card's in mm, ``to_mm`` the homography from pixels to mm of the table. The angle is that of the long
    side.
    """
    if not seats:
        return frozenset()
    places = seats.values()
    wide = Area(
        min(seat.left for seat in places) - SEAT_MARGIN_MM,
        min(seat.top for seat in places) - SEAT_MARGIN_MM,
        max(seat.right for seat in places) + SEAT_MARGIN_MM,
        max(seat.bottom for seat in places) + SEAT_MARGIN_MM,
    )
    now = rectify(picture, *make_rectification(to_mm, wide, SEAT_PX_MM))
    then = rectify(empty, *make_rectification(to_mm if empty_to_mm is None else empty_to_mm, wide, SEAT_PX_MM))
    there = tuple(read)
    things = [_to_table(thing, wide) for thing in _find_things(_find_changed(now, then), size)]
    found = set()
    for seat in places:
        here = [thing for thing in things if seat.contains(thing[0], thing[1])]
        if len(here) == 1 and not any(seat.contains(card.x, card.y) for card in there):
            x, y, angle, fits = here[0]
            if fits and not _is_lopsided(now, x - wide.left, y - wide.top, angle, size):
                found.add(Piece("back", round(x, 1), round(y, 1), round(angle, 1)))
    return frozenset(found)


def _to_table(thing: Thing, area: Area) -> Thing:
    x, y, angle, fits = thing
    return (x + 0.5) / SEAT_PX_MM + area.left, (y + 0.5) / SEAT_PX_MM + area.top, angle, fits


def _is_lopsided(now: Grey, x: float, y: float, angle: float, size: tuple[float, float]) -> bool:
    """Does a corner differ from the opposite one? A back looks the same upside down, a face has a sticker."""
    turn = math.radians(angle)
    c, s = math.cos(turn), math.sin(turn)
    wide, high = (round(side * SEAT_PX_MM) for side in size)
    place = np.array([[c, -s, x * SEAT_PX_MM], [s, c, y * SEAT_PX_MM]]) @ np.array(
        [[1, 0, -wide / 2], [0, 1, -high / 2], [0, 0, 1.0]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    card = np.asarray(cv2.warpAffine(now, place, (wide, high), flags=flags), np.float32)
    side = round(CORNER_MM * SEAT_PX_MM)
    one, other = card[-side:-2, 2:side], card[::-1, ::-1][-side:-2, 2:side]
    tones, prints = (float(one.mean()), float(other.mean())), (float(one.std()), float(other.std()))
    return max(tones) > 1.1 * min(tones) + 5 or max(prints) > 1.3 * min(prints) + 3


def _find_changed(now: Grey, then: Grey) -> Grey:
    """Where an object is that was not there before. The light may have drifted, and a shadow does not count."""
    soft_now, soft_then = (
        np.asarray(cv2.GaussianBlur(p, (0, 0), 1.0), np.float32) + np.float32(6) for p in (now, then)
    )
    ratio = np.log(soft_now / soft_then)
    ratio -= _fit_drift(ratio)
    spread = 1.5 * float(np.median(np.abs(ratio)))
    # rectification is never exact to the pixel: an edge of the table itself is no change
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    brighter = ratio - np.log(cv2.dilate(soft_then, near) / soft_then)
    darker = -ratio - np.log(soft_then / cv2.erode(soft_then, near))
    least = 0.16 + 3 * spread
    # the print of a card shows even where its mean brightness is the table's; a shadow has no print
    fine = np.abs(_measure_detail(soft_now) - _measure_detail(soft_then)) > 0.05 + 4 * spread
    print_ = np.asarray(cv2.erode(fine.astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8)
    both = ((brighter > least) | (darker > max(least, SHADOW_LOG))).astype(np.uint8) | print_
    joined = cv2.morphologyEx(both, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(now)
    cv2.drawContours(filled, list(outlines), -1, 1, -1)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13))
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, brush), np.uint8)


def _fit_drift(ratio: NDArray[np.float32]) -> NDArray[np.float32]:
    """The slow change of the light, robust against objects: the median of coarse blocks, smoothed."""
    high, wide = ratio.shape
    rows, cols = max(1, high // 120), max(1, wide // 120)
    blocks = [
        [float(np.median(block)) for block in np.array_split(band, cols, axis=1)]
        for band in np.array_split(ratio, rows, axis=0)
    ]
    middle = float(np.median(blocks))
    # a block that a card fills tells nothing about the light
    calm = np.clip(np.array(blocks, np.float32), middle - 0.12, middle + 0.12)
    return np.asarray(cv2.resize(calm, (wide, high), interpolation=cv2.INTER_LINEAR), np.float32)


def _measure_detail(soft: NDArray[np.float32]) -> NDArray[np.float32]:
    """Standard deviation of the brightness within a few mm, relative to its mean."""
    mean = cv2.blur(soft, (5, 5))
    square = cv2.blur(soft * soft, (5, 5))
    return np.asarray(np.sqrt(np.maximum(square - mean * mean, 0)) / mean, np.float32)


def _find_things(mask: Grey, size: tuple[float, float]) -> list[Thing]:
    """All larger changes: centre x and y, angle of the long side, and whether it has the size of a card."""
    found = []
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for line in outlines:
        area = cv2.contourArea(line) / SEAT_PX_MM**2
        if area > 0.1 * size[0] * size[1]:
            (x, y), (wide, high), turn = cv2.minAreaRect(line)
            if wide > high:
                wide, high, turn = high, wide, turn + 90
            wide, high = wide / SEAT_PX_MM, high / SEAT_PX_MM
            fits = abs(wide / size[0] - 1) < SIDE_TOLERANCE and abs(high / size[1] - 1) < SIDE_TOLERANCE
            found.append((x, y, (turn + 90) % 180 - 90, fits and area > SOLID_SHARE * wide * high))
    return found
