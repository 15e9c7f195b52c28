"""Is an unread card face down? A back looks the same upside down, or as another back; a face has a sticker."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.changes.card_edges import PX_MM, RIM_MM, Raster
from vision.changes.light_fit import decode_gamma
from vision.pieces import PIECES
from vision.sticker_and_marker_sizes import LARGEST_STICKER_MM, SMALLEST_STICKER_MM
from vision.tags.codebook import BOOK, EDGE_MM, QUIET_MODULES, cache_by_book, draw_pattern

FINE_MM, COARSE_MM = 0.75, 6.0
"""Finer print than the first is lost in the picture, and coarser shades than the second are those of light."""
FLOOR_SHARE = 0.04
"""Print that differs from its card by less than this share of its brightness does not count: paper is as uneven."""
MOST_FLOORS = 6.0
"""Where two prints fit is found with no more contrast than this, so that a strong line does not decide it alone."""
WINDOW_MM = 8.0
"""Side of the square in which two prints are compared: half a sticker."""
MOST_GAIN = 3.0
"""By this factor the contrast of a print differs from place to place in one light."""
SAME_MISFIT = 0.4
"""Two prints agree in a square if less than this share of their contrast is not in both; of strangers it is near 1."""
PRINTED = 8.0
"""A square is printed if both cards together have this much contrast there, in squared floors: clearly more than paper.
"""
PLAIN_SHARE = 0.05
"""A card without print has this share of plain squares that agree."""
INSET_MM, SLIP_MM = 6.0, 4.0
"""What is left out of a card along its sides, and how far its outline may be from its place."""
TURNED_SHARE = 0.7
"""The printed part of a back that agrees with itself upside down; of the faces measured, 0.49 at most."""
CORNER_MM, CORNER_SHARE = 12.0, 0.7
"""But a face may be the same upside down all but its sticker, which is in a corner: so much of that corner agrees."""
LIKE_SHARE = 0.5
"""The printed part of a card that agrees with a known back: of the faces measured, 0.29 at most. A gloss hides some."""
PAIR_SHARE = 0.85
"""The printed part of two cards that agrees if both are backs of an unknown deck, and neither has a sticker."""
STICKER_FIT = 0.56
"""The mean of two correlations with what all codes have in common: of the whole sticker, and of the worst of its three
finders. Measured on stickers, 0.59 at least where the picture is blurred by a module; on prints 0.54 at most."""
FINDER_MODULES = 10
"""Side of the corner of a sticker that has a finder and the paper around it."""
BURNT_LEVEL, BURNT_SHARE = 250.0, 0.2
"""A place shows no sticker if this share of it is so bright."""
STICKER_SLIP_MM, STICKER_SIZES, STICKER_TURNS = 3.5, 14, (-8.0, -5.0, -2.5, 0.0, 2.5, 5.0, 8.0)
"""How far a sticker may be from its place; how many sizes and which angles in degrees are tried."""
CODE_BLUR_MODULES = 0.35
"""A camera blurs a code at least by this part of a module."""


def read_print(patch: Raster) -> Raster:
    """The contrast of a card that was rectified with its surroundings, in units of ``FLOOR_SHARE`` of its brightness.

    In linear light, where a gloss adds to the brightness and leaves the contrast.
    """
    linear = decode_gamma(np.clip(np.round(patch), 0, 255).astype(np.uint8))
    rim = round((RIM_MM + INSET_MM - SLIP_MM) * PX_MM)
    unit = FLOOR_SHARE * max(1e-3, float(np.median(linear[rim:-rim, rim:-rim])))
    inside = np.zeros_like(linear)
    inside[rim:-rim, rim:-rim] = 1  # not the table: every card differs from it alike
    fine, coarse = (
        cv2.GaussianBlur(linear * inside, (0, 0), mm * PX_MM) / (cv2.GaussianBlur(inside, (0, 0), mm * PX_MM) + 1e-3)
        for mm in (FINE_MM, COARSE_MM)
    )
    return np.asarray((fine - coarse) / unit, np.float32)


def _turn(raster: Raster) -> Raster:
    return np.ascontiguousarray(raster[::-1, ::-1])


@dataclass(frozen=True, slots=True)
class Agreement:
    """The share of the printed part of two cards that agrees, and of the worse of the two corners for stickers."""

    printed: float
    corner: float


def compare_prints(first: Raster, second: Raster) -> Agreement:
    """One of the prints is shifted to where it fits the other one best."""
    near, far = round((RIM_MM + INSET_MM) * PX_MM), round((RIM_MM + INSET_MM - SLIP_MM) * PX_MM)
    part, whole = second[near:-near, near:-near], first[far:-far, far:-far]
    soft, piece = (np.clip(raster, -MOST_FLOORS, MOST_FLOORS) for raster in (whole, part))
    fit = cv2.matchTemplate(soft, piece, cv2.TM_CCOEFF_NORMED)
    y, x = np.unravel_index(int(fit.argmax()), fit.shape)
    whole = whole[y : y + part.shape[0], x : x + part.shape[1]]
    side = round(WINDOW_MM * PX_MM)
    one, two, both = (cv2.blur(a * b, (side, side)) for a, b in ((whole, whole), (part, part), (whole, part)))
    gain = np.clip(np.sqrt((two + 1) / (one + 1)), 1 / MOST_GAIN, MOST_GAIN)
    total = two + gain * gain * one
    agrees = (total - 2 * gain * both) / (total + 2) < SAME_MISFIT
    printed = total > PRINTED
    corner = round(CORNER_MM * PX_MM)
    return Agreement(
        float(((agrees & printed).mean() + PLAIN_SHARE) / (printed.mean() + PLAIN_SHARE)),
        float(min(agrees[-corner:, :corner].mean(), agrees[:corner, -corner:].mean())),
    )


def is_turned_alike(card: Raster) -> bool:
    """Does a card look the same upside down?"""
    found = compare_prints(card, _turn(card))
    return found.printed > TURNED_SHARE and found.corner > CORNER_SHARE


def measure_likeness(first: Raster, second: Raster) -> float:
    """The share of the printed part of two cards that agrees; either may lie upside down."""
    return max(compare_prints(first, turned).printed for turned in (second, _turn(second)))


@lru_cache(maxsize=512)
def _draw_sticker(side_mm: float, turn: float) -> Raster:
    """What stickers of this size have in common, turned by some degrees."""
    common, scale = _draw_common(), 8
    large = cv2.resize(common, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    px = side_mm * PX_MM / large.shape[0]
    large = cv2.GaussianBlur(large, (0, 0), CODE_BLUR_MODULES * scale)
    side = math.ceil(side_mm * PX_MM)
    middle = (large.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), turn, px)
    matrix[:, 2] += (side - 1) / 2 - middle
    return np.asarray(cv2.warpAffine(large, matrix, (side, side), borderValue=1.0), np.float32)


@cache_by_book
def _draw_common() -> Raster:
    """The mean of all codes on cards, paper is 1, with the quiet zone."""
    cards = [code for code in BOOK.values() if PIECES[code.game].kind == "card"]
    dark = np.mean([draw_pattern(code.payload) for code in cards], 0)
    return np.pad(1 - dark, QUIET_MODULES, constant_values=1.0).astype(np.float32)


def has_sticker(patch: Raster) -> bool:
    """Is a sticker in one of the two corners where the face of a rectified card has it?"""
    return any(_fit_sticker(card) > STICKER_FIT for card in (patch, _turn(patch)))


def may_hide_sticker(patch: Raster) -> bool:
    """Is one of these corners too bright to show a sticker?"""
    return any(_is_burnt(card) for card in (patch, _turn(patch)))


def _is_burnt(patch: Raster) -> bool:
    left, side = round((RIM_MM + EDGE_MM) * PX_MM), round(LARGEST_STICKER_MM * PX_MM)
    return bool((patch[-left - side : -left, left : left + side] >= BURNT_LEVEL).mean() > BURNT_SHARE)


def _fit_sticker(patch: Raster) -> float:
    """How well a sticker of any size fits into the bottom left corner."""
    slip, left = round(STICKER_SLIP_MM * PX_MM), round((RIM_MM + EDGE_MM) * PX_MM)
    best, found = -1.0, (patch, patch)
    for side_mm in np.geomspace(SMALLEST_STICKER_MM, LARGEST_STICKER_MM, STICKER_SIZES):
        side = math.ceil(side_mm * PX_MM)
        top = patch.shape[0] - left - side
        place = patch[top - slip : top + side + slip, left - slip : left + side + slip]
        for turn in STICKER_TURNS:
            drawn = _draw_sticker(float(side_mm), turn)
            fit = cv2.matchTemplate(place, drawn, cv2.TM_CCOEFF_NORMED)
            if fit.max() > best:
                y, x = np.unravel_index(int(fit.argmax()), fit.shape)
                best, found = float(fit.max()), (place[y : y + side, x : x + side], drawn)
    side = round(found[1].shape[0] * FINDER_MODULES / _draw_common().shape[0])
    low, high = slice(None, side), slice(-side, None)
    corners = [[one[corner] for one in found] for corner in ((low, low), (low, high), (high, low))]
    return (best + min(_correlate(*corner) for corner in corners)) / 2


def _correlate(first: Raster, second: Raster) -> float:
    return float(cv2.matchTemplate(first, second, cv2.TM_CCOEFF_NORMED)[0, 0])


def choose_backs(patches: Sequence[Raster], known: Sequence[Raster] = ()) -> list[bool]:
    """Which of the rectified cards, none of which was read, are backs; the rest are faces, or not sure.

    ``known`` are prints of backs of the same deck.
    """
    prints = [read_print(patch) for patch in patches]
    backs = [is_turned_alike(card) for card in prints]
    unsure = [n for n, is_back in enumerate(backs) if not is_back and not has_sticker(patches[n])]
    models = [*known, *(card for card, is_back in zip(prints, backs, strict=True) if is_back)]
    _mark_alike(backs, prints, unsure, models)
    unsure = [n for n in unsure if not backs[n]]
    clear = [n for n in unsure if len(unsure) > 1 and not may_hide_sticker(patches[n])]
    for n in clear:
        backs[n] = any(measure_likeness(prints[m], prints[n]) > PAIR_SHARE for m in clear if m != n)
    _mark_alike(backs, prints, unsure, [prints[n] for n in clear if backs[n]])
    return backs


def _mark_alike(backs: list[bool], prints: Sequence[Raster], unsure: Iterable[int], models: Sequence[Raster]) -> None:
    """Mark those that look like a back."""
    for n in unsure:
        backs[n] = backs[n] or any(measure_likeness(model, prints[n]) > LIKE_SHARE for model in models)
