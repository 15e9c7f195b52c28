"""Every card of the book that a picture shows, and nothing else: quick readers first, the matcher last."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Literal

import cv2
import numpy as np

from vision.frame import Grey
from vision.tags.candidates import Box
from vision.tags.codebook import BOOK
from vision.tags.decoders import LEAST_PX, Claim, decode_enlarged, decode_zbar, decode_zxing
from vision.tags.matcher import make_stencils, search_tags
from vision.tags.verification import (
    Corners,
    confirm_claims,
    find_middle,
    find_unmoved,
    is_near,
    measure_side,
    scale_corners,
)

Decoder = Literal["auto", "zxing", "zbar"]
ReadBy = Literal["zxing", "zoom", "match", "zbar"]
Sizes = tuple[float, float]
"""Smallest and largest pixels per module that may occur."""

ANY_SIZE: Sizes = (1.4, 8.5)
# one search finds tags of sizes this factor apart
SIZE_STEP = 1.25
# once some stickers are read the others are about as large, near or far: the largest printed are twice the smallest
SIZE_SPREAD = 2.2
# below this zxing reads nothing even when enlarged
ZOOM_FROM_PX = 1.9
# the matcher reads nothing smaller
LEAST_PX_MODULE = 1.1
# the matcher wants no more pixels a module than this
ENOUGH_PX_MODULE = 3.0


@dataclass(frozen=True, slots=True)
class DecodedTag:
    """One tag: what it says, its code's corners (TL TR BR BL, px), who read it, how alike (at most 1)."""

    payload: str
    corners: Corners
    by: ReadBy
    score: float = 1.0

    @property
    def centre(self) -> tuple[float, float]:
        return find_middle(self.corners)

    @property
    def px_module(self) -> float:
        return measure_side(self.corners) / 21


Leftover = Callable[[tuple[DecodedTag, ...]], Sequence[Box]]
"""Where more tags may lie, once these are read."""


def read_tags(
    grey: Grey,
    *,
    known: Iterable[DecodedTag] = (),
    boxes: Sequence[Box] | None = None,
    px_module: Sizes | None = None,
    decoder: Decoder = "auto",
    leftover: Leftover | None = None,
) -> tuple[DecodedTag, ...]:
    """The tags in ``boxes`` of a picture (by default all of it), and those ``known`` that lie as they lay.

    The quick reader goes over all boxes; the matcher over them too, or over what is ``leftover`` then.
    """
    if min(grey.shape) < LEAST_PX:
        return ()
    before = list(known)
    stay = find_unmoved(grey, [(tag.payload, tag.corners) for tag in before])
    found = [tag for tag, there in zip(before, stay, strict=True) if there]
    # what is no longer where it lay may have been nudged
    gone = [_around(tag, grey.shape) for tag, there in zip(before, stay, strict=True) if not there]
    places = [*boxes, *gone] if boxes is not None else [(0, 0, grey.shape[1], grey.shape[0])]
    quick = decode_zbar if decoder == "zbar" else decode_zxing
    claims = [
        (text, scale_corners(at, 1, place[0], place[1])) for place in places for text, at in quick(_part(grey, place))
    ]
    found += _confirmed(grey, claims, "zbar" if decoder == "zbar" else "zxing", found)
    # a code that reads as something else is a stranger, however much it may resemble one of ours
    strangers = [at for text, at in claims if text not in BOOK]
    if decoder == "auto":
        rest = [*leftover(tuple(found)), *gone] if leftover else places
        found += _searched(grey, rest, px_module, found, strangers)
    return tuple(found)


def _part(grey: Grey, box: Box) -> Grey:
    left, top, right, bottom = box
    part = grey[top:bottom, left:right]
    return part if min(part.shape) >= LEAST_PX else np.zeros((LEAST_PX, LEAST_PX), np.uint8)


def _around(tag: DecodedTag, shape: tuple[int, ...]) -> Box:
    (x, y), reach = tag.centre, 26 * tag.px_module
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    return left, top, min(shape[1], int(x + reach) + 1), min(shape[0], int(y + reach) + 1)


def _searched(
    grey: Grey, boxes: Sequence[Box], sizes: Sizes | None, found: list[DecodedTag], strangers: list[Corners]
) -> list[DecodedTag]:
    """What the matcher finds in boxes, size by size, and zxing in what the matcher leaves in doubt."""
    new: list[DecodedTag] = []
    for size in _sizes(sizes or ANY_SIZE) if boxes else []:
        alike = [tag.px_module for tag in found + new]
        if len(alike) > 2 and not min(alike) / SIZE_SPREAD < size < max(alike) * SIZE_SPREAD:
            continue
        times = 2 ** max(0, ceil(log2(size / ENOUGH_PX_MODULE)))
        image = _halved(grey, times)
        small = [(a // times, b // times, -(-c // times), -(-d // times)) for a, b, c, d in boxes]
        before = strangers + [tag.corners for tag in found + new]
        matches, doubtful = search_tags(
            image, small, size / times, [scale_corners(at, 1 / times, 0, 0) for at in before]
        )
        for payload, at, score in matches:
            new.append(DecodedTag(payload, scale_corners(at, times, 0, 0), "match", round(score, 3)))
        if size >= ZOOM_FROM_PX:
            claims = [claim for at in doubtful for claim in decode_enlarged(grey, scale_corners(at, times, 0, 0))]
            new += _confirmed(grey, claims, "zoom", found + new)
    return new


def _sizes(sizes: Sizes) -> list[float]:
    """The sizes to search, a step apart that the finder's template still bridges, the likeliest first."""
    least, most = max(sizes[0], LEAST_PX_MODULE), max(sizes[1], LEAST_PX_MODULE)
    steps = max(1, ceil(log2(most / least) / log2(SIZE_STEP)))
    found = [least * (most / least) ** ((i + 0.5) / steps) for i in range(steps)]
    middle = (least * most) ** 0.5
    return sorted(found, key=lambda size: abs(log2(size / middle)))


def _halved(grey: Grey, times: int) -> Grey:
    while times > 1:
        grey = np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        times //= 2
    return grey


def _confirmed(grey: Grey, claims: list[Claim], by: ReadBy, found: list[DecodedTag]) -> list[DecodedTag]:
    taken = [tag.corners for tag in found]
    fresh: list[DecodedTag] = []
    ours = [claim for claim in claims if claim[0] in BOOK and not is_near(claim[1], taken)]
    for text, at, score in confirm_claims(grey, ours, make_stencils()[1]):
        if not is_near(at, taken):
            fresh.append(DecodedTag(text, at, by, round(score, 3)))
            taken.append(at)
    return fresh
